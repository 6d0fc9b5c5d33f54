"""Every revision of every rating of an evaluation, with when and under which conditions."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.comments import Comment
from ocrjury.store.current_ratings import is_set_aside
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.rows import columns_of, same
from ocrjury.store.schema.intake import comments, visits
from ocrjury.store.schema.rating import assignments, ratings, rounds


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
    letter: str
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


class _Visit(NamedTuple):
    """Visit of an item before it was handed in; empty without a visit."""

    first_open: datetime | None = None
    wall_ms: int | None = None
    active_ms: int | None = None
    conditions: Mapping[str, Any] | None = None
    client: str | None = None


def list_history(engine: Engine, evaluation: str) -> Iterator[RatingEvent]:
    """Yield every revision in the order of rounds, raters and positions."""
    mine = assignments.c.evaluation == evaluation
    with reading(engine) as connection:
        seen = _visits(connection, mine)
        written = _comments(connection, mine)
        for row in connection.execute(_revisions(mine)):
            event = row._asdict()
            assignment = event.pop("assignment")
            event |= _visit_of(seen.get(assignment, ()), row.submitted)._asdict()
            event["conditions"] = event["conditions"] or {}
            event |= _newest(written.get(assignment, ()), row.submitted)._asdict()
            yield RatingEvent(**event)


def _revisions(mine: sa.ColumnElement[bool]) -> sa.Select[Any]:
    return (
        sa.select(
            *(assignments.c[name] for name in ("assignment", "round", "item", "rater")),
            *(assignments.c[name] for name in ("repeat", "session", "position")),
            *(rounds.c[name] for name in ("kind", "attempt")),
            *(ratings.c[name] for name in ("dimension", "rev", "value", "flag", "confidence")),
            *(ratings.c[name] for name in ("source", "rubric_hash", "event_id")),
            ratings.c.at.label("submitted"),
            (assignments.c.state == "withdrawn").label("withdrawn"),
            is_set_aside().label("set_aside"),
        )
        .join(assignments, same(assignments, ratings, "assignment"))
        .join(rounds, same(rounds, assignments, "evaluation", "round"))
        .where(mine)
        .order_by(
            *(assignments.c[name] for name in ("round", "rater", "position", "item", "repeat")),
            *(ratings.c[name] for name in ("rev", "dimension")),
        )
    )


def _visits(
    connection: Connection, mine: sa.ColumnElement[bool]
) -> dict[str, list[tuple[datetime, _Visit]]]:
    """Visits that ended in a hand-in by assignment, the oldest first."""
    query = (
        sa.select(visits.c.assignment, visits.c.submitted_at, *columns_of(visits, _Visit))
        .join(assignments, same(assignments, visits, "assignment"))
        .where(mine, visits.c.submitted_at.is_not(None))
        .order_by(visits.c.submitted_at)
    )
    by_assignment: dict[str, list[tuple[datetime, _Visit]]] = {}
    for assignment, submitted, *visit in connection.execute(query):
        by_assignment.setdefault(assignment, []).append((submitted, _Visit(*visit)))
    return by_assignment


def _visit_of(seen: Sequence[tuple[datetime, _Visit]], at: datetime) -> _Visit:
    """Visit in which a rating was submitted; a vote is stored later than its visit ends."""
    place = bisect_left(seen, at, key=itemgetter(0))
    return seen[min(place, len(seen) - 1)][1] if seen else _Visit()


def _comments(
    connection: Connection, mine: sa.ColumnElement[bool]
) -> dict[str, list[tuple[datetime, Comment]]]:
    """Comments by assignment, the oldest first."""
    query = (
        sa.select(*(comments.c[name] for name in ("assignment", "at", "body", "letter")))
        .join(assignments, same(assignments, comments, "assignment"))
        .where(mine)
        .order_by(comments.c.rev)
    )
    by_assignment: dict[str, list[tuple[datetime, Comment]]] = {}
    for assignment, at, *comment in connection.execute(query):
        by_assignment.setdefault(assignment, []).append((at, Comment(*comment)))
    return by_assignment


def _newest(written: Sequence[tuple[datetime, Comment]], at: datetime) -> Comment:
    """Comment as it was when a rating was stored."""
    return next((comment for moment, comment in reversed(written) if moment <= at), Comment())
