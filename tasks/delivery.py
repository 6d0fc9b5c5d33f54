"""Bring the report to its recipients, each once."""

from collections.abc import Sequence
from functools import partial

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.settings import Settings
from ocrjury.delivery import Delivery, Letter
from ocrjury.delivery.mail import compose, hand_in, message_id, read_report, server_of
from ocrjury.delivery.sending import send_once
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.report import build_report
from ocrjury.report.sections.cover import outcome_text, outcome_title
from ocrjury.store.reports import ReportRow, list_deliveries, list_reports
from ocrjury.store.sendings import Mail
from ocrjury.tasks import at_work

WHAT = "report"


@task(task_run_name="{evaluation}-deliver", cache_policy=NO_CACHE)
def deliver_report(evaluation: str) -> bool:
    """Mail the newest report to those who still wait for it; return whether nobody does then.

    A failed message is tried again by the next run, five times in all; one that another process
    is sending at this moment is left to it.
    """
    with at_work() as work:
        case = work.case(evaluation)
        newest = [r for r in list_reports(work.engine, evaluation) if r.kind == "final"][-1]
        waiting = _waiting(case, newest)
        if waiting:
            _deliver(case, newest, waiting)
        return not _waiting(case, newest)


def _deliver(case: Case, report: ReportRow, recipients: Sequence[str]) -> None:
    """Send the report to some recipients, or note why there is nothing to send."""
    try:
        pdf = _pdf(case, report)
    except InputError as error:
        for recipient in recipients:
            _note_absence(case, report, recipient, why=str(error))
        return
    letter = _letter(case)
    # One at a time: what was sent is in the ledger before the next message leaves.
    for recipient in recipients:
        _send(case, report, recipient, pdf=pdf, letter=letter)


def _waiting(case: Case, report: ReportRow) -> list[str]:
    """Recipients to whom the report was neither sent nor given up.

    An address is one recipient however it is spelled, as its message has one id.
    """
    rows = [r for r in list_deliveries(case.work.engine, case.name) if r.sha256 == report.sha256]
    settled = {row.recipient.lower() for row in rows if row.state in {"sent", "given_up"}}
    people: dict[str, str] = {}
    for name in case.campaign.report.recipients:
        people.setdefault(name.lower(), name)
    return [name for key, name in people.items() if key not in settled]


def _letter(case: Case) -> Letter:
    """Text of the message."""
    data = build_report(case.work.store, case.name)
    return Letter(
        evaluation=case.name,
        title=case.campaign.title,
        outcome=outcome_title(data),
        sentences=(outcome_text(data),),
        simulated=data.identity.simulated,
    )


def _send(case: Case, report: ReportRow, recipient: str, *, pdf: bytes, letter: Letter) -> None:
    """Send one message."""
    server, now = server_of(case.campaign.report.mail), Settings.from_environment().now()
    message = compose(pdf, recipient, server=server, letter=letter, now=now)
    mail = Mail(case.name, str(message["Message-ID"]), WHAT, recipient, report.sha256)
    send = partial(hand_in, message, server, sha256=report.sha256)
    send_once(case.work.engine, mail, send, now=now)


def _pdf(case: Case, report: ReportRow) -> bytes:
    """Read the PDF; `InputError` without one, or if its file is gone."""
    if report.pdf_uri is None:
        raise InputError("there is no PDF: this machine lacks what makes one, see `ocrjury doctor`")
    return read_report(case.work.store.files.path(report.pdf_uri))


def _note_absence(case: Case, report: ReportRow, recipient: str, *, why: str) -> None:
    """Note that no report can be sent."""
    name = message_id(case.name, report.sha256, recipient, domain="none.invalid")
    mail = Mail(case.name, name, WHAT, recipient, report.sha256)
    none = Delivery(recipient, name, report.sha256, "failed", why)
    send_once(case.work.engine, mail, lambda: none, now=Settings.from_environment().now())
