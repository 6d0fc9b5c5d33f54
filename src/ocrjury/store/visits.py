"""Visits of items under random names, and the drafts made there; a stale copy never wins."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from statistics import median
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection
from ocrjury.store.draft_content import Draft
from ocrjury.store.links import Link
from ocrjury.store.rows import columns_of, same
from ocrjury.store.schema.intake import drafts, visits
from ocrjury.store.schema.rating import assignments

_LATELY = 30
SETTLED = 10
"""Items after which the median of a rater's own seconds tells how long the rest takes."""


class VisitRow(NamedTuple):
    """An assignment as a page names it; the name says nothing about the item or the others."""

    visit: str
    assignment: str
    first_open: datetime
    submitted_at: datetime | None
    sent_ahead: datetime | None = None


def open_visit(
    connection: Connection,
    assignment: str,
    *,
    session_hash: str,
    client: str,
    now: datetime,
    ahead: bool = False,
) -> str:
    """Open a visit, or find the one that this session has open; return its name.

    `ahead`: its page is sent before its turn, and seen only once `show_visit` says so.
    """
    query = sa.select(visits.c.visit).where(
        visits.c.assignment == assignment,
        visits.c.session_hash == session_hash,
        visits.c.submitted_at.is_(None),
    )
    ongoing = connection.execute(query).scalars().first()
    if ongoing is not None:
        if not ahead:
            show_visit(connection, ongoing, at=now)
        return str(ongoing)
    name = secrets.token_urlsafe(16)
    connection.execute(
        sa.insert(visits).values(
            visit=name,
            assignment=assignment,
            session_hash=session_hash,
            first_open=now,
            client=client,
            sent_ahead=now if ahead else None,
        )
    )
    return name


def name_work(connection: Connection, assignment: str) -> str:
    """Name by which browsers know the work on an assignment in every session, made up once.

    It is drawn, not computed: nobody finds out by trying whether an item is asked for again.
    """
    this = assignments.c.assignment == assignment
    query = sa.select(assignments.c.work_name).where(this)
    name: str | None = connection.execute(query).scalar()
    if name is None:
        name = secrets.token_urlsafe(12)
        connection.execute(sa.update(assignments).where(this).values(work_name=name))
    return name


def show_visit(connection: Connection, visit: str, *, at: datetime) -> bool:
    """Note since when a page that was sent ahead is seen; whether it was not seen before."""
    unseen = visits.c.visit == visit, visits.c.sent_ahead.is_not(None)
    seen = connection.execute(
        sa.update(visits).where(*unseen).values(first_open=at, sent_ahead=None)
    )
    return seen.rowcount > 0


def find_visit(connection: Connection, link: Link, visit: str) -> VisitRow | None:
    """Visit of this rater; None for every other."""
    query = (
        sa.select(*columns_of(visits, VisitRow))
        .join(assignments, same(assignments, visits, "assignment"))
        .where(
            visits.c.visit == visit,
            assignments.c.rater == link.who,
            assignments.c.evaluation == link.evaluation,
        )
    )
    row = connection.execute(query).first()
    return None if row is None else VisitRow(*row)


def overtaken(connection: Connection, visit: VisitRow) -> bool:
    """Return whether the item was handed in elsewhere since this visit began."""
    query = sa.select(visits.c.visit).where(
        visits.c.assignment == visit.assignment,
        visits.c.visit != visit.visit,
        visits.c.submitted_at >= visit.first_open,
    )
    return visit.submitted_at is not None or connection.execute(query).first() is not None


def close_visit(
    connection: Connection,
    visit: VisitRow,
    *,
    active_ms: int | None,
    conditions: Mapping[str, Any],
    now: datetime,
) -> None:
    """Note that an item was handed in: since when it was open, and under which conditions.

    ``active_ms`` is None where nothing measured the work, as without scripts.
    """
    wall = max(int((now - visit.first_open).total_seconds() * 1000), 0)
    connection.execute(
        sa.update(visits)
        .where(visits.c.visit == visit.visit)
        .values(
            first_open=visit.first_open,
            submitted_at=now,
            wall_ms=wall,
            active_ms=None if active_ms is None else min(active_ms, wall),
            conditions=dict(conditions),
        )
    )


def last_submitted(connection: Connection, assignment: str) -> datetime | None:
    """Moment at which an item was handed in last, None before."""
    query = sa.select(visits.c.submitted_at).where(
        visits.c.assignment == assignment, visits.c.submitted_at.is_not(None)
    )
    return max(connection.execute(query).scalars(), default=None)


def seconds_per_item(connection: Connection, link: Link) -> float | None:
    """Median active time of the rater's last items in seconds; None before the tenth."""
    query = (
        sa.select(visits.c.active_ms)
        .join(assignments, same(assignments, visits, "assignment"))
        .where(
            assignments.c.rater == link.who,
            assignments.c.evaluation == link.evaluation,
            visits.c.active_ms.is_not(None),
        )
        .order_by(visits.c.submitted_at.desc())
        .limit(_LATELY)
    )
    seconds = [value / 1000 for value in connection.execute(query).scalars()]
    return median(seconds) if len(seconds) >= SETTLED else None


class DraftRow(NamedTuple):
    """A draft; `rev` counts its changes, `locked` says that it is a vote which awaits the panel."""

    rev: int
    event_id: str
    body: Draft
    locked: bool


def read_draft(connection: Connection, assignment: str) -> DraftRow | None:
    """Draft of an assignment."""
    query = sa.select(*columns_of(drafts, DraftRow)).where(drafts.c.assignment == assignment)
    row = connection.execute(query).first()
    return None if row is None else DraftRow(*row)


def save_draft(
    connection: Connection,
    assignment: str,
    body: Draft,
    *,
    base: int,
    event_id: str,
    now: datetime,
    locked: bool = False,
) -> int | None:
    """Save a draft and return its number; None if it was changed elsewhere meanwhile.

    Parameters
    ----------
    base
        Number of the draft that the change was made on, 0 for none.
    event_id
        Name of the change: sent twice, it is saved once. So is what is saved already, because a
        page that is loaded again while it saves sends it under another name.
    """
    draft = read_draft(connection, assignment)
    if draft is not None:
        again = not locked and not draft.locked and draft.body == body
        if again or draft.event_id == event_id:
            return draft.rev
    if (draft.rev if draft else 0) != base or (draft is not None and draft.locked):
        return None
    values = {"event_id": event_id, "body": body, "at": now, "locked": locked}
    if draft is None:
        connection.execute(sa.insert(drafts).values(assignment=assignment, rev=1, **values))
        return 1
    connection.execute(
        sa.update(drafts).where(drafts.c.assignment == assignment).values(rev=base + 1, **values)
    )
    return base + 1


def drop_draft(connection: Connection, assignment: str) -> None:
    """Remove the draft of an assignment that was handed in."""
    connection.execute(sa.delete(drafts).where(drafts.c.assignment == assignment))
