"""Reports that were written, and to whom they went."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, get_args

import sqlalchemy as sa

from ocrjury.campaign.delivery_sections import Receiver, What
from ocrjury.campaign.sections import Report
from ocrjury.errors import LostRaceError, StateError
from ocrjury.findings.cover import Cover
from ocrjury.report_choices import ReportKind
from ocrjury.store.database import Connection, Engine, reading, writing
from ocrjury.store.rows import (
    columns_of,
    list_of_evaluation,
    list_rows,
    next_number,
    rows_among,
    same,
)
from ocrjury.store.schema.course import evaluations
from ocrjury.store.schema.findings import deliveries, reports


class ReportRow(NamedTuple):
    """A report; `sha256` is that of the PDF, or of the HTML where there is none."""

    kind: ReportKind
    language: str
    version: int
    html_uri: str
    pdf_uri: str | None
    sha256: str
    inputs_hash: str
    cover: Cover
    at: datetime


class DeliveryRow(NamedTuple):
    """One attempt to bring something to somebody: an email, a publication, a webhook."""

    message_id: str
    attempt: int
    what: str
    recipient: str
    sha256: str
    state: str
    detail: str | None
    at: datetime


class IssuedReport(NamedTuple):
    """A report with the evaluation that it is of, and the state of that."""

    evaluation: str
    campaign: str
    period: str
    state: str
    opened_at: datetime
    kind: ReportKind
    version: int
    sha256: str
    cover: Cover
    at: datetime


class DeliveryOutcome(NamedTuple):
    """Outcome of an attempt to bring a report to a receiver."""

    evaluation: str
    what: str
    recipient: str
    sha256: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewReport:
    """A report before it has a version, with the same report in further languages."""

    kind: ReportKind
    language: str
    html_uri: str
    pdf_uri: str | None
    sha256: str
    inputs_hash: str
    cover: Cover
    translations: tuple["NewReport", ...] = ()

    @property
    def files(self) -> list[str]:
        """Addresses of its files in all languages."""
        own = [address for address in (self.html_uri, self.pdf_uri) if address is not None]
        return own + [address for other in self.translations for address in other.files]

    def row(self, *, main: bool) -> dict[str, Any]:
        """Values of its columns."""
        names = [column.name for column in reports.c if hasattr(self, column.name)]
        return {name: getattr(self, name) for name in names} | {"main": main}


def add_report(connection: Connection, evaluation: str, report: NewReport, *, now: datetime) -> int:
    """Keep a report in all its languages and return its version."""
    version = next_report_version(connection, evaluation, kind=report.kind)
    same = {"evaluation": evaluation, "version": version, "at": now}
    rows = [report.row(main=True), *(other.row(main=False) for other in report.translations)]
    connection.execute(sa.insert(reports), [same | row for row in rows])
    return version


def next_report_version(connection: Connection, evaluation: str, *, kind: ReportKind) -> int:
    """Version that the next report of a kind gets."""
    return next_number(connection, reports.c.version, evaluation=evaluation, kind=kind)


def list_reports(engine: Engine, evaluation: str) -> list[ReportRow]:
    """Reports of an evaluation in every language, the oldest first, the main language last."""
    query = (
        sa.select(*columns_of(reports, ReportRow))
        .where(reports.c.evaluation == evaluation)
        # At one moment an interim report comes before the final one.
        .order_by(reports.c.at, reports.c.kind.desc(), reports.c.version)
        .order_by(reports.c.main, reports.c.language)
    )
    return list_rows(engine, ReportRow, query)


def translations(engine: Engine, evaluation: str, report: ReportRow) -> list[ReportRow]:
    """The same report in its other languages."""
    same = list_reports(engine, evaluation)
    return [
        row
        for row in same
        if (row.kind, row.version) == (report.kind, report.version)
        and row.language != report.language
    ]


def in_language(engine: Engine, evaluation: str, report: ReportRow, *, language: str) -> ReportRow:
    """A report in another language, or as it is where it was not written in that."""
    others = translations(engine, evaluation, report)
    return next((row for row in others if row.language == language), report)


def list_issued(engine: Engine, *, limit: int | None) -> list[IssuedReport]:
    """Newest reports of all evaluations, the newest first."""
    of = dict.fromkeys(("campaign", "period", "state", "opened_at"), evaluations.c)
    query = (
        sa.select(*(of.get(name, reports.c)[name] for name in IssuedReport._fields))
        .join(evaluations, same(evaluations, reports, "evaluation"))
        .where(reports.c.main)
        .order_by(
            reports.c.at.desc(), reports.c.evaluation, reports.c.kind, reports.c.version.desc()
        )
        .limit(limit)
    )
    return list_rows(engine, IssuedReport, query)


def list_outcomes(engine: Engine, names: Sequence[str]) -> list[DeliveryOutcome]:
    """Outcome of every attempt to bring a report of some evaluations to somebody, in order."""
    query = (
        sa.select(*columns_of(deliveries, DeliveryOutcome))
        .where(deliveries.c.what.in_(get_args(What)))
        .order_by(deliveries.c.attempt)
    )
    with reading(engine) as connection:
        sent = rows_among(connection, query, deliveries.c.evaluation, names=names)
        return [DeliveryOutcome(*row) for row in sent]


def newest_final(source: Engine | Connection, evaluation: str) -> ReportRow:
    """Newest report that is no interim one.

    Raises
    ------
    StateError
        If there is none yet.
    """
    query = (
        sa.select(*columns_of(reports, ReportRow))
        .where(reports.c.evaluation == evaluation, reports.c.kind == "final", reports.c.main)
        .order_by(reports.c.at.desc(), reports.c.version.desc())
        .limit(1)
    )
    issued = list_rows(source, ReportRow, query)
    if not issued:
        raise StateError(f"{evaluation} has no report yet.")
    return issued[0]


def waiting_receivers(connection: Connection, evaluation: str, section: Report) -> list[Receiver]:
    """Receivers to whom the newest report was neither brought nor given up.

    Parameters
    ----------
    section
        The section ``report`` of the evaluation's campaign.
    """
    report = newest_final(connection, evaluation)
    settled = sa.select(deliveries.c.what, deliveries.c.recipient).where(
        deliveries.c.evaluation == evaluation,
        deliveries.c.sha256 == report.sha256,
        deliveries.c.state.in_(("sent", "given_up")),
    )
    done = {(row.what, row.recipient.lower()) for row in connection.execute(settled)}
    wanted = section.receivers(report.cover.words)
    return [receiver for receiver in wanted if (receiver.what, receiver.name.lower()) not in done]


def add_delivery(engine: Engine, evaluation: str, delivery: DeliveryRow) -> None:
    """Note what became of an attempt to deliver.

    Raises
    ------
    LostRaceError
        If another process noted this attempt, or that the message was sent.
    """
    try:
        with writing(engine) as connection:
            connection.execute(
                sa.insert(deliveries).values(evaluation=evaluation, **delivery._asdict())
            )
    except sa.exc.IntegrityError as error:
        raise LostRaceError(
            f"another process delivered {delivery.message_id} at the same time."
        ) from error


def list_deliveries(engine: Engine, evaluation: str) -> list[DeliveryRow]:
    """Every attempt, the oldest first."""
    return list_of_evaluation(
        engine, DeliveryRow, deliveries, evaluation=evaluation, order="at message_id attempt"
    )
