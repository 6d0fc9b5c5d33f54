"""What raters said over all evaluations, beside what turned out to be right."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.current_ratings import current_ratings
from ocrjury.store.database import Engine, reading
from ocrjury.store.schema import assignments, evaluations, gold, ratings, set_aside, truths


class RecordRow(NamedTuple):
    """A rating that counts, with the known and the inferred value of its item, None without one.

    `kind` is as of `ocrjury.store.current_ratings`; `label` is a category as its scale names it.
    """

    evaluation: str
    opened_at: datetime
    simulated: bool
    rater: str
    dimension: str
    item: str
    kind: str
    value: float
    known: float | None
    label: Any


def list_records(engine: Engine, *, raters: Sequence[str] | None = None) -> list[RecordRow]:
    """Return every rating that counts of some raters or of all, the oldest evaluation first.

    The inferred value is that of the newest truths of its evaluation.
    """
    rated = current_ratings()
    newest = (
        sa.select(truths.c.evaluation, sa.func.max(truths.c.version).label("version"))
        .group_by(truths.c.evaluation)
        .subquery()
    )
    of_item = [rated.c[name] == gold.c[name] for name in ("evaluation", "item", "dimension")]
    inferred = [rated.c[name] == truths.c[name] for name in ("evaluation", "item", "dimension")]
    query = (
        sa.select(
            rated.c.evaluation,
            evaluations.c.opened_at,
            evaluations.c.simulated,
            rated.c.rater,
            rated.c.dimension,
            rated.c.item,
            rated.c.kind,
            rated.c.value,
            gold.c.value,
            truths.c.label,
        )
        .join(evaluations, evaluations.c.evaluation == rated.c.evaluation)
        .outerjoin(newest, newest.c.evaluation == rated.c.evaluation)
        .outerjoin(truths, sa.and_(*inferred, truths.c.version == newest.c.version))
        .outerjoin(gold, sa.and_(*of_item))
        .order_by(
            evaluations.c.opened_at,
            rated.c.evaluation,
            rated.c.rater,
            rated.c.item,
            rated.c.dimension,
        )
    )
    if raters is not None:
        query = query.where(rated.c.rater.in_(list(raters)))
    with reading(engine) as connection:
        return [RecordRow(*row) for row in connection.execute(query)]


def count_set_aside(engine: Engine, *, dimension: str | None = None) -> dict[str, dict[str, int]]:
    """Return how many ratings decisions set aside, by rater and evaluation.

    Parameters
    ----------
    dimension
        Only of this one; None: of all.
    """
    counted = [assignments.c.rater, assignments.c.evaluation]
    query = (
        sa.select(*counted, sa.func.count())
        .join(set_aside, set_aside.c.assignment == assignments.c.assignment)
        .group_by(*counted)
    )
    if dimension is not None:
        query = query.where(set_aside.c.dimension == dimension)
    found: dict[str, dict[str, int]] = {}
    with reading(engine) as connection:
        for rater, evaluation, count in connection.execute(query):
            found.setdefault(rater, {})[evaluation] = count
    return found


def list_rated(engine: Engine) -> list[str]:
    """Return who rated anything, in any evaluation."""
    query = (
        sa.select(assignments.c.rater)
        .join(ratings, ratings.c.assignment == assignments.c.assignment)
        .distinct()
        .order_by(assignments.c.rater)
    )
    with reading(engine) as connection:
        return list(connection.execute(query).scalars())
