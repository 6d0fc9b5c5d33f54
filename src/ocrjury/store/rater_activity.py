"""What each rater did in a round: how much, and when last."""

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Engine, reading
from ocrjury.store.schema import assignments, ratings


class Activity(NamedTuple):
    """One rater in one round; `last` is the moment of the newest rating, None before the first."""

    rater: str
    done: int
    open: int
    withdrawn: int
    last: datetime | None

    @property
    def asked(self) -> int:
        """Return how many assignments this rater has or had done."""
        return self.done + self.open


def list_activity(engine: Engine, evaluation: str, number: int) -> list[Activity]:
    """Return what every rater of a round did."""
    newest = (
        sa.select(ratings.c.assignment, sa.func.max(ratings.c.at).label("at"))
        .group_by(ratings.c.assignment)
        .subquery()
    )
    counts = [
        sa.func.sum(sa.case((assignments.c.state == state, 1), else_=0))
        for state in ("done", "open", "withdrawn")
    ]
    query = (
        sa.select(assignments.c.rater, *counts, sa.func.max(newest.c.at))
        .outerjoin(newest, newest.c.assignment == assignments.c.assignment)
        .where(assignments.c.evaluation == evaluation, assignments.c.round == number)
        .group_by(assignments.c.rater)
        .order_by(assignments.c.rater)
    )
    with reading(engine) as connection:
        return [Activity(*row) for row in connection.execute(query)]
