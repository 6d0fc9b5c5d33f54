"""Items whose right rating is known."""

from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.schema import gold


class GoldRow(NamedTuple):
    """The known rating of an item on a dimension; `explanation` is for people who practise."""

    item: str
    dimension: str
    value: float
    explanation: str
    source: str


def add_gold(connection: Connection, evaluation: str, rows: Iterable[GoldRow]) -> None:
    """Keep known ratings; their items are there already."""
    values = [{"evaluation": evaluation, **row._asdict()} for row in rows]
    if values:
        connection.execute(sa.insert(gold), values)


def list_gold(engine: Engine, evaluation: str) -> list[GoldRow]:
    """Return the known ratings of an evaluation, in the order of items and dimensions."""
    query = (
        sa.select(*(gold.c[name] for name in GoldRow._fields))
        .where(gold.c.evaluation == evaluation)
        .order_by(gold.c.item, gold.c.dimension)
    )
    with reading(engine) as connection:
        return [GoldRow(*row) for row in connection.execute(query)]
