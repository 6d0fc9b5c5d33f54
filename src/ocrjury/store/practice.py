"""A rater's own answers in practice, beside what was expected."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.current_ratings import current_ratings
from ocrjury.store.database import Connection
from ocrjury.store.links import Link
from ocrjury.store.rows import list_rows, same
from ocrjury.store.schema.intake import visits
from ocrjury.store.schema.material import gold
from ocrjury.store.schema.rating import assignments, rounds

AGAIN = "practised_again"
"""Key under which a visit keeps an answer in repeated practice: it is not a rating."""


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


def last_work(connection: Connection, link: Link) -> datetime | None:
    """Moment at which a rater last handed in anything on the rating page, None before."""
    query = (
        sa.select(sa.func.max(visits.c.submitted_at))
        .join(assignments, same(assignments, visits, "assignment"))
        .where(assignments.c.evaluation == link.evaluation, assignments.c.rater == link.who)
    )
    moment: datetime | None = connection.execute(query).scalar()
    return moment


def next_practised(connection: Connection, link: Link, dimensions: Sequence[str]) -> str | None:
    """Assignment of a pilot whose expected rating the rater was told, the longest ago first.

    Only the rating page tells them. None if there is none.
    """
    own, last = current_ratings(), sa.func.max(visits.c.submitted_at)
    query = (
        sa.select(own.c.assignment)
        .join(gold, same(gold, own, "evaluation", "item", "dimension"))
        .join(visits, same(visits, own, "assignment"))
        .where(
            own.c.evaluation == link.evaluation,
            own.c.rater == link.who,
            own.c.kind == "pilot",
            own.c.source == "web",
            own.c.dimension.in_(dimensions),
            visits.c.submitted_at.is_not(None),
        )
        .group_by(own.c.assignment)
        .order_by(last, own.c.assignment)
        .limit(1)
    )
    return connection.execute(query).scalars().first()


def practised_again(connection: Connection, visit: str) -> Mapping[str, float] | None:
    """Values that a rater gave in practice again, by dimension; None before."""
    query = sa.select(visits.c.conditions).where(visits.c.visit == visit)
    conditions = connection.execute(query).scalar() or {}
    values: Mapping[str, float] | None = conditions.get(AGAIN)
    return values
