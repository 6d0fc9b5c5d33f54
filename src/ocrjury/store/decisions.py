"""Decisions of leads, requested and taken, as the report prints them."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.campaign.decision_targets import DecisionTarget, TakenTarget
from ocrjury.errors import InputError, StateError
from ocrjury.language import phrase
from ocrjury.store.current_ratings import is_set_aside
from ocrjury.store.database import Connection, Engine, reading, writing
from ocrjury.store.moves import Mover, Position
from ocrjury.store.outbox import add_signal
from ocrjury.store.results import newest_verdict
from ocrjury.store.rows import (
    add_rows,
    columns_of,
    has_row,
    list_of_evaluation,
    list_rows,
    same,
)
from ocrjury.store.schema.course import Outcome, decisions, requests
from ocrjury.store.schema.rating import assignments, ratings, rounds, set_aside


class StoredDecision(NamedTuple):
    """One decision."""

    decision: str
    version: int
    kind: str
    target: TakenTarget
    reason: str
    actor: str
    at: datetime


def add_decision(
    connection: Connection,
    position: Position,
    *,
    kind: str,
    target: DecisionTarget,
    reason: str,
    mover: Mover,
    on_verdict: bool = True,
) -> str:
    """Add a decision, announce it, and return its name.

    It names the newest verdict, unless it is not ``on_verdict``.
    """
    verdict = newest_verdict(connection, position.evaluation) if on_verdict else None
    name = decision_name(position)
    connection.execute(
        sa.insert(decisions).values(
            decision=name,
            evaluation=position.evaluation,
            version=position.version,
            kind=kind,
            target=TakenTarget(**dict(target), verdict=verdict),
            reason=reason,
            actor=mover.actor,
            at=mover.now,
        )
    )
    event, about = "ocrjury.evaluation.decided", str(position.version)
    facts = {"version": position.version}
    add_signal(connection, position.evaluation, name=event, about=about, now=mover.now, facts=facts)
    return name


def list_decisions(source: Engine | Connection, evaluation: str) -> list[StoredDecision]:
    """Decisions about an evaluation, the oldest first."""
    return list_of_evaluation(
        source, StoredDecision, decisions, evaluation=evaluation, order="version"
    )


def dropped_raters(source: Engine | Connection, evaluation: str) -> set[str]:
    """Raters whom a lead dropped; they get no further items in an evaluation."""
    drops = (step for step in list_decisions(source, evaluation) if step.kind == "drop")
    return {rater for decision in drops for rater in decision.target.raters}


def decision_name(position: Position) -> str:
    """Name of the decision that is taken on an evaluation at a position."""
    return f"{position.evaluation}/{position.version}"


def list_set_aside(engine: Engine, evaluation: str) -> list[tuple[str, str, str]]:
    """Ratings that were set aside: assignment, dimension, decision."""
    columns = (set_aside.c.assignment, set_aside.c.dimension, set_aside.c.decision)
    query = sa.select(*columns).where(set_aside.c.evaluation == evaluation).order_by(*columns)
    with reading(engine) as connection:
        return [(row[0], row[1], row[2]) for row in connection.execute(query)]


def set_ratings_aside(
    connection: Connection,
    evaluation: str,
    *,
    raters: Sequence[str],
    decision: str,
    dimensions: Sequence[str] | None = None,
) -> None:
    """Leave out what raters said in main rounds so far; the ratings stay as they are.

    Parameters
    ----------
    dimensions
        On which they are left out; None: on all.
    """
    query = (
        sa.select(ratings.c.assignment, ratings.c.dimension)
        .distinct()
        .join(assignments, same(assignments, ratings, "assignment"))
        .join(rounds, same(rounds, assignments, "evaluation", "round"))
        .where(
            assignments.c.evaluation == evaluation,
            assignments.c.rater.in_(list(raters)),
            rounds.c.kind == "main",
            ~is_set_aside(),
        )
        .order_by(ratings.c.assignment, ratings.c.dimension)
    )
    if dimensions is not None:
        query = query.where(ratings.c.dimension.in_(list(dimensions)))
    rows = [
        {**row._asdict(), "evaluation": evaluation, "decision": decision}
        for row in connection.execute(query)
    ]
    add_rows(connection, set_aside, rows)


SIGNAL = "ocrjury.decision.requested"


class RequestRow(NamedTuple):
    """A decision somebody asked for; `outcome` is None as long as it waits.

    `version` is where the evaluation stood when it was asked for: a lead decides on what is seen.
    """

    request: str
    evaluation: str
    version: int
    decision: str
    target: DecisionTarget
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
    target: DecisionTarget,
    reason: str,
    actor: str,
    now: datetime,
) -> str:
    """Add a request, announce it in the same transaction, and return its name.

    Raises
    ------
    StateError
        If another one waits already.
    """
    name = position.evaluation
    before = check_nothing_waits(connection, name)
    request = f"{name}/{position.version}/{len(before) + 1}"
    row = {"request": request, "evaluation": name, "version": position.version}
    row |= {"decision": decision, "target": target, "reason": reason}
    try:
        connection.execute(sa.insert(requests).values(**row, actor=actor, at=now))
    except sa.exc.IntegrityError as error:
        # PostgreSQL lets two leads get this far at once.
        raise StateError(
            phrase("somebody else decided at this moment; nothing was stored.")
        ) from error
    about = f"{position.version}.{len(before) + 1}"
    add_signal(connection, name, name=SIGNAL, about=about, now=now)
    return request


def check_nothing_waits(connection: Connection, evaluation: str) -> list[RequestRow]:
    """Requests about an evaluation, of which none waits.

    Raises
    ------
    StateError
        If one does.
    """
    before = list_requests(connection, evaluation)
    waiting = next((row for row in before if row.outcome is None), None)
    if waiting is not None:
        raise StateError(
            phrase(
                "'{decision}' of {actor} still waits to be taken; nothing was stored.",
                decision=waiting.decision,
                actor=waiting.actor,
            )
        )
    return before


def list_requests(source: Engine | Connection, evaluation: str) -> list[RequestRow]:
    """Requests about an evaluation, the oldest first."""
    return list_of_evaluation(
        source, RequestRow, requests, evaluation=evaluation, order="at request"
    )


def read_request(engine: Engine, request: str) -> RequestRow:
    """Request of a name.

    Raises
    ------
    InputError
        If there is none.
    """
    query = sa.select(*columns_of(requests, RequestRow)).where(requests.c.request == request)
    rows = list_rows(engine, RequestRow, query)
    if not rows:
        raise InputError(f"no decision is stored as {request!r}.")
    return rows[0]


def waiting_requests(engine: Engine) -> dict[str, RequestRow]:
    """Decisions that wait to be taken, by evaluation."""
    query = sa.select(*columns_of(requests, RequestRow)).where(requests.c.outcome.is_(None))
    return {row.evaluation: row for row in list_rows(engine, RequestRow, query)}


def waiting_request(engine: Engine, evaluation: str) -> RequestRow | None:
    """Decision that waits to be taken; None without one."""
    rows = list_requests(engine, evaluation)
    return next((row for row in rows if row.outcome is None), None)


def list_requested(engine: Engine) -> list[str]:
    """Evaluations with a decision that waits to be taken, the oldest request first."""
    query = (
        sa.select(requests.c.evaluation)
        .where(requests.c.outcome.is_(None))
        .order_by(requests.c.at, requests.c.evaluation)
    )
    with reading(engine) as connection:
        return list(connection.execute(query).scalars())


def was_taken(engine: Engine, request: RequestRow) -> bool:
    """Return whether the requested decision is stored; its flow may have died just after that."""
    key = {"kind": request.decision, "actor": request.actor, "version": request.version}
    with reading(engine) as connection:
        return has_row(connection, decisions, evaluation=request.evaluation, **key)


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
