"""Bring the report to its recipients, each once."""

from collections import Counter

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.sections import Mail
from ocrjury.delivery import Delivery, Letter, MailServer, send_report
from ocrjury.delivery.mail import message_id, server_of
from ocrjury.report import build_report
from ocrjury.report.sentences.cover import outcome_text, outcome_title
from ocrjury.store.reports import (
    DeliveryRow,
    ReportRow,
    add_delivery,
    list_deliveries,
    list_reports,
)
from tasks.work import Case, at_work

ATTEMPTS = 5


@task(task_run_name="{evaluation}-deliver", cache_policy=NO_CACHE)
def deliver_report(evaluation: str) -> bool:
    """Mail the newest report to those who still wait for it; return whether nobody does then.

    A failed message is tried again by the next run, five times in all.
    """
    with at_work() as work:
        case = work.case(evaluation)
        newest = [r for r in list_reports(work.engine, evaluation) if r.kind == "final"][-1]
        before = _attempts(case, newest)
        waiting = [name for name in case.campaign.report.recipients if name in before]
        # One at a time: what was sent is in the ledger before the next message leaves.
        for recipient in waiting:
            delivery = _send(case, newest, recipient)
            add_delivery(
                work.engine, evaluation, _row(case, delivery, attempt=before[recipient] + 1)
            )
        return not _attempts(case, newest)


def _attempts(case: Case, report: ReportRow) -> dict[str, int]:
    """Return how often it was tried already, for every recipient who still waits."""
    rows = [r for r in list_deliveries(case.work.engine, case.name) if r.sha256 == report.sha256]
    settled = {row.recipient for row in rows if row.state in {"sent", "given_up"}}
    tried = Counter(row.recipient for row in rows)
    return {name: tried[name] for name in case.campaign.report.recipients if name not in settled}


def _send(case: Case, report: ReportRow, recipient: str) -> Delivery:
    """Send one message."""
    if report.pdf_uri is None:
        why = "there is no PDF: this machine lacks what makes one, see `ocrjury doctor`"
        name = message_id(case.name, report.sha256, recipient, domain="none.invalid")
        return Delivery(recipient, name, report.sha256, "failed", why)
    data = build_report(case.work.store, case.name)
    letter = Letter(
        evaluation=case.name,
        title=case.campaign.title,
        outcome=outcome_title(data),
        sentences=(outcome_text(data),),
        simulated=data.identity.simulated,
    )
    path = case.work.store.files.path(report.pdf_uri)
    (delivery,) = send_report(
        path, [recipient], server=mail_server(case), letter=letter, now=case.work.now
    )
    return delivery


def mail_server(case: Case) -> MailServer:
    """Return the campaign's mail server; its password is in the environment."""
    return server_of(
        case.campaign.report.mail or Mail(host="localhost", sender="ocrjury@localhost")
    )


def _row(case: Case, delivery: Delivery, *, attempt: int) -> DeliveryRow:
    """Return the line of the ledger; the last failed attempt gives up."""
    given_up = delivery.state == "failed" and attempt >= ATTEMPTS
    return DeliveryRow(
        message_id=delivery.message_id,
        attempt=attempt,
        what="report",
        recipient=delivery.recipient,
        sha256=delivery.sha256,
        state="given_up" if given_up else delivery.state,
        detail=delivery.detail,
        at=case.work.now,
    )
