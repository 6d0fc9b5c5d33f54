"""Sessions of raters and leads: begun with a link, ended with it, by idle time, or on request."""

from datetime import datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection
from ocrjury.store.links import FORGOTTEN, Link, find_link, new_secret, secret_hash
from ocrjury.store.schema.people import Audience, sessions, tokens

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


class OpenSession(NamedTuple):
    """A session that works, as the person sees it whose it is.

    `client` is the kind of machine, `evaluation` empty at the desk.
    """

    session_hash: str
    evaluation: str
    created_at: datetime
    last_seen: datetime
    address: str | None
    client: str | None

    @property
    def number(self) -> str:
        """Number by which a form names the session; it opens nothing."""
        return self.session_hash[:16]


def add_session(
    connection: Connection,
    link: Link,
    *,
    now: datetime,
    address: str | None = None,
    client: str | None = None,
) -> str:
    """Add a session; returns its secret. Addresses of sessions that are over are forgotten."""
    over = sessions.c.created_at < now - LONGEST, sessions.c.address.is_not(None)
    connection.execute(sa.update(sessions).where(*over).values(**FORGOTTEN))
    secret = new_secret()
    connection.execute(
        sa.insert(sessions).values(
            session_hash=secret_hash(secret),
            token_hash=link.token_hash,
            created_at=now,
            last_seen=now,
            working_since=now,
            address=address,
            client=client,
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


def list_sessions(
    connection: Connection, who: str, *, now: datetime, audience: Audience = "rating"
) -> list[OpenSession]:
    """Sessions of a rater or a lead that work at this moment, the one last seen first."""
    first, _, *rest = OpenSession._fields
    evaluation = sa.func.coalesce(tokens.c.evaluation, "")
    columns = [sessions.c[first], evaluation, *(sessions.c[name] for name in rest)]
    whose = sa.func.coalesce(tokens.c.rater, tokens.c.created_by) == who
    query = (
        sa.select(*columns)
        .join(tokens, tokens.c.token_hash == sessions.c.token_hash)
        .where(tokens.c.purpose == audience, whose, sessions.c.ended_at.is_(None))
        .where(sessions.c.created_at >= now - LONGEST)
        .order_by(sessions.c.last_seen.desc(), sessions.c.session_hash)
    )
    rows = [OpenSession(*row) for row in connection.execute(query)]
    return [
        row
        for row in rows
        if find_session(connection, row.session_hash, now=now, audience=audience) is not None
    ]


def end_session(connection: Connection, session_hash: str, *, now: datetime) -> None:
    """End a session."""
    connection.execute(
        sa.update(sessions)
        .where(sessions.c.session_hash == session_hash, sessions.c.ended_at.is_(None))
        .values(ended_at=now, **FORGOTTEN)
    )


def end_sessions_of(connection: Connection, evaluation: str, rater: str, *, now: datetime) -> int:
    """End the sessions of a rater in an evaluation, whose links stay; returns how many."""
    links = sa.select(tokens.c.token_hash).where(
        tokens.c.evaluation == evaluation, tokens.c.rater == rater
    )
    return _end_all(connection, links, now=now)


def end_sessions_at_desk(connection: Connection, lead: str, *, now: datetime) -> int:
    """End the sessions of a lead, whose links stay; returns how many."""
    links = sa.select(tokens.c.token_hash).where(
        tokens.c.purpose == "desk", tokens.c.created_by == lead
    )
    return _end_all(connection, links, now=now)


def _end_all(connection: Connection, links: sa.Select[tuple[str]], *, now: datetime) -> int:
    """End the sessions of some links."""
    ended = connection.execute(
        sa.update(sessions)
        .where(sessions.c.token_hash.in_(links), sessions.c.ended_at.is_(None))
        .values(ended_at=now, **FORGOTTEN)
    )
    return int(ended.rowcount)
