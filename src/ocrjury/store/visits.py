"""Visits of items: under which random name a page shows an assignment, how long, and how."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from statistics import median
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection
from ocrjury.store.links import Link
from ocrjury.store.schema import assignments, visits

_LATELY = 30


class VisitRow(NamedTuple):
    """An assignment as a page names it; the name says nothing about the item or the others."""

    visit: str
    assignment: str
    first_open: datetime
    submitted_at: datetime | None


def open_visit(
    connection: Connection, assignment: str, *, session_hash: str, client: str, now: datetime
) -> str:
    """Return the name of a visit: that of this session if it is still going on, else a new one."""
    query = sa.select(visits.c.visit).where(
        visits.c.assignment == assignment,
        visits.c.session_hash == session_hash,
        visits.c.submitted_at.is_(None),
    )
    there = connection.execute(query).scalars().first()
    if there is not None:
        return str(there)
    name = secrets.token_urlsafe(16)
    connection.execute(
        sa.insert(visits).values(
            visit=name,
            assignment=assignment,
            session_hash=session_hash,
            first_open=now,
            client=client,
        )
    )
    return name


def find_visit(connection: Connection, link: Link, visit: str) -> VisitRow | None:
    """Return a visit of this rater, None for every other."""
    query = (
        sa.select(*(visits.c[name] for name in VisitRow._fields))
        .join(assignments, assignments.c.assignment == visits.c.assignment)
        .where(
            visits.c.visit == visit,
            assignments.c.rater == link.rater,
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
    active_ms: int,
    conditions: Mapping[str, Any],
    now: datetime,
) -> None:
    """Note that an item was handed in: how long it took, and under which conditions."""
    wall = max(int((now - visit.first_open).total_seconds() * 1000), 0)
    connection.execute(
        sa.update(visits)
        .where(visits.c.visit == visit.visit)
        .values(
            submitted_at=now,
            wall_ms=wall,
            active_ms=min(active_ms, wall),
            conditions=dict(conditions),
        )
    )


def seconds_per_item(connection: Connection, link: Link) -> float | None:
    """Return the median of what the rater's last items took, None before the third."""
    query = (
        sa.select(visits.c.active_ms)
        .join(assignments, assignments.c.assignment == visits.c.assignment)
        .where(
            assignments.c.rater == link.rater,
            assignments.c.evaluation == link.evaluation,
            visits.c.active_ms.is_not(None),
        )
        .order_by(visits.c.submitted_at.desc())
        .limit(_LATELY)
    )
    found = [value / 1000 for value in connection.execute(query).scalars()]
    return median(found) if len(found) > 2 else None
