"""Decisions that a lead asked for at the desk: one at a time waits until a flow takes it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa

from ocrjury.errors import StateError
from ocrjury.store.database import Connection, Engine, reading, writing
from ocrjury.store.moves import Position
from ocrjury.store.outbox import add_signal
from ocrjury.store.schema import decisions, requests

Outcome = Literal["taken", "refused", "overtaken"]
SIGNAL = "ocrjury.decision.requested"


class RequestRow(NamedTuple):
    """A decision somebody asked for; `outcome` is None as long as it waits.

    `version` is where the evaluation stood when it was asked for: a lead decides on what is seen.
    """

    request: str
    evaluation: str
    version: int
    decision: str
    target: dict[str, Any]
    reason: str
    actor: str
    at: datetime
    outcome: str | None
    detail: str | None
    settled_at: datetime | None


def add_request(
    connection: Connection,
    position: Position,
    *,
    decision: str,
    target: Mapping[str, Any],
    reason: str,
    actor: str,
    now: datetime,
) -> str:
    """Return the name of a new request; it is announced with the same transaction.

    Raises
    ------
    StateError
        If another one waits already.
    """
    name = position.evaluation
    before = connection.execute(_requests(name)).all()
    waiting = next((row for row in before if row.outcome is None), None)
    if waiting is not None:
        raise StateError(
            f"{waiting.decision!r} of {waiting.actor} still waits to be taken; nothing was stored."
        )
    request = f"{name}/{position.version}/{len(before) + 1}"
    row = {"request": request, "evaluation": name, "version": position.version}
    row |= {"decision": decision, "target": dict(target), "reason": reason}
    try:
        connection.execute(sa.insert(requests).values(**row, actor=actor, at=now))
    except sa.exc.IntegrityError as error:
        # PostgreSQL lets two leads get this far at once.
        raise StateError("somebody else decided at this moment; nothing was stored.") from error
    add_signal(
        connection,
        name,
        name=SIGNAL,
        about=f"{position.version}.{len(before) + 1}",
        now=now,
    )
    return request


def list_requests(engine: Engine, evaluation: str) -> list[RequestRow]:
    """Return what was asked for about an evaluation, the oldest first."""
    with reading(engine) as connection:
        return [RequestRow(*row) for row in connection.execute(_requests(evaluation))]


def waiting_request(engine: Engine, evaluation: str) -> RequestRow | None:
    """Return the decision that waits to be taken, None without one."""
    rows = list_requests(engine, evaluation)
    return next((row for row in rows if row.outcome is None), None)


def list_requested(engine: Engine) -> list[str]:
    """Return the evaluations with a decision that waits to be taken, the oldest request first."""
    query = (
        sa.select(requests.c.evaluation)
        .where(requests.c.outcome.is_(None))
        .order_by(requests.c.at, requests.c.evaluation)
    )
    with reading(engine) as connection:
        return list(connection.execute(query).scalars())


def was_taken(engine: Engine, request: RequestRow) -> bool:
    """Return whether the decision was written down: its flow may have died just after."""
    query = sa.select(decisions.c.decision).where(
        decisions.c.evaluation == request.evaluation,
        decisions.c.version == request.version,
        decisions.c.kind == request.decision,
        decisions.c.actor == request.actor,
    )
    with reading(engine) as connection:
        return connection.execute(query).first() is not None


def settle_request(
    engine: Engine, request: str, outcome: Outcome, *, now: datetime, detail: str | None = None
) -> None:
    """Note what became of a request; what was settled before stays."""
    with writing(engine) as connection:
        connection.execute(
            sa.update(requests)
            .where(requests.c.request == request, requests.c.outcome.is_(None))
            .values(outcome=outcome, detail=detail, settled_at=now)
        )


def _requests(evaluation: str) -> sa.Select[Any]:
    """Return the query for the requests about an evaluation."""
    return (
        sa.select(*(requests.c[name] for name in RequestRow._fields))
        .where(requests.c.evaluation == evaluation)
        .order_by(requests.c.at, requests.c.request)
    )
