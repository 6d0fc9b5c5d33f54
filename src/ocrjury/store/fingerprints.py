"""Hashes of what evaluations judged, as they were kept with their estimates."""

from collections.abc import Collection

import sqlalchemy as sa

from ocrjury.findings.comparable_pool import COMPARABLE, Fingerprints
from ocrjury.store.database import Engine, reading
from ocrjury.store.schema.course import evaluations
from ocrjury.store.schema.findings import results


def fingerprints_of(engine: Engine, names: Collection[str]) -> dict[str, Fingerprints]:
    """Fingerprints of evaluations; those without an estimate have a pool, and nothing else."""
    kept = sa.and_(results.c.evaluation == evaluations.c.evaluation, results.c.kind == COMPARABLE)
    outputs, ratings = (results.c.body[key].as_string() for key in ("outputs", "given"))
    query = (
        sa.select(evaluations.c.evaluation, evaluations.c.pool_hash, outputs, ratings)
        .join(results, kept, isouter=True)
        .where(evaluations.c.evaluation.in_(names))
        .order_by(results.c.version)
    )
    with reading(engine) as connection:
        return {name: Fingerprints(*hashes) for name, *hashes in connection.execute(query)}
