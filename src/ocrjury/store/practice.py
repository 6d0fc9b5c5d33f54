"""A rater's own answers in practice, beside what was expected."""

from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.current_ratings import current_ratings
from ocrjury.store.database import Connection
from ocrjury.store.links import Link
from ocrjury.store.rows import list_rows, same
from ocrjury.store.schema.material import gold
from ocrjury.store.schema.rating import rounds


class PracticeAnswer(NamedTuple):
    """An answer in a pilot whose expected rating the rater was told."""

    item: str
    dimension: str
    value: float
    expected: float


def list_practice(connection: Connection, link: Link) -> list[PracticeAnswer]:
    """Answers of a rater in the pilots of an evaluation, the oldest first.

    Known ratings of other rounds stay out: there, nobody may learn which items have one.
    """
    own = current_ratings()
    query = (
        sa.select(own.c.item, own.c.dimension, own.c.value, gold.c.value.label("expected"))
        .join(rounds, same(rounds, own, "evaluation", "round"))
        .join(gold, same(gold, own, "evaluation", "item", "dimension"))
        .where(
            own.c.evaluation == link.evaluation,
            own.c.rater == link.who,
            rounds.c.kind == "pilot",
        )
        .order_by(own.c.round, own.c.at, own.c.position)
    )
    return list_rows(connection, PracticeAnswer, query)
