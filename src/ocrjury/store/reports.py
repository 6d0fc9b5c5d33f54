"""Reports that were written, and to whom they went."""

from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from ocrjury.errors import LostRaceError
from ocrjury.store.database import Connection, Engine, writing
from ocrjury.store.rows import columns_of, list_of_evaluation, list_rows, next_number
from ocrjury.store.schema.findings import deliveries, reports


class ReportRow(NamedTuple):
    """A report; `sha256` is that of the PDF, or of the HTML where there is none."""

    kind: str
    language: str
    version: int
    html_uri: str
    pdf_uri: str | None
    sha256: str
    inputs_hash: str
    at: datetime


class DeliveryRow(NamedTuple):
    """One attempt to bring a report to a person."""

    message_id: str
    attempt: int
    what: str
    recipient: str
    sha256: str
    state: str
    detail: str | None
    at: datetime


class NewReport(NamedTuple):
    """A report before it has a version."""

    kind: str
    language: str
    html_uri: str
    pdf_uri: str | None
    sha256: str
    inputs_hash: str


def add_report(connection: Connection, evaluation: str, report: NewReport, *, now: datetime) -> int:
    """Keep a report and return its version."""
    version = next_report_version(
        connection, evaluation, kind=report.kind, language=report.language
    )
    connection.execute(
        sa.insert(reports).values(
            evaluation=evaluation, version=version, at=now, **report._asdict()
        )
    )
    return version


def next_report_version(
    connection: Connection, evaluation: str, *, kind: str, language: str
) -> int:
    """Version that the next report of a kind and language gets."""
    key = {"evaluation": evaluation, "kind": kind, "language": language}
    return next_number(connection, reports.c.version, **key)


def list_reports(engine: Engine, evaluation: str) -> list[ReportRow]:
    """Reports of an evaluation, the oldest first."""
    query = (
        sa.select(*columns_of(reports, ReportRow))
        .where(reports.c.evaluation == evaluation)
        # At one moment an interim report comes before the final one.
        .order_by(reports.c.at, reports.c.kind.desc(), reports.c.version)
    )
    return list_rows(engine, ReportRow, query)


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
