"""Send a report by SMTP, each recipient a message of their own.

SMTP itself sends twice what it is told twice. A message's id depends on nothing but evaluation,
PDF and recipient, so that whoever keeps a ledger of ids can see what was sent already.
"""

import hashlib
import os
import smtplib
import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path
from typing import Literal, NamedTuple

from ocrjury.campaign.sections import Mail
from ocrjury.errors import InputError
from ocrjury.pages.environment import render

TIMEOUT = 30.0
_UNSAFE = str.maketrans(dict.fromkeys('/\\:*?"<>|\r\n\t', " "))


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """Where mail is handed in; without a user name nobody signs in."""

    host: str
    sender: str
    port: int = 587
    starttls: bool = True
    username: str | None = None
    password: str | None = field(default=None, repr=False)


def server_of(section: Mail | None) -> MailServer:
    """Server that a campaign names, else this machine's; its password is in the environment."""
    mail = section or Mail(host="localhost", sender="ocrjury@localhost")
    return MailServer(
        host=mail.host,
        port=mail.port,
        sender=mail.sender,
        starttls=mail.starttls,
        username=mail.username,
        password=os.environ.get(mail.password_env) if mail.password_env else None,
    )


class Delivery(NamedTuple):
    """What became of one message; ``detail`` says why it failed."""

    recipient: str
    message_id: str
    sha256: str
    state: Literal["sent", "failed"]
    detail: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """What a message says: the outcome as a headline, and sentences below it."""

    evaluation: str
    title: str
    outcome: str
    sentences: Sequence[str] = ()
    simulated: bool = False
    file_name: str | None = None

    @property
    def attachment(self) -> str:
        """Name of the attached file, in any language."""
        name = self.file_name or f"{self.title} {self.evaluation}.pdf"
        return " ".join(name.translate(_UNSAFE).split())


def send_report(
    pdf: Path, recipients: Sequence[str], *, server: MailServer, letter: Letter, now: datetime
) -> list[Delivery]:
    """Send a PDF to every recipient and return what became of each; one failure stops no other.

    Parameters
    ----------
    pdf
        The file to attach.
    recipients
        Addresses; an address that comes twice gets one message.
    letter
        What the message says.
    now
        Date of the messages, aware.

    Raises
    ------
    InputError
        If there is no such file, or nobody to send it to.
    """
    if not recipients:
        raise InputError("send_report found no recipients; name them under report.recipients.")
    body = read_report(pdf)
    digest = hashlib.sha256(body).hexdigest()
    return [
        hand_in(
            compose(body, recipient, server=server, letter=letter, now=now), server, sha256=digest
        )
        for recipient in dict.fromkeys(recipients)
    ]


def read_report(pdf: Path) -> bytes:
    """Report's bytes; `InputError` if there is no such file."""
    try:
        return pdf.read_bytes()
    except OSError as error:
        raise InputError(
            f"{pdf} cannot be read: {error.strerror}. Render the report first."
        ) from error


def compose(
    pdf: bytes, recipient: str, *, server: MailServer, letter: Letter, now: datetime
) -> EmailMessage:
    """Message to one recipient; the same arguments give the same bytes."""
    text = render("mail/report.txt.j2", letter=letter)
    subject, _, body = text.partition("\n")
    digest = hashlib.sha256(pdf).hexdigest()
    message = EmailMessage(policy=SMTP)
    message["Subject"] = " ".join(subject.split())
    message["From"] = server.sender
    message["To"] = recipient
    message["Date"] = format_datetime(now)
    message["Message-ID"] = message_id(
        letter.evaluation, digest, recipient, domain=server.sender.rpartition("@")[2]
    )
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(body.strip() + "\n")
    message.add_attachment(pdf, maintype="application", subtype="pdf", filename=letter.attachment)
    # The boundary is random unless it is set.
    message.set_boundary(f"ocrjury-{digest[:32]}")
    return message


def message_id(evaluation: str, sha256: str, recipient: str, *, domain: str = "localhost") -> str:
    """Id of the message that brings a PDF to a recipient.

    Examples
    --------
    >>> message_id("claims-2026w47", "5be1", "a@example.org")
    '<7eefba80e61f4e4a810a892f4dcb451f@localhost>'
    """
    key = "\n".join((evaluation, sha256, recipient.strip().lower()))
    return f"<{hashlib.sha256(key.encode()).hexdigest()[:32]}@{domain}>"


def hand_in(message: EmailMessage, server: MailServer, *, sha256: str) -> Delivery:
    """Hand one message in, and return what became of it.

    Parameters
    ----------
    sha256
        Of what it brings, for the ledger.
    """
    recipient, identity = str(message["To"]), str(message["Message-ID"])
    taken = False
    try:
        with smtplib.SMTP(server.host, server.port, timeout=TIMEOUT) as connection:
            if server.starttls:
                connection.starttls(context=ssl.create_default_context())
            if server.username is not None:
                connection.login(server.username, server.password or "")
            connection.send_message(message)
            taken = True
    except (smtplib.SMTPException, OSError, UnicodeError) as error:
        # Once the server has the message, how it says goodbye does not matter.
        if not taken:
            return Delivery(recipient, identity, sha256, "failed", _why(error, server))
    return Delivery(recipient, identity, sha256, "sent")


def _why(error: Exception, server: MailServer) -> str:
    """One sentence on why a message was not sent."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        reply = "; ".join(
            f"{code} {text.decode(errors='replace')}" for code, text in error.recipients.values()
        )
        return f"{server.host}:{server.port} refused the recipient: {reply}."
    if isinstance(error, smtplib.SMTPResponseException):
        text = error.smtp_error
        reply = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
        return f"{server.host}:{server.port} answered {error.smtp_code} {reply}."
    if isinstance(error, UnicodeError):  # its own words may hold the password
        return (
            f"{server.host}:{server.port} cannot be used: the name of the server, the user or the "
            "password has characters that SMTP cannot send; see report.mail in campaign.yaml."
        )
    return f"{server.host}:{server.port} cannot be used: {error}."
