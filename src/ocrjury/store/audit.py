"""The audit log: who did what to what, from where and when; never a text of a document."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.store.audit_chain import add_chained
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.rows import columns_of, list_rows
from ocrjury.store.schema.people import audit
from ocrjury.store.schema.rating import assignments


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
    add_lines(connection, action, [(actor, object_, address)], now=now, reason=reason)


def add_lines(
    connection: Connection,
    action: str,
    lines: Iterable[tuple[str, str, str]],
    *,
    now: datetime,
    reason: str | None = None,
) -> None:
    """Write a line for each actor, object and address; see `add_audit`."""
    alike = {"action": action, "reason": reason, "at": now}
    rows = [
        {"actor": actor, "object": object_, "address": address, **alike}
        for actor, object_, address in lines
    ]
    add_chained(connection, rows)


def list_audit(
    engine: Engine,
    *,
    evaluation: str | None = None,
    actor: str | None = None,
    since: datetime | None = None,
) -> list[AuditRow]:
    """Lines, the newest first.

    Parameters
    ----------
    evaluation
        Only lines about it, its assignments, its sheets and its reports.
    actor
        Only what this one did.
    since
        Only lines of this moment or later.
    """
    query = sa.select(*columns_of(audit, AuditRow)).order_by(audit.c.seq.desc())
    if evaluation is not None:
        query = query.where(_about(evaluation))
    if actor is not None:
        query = query.where(audit.c.actor == actor)
    if since is not None:
        query = query.where(audit.c.at >= since)
    return list_rows(engine, AuditRow, query)


def noted_objects(engine: Engine, action: str, *, objects: Iterable[str]) -> set[str]:
    """Objects, of those given, to which an action was done."""
    query = (
        sa.select(audit.c.object)
        .distinct()
        .where(audit.c.action == action, audit.c.object.in_(list(objects)))
    )
    with reading(engine) as connection:
        return set(connection.scalars(query))


def last_noted(
    engine: Engine, *actions: str, objects: Iterable[str]
) -> dict[str, tuple[str, datetime]]:
    """Action and moment of the newest line about each of some objects, of some actions."""
    names = list(objects)
    if not names:
        return {}
    query = (
        sa.select(audit.c.object, audit.c.action, audit.c.at)
        .where(audit.c.action.in_(actions), audit.c.object.in_(names))
        .order_by(audit.c.seq)
    )
    with reading(engine) as connection:
        return {str(name): (str(action), at) for name, action, at in connection.execute(query)}


def _about(evaluation: str) -> sa.ColumnElement[bool]:
    """Condition for lines about an evaluation.

    An object is an assignment, or the evaluation's name, alone or with a mark and more behind it.
    """
    own = sa.select(assignments.c.assignment).where(assignments.c.evaluation == evaluation)
    return sa.or_(
        audit.c.object == evaluation,
        *(audit.c.object.startswith(f"{evaluation}{mark}", autoescape=True) for mark in " ,/"),
        audit.c.object.in_(own),
    )
