"""What a lead decided, and what the report says about it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.moves import Mover, Position
from ocrjury.store.outbox import add_signal
from ocrjury.store.results import newest_verdict
from ocrjury.store.schema import assignments, decisions, ratings, set_aside


class DecisionRow(NamedTuple):
    """One decision."""

    decision: str
    version: int
    kind: str
    target: dict[str, Any]
    reason: str
    actor: str
    at: datetime


def add_decision(
    connection: Connection,
    position: Position,
    *,
    kind: str,
    target: Mapping[str, Any],
    reason: str,
    mover: Mover,
) -> str:
    """Return the name of a decision; it names the verdict it was taken on, and is announced."""
    newest = connection.execute(newest_verdict(position.evaluation)).first()
    verdict = None if newest is None else {"round": newest.round, "version": newest.version}
    name = f"{position.evaluation}/{position.version}"
    connection.execute(
        sa.insert(decisions).values(
            decision=name,
            evaluation=position.evaluation,
            version=position.version,
            kind=kind,
            target={**target, "verdict": verdict},
            reason=reason,
            actor=mover.actor,
            at=mover.now,
        )
    )
    add_signal(
        connection,
        position.evaluation,
        name="ocrjury.evaluation.decided",
        about=str(position.version),
        now=mover.now,
    )
    return name


def list_decisions(engine: Engine, evaluation: str) -> list[DecisionRow]:
    """Return the decisions about an evaluation, the oldest first."""
    query = (
        sa.select(*(decisions.c[name] for name in DecisionRow._fields))
        .where(decisions.c.evaluation == evaluation)
        .order_by(decisions.c.version)
    )
    with reading(engine) as connection:
        return [DecisionRow(*row) for row in connection.execute(query)]


def set_ratings_aside(
    connection: Connection, evaluation: str, *, raters: list[str], decision: str
) -> None:
    """Leave out what raters said so far; the ratings themselves stay as they are."""
    query = (
        sa.select(ratings.c.assignment, ratings.c.dimension)
        .distinct()
        .join(assignments, assignments.c.assignment == ratings.c.assignment)
        .where(assignments.c.evaluation == evaluation, assignments.c.rater.in_(raters))
    )
    before = sa.select(set_aside.c.assignment).where(set_aside.c.evaluation == evaluation)
    gone = set(connection.execute(before).scalars())
    rows = [
        {**row._asdict(), "evaluation": evaluation, "decision": decision}
        for row in connection.execute(query)
        if row.assignment not in gone
    ]
    if rows:
        connection.execute(sa.insert(set_aside), rows)
