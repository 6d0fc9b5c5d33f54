"""Times of events: answers handed in, and estimates measured one after another."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.estimate import Estimate
from ocrjury.store.database import Engine, reading
from ocrjury.store.rows import same
from ocrjury.store.schema.findings import results
from ocrjury.store.schema.rating import assignments, ratings


class Measurement(NamedTuple):
    """An estimate and when it was stored."""

    at: datetime
    estimate: Estimate


def list_hand_ins(engine: Engine, evaluation: str, number: int) -> list[datetime]:
    """Moments at which the answers of a round came in for the first time, the earliest first."""
    first = sa.func.min(ratings.c.at).label("first")
    query = (
        sa.select(first)
        .join(assignments, same(assignments, ratings, "assignment"))
        .where(
            assignments.c.evaluation == evaluation,
            assignments.c.round == number,
            assignments.c.state == "done",
        )
        .group_by(assignments.c.assignment)
        .order_by(first)
    )
    with reading(engine) as connection:
        return list(connection.execute(query).scalars())


def estimate_history(
    engine: Engine,
    evaluation: str,
    statistics: Mapping[str, str],
    *,
    number: int,
    most: int,
    kind: str = "interim",
) -> dict[str, list[Measurement]]:
    """Estimates of a round's agreement in the order in which they were stored, by dimension.

    Only the estimate is read of each stored body, which holds much more.

    Parameters
    ----------
    statistics
        The statistic to read on each dimension.
    most
        Of more measurements, so many are read: the first, the last, and others evenly between.
    """
    return {
        dimension: _history(
            engine,
            sa.and_(
                results.c.evaluation == evaluation,
                results.c.round == number,
                results.c.kind == kind,
                results.c.dimension == dimension,
            ),
            statistic,
            most=most,
        )
        for dimension, statistic in statistics.items()
    }


def _history(
    engine: Engine, those: sa.ColumnElement[bool], statistic: str, *, most: int
) -> list[Measurement]:
    """Estimates of one dimension."""
    measured = sa.select(results.c.version).where(those).order_by(results.c.version)
    with reading(engine) as connection:
        versions = list(connection.execute(measured).scalars())
        last = len(versions) - 1
        steps = min(most, len(versions))
        chosen = sorted({versions[round(step * last / max(steps - 1, 1))] for step in range(steps)})
        query = (
            sa.select(results.c.at, results.c.body["estimates", statistic])
            .where(those, results.c.version.in_(chosen))
            .order_by(results.c.version)
        )
        return [
            Measurement(at, Estimate.from_json(body))
            for at, body in connection.execute(query)
            if body is not None
        ]
