"""Bring a report to all who wait for it: a folder first, then people."""

from typing import NamedTuple

from ocrjury.campaign.delivery_sections import Receiver
from ocrjury.campaign.settings import Settings
from ocrjury.delivery.mail import message_id
from ocrjury.delivery.report_files import publish_report
from ocrjury.delivery.report_mails import mail_report
from ocrjury.errors import OcrjuryError
from ocrjury.evaluation.case import Case
from ocrjury.store.database import reading
from ocrjury.store.reports import ReportRow, waiting_receivers
from ocrjury.store.sendings import Sending, claim_sending, settle


class Ended(NamedTuple):
    """What became of an attempt; ``detail`` is a sentence on a failure."""

    state: str
    detail: str | None = None


def waiting_for_report(case: Case) -> list[Receiver]:
    """Receivers to whom the newest report was neither brought nor given up."""
    with reading(case.work.engine) as connection:
        return waiting_receivers(connection, case.name, case.row.config["report"])


def bring_report(case: Case, report: ReportRow, receiver: Receiver) -> None:
    """Bring a report to a receiver unless another process does, and keep the outcome."""
    if receiver.what == "report":
        mail_report(case, report, receiver.name)
        return
    engine, now = case.work.engine, Settings.from_environment().now()
    identity = message_id(
        case.name, report.sha256, "\n".join(receiver), domain=f"{receiver.what}.invalid"
    )
    sending = Sending(case.name, identity, receiver.what, receiver.name, report.sha256)
    claim = claim_sending(engine, sending, now=now)
    if claim is not None:
        ended = _published(case, report)
        settle(engine, claim, state=ended.state, detail=ended.detail, now=now)


def _published(case: Case, report: ReportRow) -> Ended:
    """Publish a report."""
    try:
        publish_report(case, report)
    except OcrjuryError as error:
        return Ended("failed", str(error))
    return Ended("sent")
