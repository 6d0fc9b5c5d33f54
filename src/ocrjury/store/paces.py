"""Pace of raters: seconds of work for an item, and the number of hasty items."""

from statistics import median
from typing import Final, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Engine, reading
from ocrjury.store.rows import same
from ocrjury.store.schema.intake import visits
from ocrjury.store.schema.rating import assignments, rounds

RUSHED: Final = 0.1
"""Share of hasty items from which a rater is pointed at."""


class RaterPace(NamedTuple):
    """Pace of a rater over all items with a time.

    Attributes
    ----------
    seconds
        Median time at work for an item, until it was submitted first.
    hasty
        Items submitted sooner than the campaign's `hasty_seconds`.
    """

    items: int
    seconds: float
    hasty: int


def rater_paces(engine: Engine, evaluation: str) -> dict[str, RaterPace]:
    """Pace of every rater with times, without pilots unless there is nothing else.

    Times are those of the rating page, at work or, where nothing measured that, from opening an
    item to submitting it; sheets and files have none.
    """
    timed = _timed(evaluation)
    query = sa.select(timed).where(timed.c.place == 1)
    with reading(engine) as connection:
        rows = connection.execute(query).all()
    rated = [row for row in rows if not row.practice] or rows
    by_rater: dict[str, list[tuple[int, int]]] = {}
    for row in rated:
        by_rater.setdefault(row.rater, []).append((row.spent_ms, row.hasty))
    return {
        rater: RaterPace(
            len(times), median(ms for ms, _ in times) / 1000, sum(hasty for _, hasty in times)
        )
        for rater, times in by_rater.items()
    }


def hasty_shares(engine: Engine, evaluation: str) -> dict[str, float]:
    """Share of each rater's items that were hasty, as in `rater_paces`; no time is read."""
    timed = _timed(evaluation)
    query = (
        sa.select(timed.c.practice, timed.c.rater, sa.func.sum(timed.c.hasty), sa.func.count())
        .where(timed.c.place == 1)
        .group_by(timed.c.practice, timed.c.rater)
    )
    with reading(engine) as connection:
        rows = connection.execute(query).all()
    rated = [row for row in rows if not row.practice] or rows
    return {rater: int(hasty) / number for _, rater, hasty, number in rated}


def rushed_raters(engine: Engine, evaluation: str) -> dict[str, float]:
    """Raters who submit many items too soon, with the share of these."""
    shares = hasty_shares(engine, evaluation)
    return {rater: share for rater, share in shares.items() if share >= RUSHED}


def _timed(evaluation: str) -> sa.Subquery:
    """Query for every submission with a time; `place` counts those of an assignment."""
    spent = sa.func.coalesce(visits.c.active_ms, visits.c.wall_ms)
    hasty = visits.c.conditions["hasty"].as_boolean()
    in_turn = visits.c.submitted_at, visits.c.visit.desc()
    return (
        sa.select(
            assignments.c.rater,
            sa.case((rounds.c.kind == "pilot", 1), else_=0).label("practice"),
            spent.label("spent_ms"),
            sa.case((hasty, 1), else_=0).label("hasty"),
            sa.func.row_number()
            .over(partition_by=assignments.c.assignment, order_by=in_turn)
            .label("place"),
        )
        .join(visits, same(visits, assignments, "assignment"))
        .join(rounds, same(rounds, assignments, "evaluation", "round"))
        .where(
            assignments.c.evaluation == evaluation,
            visits.c.submitted_at.is_not(None),
            spent.is_not(None),
        )
        .subquery("timed")
    )
