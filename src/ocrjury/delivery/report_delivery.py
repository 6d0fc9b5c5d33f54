"""Bring a report to all who wait for it: a folder first, then webhooks, then people."""

from ocrjury.campaign.delivery_sections import Receiver
from ocrjury.campaign.settings import Settings
from ocrjury.delivery.announcements import Announcement, body_for
from ocrjury.delivery.mail import message_id
from ocrjury.delivery.report_files import publish_report, published_at
from ocrjury.delivery.report_mails import mail_report
from ocrjury.delivery.webhooks import PostOutcome, post
from ocrjury.errors import OcrjuryError
from ocrjury.evaluation.case import Case
from ocrjury.language import speaking
from ocrjury.readers.addresses import is_address
from ocrjury.store.database import reading
from ocrjury.store.reports import ReportRow, list_deliveries, waiting_receivers
from ocrjury.store.sendings import ATTEMPTS, Sending, claim_sending, settle


def waiting_for_report(case: Case) -> list[Receiver]:
    """Receivers to whom the newest report was neither brought nor given up."""
    with reading(case.work.engine) as connection:
        return waiting_receivers(connection, case.name, case.row.config.report)


def bring_report(
    case: Case, report: ReportRow, receiver: Receiver, *, limit: int | None = ATTEMPTS
) -> None:
    """Bring a report to a receiver unless another process does, and keep the outcome.

    `limit` is as in `ocrjury.store.sendings.claim_sending`.
    """
    if receiver.what == "report":
        mail_report(case, report, receiver.name, limit=limit)
        return
    engine, now = case.work.engine, Settings.from_environment().now()
    identity = message_id(
        case.name, report.sha256, "\n".join(receiver), domain=f"{receiver.what}.invalid"
    )
    sending = Sending(case.name, identity, receiver.what, receiver.name, report.sha256)
    claim = claim_sending(engine, sending, now=now, limit=limit)
    if claim is not None:
        ended = (
            _published(case, report)
            if receiver.what == "publication"
            else _posted(case, report, receiver.name, identity=identity)
        )
        settle(engine, claim, state=ended.state, detail=ended.detail, now=now)


def _published(case: Case, report: ReportRow) -> PostOutcome:
    """Publish a report."""
    try:
        publish_report(case, report)
    except OcrjuryError as error:
        return PostOutcome("failed", str(error))
    return PostOutcome("sent")


def _posted(case: Case, report: ReportRow, name: str, *, identity: str) -> PostOutcome:
    """Tell a webhook of a report, in the language in which that is written."""
    hook = next(hook for hook in case.campaign.report.webhooks if hook.name == name)
    with speaking(report.language):
        body = body_for(hook, _announcement(case, report))
    return post(hook, body, identity=identity.strip("<>"))


def _announcement(case: Case, report: ReportRow) -> Announcement:
    """Announcement of a report, with a link if it is published or served."""
    folder = published_at(case, report) if _is_published(case, report) else None
    site = Settings.from_environment().rating_url
    desk = None if site is None else f"{site}/desk/{case.name}"
    here = folder is not None and folder.startswith("file://")
    readable = folder is not None and folder.startswith(("https://", "http://"))
    return Announcement(
        campaign=case.row.campaign,
        evaluation=case.name,
        period=case.row.period,
        version=report.version,
        cover=report.cover,
        link=f"{folder}/report.html" if readable else desk,
        # A path on this machine is of no use to others, and none of their business.
        published=folder if is_address(folder or "") and not here else None,
    )


def _is_published(case: Case, report: ReportRow) -> bool:
    """Return whether the ledger has the publication of a report."""
    return any(
        (line.what, line.sha256, line.state) == ("publication", report.sha256, "sent")
        for line in list_deliveries(case.work.engine, case.name)
    )
