"""What raters said last, assignment by assignment: values, reasons, comments."""

from collections.abc import Mapping
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection
from ocrjury.store.schema import assignments, comments, ratings


class LatestAnswer(NamedTuple):
    """The newest revision of an answer; a dimension has a value or a reason why it has none."""

    values: Mapping[str, float]
    flags: Mapping[str, str]
    confidence: float | None
    comment: str = ""


def latest_answers(
    connection: Connection, evaluation: str, *, number: int, rater: str
) -> dict[str, LatestAnswer]:
    """Return what one rater said last in a round, by assignment."""
    mine = (
        assignments.c.evaluation == evaluation,
        assignments.c.round == number,
        assignments.c.rater == rater,
    )
    query = (
        sa.select(
            ratings.c.assignment,
            ratings.c.dimension,
            ratings.c.value,
            ratings.c.flag,
            ratings.c.confidence,
        )
        .join(assignments, assignments.c.assignment == ratings.c.assignment)
        .where(*mine)
        .order_by(ratings.c.assignment, ratings.c.dimension, ratings.c.rev)
    )
    newest: dict[str, dict[str, sa.Row[tuple[object, ...]]]] = {}
    for row in connection.execute(query):
        newest.setdefault(row.assignment, {})[row.dimension] = row
    written = (
        sa.select(comments.c.assignment, comments.c.body)
        .join(assignments, assignments.c.assignment == comments.c.assignment)
        .where(*mine)
        .order_by(comments.c.rev)
    )
    beside = {row.assignment: row.body for row in connection.execute(written)}
    return {name: _answer(rows, beside.get(name, "")) for name, rows in newest.items()}


def _answer(rows: Mapping[str, sa.Row[tuple[object, ...]]], comment: str) -> LatestAnswer:
    """Return one answer."""
    return LatestAnswer(
        {name: row.value for name, row in rows.items() if row.value is not None},
        {name: row.flag for name, row in rows.items() if row.flag is not None},
        next((row.confidence for row in rows.values()), None),
        comment,
    )
