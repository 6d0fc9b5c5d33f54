"""How fast raters work: seconds at work for an item, and how many items were hasty."""

from statistics import median
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Engine, reading
from ocrjury.store.rows import same
from ocrjury.store.schema.intake import visits
from ocrjury.store.schema.rating import assignments, rounds


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
    spent = sa.func.coalesce(visits.c.active_ms, visits.c.wall_ms)
    query = (
        sa.select(
            assignments.c.assignment,
            assignments.c.rater,
            rounds.c.kind,
            spent.label("spent_ms"),
            visits.c.conditions["hasty"].as_boolean().label("hasty"),
        )
        .join(visits, same(visits, assignments, "assignment"))
        .join(rounds, same(rounds, assignments, "evaluation", "round"))
        .where(
            assignments.c.evaluation == evaluation,
            visits.c.submitted_at.is_not(None),
            spent.is_not(None),
        )
        .order_by(visits.c.submitted_at.desc(), visits.c.visit)
    )
    with reading(engine) as connection:
        first = {row.assignment: row for row in connection.execute(query)}
    rated = [row for row in first.values() if row.kind != "pilot"] or list(first.values())
    by_rater: dict[str, list[tuple[int, bool]]] = {}
    for row in rated:
        by_rater.setdefault(row.rater, []).append((row.spent_ms, bool(row.hasty)))
    return {
        rater: RaterPace(
            len(times), median(ms for ms, _ in times) / 1000, sum(hasty for _, hasty in times)
        )
        for rater, times in by_rater.items()
    }
