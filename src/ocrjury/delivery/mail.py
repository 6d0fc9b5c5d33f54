"""Send emails by SMTP, each once.

SMTP itself sends twice what it is told twice. The id of an email depends on nothing but what it
brings and to whom, so that the ledger of deliveries shows what was sent already.
"""

import hashlib
import os
import smtplib
import ssl
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Literal, NamedTuple

from ocrjury.campaign.delivery_sections import Mail as MailSection
from ocrjury.patience import PatientMail, patience
from ocrjury.store.database import Engine
from ocrjury.store.sendings import ATTEMPTS, Sending, claim_sending, settle

TIMEOUT = 30.0
LONGEST = 480.0
"""Seconds of a silence, and of the whole; a report takes a while on a slow line.

It ends before the claim to send it, which began earlier: nobody else sends it meanwhile.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """Server that takes emails; without a user name nobody signs in."""

    host: str
    sender: str
    port: int = 587
    starttls: bool = True
    username: str | None = None
    password: str | None = field(default=None, repr=False)

    @property
    def domain(self) -> str:
        """Domain part of message ids."""
        return self.sender.rpartition("@")[2]


def server_of(section: MailSection | None) -> MailServer:
    """Server that a campaign names, else this machine's; its password is in the environment."""
    mail = section or MailSection(host="localhost", sender="ocrjury@localhost")
    return MailServer(
        host=mail.host,
        port=mail.port,
        sender=mail.sender,
        starttls=mail.starttls,
        username=mail.username,
        password=os.environ.get(mail.password_env) if mail.password_env else None,
    )


class Delivery(NamedTuple):
    """Outcome of one message; ``detail`` says why it failed."""

    recipient: str
    message_id: str
    sha256: str
    state: Literal["sent", "failed"]
    detail: str | None = None


def compose(
    subject: str, body: str, *, recipient: str, identity: str, server: MailServer, now: datetime
) -> EmailMessage:
    """Email to one recipient; the same arguments give the same bytes."""
    message = EmailMessage(policy=SMTP)
    message["Subject"] = subject
    message["From"] = server.sender
    message["To"] = recipient
    message["Date"] = format_datetime(now)
    message["Message-ID"] = identity
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(body + "\n")
    return message


def message_id(evaluation: str, sha256: str, recipient: str, *, domain: str = "localhost") -> str:
    """Id of the email that brings something, named by its hash, to a recipient.

    Examples
    --------
    >>> message_id("claims-2026w47", "5be1", "a@example.org")
    '<7eefba80e61f4e4a810a892f4dcb451f@localhost>'
    """
    key = "\n".join((evaluation, sha256, recipient.strip().lower()))
    return f"<{hashlib.sha256(key.encode()).hexdigest()[:32]}@{domain}>"


def hand_in(message: EmailMessage, server: MailServer, *, sha256: str) -> Delivery:
    """Hand one email in, and return what became of it; `sha256` is that of what it brings."""
    recipient, identity = str(message["To"]), str(message["Message-ID"])
    taken = False
    try:
        with (
            patience(LONGEST) as held,
            PatientMail(held, server.host, server.port, timeout=TIMEOUT) as connection,
        ):
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


def send_once(
    engine: Engine,
    mail: Sending,
    message: EmailMessage,
    *,
    server: MailServer,
    now: datetime,
    limit: int | None = ATTEMPTS,
) -> Delivery | None:
    """Send an email, if no other process has claimed it, and keep the outcome in the ledger.

    A process that is killed between the two leaves a claim behind; once that is old enough, the
    next process sends again, with the same id of the message, by which mail programs know a second
    copy. So an email may come twice after a crash, but is never lost. `now` and `limit` are as in
    `ocrjury.store.sendings.claim_sending`.

    Returns
    -------
    Delivery or None
        None if it was sent before, another process is sending it, or it was given up.

    Raises
    ------
    LostRaceError
        If it took so long that another process sent it meanwhile.
    """
    claim = claim_sending(engine, mail, now=now, limit=limit)
    if claim is None:
        return None
    sent = hand_in(message, server, sha256=mail.sha256)
    settle(engine, claim, state=sent.state, detail=sent.detail, now=now)
    return sent


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
    # The number of a failure of the system tells people nothing.
    words = (isinstance(error, OSError) and error.strerror) or str(error)
    return f"{server.host}:{server.port} cannot be used: {words.rstrip('.')}."
