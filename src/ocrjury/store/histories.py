"""Read from the tables what the choice of an evaluation's next step depends on."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from ocrjury.campaign.decision_targets import VerdictName
from ocrjury.campaign.decisions import AT_THE_GATE
from ocrjury.campaign.history import History, Policy, Round
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.evaluations import ENDED, Evaluation, read_evaluation
from ocrjury.store.moves import Position
from ocrjury.store.practice_items import may_practise
from ocrjury.store.raters import list_raters
from ocrjury.store.reports import waiting_receivers
from ocrjury.store.rows import same
from ocrjury.store.schema.course import decisions
from ocrjury.store.schema.findings import results, verdicts
from ocrjury.store.schema.material import items
from ocrjury.store.schema.rating import assignments, rounds

QUORUM = 2
"""Votes that each item of a panel needs, or all experts where there are fewer."""


# Every step asks for these; building the statements anew would take longer than running them.
_NAMES: sa.BindParameter[Any] = sa.bindparam("names", expanding=True)


def _of(table: sa.Table, **values: str) -> sa.Select[Any]:
    """Rows of some evaluations in a table."""
    same_values = (table.c[column] == value for column, value in values.items())
    return sa.select(table).where(table.c.evaluation.in_(_NAMES), *same_values)


def _counts() -> sa.Select[Any]:
    """Ratings asked for, done and open for every round, and how many items have as many.

    A second rating of an item by the same raters is counted by itself.
    """
    standing = sa.func.sum(sa.case((assignments.c.state != "withdrawn", 1), else_=0))
    by_item = (
        sa.select(
            *(key := [assignments.c[name] for name in ("evaluation", "round", "item", "repeat")]),
            standing.label("asked"),
            *(
                sa.func.sum(sa.case((assignments.c.state == state, 1), else_=0)).label(state)
                for state in ("done", "open")
            ),
        )
        .where(assignments.c.evaluation.in_(_NAMES))
        .group_by(*key)
        .subquery()
    )
    alike = [column for column in by_item.c if column.name != "item"] + [items.c.purpose]
    return (
        sa.select(*alike, sa.func.count().label("items"))
        .join(items, same(items, by_item, "evaluation", "item"))
        .group_by(*alike)
    )


def _verdicts() -> sa.Select[Any]:
    """Overall verdicts on main rounds and pilots, the newest first, with the kind of round."""
    return (
        sa.select(
            verdicts.c.evaluation,
            verdicts.c.round,
            verdicts.c.version,
            verdicts.c.decision,
            rounds.c.kind,
        )
        .join(rounds, same(rounds, verdicts, "evaluation", "round"))
        .where(verdicts.c.evaluation.in_(_NAMES), verdicts.c.dimension == ALL_DIMENSIONS)
        .order_by(verdicts.c.round.desc(), verdicts.c.version.desc())
    )


_COUNTS = _counts()
_VERDICTS = _verdicts()
_ROUNDS = _of(rounds).order_by(rounds.c.round)
_RELEASES = _of(decisions, kind="proceed")
_DRAWN = (
    sa.select(items.c.evaluation, sa.func.count().label("items"))
    .where(items.c.evaluation.in_(_NAMES), items.c.purpose == "sample")
    .group_by(items.c.evaluation)
)
_ESTIMATED = _of(results, kind="estimate").with_only_columns(results.c.evaluation).distinct()


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
        facts = _read_facts(connection, [row], counted=[evaluation])
        return _standing(connection, row, facts, now=now)


def list_standings(engine: Engine, rows: Sequence[Evaluation], *, now: datetime) -> list[Standing]:
    """Standings of many evaluations, with as many statements as for one.

    Rounds of those that ended have no counts. Only one whose report waits to be delivered or whose
    panel is at work takes statements of its own.
    """
    live = [row.evaluation for row in rows if row.state not in ENDED]
    with reading(engine) as connection:
        facts = _read_facts(connection, rows, counted=live)
        return [_standing(connection, row, facts, now=now) for row in rows]


@dataclass(frozen=True, slots=True)
class _Facts:
    """Stored facts of some evaluations, by evaluation."""

    verdicts: Mapping[str, list[Any]]
    released: Mapping[str, list[VerdictName | None]]
    rounds: Mapping[str, list[Any]]
    counts: Mapping[tuple[str, int], list[Any]]
    estimated: set[str]
    drawn: Mapping[str, int]
    may_practise: set[str]


def _read_facts(
    connection: Connection, rows: Sequence[Evaluation], *, counted: Sequence[str]
) -> _Facts:
    names = [row.evaluation for row in rows]
    at_the_gate = [row for row in rows if row.held_reason in AT_THE_GATE]
    counts: dict[tuple[str, int], list[Any]] = defaultdict(list)
    for alike in connection.execute(_COUNTS, {"names": counted}):
        counts[alike.evaluation, alike.round].append(alike)
    released: dict[str, list[VerdictName | None]] = defaultdict(list)
    for decision in connection.execute(_RELEASES, {"names": names}):
        released[decision.evaluation].append(decision.target.verdict)
    return _Facts(
        verdicts=_by_evaluation(connection, _VERDICTS, names),
        released=released,
        rounds=_by_evaluation(connection, _ROUNDS, names),
        counts=counts,
        estimated={*connection.execute(_ESTIMATED, {"names": names}).scalars()},
        # Only a decision at the gate asks what is left of the pool.
        drawn={
            row.evaluation: row.items
            for row in connection.execute(
                _DRAWN, {"names": [row.evaluation for row in at_the_gate]}
            )
        },
        may_practise=may_practise(connection, at_the_gate),
    )


def _by_evaluation(
    connection: Connection, query: sa.Select[Any], names: Sequence[str]
) -> dict[str, list[Any]]:
    rows: dict[str, list[Any]] = defaultdict(list)
    for row in connection.execute(query, {"names": names}):
        rows[row.evaluation].append(row)
    return rows


def _standing(connection: Connection, row: Evaluation, facts: _Facts, *, now: datetime) -> Standing:
    history = _history(connection, row, facts, now=now)
    return Standing(row, Position(row.evaluation, row.state, row.version), history)


def _history(connection: Connection, row: Evaluation, facts: _Facts, *, now: datetime) -> History:
    name = row.evaluation
    config = row.config
    judged = facts.verdicts.get(name, [])
    about = VerdictName(round=judged[0].round, version=judged[0].version) if judged else None
    newest = {verdict.kind: verdict.decision for verdict in reversed(judged)}
    kinds = [stored.kind for stored in facts.rounds.get(name, [])]
    return History(
        state=row.state,  # type: ignore[arg-type]  # a CHECK constraint guards the words
        held_reason=row.held_reason,  # type: ignore[arg-type]  # as above
        held_from=row.held_from,  # type: ignore[arg-type]  # as above
        policy=Policy(pilot=config.rounds.pilot.items > 0, on_fail=config.gate.on_fail),
        rounds=tuple(
            _round(
                connection, row, stored, counts=facts.counts.get((name, stored.round), []), now=now
            )
            for stored in facts.rounds.get(name, [])
        ),
        verdict=newest.get("main"),
        pilot_met=newest.get("pilot") == "PASS",
        released=about is not None and about in facts.released.get(name, []),
        # A pilot before the first main round may be repeated, and recalibrates nobody.
        recalibrated="main" in kinds and "pilot" in kinds[kinds.index("main") :],
        estimated_once=name in facts.estimated,
        drawn_whole="main" in kinds and facts.drawn.get(name, 0) >= (row.pool_size or math.inf),
        may_practise=row.held_reason not in AT_THE_GATE or name in facts.may_practise,
        deliveries_pending=row.state == "reported"
        and bool(waiting_receivers(connection, name, config.report)),
    )


def _round(
    connection: Connection, row: Evaluation, stored: Any, *, counts: list[Any], now: datetime
) -> Round:
    """One round with the counts of its assignments."""
    done = sum(alike.items * alike.done for alike in counts)
    open_ = sum(alike.items * alike.open for alike in counts)
    asked_ratings = sum(alike.items * alike.asked for alike in counts)
    main = stored.kind == "main"
    # A pilot compares raters item by item and each has its criterion: it needs whatever it asked.
    fewest = {"main": row.config.raters.per_item, "pilot": math.inf}.get(stored.kind, 1)
    # Gold and repeats check the raters; the round does not wait for them.
    wanted = [of for of in counts if not of.repeat and (of.purpose == "sample" or not main)]
    enough = all(alike.done >= min(fewest, alike.asked) for alike in wanted)
    return Round(
        number=stored.round,
        kind=stored.kind,
        attempt=stored.attempt,
        state=stored.state,
        ratings=done,
        open=open_,
        overdue=now > stored.deadline,
        enough=enough or (asked_ratings > 0 and done >= row.config.rounds.close_at * asked_ratings),
        replanned=stored.replanned,
        quorum=stored.kind != "panel" or stored.state != "open" or _quorum(connection, row, counts),
    )


def _quorum(connection: Connection, row: Evaluation, counts: list[Any]) -> bool:
    """Return whether every item of a panel has enough votes."""
    people = list_raters(connection, row.raters, evaluation=row.evaluation)
    needed = min(QUORUM, sum(person.role == "expert" for person in people))
    return all(alike.done >= needed for alike in counts if alike.asked)
