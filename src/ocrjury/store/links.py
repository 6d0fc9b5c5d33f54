"""Personal links: stored as a hash, bound to a rater and a round, revoked at any time."""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.schema import evaluations, rounds, sessions, tokens

GRACE = timedelta(days=3)
"""How long a link outlives its round, where nobody set another end."""
ENDED = ("closed", "aborted")


class LinkRow(NamedTuple):
    """A link as the store knows it; `round` None means every round of the evaluation.

    `ends_at` is when it stops to work: the moment that was set, else `GRACE` after the deadline.
    """

    token_hash: str
    rater: str
    evaluation: str
    round: int | None
    created_at: datetime
    created_by: str
    ends_at: datetime | None
    revoked_at: datetime | None
    last_seen: datetime | None


class Link(NamedTuple):
    """Whose a link is, and for what."""

    token_hash: str
    rater: str
    evaluation: str
    round: int | None


def new_secret() -> str:
    """Return 256 bits that nobody can guess, in letters that an address can hold."""
    return secrets.token_urlsafe(32)


def secret_hash(secret: str) -> str:
    """Return what is stored of a secret.

    Examples
    --------
    >>> len(secret_hash(new_secret()))
    64
    """
    return hashlib.sha256(secret.encode()).hexdigest()


def add_link(
    connection: Connection,
    evaluation: str,
    rater: str,
    *,
    number: int | None,
    created_by: str,
    now: datetime,
    expires_at: datetime | None = None,
) -> str:
    """Return the secret of a new link; it is nowhere else.

    Parameters
    ----------
    number
        The round that it is for; None for every round.
    expires_at
        None: `GRACE` after the deadline, wherever that is moved to.
    """
    secret = new_secret()
    connection.execute(
        sa.insert(tokens).values(
            token_hash=secret_hash(secret),
            purpose="rating",
            rater=rater,
            evaluation=evaluation,
            round=number,
            created_at=now,
            created_by=created_by,
            expires_at=expires_at,
        )
    )
    return secret


def find_link(connection: Connection, token_hash: str, *, now: datetime) -> Link | None:
    """Return a link that works at this moment, None for every other."""
    row = connection.execute(_links().where(tokens.c.token_hash == token_hash)).one_or_none()
    return _working(row, now)


def list_links(engine: Engine, evaluation: str) -> list[LinkRow]:
    """Return the links of an evaluation, rater by rater, the oldest first."""
    seen = (
        sa.select(sessions.c.token_hash, sa.func.max(sessions.c.last_seen).label("last_seen"))
        .group_by(sessions.c.token_hash)
        .subquery()
    )
    query = (
        _links()
        .add_columns(seen.c.last_seen)
        .outerjoin(seen, seen.c.token_hash == tokens.c.token_hash)
        .where(tokens.c.evaluation == evaluation)
        .order_by(tokens.c.rater, tokens.c.created_at, tokens.c.token_hash)
    )
    with reading(engine) as connection:
        rows = connection.execute(query).all()
    return [
        LinkRow(
            row.token_hash,
            row.rater,
            row.evaluation,
            row.round,
            row.created_at,
            row.created_by,
            ends_at=_end(row.expires_at, row.deadline),
            revoked_at=row.revoked_at,
            last_seen=row.last_seen,
        )
        for row in rows
    ]


def revoke_links(
    connection: Connection, evaluation: str, raters: Sequence[str] | None = None, *, now: datetime
) -> int:
    """Revoke the links of some raters or of all, end their sessions; return how many worked."""
    whose = [tokens.c.evaluation == evaluation, tokens.c.revoked_at.is_(None)]
    if raters is not None:
        whose.append(tokens.c.rater.in_(list(raters)))
    hashes = list(connection.execute(sa.select(tokens.c.token_hash).where(*whose)).scalars())
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


def _links() -> sa.Select[tuple[object, ...]]:
    """Return the query for links of raters, with the deadline that ends them."""
    deadline = (
        sa.select(sa.func.max(rounds.c.deadline))
        .where(
            rounds.c.evaluation == tokens.c.evaluation,
            sa.or_(tokens.c.round.is_(None), rounds.c.round == tokens.c.round),
        )
        .scalar_subquery()
        .label("deadline")
    )
    return (
        sa.select(tokens, deadline, evaluations.c.state)
        .join(evaluations, evaluations.c.evaluation == tokens.c.evaluation)
        .where(tokens.c.purpose == "rating")
    )


def _working(row: sa.Row[tuple[object, ...]] | None, now: datetime) -> Link | None:
    """Return the link of a row, None if it does not work at this moment."""
    if row is None or row.revoked_at is not None or row.state in ENDED:
        return None
    end = _end(row.expires_at, row.deadline)
    if end is not None and end <= now:
        return None
    return Link(row.token_hash, row.rater, row.evaluation, row.round)


def _end(expires_at: datetime | None, deadline: datetime | None) -> datetime | None:
    """Return when a link ends."""
    if expires_at is not None:
        return expires_at
    return None if deadline is None else deadline + GRACE
