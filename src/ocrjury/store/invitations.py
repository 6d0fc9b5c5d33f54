"""Invitations to rate: a personal link with its line in the audit log, and who still has none."""

from datetime import datetime

import sqlalchemy as sa

from ocrjury.store.audit import add_audit
from ocrjury.store.database import Connection, Engine
from ocrjury.store.links import add_link, list_links, revoke_links
from ocrjury.store.rounds import list_progress
from ocrjury.store.schema.people import tokens


def make_link(
    connection: Connection,
    evaluation: str,
    rater: str,
    *,
    number: int | None,
    created_by: str,
    now: datetime,
    expires_at: datetime | None = None,
    address: str = "cli",
    replaces: bool = True,
) -> str:
    """Secret of a new link, which replaces the rater's earlier ones unless they stay for now.

    See `ocrjury.store.links.add_link`; `address` is where whoever makes it came from.
    """
    if replaces:
        revoke_links(connection, evaluation, [rater], now=now)
    secret = add_link(
        connection,
        evaluation,
        rater,
        number=number,
        created_by=created_by,
        now=now,
        expires_at=expires_at,
    )
    add_audit(
        connection,
        "make link",
        actor=created_by,
        object_=f"{evaluation} {rater}",
        address=address,
        now=now,
    )
    return secret


def take_link_back(connection: Connection, token_hash: str, *, now: datetime) -> None:
    """Revoke one link that nobody got."""
    connection.execute(
        sa.update(tokens).where(tokens.c.token_hash == token_hash).values(revoked_at=now)
    )


def replace_links(
    connection: Connection, evaluation: str, rater: str, *, kept: str, now: datetime
) -> None:
    """Revoke the links of a rater but the one that has arrived, by its hash."""
    connection.execute(
        sa.update(tokens)
        .where(
            tokens.c.purpose == "rating",
            tokens.c.evaluation == evaluation,
            tokens.c.rater == rater,
            tokens.c.token_hash != kept,
            tokens.c.revoked_at.is_(None),
        )
        .values(revoked_at=now)
    )


def list_uninvited(engine: Engine, evaluation: str, number: int, *, now: datetime) -> list[str]:
    """Raters with something open in a round whom no link lets in."""
    have = {
        link.who
        for link in list_links(engine, evaluation)
        if link.round in {None, number} and link.state(now) == "works"
    }
    progress = list_progress(engine, evaluation, number)
    return [row.rater for row in progress if row.open and row.rater not in have]
