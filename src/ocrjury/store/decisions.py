"""What a lead decided, and what the report says about it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.moves import Mover, Position
from ocrjury.store.outbox import add_signal
from ocrjury.store.results import newest_verdict
from ocrjury.store.schema import assignments, decisions, ratings, rounds, set_aside


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
    name = decision_name(position)
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


def decision_name(position: Position) -> str:
    """Return the name of the decision that is taken on an evaluation at a position."""
    return f"{position.evaluation}/{position.version}"


def list_set_aside(engine: Engine, evaluation: str) -> list[tuple[str, str, str]]:
    """Return the ratings that were set aside: assignment, dimension, decision."""
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
    same_round = [rounds.c[name] == assignments.c[name] for name in ("evaluation", "round")]
    before = sa.exists().where(
        set_aside.c.assignment == ratings.c.assignment, set_aside.c.dimension == ratings.c.dimension
    )
    query = (
        sa.select(ratings.c.assignment, ratings.c.dimension)
        .distinct()
        .join(assignments, assignments.c.assignment == ratings.c.assignment)
        .join(rounds, sa.and_(*same_round))
        .where(
            assignments.c.evaluation == evaluation,
            assignments.c.rater.in_(list(raters)),
            rounds.c.kind == "main",
            ~before,
        )
        .order_by(ratings.c.assignment, ratings.c.dimension)
    )
    if dimensions is not None:
        query = query.where(ratings.c.dimension.in_(list(dimensions)))
    rows = [
        {**row._asdict(), "evaluation": evaluation, "decision": decision}
        for row in connection.execute(query)
    ]
    if rows:
        connection.execute(sa.insert(set_aside), rows)
