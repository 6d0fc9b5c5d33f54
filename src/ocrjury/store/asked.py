"""What was asked of whom, for whoever checks an answer."""

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection
from ocrjury.store.schema import assignments, documents, items, ratings, rounds

_AT_ONCE = 500


class AskedRow(NamedTuple):
    """An assignment with its round."""

    assignment: str
    rater: str
    item: str
    state: str
    round: int
    round_state: str
    dimensions: Sequence[str]


class FieldRow(NamedTuple):
    """What was read, beside what should have been read."""

    reference: str | None
    hypothesis: str
    kind: str | None


def read_asked(
    connection: Connection, evaluation: str, names: Sequence[str]
) -> dict[str, AskedRow]:
    """Return those of some assignments that an evaluation has, by name."""
    same_round = [rounds.c[name] == assignments.c[name] for name in ("evaluation", "round")]
    query = (
        sa.select(
            *(assignments.c[name] for name in AskedRow._fields[:5]),
            rounds.c.state,
            rounds.c.dimensions,
        )
        .join(rounds, sa.and_(*same_round))
        .where(assignments.c.evaluation == evaluation)
    )
    found: dict[str, AskedRow] = {}
    for start in range(0, len(names), _AT_ONCE):
        some = assignments.c.assignment.in_(list(names[start : start + _AT_ONCE]))
        for row in connection.execute(query.where(some)):
            found[row.assignment] = AskedRow(*row)
    return found


def read_known(connection: Connection, names: Sequence[str]) -> set[tuple[str, str]]:
    """Return the submissions that are stored for some assignments: assignment and event."""
    found: set[tuple[str, str]] = set()
    query = sa.select(ratings.c.assignment, ratings.c.event_id).distinct()
    for start in range(0, len(names), _AT_ONCE):
        some = ratings.c.assignment.in_(list(names[start : start + _AT_ONCE]))
        found |= {(row[0], row[1]) for row in connection.execute(query.where(some))}
    return found


def read_fields(
    connection: Connection, evaluation: str, names: Sequence[str]
) -> dict[str, FieldRow]:
    """Return the texts and kinds of some items, by item."""
    same = [documents.c[name] == items.c[name] for name in ("evaluation", "doc_id")]
    query = (
        sa.select(items.c.item, documents.c.reference, items.c.hypothesis, documents.c.kind)
        .join(documents, sa.and_(*same))
        .where(items.c.evaluation == evaluation)
    )
    found: dict[str, FieldRow] = {}
    for start in range(0, len(names), _AT_ONCE):
        some = items.c.item.in_(list(names[start : start + _AT_ONCE]))
        for row in connection.execute(query.where(some)):
            found[row.item] = FieldRow(row.reference, row.hypothesis, row.kind)
    return found
