"""Every revision of every rating of an evaluation, with when and under which conditions."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.schema import assignments, comments, ratings, rounds, set_aside, visits


class RatingEvent(NamedTuple):
    """One revision of a rating on one dimension.

    `withdrawn` and `set_aside` say why it does not count; the conditions are empty where ratings
    came in by a file.
    """

    round: int
    kind: str
    attempt: int
    item: str
    rater: str
    repeat: int
    dimension: str
    rev: int
    value: float | None
    flag: str | None
    confidence: float | None
    comment: str
    session: int
    position: int
    first_open: datetime | None
    submitted: datetime
    wall_ms: int | None
    active_ms: int | None
    client: str | None
    conditions: Mapping[str, Any]
    source: str
    rubric_hash: str
    event_id: str
    withdrawn: bool
    set_aside: bool


_OF_ROW = (
    *("round", "kind", "attempt", "item", "rater", "repeat", "dimension", "rev", "value", "flag"),
    *("confidence", "session", "position", "source", "rubric_hash", "event_id"),
)


class _Visit(NamedTuple):
    """When an item was looked at and handed in, and how."""

    submitted_at: datetime
    first_open: datetime
    wall_ms: int | None
    active_ms: int | None
    conditions: Mapping[str, Any] | None
    client: str | None


def list_history(engine: Engine, evaluation: str) -> Iterator[RatingEvent]:
    """Yield every revision in the order of rounds, raters and positions."""
    mine = assignments.c.evaluation == evaluation
    with reading(engine) as connection:
        seen = _visits(connection, mine)
        written = _comments(connection, mine)
        for row in connection.execute(_revisions(mine)):
            visit = _visit_of(seen.get(row.assignment, ()), row.at)
            of_row: dict[str, Any] = {name: getattr(row, name) for name in _OF_ROW}
            yield RatingEvent(
                **of_row,
                comment=_newest(written.get(row.assignment, ()), row.at),
                first_open=visit.first_open if visit else None,
                submitted=row.at,
                wall_ms=visit.wall_ms if visit else None,
                active_ms=visit.active_ms if visit else None,
                client=visit.client if visit else None,
                conditions=(visit.conditions or {}) if visit else {},
                withdrawn=row.state == "withdrawn",
                set_aside=bool(row.aside),
            )


def _revisions(mine: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Query for all revisions."""
    same_round = [rounds.c[name] == assignments.c[name] for name in ("evaluation", "round")]
    aside = sa.exists().where(
        set_aside.c.assignment == ratings.c.assignment, set_aside.c.dimension == ratings.c.dimension
    )
    return (
        sa.select(
            ratings.c.assignment,
            assignments.c.round,
            *(rounds.c[name] for name in ("kind", "attempt")),
            *(assignments.c[name] for name in ("item", "rater", "repeat")),
            *(ratings.c[name] for name in ("dimension", "rev", "value", "flag", "confidence")),
            *(assignments.c[name] for name in ("session", "position", "state")),
            *(ratings.c[name] for name in ("at", "source", "rubric_hash", "event_id")),
            aside.label("aside"),
        )
        .join(assignments, assignments.c.assignment == ratings.c.assignment)
        .join(rounds, sa.and_(*same_round))
        .where(mine)
        .order_by(
            *(assignments.c[name] for name in ("round", "rater", "position", "item", "repeat")),
            *(ratings.c[name] for name in ("rev", "dimension")),
        )
    )


def _visits(connection: Connection, mine: sa.ColumnElement[bool]) -> dict[str, list[_Visit]]:
    """Visits that ended in a hand-in by assignment, the oldest first."""
    query = (
        sa.select(visits.c.assignment, *(visits.c[name] for name in _Visit._fields))
        .join(assignments, assignments.c.assignment == visits.c.assignment)
        .where(mine, visits.c.submitted_at.is_not(None))
        .order_by(visits.c.submitted_at)
    )
    by_assignment: dict[str, list[_Visit]] = {}
    for row in connection.execute(query):
        by_assignment.setdefault(row.assignment, []).append(_Visit(*row[1:]))
    return by_assignment


def _visit_of(seen: Sequence[_Visit], at: datetime) -> _Visit | None:
    """Visit in which a rating was submitted; a vote is stored later than its visit ends."""
    place = bisect_left(seen, at, key=lambda visit: visit.submitted_at)
    if place < len(seen):
        return seen[place]
    return seen[-1] if seen else None


def _comments(
    connection: Connection, mine: sa.ColumnElement[bool]
) -> dict[str, list[tuple[datetime, str]]]:
    """Comments by assignment, the oldest first."""
    query = (
        sa.select(comments.c.assignment, comments.c.at, comments.c.body)
        .join(assignments, assignments.c.assignment == comments.c.assignment)
        .where(mine)
        .order_by(comments.c.rev)
    )
    by_assignment: dict[str, list[tuple[datetime, str]]] = {}
    for assignment, at, body in connection.execute(query):
        by_assignment.setdefault(assignment, []).append((at, body))
    return by_assignment


def _newest(written: Sequence[tuple[datetime, str]], at: datetime) -> str:
    """Comment as it was when a rating was stored."""
    return next((body for moment, body in reversed(written) if moment <= at), "")
