"""A rater's own answers on gold items in passing, of rounds that are over."""

from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.current_ratings import current_ratings
from ocrjury.store.database import Connection
from ocrjury.store.links import Link
from ocrjury.store.rows import list_rows, same
from ocrjury.store.schema.material import gold
from ocrjury.store.schema.rating import rounds


class GoldAnswer(NamedTuple):
    """An answer whose known rating the rater was never told."""

    round: int
    item: str
    dimension: str
    value: float
    expected: float


def list_gold_answers(connection: Connection, link: Link) -> list[GoldAnswer]:
    """Answers of a rater on gold in rounds that are closed, but for practice, by round and item.

    Nothing in an open round counts: who asks before and after an item would learn what it was.
    """
    own = current_ratings()
    query = (
        sa.select(
            *(own.c[name] for name in ("round", "item", "dimension", "value")),
            gold.c.value.label("expected"),
        )
        .join(rounds, same(rounds, own, "evaluation", "round"))
        .join(gold, same(gold, own, "evaluation", "item", "dimension"))
        .where(
            own.c.evaluation == link.evaluation,
            own.c.rater == link.who,
            own.c.repeat == 0,
            rounds.c.kind.in_(("main", "adaptive")),
            rounds.c.state == "closed",
        )
        .order_by(own.c.round, own.c.item, own.c.dimension)
    )
    return list_rows(connection, GoldAnswer, query)
