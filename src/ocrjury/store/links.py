"""Personal links for raters and leads: stored as a hash, revoked at any time.

A link has one audience. A rater's is bound to an evaluation and a round, a lead's opens the desk.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.evaluations import ENDED
from ocrjury.store.schema.course import evaluations
from ocrjury.store.schema.people import Audience, sessions, tokens
from ocrjury.store.schema.rating import rounds

LinkState = Literal["works", "expired", "revoked"]
GRACE = timedelta(days=3)
"""Time for which a link outlives its round, where nobody set another end."""
_STORED = (
    "token_hash",
    "who",
    "round",
    "created_at",
    "created_by",
    "revoked_at",
    "scope",
    "last_seen",
)
FORGOTTEN: Mapping[str, None] = {"address": None, "client": None}
"""Columns of a session that are cleared at its end."""
_WHO = sa.func.coalesce(tokens.c.rater, tokens.c.created_by)


class LinkRow(NamedTuple):
    """A link as the store knows it.

    Attributes
    ----------
    who
        A rater's pseudonym, or a lead's name.
    evaluation
        Empty for a link to the desk.
    round
        None: every round of the evaluation.
    ends_at
        When it stops working: the moment that was set, else `GRACE` after the deadline.
    """

    token_hash: str
    who: str
    evaluation: str
    round: int | None
    created_at: datetime
    created_by: str
    ends_at: datetime | None
    revoked_at: datetime | None
    scope: list[str] | None
    last_seen: datetime | None

    def state(self, now: datetime) -> LinkState:
        """State at a moment: whether the link works, and if not, why."""
        if self.revoked_at is not None:
            return "revoked"
        return "works" if self.ends_at is None or self.ends_at > now else "expired"


class Link(NamedTuple):
    """A link that works: whose it is, and for what.

    Attributes
    ----------
    scope
        Patterns of the evaluations that a link to the desk opens, such as ``claims-*``; None: all.
    """

    token_hash: str
    who: str
    evaluation: str
    round: int | None
    scope: tuple[str, ...] | None = None

    def opens(self, evaluation: str) -> bool:
        """Return whether a link to the desk opens an evaluation.

        Examples
        --------
        >>> link = Link("x", "J. Kim", "", None, scope=("claims-*",))
        >>> link.opens("claims-2026w47"), link.opens("payroll-2026w47")
        (True, False)
        """
        patterns = self.scope
        return patterns is None or any(fnmatchcase(evaluation, pattern) for pattern in patterns)


def new_secret() -> str:
    """Draw 256 bits that nobody can guess, in characters that an address can hold."""
    return secrets.token_urlsafe(32)


def secret_hash(secret: str) -> str:
    """Hash of a secret, which is all that is stored of it.

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
    """Add a link for a rater; returns its secret, which is nowhere else.

    Parameters
    ----------
    number
        The round that it is for; None for every round.
    expires_at
        None: `GRACE` after the deadline, wherever that is moved to.
    """
    return _add(
        connection,
        purpose="rating",
        rater=rater,
        evaluation=evaluation,
        round=number,
        created_at=now,
        created_by=created_by,
        expires_at=expires_at,
    )


def add_desk_link(
    connection: Connection,
    who: str,
    *,
    now: datetime,
    expires_at: datetime,
    scope: Sequence[str] | None = None,
) -> str:
    """Add a link to the desk; returns its secret, which is nowhere else.

    Parameters
    ----------
    scope
        Patterns of the evaluations that it opens; None: all.
    """
    values = {"created_by": who, "created_at": now, "expires_at": expires_at}
    opened = None if scope is None else list(scope)
    return _add(connection, purpose="desk", **values, scope=opened)


def find_link(
    connection: Connection, token_hash: str, *, now: datetime, audience: Audience = "rating"
) -> Link | None:
    """Find a link of an audience that works at this moment; None for every other."""
    query = _links().where(tokens.c.token_hash == token_hash, tokens.c.purpose == audience)
    row = connection.execute(query).one_or_none()
    if row is None or row.revoked_at is not None or row.state in ENDED:
        return None
    end = _end(row.expires_at, row.deadline)
    if end is not None and end <= now:
        return None
    scope = None if row.scope is None else tuple(row.scope)
    return Link(row.token_hash, row.who, row.evaluation or "", row.round, scope)


def claim_link(connection: Connection, link: Link, *, now: datetime) -> bool:
    """Note the first use of a link; False for a later one, however many come at once."""
    unused = tokens.c.token_hash == link.token_hash, tokens.c.used_at.is_(None)
    claimed = connection.execute(sa.update(tokens).where(*unused).values(used_at=now))
    return int(claimed.rowcount) == 1


def list_links(engine: Engine, evaluation: str | None) -> list[LinkRow]:
    """Links of an evaluation, or without one those to the desk; by person, the oldest first."""
    last_seen = (
        sa.select(sa.func.max(sessions.c.last_seen))
        .where(sessions.c.token_hash == tokens.c.token_hash)
        .scalar_subquery()
    )
    query = (
        _links()
        .add_columns(last_seen.label("last_seen"))
        .where(*_of(evaluation))
        .order_by(_WHO, tokens.c.created_at, tokens.c.token_hash)
    )
    with reading(engine) as connection:
        rows = connection.execute(query).all()
    return [
        LinkRow(
            **{name: getattr(row, name) for name in _STORED},
            evaluation=row.evaluation or "",
            ends_at=_end(row.expires_at, row.deadline),
        )
        for row in rows
    ]


def revoke_links(
    connection: Connection,
    evaluation: str | None,
    people: Sequence[str] | None = None,
    *,
    now: datetime,
) -> int:
    """Revoke links and end their sessions; returns how many links were not revoked before.

    Parameters
    ----------
    evaluation
        None: the links to the desk.
    people
        Whose; None: everybody's.
    """
    whose = [*_of(evaluation), tokens.c.revoked_at.is_(None)]
    if people is not None:
        whose.append(_WHO.in_(list(people)))
    hashes = list(connection.execute(sa.select(tokens.c.token_hash).where(*whose)).scalars())
    if hashes:
        connection.execute(
            sa.update(tokens).where(tokens.c.token_hash.in_(hashes)).values(revoked_at=now)
        )
        connection.execute(
            sa.update(sessions)
            .where(sessions.c.token_hash.in_(hashes), sessions.c.ended_at.is_(None))
            .values(ended_at=now, **FORGOTTEN)
        )
    return len(hashes)


def extend_links(connection: Connection, evaluation: str, rater: str, *, until: datetime) -> int:
    """Let a rater's links work until a moment, also expired ones; returns how many.

    Revoked ones stay revoked, and those that work longer already stay as they are.
    """
    whose = [*_of(evaluation), tokens.c.rater == rater, tokens.c.revoked_at.is_(None)]
    hashes = [
        row.token_hash
        for row in connection.execute(_links().where(*whose))
        if (ends := _end(row.expires_at, row.deadline)) is not None and ends < until
    ]
    late = tokens.c.token_hash.in_(hashes)
    changed = connection.execute(sa.update(tokens).where(late).values(expires_at=until))
    return int(changed.rowcount)


def _of(evaluation: str | None) -> list[sa.ColumnElement[bool]]:
    """Condition for the links of an evaluation, or without one for those to the desk."""
    if evaluation is None:
        return [tokens.c.purpose == "desk"]
    return [tokens.c.purpose == "rating", tokens.c.evaluation == evaluation]


def _add(connection: Connection, **values: Any) -> str:
    """Add a link; returns its secret."""
    secret = new_secret()
    connection.execute(sa.insert(tokens).values(token_hash=secret_hash(secret), **values))
    return secret


def _links() -> sa.Select[tuple[object, ...]]:
    """Query for links, with the deadline that ends those of raters."""
    deadline = (
        sa.select(sa.func.max(rounds.c.deadline))
        .where(
            rounds.c.evaluation == tokens.c.evaluation,
            sa.or_(tokens.c.round.is_(None), rounds.c.round == tokens.c.round),
        )
        .scalar_subquery()
        .label("deadline")
    )
    return sa.select(tokens, _WHO.label("who"), deadline, evaluations.c.state).outerjoin(
        evaluations, evaluations.c.evaluation == tokens.c.evaluation
    )


def _end(expires_at: datetime | None, deadline: datetime | None) -> datetime | None:
    if expires_at is not None:
        return expires_at
    return None if deadline is None else deadline + GRACE
