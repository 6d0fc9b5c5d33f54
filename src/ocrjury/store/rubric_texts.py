"""Texts of documents in the boundary cases that an evaluation added to its rubric."""

from collections.abc import Iterator, Mapping
from typing import Any

import sqlalchemy as sa

from ocrjury.campaign.texts import ANY_LANGUAGE
from ocrjury.store.database import Connection
from ocrjury.store.rows import same
from ocrjury.store.schema.course import evaluations, rubric_versions, rubrics

REMOVED = "(…)"
"""Placeholder for a removed text of a boundary case."""


def count_cases(connection: Connection, evaluation: str) -> int:
    """Number of rubrics that an evaluation made and that still hold texts of its documents."""
    return sum(1 for _ in _blanked(connection, evaluation))


def take_cases(connection: Connection, evaluation: str) -> None:
    """Take the texts out of the boundary cases that an evaluation added.

    A rubric that another evaluation uses too stays: there it is part of a campaign.
    """
    for rubric_hash, body in list(_blanked(connection, evaluation)):
        change = sa.update(rubrics).where(rubrics.c.rubric_hash == rubric_hash)
        connection.execute(change.values(body=body))


def _blanked(connection: Connection, evaluation: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield rubrics of one evaluation only, as they are without the texts that it added."""
    bodies = connection.execute(
        sa.select(rubrics.c.rubric_hash, rubrics.c.body, rubric_versions.c.version)
        .join(rubric_versions, same(rubric_versions, rubrics, "rubric_hash"))
        .where(rubric_versions.c.evaluation == evaluation)
        .order_by(rubric_versions.c.version)
    ).all()
    own = [row.body["boundary_cases"] for row in bodies if row.version == 1]
    for row in bodies:
        cases = [case if case in own[0] else _blank(case) for case in row.body["boundary_cases"]]
        if cases != row.body["boundary_cases"] and not _used(
            connection, row.rubric_hash, but=evaluation
        ):
            yield row.rubric_hash, {**row.body, "boundary_cases": cases}


def _blank(case: Mapping[str, Any]) -> dict[str, Any]:
    """Boundary case with its dimension and level only."""
    return {**case, "case": {ANY_LANGUAGE: REMOVED}, "advice": None, "example": None}


def _used(connection: Connection, rubric_hash: str, *, but: str) -> bool:
    """Return whether another evaluation has a rubric."""
    return any(
        connection.execute(
            sa.select(table.c.evaluation)
            .where(table.c.rubric_hash == rubric_hash, table.c.evaluation != but)
            .limit(1)
        ).first()
        for table in (evaluations, rubric_versions)
    )
