"""Sessions of raters and leads: begun with a link, ended with it, by idle time, or on request."""

from datetime import datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection
from ocrjury.store.links import Audience, Link, find_link, new_secret, secret_hash
from ocrjury.store.schema.people import sessions

IDLE = timedelta(minutes=60)
LONGEST = timedelta(hours=12)
PAUSE = timedelta(minutes=10)
"""Without a request for so long, somebody had a break."""
RESOLUTION = timedelta(seconds=20)
"""Whoever is at work is noted again after so long."""


class SessionRow(NamedTuple):
    """A session that works: whose it is, and since when this person works without a break."""

    session_hash: str
    link: Link
    working_since: datetime
    last_seen: datetime


def add_session(connection: Connection, link: Link, *, now: datetime) -> str:
    """Add a session; returns its secret."""
    secret = new_secret()
    connection.execute(
        sa.insert(sessions).values(
            session_hash=secret_hash(secret),
            token_hash=link.token_hash,
            created_at=now,
            last_seen=now,
            working_since=now,
        )
    )
    return secret


def find_session(
    connection: Connection, session_hash: str, *, now: datetime, audience: Audience = "rating"
) -> SessionRow | None:
    """Find a session that works at this moment, and whose link does; None for every other."""
    row = connection.execute(
        sa.select(sessions).where(sessions.c.session_hash == session_hash)
    ).one_or_none()
    if row is None or row.ended_at is not None:
        return None
    if now - row.last_seen > IDLE or now - row.created_at > LONGEST:
        return None
    link = find_link(connection, row.token_hash, now=now, audience=audience)
    if link is None:
        return None
    rested = now - row.last_seen >= PAUSE
    since = now if rested else row.working_since
    return SessionRow(session_hash, link, since, row.last_seen)


def touch_session(connection: Connection, session: SessionRow, *, now: datetime) -> None:
    """Note that somebody is at work; within a few seconds of the last note, nothing is written."""
    if now - session.last_seen < RESOLUTION:
        return
    connection.execute(
        sa.update(sessions)
        .where(sessions.c.session_hash == session.session_hash)
        .values(last_seen=now, working_since=session.working_since)
    )


def end_session(connection: Connection, session_hash: str, *, now: datetime) -> None:
    """End a session."""
    connection.execute(
        sa.update(sessions)
        .where(sessions.c.session_hash == session_hash, sessions.c.ended_at.is_(None))
        .values(ended_at=now)
    )
