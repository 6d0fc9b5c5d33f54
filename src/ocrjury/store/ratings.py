"""Ratings: append-only, idempotent, and announced when a round's last one arrives."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.errors import StateError
from ocrjury.store.current_ratings import current_ratings
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.inbox import is_report, register_remarks
from ocrjury.store.outbox import add_signal
from ocrjury.store.rows import EVALUATION, add_rows, count_anew, has_row, list_rows
from ocrjury.store.schema.intake import imports
from ocrjury.store.schema.rating import assignments, ratings, rounds

_FEW = 20
"""Number of submissions that are looked up by name; more, with the whole round."""


@dataclass(frozen=True, slots=True)
class Submission:
    """Submission of a rater on one item: a value or a flag on every dimension.

    `event_id` names the submission, so that sending it twice stores it once.
    """

    assignment: str
    values: Mapping[str, float]
    event_id: str
    rubric_hash: str
    source: str
    flags: Mapping[str, str] | None = None
    confidence: float | None = None


class RatingRow(NamedTuple):
    """A rating that counts; `round_kind` says as what, see `ocrjury.store.current_ratings`."""

    round: int
    round_kind: str
    item: str
    rater: str
    dimension: str
    value: float
    position: int
    session: int
    repeat: int
    source: str
    at: datetime


def insert_submissions(
    connection: Connection, evaluation: str, submissions: Iterable[Submission], *, now: datetime
) -> bool:
    """Store submissions, all or none; return whether the open round is complete with them.

    Raises
    ------
    StateError
        If the round is closed, or an assignment is not one of it.
    """
    sent = list(submissions)
    number = lock_open_round(connection, evaluation)
    whole = among = sa.and_(assignments.c.evaluation == evaluation, assignments.c.round == number)
    if len(sent) <= _FEW:
        among = sa.and_(
            among, assignments.c.assignment.in_([submission.assignment for submission in sent])
        )
    stored = sa.select(assignments.c.assignment, assignments.c.state).where(among)
    states = dict(connection.execute(stored).tuples().all())
    known = _known_events(connection, among)
    revisions = _revisions(connection, among)
    fresh = [submission for submission in sent if submission.event_id not in known]
    for submission in fresh:
        if states.get(submission.assignment) not in ("open", "done"):
            raise StateError(
                f"{submission.assignment} is not an assignment of the open round {number} "
                f"(it is {states.get(submission.assignment, 'unknown')}); nothing was stored."
            )
    _insert(connection, fresh, revisions, now=now)
    register_remarks(connection, evaluation, _flagging(fresh), now=now)
    finished = {
        submission.assignment for submission in fresh if states[submission.assignment] == "open"
    }
    if not finished:
        return False
    connection.execute(
        sa.update(assignments)
        .where(assignments.c.assignment == sa.bindparam("done"))
        .values(state="done"),
        [{"done": assignment} for assignment in sorted(finished)],
    )
    # The others wait for this lock: of a hundred thousand, none is counted.
    left = sa.select(assignments.c.assignment).where(whole, assignments.c.state == "open")
    complete = connection.execute(left.limit(1)).first() is None
    if complete:
        add_signal(
            connection, evaluation, name="ocrjury.round.complete", about=str(number), now=now
        )
    return complete


def list_ratings(engine: Engine, evaluation: str) -> list[RatingRow]:
    """Every rating of an evaluation that counts, in a fixed order."""
    return list_rows(engine, RatingRow, _ratings(), evaluation=evaluation)


@cache
def _ratings() -> sa.Select[Any]:
    rated = current_ratings()
    return (
        sa.select(rated.c.round, rated.c.kind, *(rated.c[name] for name in RatingRow._fields[2:]))
        .where(rated.c.evaluation == EVALUATION)
        .order_by(*(rated.c[name] for name in ("round", "item", "rater", "repeat", "dimension")))
    )


def has_main_ratings(engine: Engine, evaluation: str) -> bool:
    """Return whether a rating counts as one of a main round; see `current_ratings`."""
    rated = current_ratings()
    query = sa.select(rated.c.assignment).where(
        rated.c.evaluation == evaluation, rated.c.kind == "main"
    )
    with reading(engine) as connection:
        return connection.execute(query.limit(1)).first() is not None


def known_event(connection: Connection, *event_ids: str) -> bool:
    """Return whether a submission is stored already, under any of some ids."""
    query = sa.select(ratings.c.event_id).where(ratings.c.event_id.in_(event_ids)).limit(1)
    return connection.execute(query).first() is not None


def file_known(connection: Connection, file_hash: str, number: int) -> bool:
    """Return whether a file was imported into this round before."""
    return has_row(connection, imports, file_hash=file_hash, round=number)


def note_file(
    connection: Connection,
    file_hash: str,
    *,
    evaluation: str,
    number: int,
    rows: int,
    now: datetime,
) -> None:
    """Remember that a file was imported."""
    connection.execute(
        sa.insert(imports).values(
            file_hash=file_hash, evaluation=evaluation, round=number, rows=rows, at=now
        )
    )


def lock_open_round(connection: Connection, evaluation: str) -> int:
    """Lock and read the open round, so that two last ratings cannot miss each other."""
    query = (
        sa.select(rounds.c.round)
        .where(rounds.c.evaluation == evaluation, rounds.c.state == "open")
        .with_for_update()
    )
    number = connection.execute(query).scalar()
    if number is None:
        raise StateError(f"{evaluation} has no open round; nothing was stored.")
    return int(number)


def _flagging(submissions: Iterable[Submission]) -> list[str]:
    """Assignments whose rater reports a problem with the item."""
    return [
        submission.assignment
        for submission in submissions
        if any(is_report(flag) for flag in (submission.flags or {}).values())
    ]


def _known_events(connection: Connection, among: sa.ColumnElement[bool]) -> set[str]:
    """Submissions that are stored for some assignments."""
    query = (
        sa.select(ratings.c.event_id)
        .join(assignments, assignments.c.assignment == ratings.c.assignment)
        .where(among)
    )
    return set(connection.execute(query).scalars())


def _revisions(connection: Connection, among: sa.ColumnElement[bool]) -> dict[tuple[str, str], int]:
    """Newest revision of some assignments on every dimension."""
    query = (
        sa.select(ratings.c.assignment, ratings.c.dimension, sa.func.max(ratings.c.rev))
        .join(assignments, assignments.c.assignment == ratings.c.assignment)
        .where(among)
        .group_by(ratings.c.assignment, ratings.c.dimension)
    )
    return {(row[0], row[1]): row[2] for row in connection.execute(query)}


def _insert(
    connection: Connection,
    submissions: Sequence[Submission],
    revisions: dict[tuple[str, str], int],
    *,
    now: datetime,
) -> None:
    """Insert the ratings of submissions, each as the next revision."""
    rows = [row for submission in submissions for row in _rows(submission, revisions, now=now)]
    add_rows(connection, ratings, rows)
    if len(submissions) > _FEW:
        count_anew(connection, ratings)


def _rows(
    submission: Submission, revisions: dict[tuple[str, str], int], *, now: datetime
) -> Sequence[dict[str, object]]:
    """Rows to insert, one for each dimension of a submission."""
    flags = submission.flags or {}
    rows = []
    for dimension in (*submission.values, *flags):
        rev = revisions.get((submission.assignment, dimension), 0) + 1
        revisions[submission.assignment, dimension] = rev
        rows.append(
            {
                "rating_id": f"{submission.assignment}/{dimension}/{rev}",
                "assignment": submission.assignment,
                "dimension": dimension,
                "rev": rev,
                "value": submission.values.get(dimension),
                "flag": flags.get(dimension),
                "confidence": submission.confidence,
                "event_id": submission.event_id,
                "rubric_hash": submission.rubric_hash,
                "source": submission.source,
                "at": now,
            }
        )
    return rows
