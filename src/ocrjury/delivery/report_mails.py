"""Email the report to its recipients, each once."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from typing import Self

from ocrjury.campaign.settings import Settings
from ocrjury.delivery.mail import MailServer, compose, message_id, send_once, server_of
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.findings.cover import Cover
from ocrjury.language import speaking
from ocrjury.pages.environment import render
from ocrjury.store.damaged_files import read_stored
from ocrjury.store.reports import ReportRow, in_language
from ocrjury.store.sendings import Sending, claim_sending, settle

WHAT = "report"
_UNSAFE = str.maketrans(dict.fromkeys('/\\:*?"<>|\r\n\t', " "))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportText:
    """Text of the email in a language: the outcome as a headline, and sentences below it."""

    evaluation: str
    title: str
    outcome: str
    sentences: Sequence[str] = ()
    simulated: bool = False
    language: str = "en"

    @classmethod
    def of(cls, evaluation: str, cover: Cover, *, language: str) -> Self:
        """Text of the email from a cover that was written in a language."""
        return cls(
            evaluation=evaluation,
            title=cover.title,
            outcome=cover.sentence,
            sentences=(cover.reason,),
            simulated=cover.simulated,
            language=language,
        )

    @property
    def attachment(self) -> str:
        """Name of the attached file, in any language; a campaign without a title is named once."""
        named = self.evaluation.startswith(f"{self.title}-")
        name = self.evaluation if named else f"{self.title} {self.evaluation}"
        return " ".join(f"{name}.pdf".translate(_UNSAFE).split())


def mail_report(case: Case, report: ReportRow, recipient: str, *, limit: int | None) -> None:
    """Send a report to a recipient in their language, or note why there is nothing to send."""
    written = _for_recipient(case, report, recipient)
    try:
        pdf = _pdf(case, written)
    except InputError as error:
        _note_absence(case, report, recipient, why=str(error), limit=limit)
        return
    server, now = server_of(case.campaign.report.mail), Settings.from_environment().now()
    text = ReportText.of(case.name, written.cover, language=written.language)
    message = compose_report(pdf, recipient, server=server, text=text, now=now)
    mail = Sending(case.name, str(message["Message-ID"]), WHAT, recipient, report.sha256)
    send_once(case.work.engine, mail, message, server=server, now=now, limit=limit)


def _for_recipient(case: Case, report: ReportRow, recipient: str) -> ReportRow:
    """Report in the language of a recipient, as far as it was written in that."""
    wanted = case.campaign.report.language_of(recipient)
    if wanted is None:
        return report
    return in_language(case.work.engine, case.name, report, language=wanted)


def _note_absence(
    case: Case, report: ReportRow, recipient: str, *, why: str, limit: int | None
) -> None:
    """Note that there is nothing to send."""
    engine, now = case.work.engine, Settings.from_environment().now()
    identity = message_id(case.name, report.sha256, recipient, domain="none.invalid")
    sending = Sending(case.name, identity, WHAT, recipient, report.sha256)
    claim = claim_sending(engine, sending, now=now, limit=limit)
    if claim is not None:
        settle(engine, claim, state="failed", detail=why, now=now)


def compose_report(
    pdf: bytes, recipient: str, *, server: MailServer, text: ReportText, now: datetime
) -> EmailMessage:
    """Email to one recipient; the same arguments give the same bytes."""
    with speaking(text.language):
        subject, _, body = render("mail/report.txt.j2", text=text).partition("\n")
    digest = hashlib.sha256(pdf).hexdigest()
    message = compose(
        " ".join(subject.split()),
        body.strip(),
        recipient=recipient,
        identity=message_id(text.evaluation, digest, recipient, domain=server.domain),
        server=server,
        now=now,
    )
    message.add_attachment(pdf, maintype="application", subtype="pdf", filename=text.attachment)
    # The boundary is random unless it is set.
    message.set_boundary(f"ocrjury-{digest[:32]}")
    return message


def _pdf(case: Case, report: ReportRow) -> bytes:
    """PDF of the report; `InputError` if there is none, or its file is gone or damaged."""
    if report.pdf_uri is None:
        raise InputError("there is no PDF: this machine lacks what makes one, see `ocrjury doctor`")
    return read_stored(case.work.store.files.path(report.pdf_uri))
