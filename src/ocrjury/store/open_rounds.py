"""Open rounds of all evaluations, and the ratings for which they wait."""

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Engine, reading
from ocrjury.store.rows import same
from ocrjury.store.schema.rating import assignments, rounds


class AwaitedRound(NamedTuple):
    """An open round, and the raters with something open in it, in order."""

    round: int
    frontend: str
    deadline: datetime
    raters: tuple[str, ...]


def list_awaited(engine: Engine) -> dict[str, AwaitedRound]:
    """Open rounds by evaluation."""
    opened = sa.select(
        rounds.c.evaluation, rounds.c.round, rounds.c.frontend, rounds.c.deadline
    ).where(rounds.c.state == "open")
    waiting = (
        sa.select(assignments.c.evaluation, assignments.c.rater)
        .join(rounds, same(rounds, assignments, "evaluation", "round"))
        .where(rounds.c.state == "open", assignments.c.state == "open")
        .distinct()
        .order_by(assignments.c.evaluation, assignments.c.rater)
    )
    raters: dict[str, list[str]] = {}
    with reading(engine) as connection:
        for evaluation, rater in connection.execute(waiting).tuples():
            raters.setdefault(evaluation, []).append(rater)
        open_rows = connection.execute(opened).all()
    return {
        row.evaluation: AwaitedRound(
            row.round, row.frontend, row.deadline, tuple(raters.get(row.evaluation, ()))
        )
        for row in open_rows
    }
