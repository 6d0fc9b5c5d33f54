"""The audit log: who did what to what, from where and when; never a text of a document."""

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.schema import audit


class AuditRow(NamedTuple):
    """One line of the log."""

    seq: int
    actor: str
    action: str
    object: str
    address: str
    reason: str | None
    at: datetime


def add_audit(
    connection: Connection,
    action: str,
    *,
    actor: str,
    object_: str,
    address: str,
    now: datetime,
    reason: str | None = None,
) -> None:
    """Write a line.

    Parameters
    ----------
    action
        A word such as ``sign-in``, ``view``, ``rate``, ``export``.
    actor
        A pseudonym, or the name of a lead; ``?`` for somebody unknown.
    object_
        What it was done to: an assignment, an evaluation, a file.
    address
        Where the request came from; ``cli`` for a command.
    """
    connection.execute(
        sa.insert(audit).values(
            actor=actor, action=action, object=object_, address=address, reason=reason, at=now
        )
    )


def list_audit(engine: Engine, *, limit: int = 1000) -> list[AuditRow]:
    """Return the newest lines, the newest first."""
    query = (
        sa.select(*(audit.c[name] for name in AuditRow._fields))
        .order_by(audit.c.seq.desc())
        .limit(limit)
    )
    with reading(engine) as connection:
        return [AuditRow(*row) for row in connection.execute(query)]
