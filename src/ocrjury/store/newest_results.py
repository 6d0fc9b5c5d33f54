"""The newest stored result of a kind, with the round that it is about and when it was made."""

from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Engine, reading
from ocrjury.store.schema import results


class DatedResults(NamedTuple):
    """Bodies of one kind by dimension (``*`` is all of them), of one round and one moment."""

    kind: str
    round: int
    at: datetime
    bodies: dict[str, dict[str, Any]]


def newest_results(engine: Engine, evaluation: str, kind: str) -> DatedResults | None:
    """Return what was computed last of a kind, None where nothing was."""
    query = (
        sa.select(results.c.round, results.c.at, results.c.dimension, results.c.body)
        .where(results.c.evaluation == evaluation, results.c.kind == kind)
        .order_by(results.c.round.desc(), results.c.version.desc())
    )
    with reading(engine) as connection:
        rows = connection.execute(query).all()
    if not rows:
        return None
    newest = [row for row in rows if row.round == rows[0].round]
    bodies: dict[str, dict[str, Any]] = {}
    for row in newest:
        bodies.setdefault(row.dimension, dict(row.body))
    return DatedResults(kind, rows[0].round, max(row.at for row in newest), bodies)
