"""Queue of one rater, and the assignments against which an answer is checked."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection
from ocrjury.store.documents import GoldRow
from ocrjury.store.links import Link
from ocrjury.store.rows import columns_of, list_rows, rows_among, same
from ocrjury.store.schema.intake import drafts, visits
from ocrjury.store.schema.material import documents, gold, items
from ocrjury.store.schema.rating import assignments, ratings, rounds


class RatingTask(NamedTuple):
    """One assignment with what its rater may know about the item: neither scores nor system."""

    assignment: str
    evaluation: str
    round: int
    round_kind: str
    dimensions: Sequence[str]
    deadline: datetime
    item: str
    rater: str
    state: str
    position: int
    reference: str | None
    hypothesis: str
    doc_type: str | None
    field: str | None
    kind: str | None
    language: str | None
    image_uri: str | None
    box: Sequence[float] | None
    masks: Sequence[Sequence[float]] | None
    doc_id: str
    image_sha256: str | None


class QueueCounts(NamedTuple):
    """Progress of a rater in the open round; `waiting` items are rated and await the others."""

    done: int
    open: int
    waiting: int


class SessionCounts(NamedTuple):
    """Progress of a rater in one of the sessions that their queue was cut into."""

    number: int
    sessions: int
    done: int
    total: int


class Goal(NamedTuple):
    """Deadline of a rater, and the session at hand; None where there is only one."""

    kind: str
    deadline: datetime
    session: SessionCounts | None


_OF_TASK = (
    *(assignments.c[name] for name in ("assignment", "evaluation", "round")),
    rounds.c.kind.label("round_kind"),
    *(rounds.c[name] for name in ("dimensions", "deadline")),
    *(assignments.c[name] for name in ("item", "rater", "state", "position")),
    documents.c.reference,
    items.c.hypothesis,
    *(documents.c[name] for name in ("doc_type", "field", "kind", "language")),
    *(documents.c[name] for name in ("image_uri", "box", "masks")),
    *(documents.c[name] for name in ("doc_id", "image_sha256")),
)


_IN_TURN = (
    assignments.c.postponed_at.is_not(None),
    assignments.c.postponed_at,
    assignments.c.position,
)
"""The stored order; what was put off comes last, in the order in which it was."""
_SAME_ROUND = same(rounds, assignments, "evaluation", "round")


def next_task(connection: Connection, link: Link) -> RatingTask | None:
    """First open assignment in its turn; None if nothing is open."""
    query = _tasks(link).where(assignments.c.state == "open", ~_locked()).order_by(*_IN_TURN)
    row = connection.execute(query.limit(1)).first()
    return None if row is None else RatingTask(*row)


def task_after(connection: Connection, link: Link, names: Sequence[str]) -> RatingTask | None:
    """First open assignment after all of some in turn; None if nothing follows."""
    waits = sa.and_(assignments.c.state == "open", ~_locked())
    query = (
        sa.select(assignments.c.assignment)
        .join(rounds, _SAME_ROUND)
        .where(*_mine(link), waits | assignments.c.assignment.in_(names))
        .order_by(*_IN_TURN)
    )
    in_turn = list(connection.execute(query).scalars())
    last = max((place for place, name in enumerate(in_turn) if name in names), default=-1)
    following = in_turn[last + 1 : last + 2]
    return read_task(connection, link, following[0]) if following else None


def postpone(connection: Connection, names: Sequence[str], *, now: datetime) -> None:
    """Put open assignments off to the end of their queue."""
    chosen = assignments.c.assignment.in_(names), assignments.c.state == "open"
    connection.execute(sa.update(assignments).where(*chosen).values(postponed_at=now))


def read_task(connection: Connection, link: Link, assignment: str) -> RatingTask | None:
    """Assignment of the open round; None if it is not this rater's."""
    query = _tasks(link).where(assignments.c.assignment == assignment)
    row = connection.execute(query).first()
    return None if row is None else RatingTask(*row)


def read_practised(connection: Connection, link: Link, assignment: str) -> RatingTask | None:
    """Assignment of a pilot that this rater has rated; None for every other."""
    query = _with_texts().where(
        assignments.c.assignment == assignment,
        assignments.c.evaluation == link.evaluation,
        assignments.c.rater == link.who,
        assignments.c.state == "done",
        rounds.c.kind == "pilot",
    )
    row = connection.execute(query).first()
    return None if row is None else RatingTask(*row)


def count_queue(connection: Connection, link: Link) -> QueueCounts:
    """Progress of a rater in the open round."""
    waiting = sa.case((sa.and_(assignments.c.state == "open", _locked()), 1), else_=0)
    opened, done = (
        sa.case((assignments.c.state == state, 1), else_=0) for state in ("open", "done")
    )
    query = (
        sa.select(*(sa.func.coalesce(sa.func.sum(flag), 0) for flag in (done, opened, waiting)))
        .join(rounds, _SAME_ROUND)
        .where(*_mine(link))
    )
    finished, unfinished, locked = connection.execute(query).one()
    return QueueCounts(int(finished), int(unfinished) - int(locked), int(locked))


def read_goal(connection: Connection, link: Link) -> Goal | None:
    """Deadline of the open round and the first session with open items; None without a round."""
    done = sa.func.sum(sa.case((assignments.c.state == "done", 1), else_=0))
    latest = sa.func.max(rounds.c.deadline), sa.func.max(rounds.c.kind)
    query = (
        sa.select(assignments.c.session, done, sa.func.count(), *latest)
        .join(rounds, _SAME_ROUND)
        .where(*_mine(link))
        .group_by(assignments.c.session)
        .order_by(assignments.c.session)
    )
    rows = connection.execute(query).all()
    if not rows:
        return None
    unfinished = (row for row in rows if row[1] < row[2])
    number, finished, total, _, kind = next(unfinished, rows[-1])
    session = SessionCounts(number, len(rows), int(finished), total)
    return Goal(kind, max(row[3] for row in rows), session if len(rows) > 1 else None)


def last_done(
    connection: Connection,
    link: Link,
    *,
    since: datetime | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> list[str]:
    """Assignments of the open round that were handed in, the newest first, all or some.

    Of a pilot there are none: its raters were told what was expected.
    """
    when = sa.func.max(visits.c.submitted_at)
    query = (
        sa.select(visits.c.assignment)
        .join(assignments, same(assignments, visits, "assignment"))
        .join(rounds, _SAME_ROUND)
        .where(
            *_mine(link),
            assignments.c.state == "done",
            visits.c.submitted_at.is_not(None) if since is None else visits.c.submitted_at >= since,
            rounds.c.kind != "pilot",
        )
        .group_by(visits.c.assignment)
        .order_by(when.desc(), visits.c.assignment)
        .limit(limit)
        .offset(offset)
    )
    return list(connection.execute(query).scalars())


def known_ratings(connection: Connection, evaluation: str, item: str) -> list[GoldRow]:
    """Known ratings of an item with their explanations, for practice."""
    query = (
        sa.select(*columns_of(gold, GoldRow))
        .where(gold.c.evaluation == evaluation, gold.c.item == item)
        .order_by(gold.c.dimension)
    )
    return list_rows(connection, GoldRow, query)


def _tasks(link: Link) -> sa.Select[Any]:
    """Query for a rater's assignments of the open round."""
    return _with_texts().where(*_mine(link))


def _with_texts() -> sa.Select[Any]:
    """Query for assignments with what their raters may know."""
    return (
        sa.select(*_OF_TASK)
        .join(rounds, _SAME_ROUND)
        .join(items, same(items, assignments, "evaluation", "item"))
        .join(documents, same(documents, items, "evaluation", "doc_id"))
    )


def _mine(link: Link) -> list[sa.ColumnElement[bool]]:
    """Conditions for what a link opens: this rater, this evaluation, an open round."""
    conditions = [
        assignments.c.evaluation == link.evaluation,
        assignments.c.rater == link.who,
        assignments.c.state != "withdrawn",
        rounds.c.state == "open",
    ]
    return conditions if link.round is None else [*conditions, rounds.c.round == link.round]


def _locked() -> sa.ColumnElement[bool]:
    """Condition that a vote is given and awaits the panel's discussion."""
    return sa.exists().where(
        drafts.c.assignment == assignments.c.assignment, drafts.c.locked.is_(True)
    )


class AskedRow(NamedTuple):
    """An assignment with its round."""

    assignment: str
    rater: str
    item: str
    state: str
    round: int
    round_state: str
    dimensions: Sequence[str]


def read_asked(
    connection: Connection, evaluation: str, names: Sequence[str]
) -> dict[str, AskedRow]:
    """Assignments of an evaluation among some names, by name."""
    query = (
        sa.select(
            *(assignments.c[name] for name in AskedRow._fields[:5]),
            rounds.c.state,
            rounds.c.dimensions,
        )
        .join(rounds, _SAME_ROUND)
        .where(assignments.c.evaluation == evaluation)
    )
    rows = rows_among(connection, query, assignments.c.assignment, names=names)
    return {row.assignment: AskedRow(*row) for row in rows}


def read_known(connection: Connection, names: Sequence[str]) -> set[tuple[str, str]]:
    """Submissions that are stored for some assignments: assignment and event."""
    query = sa.select(ratings.c.assignment, ratings.c.event_id).distinct()
    return {
        (row[0], row[1]) for row in rows_among(connection, query, ratings.c.assignment, names=names)
    }
