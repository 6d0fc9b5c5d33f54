"""Rounds and their assignments: open, close, late changes, progress."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from ocrjury.campaign.history import RoundKind
from ocrjury.store.current_ratings import is_excluded
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.rows import (
    add_rows,
    columns_of,
    count_anew,
    list_of_evaluation,
    list_rows,
    of_evaluation,
    row_of,
    same,
)
from ocrjury.store.rubric_versions import take_newest_rubric
from ocrjury.store.schema.material import documents, items
from ocrjury.store.schema.rating import assignments, rounds
from ocrjury.store.unmet_panels import keep_votes

TAKES_OVER: Final = "takes over"
"""Reason of an assignment that was somebody else's."""
CHECKS: Final = ("gold", "repeat")
"""Reasons of assignments that say something about their own rater only."""


@dataclass(frozen=True, slots=True)
class NewAssignment:
    """One rating that is asked for; `position` is its place in the rater's queue, from 1."""

    item: str
    rater: str
    position: int
    session: int = 1
    repeat: int = 0
    reason: str = "design"
    gain: float | None = None


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """A round before it is opened; `rule` says in words how its items were chosen."""

    kind: RoundKind
    rule: str
    dimensions: tuple[str, ...]
    frontend: str
    deadline: datetime
    assignments: tuple[NewAssignment, ...]


class RoundRow(NamedTuple):
    """A round as the store knows it."""

    round: int
    kind: RoundKind
    attempt: int
    state: str
    rule: str
    dimensions: list[str]
    frontend: str
    replanned: bool
    opened_at: datetime
    deadline: datetime
    closed_at: datetime | None
    closed_by: str | None


class AssignmentRow(NamedTuple):
    """An assignment as the store knows it."""

    assignment: str
    round: int
    item: str
    rater: str
    repeat: int
    position: int
    session: int
    state: str
    reason: str
    gain: float | None


class Withdrawn(NamedTuple):
    """An assignment that is asked for no longer: its item, and why it was asked for."""

    item: str
    reason: str


class Progress(NamedTuple):
    """Progress of one rater in one round."""

    rater: str
    done: int
    open: int
    withdrawn: int


class ItemCounts(NamedTuple):
    """Number of items of one round whose ratings are all there, and of all that are asked for."""

    done: int
    asked: int


def open_round(connection: Connection, evaluation: str, plan: RoundPlan, *, now: datetime) -> int:
    """Open a round with the newest rubric, and return its number."""
    take_newest_rubric(connection, evaluation)
    earlier = connection.execute(
        sa.select(rounds.c.round, rounds.c.kind).where(rounds.c.evaluation == evaluation)
    ).all()
    # A pilot before anything else is round 0; the main round is 1 in any case.
    first = 0 if plan.kind == "pilot" else 1
    number = max((row.round for row in earlier), default=first - 1) + 1
    attempt = sum(row.kind == plan.kind for row in earlier) + 1
    connection.execute(
        sa.insert(rounds).values(
            evaluation=evaluation,
            round=number,
            kind=plan.kind,
            attempt=attempt,
            state="open",
            rule=plan.rule,
            dimensions=list(plan.dimensions),
            frontend=plan.frontend,
            replanned=False,
            opened_at=now,
            deadline=plan.deadline,
        )
    )
    add_assignments(connection, evaluation, plan.assignments, number=number)
    count_anew(connection, documents, items, rounds, assignments)
    return number


def add_assignments(
    connection: Connection, evaluation: str, new: Iterable[NewAssignment], *, number: int
) -> None:
    """Ask for ratings in an open round."""
    rows = [
        {
            "assignment": f"{evaluation}/{number}/{rating.rater}/{rating.repeat}/{rating.item}",
            "evaluation": evaluation,
            "round": number,
            "state": "open",
            **row_of(rating),
        }
        for rating in new
    ]
    add_rows(connection, assignments, rows)


def close_round(
    connection: Connection, evaluation: str, *, by: str, now: datetime, state: str = "closed"
) -> None:
    """Close the open round, if there is one, and withdraw what nobody has rated."""
    keep_votes(connection, evaluation, now=now)
    withdraw(connection, evaluation)
    connection.execute(
        sa.update(rounds)
        .where(rounds.c.evaluation == evaluation, rounds.c.state == "open")
        .values(state=state, closed_at=now, closed_by=by)
    )


def withdraw(
    connection: Connection, evaluation: str, raters: Sequence[str] | None = None
) -> list[Withdrawn]:
    """Withdraw open assignments, of some raters or of all, and return them.

    Whoever hands in a rating holds the round first, and the assignment later: two who hold what the
    other waits for would never end.
    """
    connection.execute(_open(evaluation).with_for_update())
    change = (
        sa.update(assignments)
        .where(assignments.c.evaluation == evaluation, assignments.c.state == "open")
        .values(state="withdrawn")
    )
    if raters is not None:
        change = change.where(assignments.c.rater.in_(list(raters)))
    rows = connection.execute(change.returning(assignments.c.item, assignments.c.reason))
    return [Withdrawn(*row) for row in rows]


def _open(evaluation: str) -> sa.Select[tuple[int]]:
    """Query for the number of the open round."""
    return sa.select(rounds.c.round).where(
        rounds.c.evaluation == evaluation, rounds.c.state == "open"
    )


def change_round(connection: Connection, evaluation: str, **values: Any) -> None:
    """Set columns of the open round, such as its deadline."""
    connection.execute(
        sa.update(rounds)
        .where(rounds.c.evaluation == evaluation, rounds.c.state == "open")
        .values(**values)
    )


def list_rounds(engine: Engine, evaluation: str) -> list[RoundRow]:
    """Rounds of an evaluation in order."""
    return list_of_evaluation(engine, RoundRow, rounds, evaluation=evaluation, order="round")


def last_rounds(engine: Engine, evaluations: Sequence[str]) -> dict[str, RoundRow]:
    """Last round of each of some evaluations that have one."""
    query = (
        sa.select(rounds.c.evaluation, *columns_of(rounds, RoundRow))
        .where(rounds.c.evaluation.in_(evaluations))
        .order_by(rounds.c.round)
    )
    with reading(engine) as connection:
        return {name: RoundRow(*row) for name, *row in connection.execute(query)}


def list_assignments(
    engine: Engine, evaluation: str, *, state: str | None = None
) -> list[AssignmentRow]:
    """Assignments in the order of rounds, raters and positions."""
    query = of_evaluation(AssignmentRow, assignments, "round rater position")
    if state is not None:
        query = query.where(assignments.c.state == state)
    return list_rows(engine, AssignmentRow, query, evaluation=evaluation)


def list_progress(engine: Engine, evaluation: str, number: int) -> list[Progress]:
    """Progress of every rater in a round."""
    counts = [
        sa.func.sum(sa.case((assignments.c.state == state, 1), else_=0))
        for state in ("done", "open", "withdrawn")
    ]
    query = (
        sa.select(assignments.c.rater, *counts)
        .where(assignments.c.evaluation == evaluation, assignments.c.round == number)
        .group_by(assignments.c.rater)
        .order_by(assignments.c.rater)
    )
    return list_rows(engine, Progress, query)


def count_items(engine: Engine, evaluation: str, number: int) -> ItemCounts:
    """Number of items that a round asks for, and of those that nobody has left to rate."""
    waits = sa.func.max(sa.case((assignments.c.state == "open", 1), else_=0)).label("waits")
    waiting = (
        sa.select(assignments.c.item, waits)
        .where(
            assignments.c.evaluation == evaluation,
            assignments.c.round == number,
            assignments.c.state != "withdrawn",
        )
        .group_by(assignments.c.item)
        .subquery()
    )
    with reading(engine) as connection:
        counts = sa.select(
            sa.func.count() - sa.func.coalesce(sa.func.sum(waiting.c.waits), 0), sa.func.count()
        )
        done, number_asked = connection.execute(counts.select_from(waiting)).one()
    return ItemCounts(int(done), number_asked)


def count_missing(engine: Engine, evaluations: Sequence[str]) -> dict[tuple[str, int], int]:
    """Ratings that closed rounds asked for and did not get, by evaluation and round.

    No round waits for gold and second ratings, nor for items that a lead excluded.
    """
    if not evaluations:
        return {}
    key = [assignments.c[name] for name in ("evaluation", "round")]
    requested = sa.func.sum(sa.case((assignments.c.reason != TAKES_OVER, 1), else_=0))
    standing = sa.func.sum(sa.case((assignments.c.state != "withdrawn", 1), else_=0))
    lacks = (
        sa.select(*key, (requested - standing).label("number"))
        .join(rounds, same(rounds, assignments, "evaluation", "round"))
        .where(
            assignments.c.evaluation.in_(list(evaluations)),
            rounds.c.closed_by != "complete",
            assignments.c.reason.not_in(CHECKS),
            ~is_excluded(),
        )
        .group_by(*key, assignments.c.item)
        .having(requested > standing)
        .subquery()
    )
    query = sa.select(lacks.c.evaluation, lacks.c.round, sa.func.sum(lacks.c.number)).group_by(
        lacks.c.evaluation, lacks.c.round
    )
    with reading(engine) as connection:
        return {(name, number): int(n) for name, number, n in connection.execute(query)}
