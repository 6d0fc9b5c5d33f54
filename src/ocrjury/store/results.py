"""Computed results, verdicts and truths; every version is kept."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import sqlalchemy as sa

from ocrjury.campaign.decision_targets import VerdictName
from ocrjury.findings.record import ALL_DIMENSIONS, Record
from ocrjury.gate.verdict import Action, Decision
from ocrjury.store.database import Connection, Engine, reading
from ocrjury.store.rows import EVALUATION, add_rows, columns_of, list_rows, next_number
from ocrjury.store.schema.course import evaluations
from ocrjury.store.schema.findings import results, truths, verdicts

Finding = TypeVar("Finding", bound=Record)


class Storable(Protocol):
    """Result that can be stored as JSON."""

    def to_json(self) -> dict[str, Any]:
        """JSON form of the result."""


@dataclass(frozen=True, slots=True)
class Result:
    """One finding about a round and a dimension, or `ALL_DIMENSIONS`."""

    round: int
    kind: str
    dimension: str
    finding: Storable
    inputs_hash: str


class VerdictRow(NamedTuple):
    """A verdict on a dimension or `ALL_DIMENSIONS`; stored, it has a version from 1."""

    round: int
    dimension: str
    decision: Decision
    grade: str | None
    reasons: list[str]
    needed_items: int | None
    actions: tuple[Action, ...]
    policy_hash: str
    version: int = 0


class TruthRow(NamedTuple):
    """The inferred label of an item on a dimension."""

    item: str
    dimension: str
    label: Any
    median: float | None
    mean: float | None
    confidence: float
    tied: bool
    probabilities: list[float]
    n_ratings: int


def add_results(
    connection: Connection, evaluation: str, rows: Iterable[Result], *, now: datetime
) -> None:
    """Keep results, each as the next version of its kind."""
    for row in rows:
        key = {"round": row.round, "kind": row.kind, "dimension": row.dimension}
        values = {"body": row.finding.to_json(), "inputs_hash": row.inputs_hash, "at": now}
        _add_version(connection, results, {"evaluation": evaluation, **key}, **values)


def add_unless_kept(
    connection: Connection, evaluation: str, rows: Iterable[Result], *, now: datetime
) -> None:
    """Keep results that belong to no step, but those that another process kept meanwhile.

    PostgreSQL lets two write at once; the second would fail over a version that is there.
    """
    row_of_it = sa.select(evaluations.c.version).where(evaluations.c.evaluation == evaluation)
    connection.execute(row_of_it.with_for_update())
    new = [
        row for row in rows if newest_inputs(connection, evaluation, row.kind) != row.inputs_hash
    ]
    add_results(connection, evaluation, new, now=now)


def add_verdicts(connection: Connection, evaluation: str, rows: Iterable[VerdictRow]) -> None:
    """Keep the verdicts of a round, each as the next version."""
    for row in rows:
        key = {"evaluation": evaluation, "round": row.round, "dimension": row.dimension}
        _add_version(connection, verdicts, key, **row._asdict())


def _add_version(
    connection: Connection, table: sa.Table, key: Mapping[str, Any], **values: Any
) -> None:
    row = {**values, **key, "version": next_number(connection, table.c.version, **key)}
    connection.execute(sa.insert(table), row)


def add_truths(connection: Connection, evaluation: str, rows: Iterable[TruthRow]) -> None:
    """Keep the truths of every item, as the next version."""
    version = next_number(connection, truths.c.version, evaluation=evaluation)
    values = [{"evaluation": evaluation, "version": version, **row._asdict()} for row in rows]
    add_rows(connection, truths, values)


_LATEST = (
    sa.select(results.c.dimension, results.c.body)
    .where(results.c.evaluation == EVALUATION, results.c.kind == sa.bindparam("kind"))
    .order_by(results.c.round, results.c.version)
)


def latest_results(engine: Engine, evaluation: str, kind: str) -> dict[str, dict[str, Any]]:
    """Newest body of a kind for every dimension, of its latest round."""
    with reading(engine) as connection:
        rows = connection.execute(_LATEST, {"evaluation": evaluation, "kind": kind})
        return {row.dimension: dict(row.body) for row in rows}


def result_dimensions(engine: Engine, evaluation: str, kind: str) -> set[str]:
    """Dimensions with a result of a kind."""
    query = sa.select(results.c.dimension.distinct()).where(
        results.c.evaluation == evaluation, results.c.kind == kind
    )
    with reading(engine) as connection:
        return {*connection.execute(query).scalars()}


def result_time(engine: Engine, evaluation: str, kind: str) -> datetime | None:
    """Time of the newest result of a kind, None without one."""
    query = sa.select(sa.func.max(results.c.at)).where(
        results.c.evaluation == evaluation, results.c.kind == kind
    )
    with reading(engine) as connection:
        return connection.execute(query).scalar()


def latest_findings(
    engine: Engine, evaluation: str, record: type[Finding], *, kind: str
) -> dict[str, Finding]:
    """Read the newest findings of a kind by dimension, each of its latest round."""
    bodies = latest_results(engine, evaluation, kind)
    return {dimension: record.from_json(body) for dimension, body in bodies.items()}


def findings_by_round(
    engine: Engine, evaluation: str, record: type[Finding], *, kind: str
) -> dict[int, Finding]:
    """Read the newest finding about all dimensions of every round."""
    bodies = results_by_round(engine, evaluation, kind)
    return {number: record.from_json(body) for number, body in bodies.items()}


def newest_inputs(source: Engine | Connection, evaluation: str, kind: str) -> str | None:
    """Hash of what the newest result of a kind was computed from; None without one."""
    if isinstance(source, sa.Engine):
        with reading(source) as connection:
            return newest_inputs(connection, evaluation, kind)
    query = (
        sa.select(results.c.inputs_hash)
        .where(results.c.evaluation == evaluation, results.c.kind == kind)
        .order_by(results.c.round.desc(), results.c.version.desc())
        .limit(1)
    )
    return source.execute(query).scalar()


def results_by_round(engine: Engine, evaluation: str, kind: str) -> dict[int, dict[str, Any]]:
    """Newest body about all dimensions of every round."""
    query = (
        sa.select(results.c.round, results.c.body)
        .where(
            results.c.evaluation == evaluation,
            results.c.kind == kind,
            results.c.dimension == ALL_DIMENSIONS,
        )
        .order_by(results.c.version)
    )
    with reading(engine) as connection:
        return {row.round: dict(row.body) for row in connection.execute(query)}


def latest_verdicts(engine: Engine, evaluation: str) -> list[VerdictRow]:
    """Newest verdict of the latest judged round: overall first, then by dimension."""
    with reading(engine) as connection:
        newest = newest_verdict(connection, evaluation)
        if newest is None:
            return []
        query = sa.select(*columns_of(verdicts, VerdictRow)).where(
            verdicts.c.evaluation == evaluation,
            verdicts.c.round == newest.round,
            verdicts.c.version == newest.version,
        )
        rows = list_rows(connection, VerdictRow, query)
    return sorted(rows, key=lambda row: (row.dimension != ALL_DIMENSIONS, row.dimension))


def overall_decisions(engine: Engine, evaluations: Sequence[str]) -> dict[str, str]:
    """Decision of the newest overall verdict of each of some evaluations that have one."""
    query = (
        sa.select(verdicts.c.evaluation, verdicts.c.decision)
        .where(verdicts.c.evaluation.in_(evaluations), verdicts.c.dimension == ALL_DIMENSIONS)
        .order_by(verdicts.c.round, verdicts.c.version)
    )
    with reading(engine) as connection:
        return dict(connection.execute(query).tuples().all())


def newest_verdict(connection: Connection, evaluation: str) -> VerdictName | None:
    """Newest overall verdict, of a pilot or a main round; None before the first."""
    query = (
        sa.select(verdicts.c.round, verdicts.c.version)
        .where(verdicts.c.evaluation == evaluation, verdicts.c.dimension == ALL_DIMENSIONS)
        .order_by(verdicts.c.round.desc(), verdicts.c.version.desc())
        .limit(1)
    )
    newest = connection.execute(query).first()
    return None if newest is None else VerdictName(round=newest.round, version=newest.version)


def latest_truths(engine: Engine, evaluation: str) -> list[TruthRow]:
    """Newest truths, in the order of items and dimensions."""
    newest = (
        sa.select(sa.func.max(truths.c.version))
        .where(truths.c.evaluation == evaluation)
        .scalar_subquery()
    )
    query = (
        sa.select(*columns_of(truths, TruthRow))
        .where(truths.c.evaluation == evaluation, truths.c.version == newest)
        .order_by(truths.c.item, truths.c.dimension)
    )
    return list_rows(engine, TruthRow, query)


class DatedFindings(NamedTuple, Generic[Finding]):
    """Findings of one kind by dimension (or `ALL_DIMENSIONS`), of one round and one moment."""

    round: int
    at: datetime
    findings: dict[str, Finding]


def newest_findings(
    engine: Engine, evaluation: str, record: type[Finding], *, kind: str
) -> DatedFindings[Finding] | None:
    """Read the newest findings of a kind; None where there are none."""
    query = (
        sa.select(results.c.round, results.c.at, results.c.dimension, results.c.body)
        .where(results.c.evaluation == evaluation, results.c.kind == kind)
        .order_by(results.c.round.desc(), results.c.version.desc())
    )
    with reading(engine) as connection:
        rows = connection.execute(query).all()
    if not rows:
        return None
    newest = [row for row in rows if row.round == rows[0].round]
    bodies = {row.dimension: row.body for row in reversed(newest)}
    findings = {dimension: record.from_json(body) for dimension, body in bodies.items()}
    return DatedFindings(rows[0].round, max(row.at for row in newest), findings)
