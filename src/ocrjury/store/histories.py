"""Read from the tables what the choice of an evaluation's next step depends on."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.campaign.decision_targets import VerdictName
from ocrjury.campaign.history import History, Policy, Round
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.evaluations import Evaluation, read_evaluation
from ocrjury.store.moves import Position
from ocrjury.store.raters import list_raters
from ocrjury.store.reports import waiting_receivers
from ocrjury.store.rows import has_row, same
from ocrjury.store.schema.course import decisions, moves
from ocrjury.store.schema.findings import results, verdicts
from ocrjury.store.schema.material import items
from ocrjury.store.schema.rating import assignments, rounds

QUORUM = 2
"""Votes that each item of a panel needs, or all experts where there are fewer."""


class Standing(NamedTuple):
    """An evaluation, where it stands, and its history."""

    evaluation: Evaluation
    position: Position
    history: History


def read_standing(engine: Engine, evaluation: str, *, now: datetime) -> Standing:
    """Position and history of an evaluation.

    What only a computation can tell (whether a plan is feasible, whether another rating pays) has
    its cautious default; the steps fill it in.
    """
    row = read_evaluation(engine, evaluation)
    with reading(engine) as connection:
        history = _history(connection, row, now)
    return Standing(row, Position(evaluation, row.state, row.version), history)


def _history(connection: Connection, row: Evaluation, now: datetime) -> History:
    name = row.evaluation
    config = row.config
    judged = _verdicts(connection, name)
    about = VerdictName(round=judged[0].round, version=judged[0].version) if judged else None
    newest = {row.kind: row.decision for row in reversed(judged)}
    return History(
        state=row.state,  # type: ignore[arg-type]  # a CHECK constraint guards the words
        held_reason=row.held_reason,  # type: ignore[arg-type]  # as above
        held_from=row.held_from,  # type: ignore[arg-type]  # as above
        policy=Policy(
            pilot=config["rounds"]["pilot"]["items"] > 0, on_fail=config["gate"]["on_fail"]
        ),
        rounds=_rounds(connection, row, now),
        verdict=newest.get("main"),
        pilot_met=newest.get("pilot") == "PASS",
        released=about is not None and about in _released(connection, name),
        recalibrated=has_row(connection, moves, evaluation=name, row="27"),
        estimated_once=has_row(connection, results, evaluation=name, kind="estimate"),
        deliveries_pending=row.state == "reported"
        and bool(waiting_receivers(connection, name, config["report"])),
    )


def _rounds(connection: Connection, row: Evaluation, now: datetime) -> tuple[Round, ...]:
    """Rounds with the counts of their assignments."""
    query = sa.select(rounds).where(rounds.c.evaluation == row.evaluation).order_by(rounds.c.round)
    counts: dict[int, list[Any]] = defaultdict(list)
    for item in _counts_by_item(connection, row.evaluation):
        counts[item.round].append(item)
    return tuple(
        _round(connection, row, stored, counts=counts[stored.round], now=now)
        for stored in connection.execute(query).all()
    )


def _round(
    connection: Connection, row: Evaluation, stored: Any, *, counts: list[Any], now: datetime
) -> Round:
    """One round with the counts of its assignments."""
    done = sum(item.done for item in counts)
    open_ = sum(item.open for item in counts)
    asked = sum(item.asked for item in counts)
    main = stored.kind == "main"
    minimum = row.config["raters"]["per_item"] if main else 1
    # Gold and repeats check the raters; the round does not wait for them.
    wanted = [item for item in counts if not item.repeat and (item.purpose == "sample" or not main)]
    enough = all(item.done >= min(minimum, item.asked) for item in wanted)
    return Round(
        number=stored.round,
        kind=stored.kind,
        attempt=stored.attempt,
        state=stored.state,
        ratings=done,
        open=open_,
        overdue=now > stored.deadline,
        enough=enough or (asked > 0 and done >= row.config["rounds"]["close_at"] * asked),
        replanned=stored.replanned,
        quorum=stored.kind != "panel" or _quorum(connection, row, counts),
    )


def _counts_by_item(connection: Connection, evaluation: str) -> Sequence[Any]:
    """Ratings asked for, done and open for every round and item.

    A second rating of an item by the same raters is counted by itself.
    """
    standing = sa.func.sum(sa.case((assignments.c.state != "withdrawn", 1), else_=0))
    key = (assignments.c.round, assignments.c.item, assignments.c.repeat, items.c.purpose)
    query = (
        sa.select(
            *key,
            standing.label("asked"),
            *(
                sa.func.sum(sa.case((assignments.c.state == state, 1), else_=0)).label(state)
                for state in ("done", "open")
            ),
        )
        .join(items, same(items, assignments, "evaluation", "item"))
        .where(assignments.c.evaluation == evaluation)
        .group_by(*key)
    )
    return connection.execute(query).all()


def _quorum(connection: Connection, row: Evaluation, counts: list[Any]) -> bool:
    """Whether every item of a panel has enough votes."""
    people = list_raters(connection, row.raters, evaluation=row.evaluation)
    needed = min(QUORUM, sum(person.role == "expert" for person in people))
    return all(item.done >= needed for item in counts if item.asked)


def _verdicts(connection: Connection, evaluation: str) -> Sequence[Any]:
    """Overall verdicts on main rounds and pilots, the newest first, with the kind of round."""
    query = (
        sa.select(verdicts.c.round, verdicts.c.version, verdicts.c.decision, rounds.c.kind)
        .join(rounds, same(rounds, verdicts, "evaluation", "round"))
        .where(verdicts.c.evaluation == evaluation, verdicts.c.dimension == "*")
        .order_by(verdicts.c.round.desc(), verdicts.c.version.desc())
    )
    return connection.execute(query).all()


def _released(connection: Connection, evaluation: str) -> list[VerdictName | None]:
    """Verdicts that a `proceed` decision names."""
    query = sa.select(decisions.c.target).where(
        decisions.c.evaluation == evaluation, decisions.c.kind == "proceed"
    )
    return [target.verdict for target in connection.execute(query).scalars()]
