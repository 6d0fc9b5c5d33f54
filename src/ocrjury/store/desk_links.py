"""Links to the lead's desk and the sessions that begin with them: no rater's link opens it."""

from datetime import datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.links import new_secret, secret_hash
from ocrjury.store.schema import sessions, tokens
from ocrjury.store.sessions import IDLE, LONGEST

DAYS = 7
"""How long a link to the desk works where nobody says otherwise."""
_DESK = tokens.c.purpose == "desk"
RESOLUTION = timedelta(seconds=20)
"""Whoever is at the desk is noted again after so long."""


class DeskLink(NamedTuple):
    """A link to the desk: whose it is and until when it works."""

    token_hash: str
    who: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None


class DeskSession(NamedTuple):
    """Somebody at the desk."""

    session_hash: str
    who: str
    last_seen: datetime


def add_desk_link(connection: Connection, who: str, *, now: datetime, expires_at: datetime) -> str:
    """Return the secret of a new link to the desk; it is nowhere else."""
    secret = new_secret()
    connection.execute(
        sa.insert(tokens).values(
            token_hash=secret_hash(secret),
            purpose="desk",
            created_at=now,
            created_by=who,
            expires_at=expires_at,
        )
    )
    return secret


def find_desk_link(connection: Connection, token_hash: str, *, now: datetime) -> DeskLink | None:
    """Return a link that works at this moment, None for every other."""
    row = connection.execute(_links().where(tokens.c.token_hash == token_hash)).one_or_none()
    if row is None or row.revoked_at is not None or row.expires_at <= now:
        return None
    return DeskLink(*row)


def list_desk_links(engine: Engine) -> list[DeskLink]:
    """Return every link to the desk, the oldest first."""
    with reading(engine) as connection:
        query = _links().order_by(tokens.c.created_at, tokens.c.token_hash)
        return [DeskLink(*row) for row in connection.execute(query)]


def revoke_desk_links(connection: Connection, *, now: datetime, who: str | None = None) -> int:
    """Revoke the links of somebody or of all, end their sessions; return how many worked."""
    which = [_DESK, tokens.c.revoked_at.is_(None)]
    if who is not None:
        which.append(tokens.c.created_by == who)
    hashes = list(connection.execute(sa.select(tokens.c.token_hash).where(*which)).scalars())
    if hashes:
        connection.execute(
            sa.update(tokens).where(tokens.c.token_hash.in_(hashes)).values(revoked_at=now)
        )
        connection.execute(
            sa.update(sessions)
            .where(sessions.c.token_hash.in_(hashes), sessions.c.ended_at.is_(None))
            .values(ended_at=now)
        )
    return len(hashes)


def add_desk_session(connection: Connection, link: DeskLink, *, now: datetime) -> str:
    """Return the secret of a new session."""
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


def find_desk_session(
    connection: Connection, session_hash: str, *, now: datetime
) -> DeskSession | None:
    """Return a session that works at this moment, and whose link does, None for every other."""
    row = connection.execute(
        sa.select(sessions).where(sessions.c.session_hash == session_hash)
    ).one_or_none()
    if row is None or row.ended_at is not None:
        return None
    if now - row.last_seen > IDLE or now - row.created_at > LONGEST:
        return None
    link = find_desk_link(connection, row.token_hash, now=now)
    return None if link is None else DeskSession(session_hash, link.who, row.last_seen)


def touch_desk_session(connection: Connection, session: DeskSession, *, now: datetime) -> None:
    """Note that somebody is at the desk."""
    connection.execute(
        sa.update(sessions)
        .where(sessions.c.session_hash == session.session_hash)
        .values(last_seen=now)
    )


def _links() -> sa.Select[tuple[object, ...]]:
    """Return the query for links to the desk."""
    return sa.select(
        tokens.c.token_hash,
        tokens.c.created_by,
        tokens.c.created_at,
        tokens.c.expires_at,
        tokens.c.revoked_at,
    ).where(_DESK)
