"""Remind raters of a deadline by mail, each once for a deadline."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from ocrjury.delivery.mail import Delivery, MailServer, hand_in
from ocrjury.pages.environment import render


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """What a rater is reminded of; `address` is that of the page, never a personal link."""

    evaluation: str
    title: str
    round: int
    rater: str
    recipient: str
    open: int
    minutes: int
    deadline: datetime
    overdue: bool
    address: str

    @property
    def key(self) -> str:
        """Return what a rater is reminded of once: this deadline of this round."""
        parts = ("reminder", self.evaluation, str(self.round), self.rater, self.moment)
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    @property
    def moment(self) -> str:
        """Return the deadline as the letter says it."""
        return self.deadline.strftime("%Y-%m-%d %H:%M %Z").strip()


def message_id(reminder: Reminder, *, domain: str) -> str:
    """Return the id of a reminder: the same deadline has the same."""
    return f"<{reminder.key[:32]}@{domain}>"


def compose(reminder: Reminder, *, server: MailServer, now: datetime) -> EmailMessage:
    """Return the message to one rater; the same arguments give the same bytes."""
    text = render("mail/reminder.txt.j2", letter=reminder)
    subject, _, body = text.partition("\n")
    message = EmailMessage(policy=SMTP)
    message["Subject"] = " ".join(subject.split())
    message["From"] = server.sender
    message["To"] = reminder.recipient
    message["Date"] = format_datetime(now)
    domain = server.sender.rpartition("@")[2]
    message["Message-ID"] = message_id(reminder, domain=domain)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(body.strip() + "\n")
    return message


def send_reminders(
    reminders: Sequence[Reminder], *, server: MailServer, now: datetime
) -> list[Delivery]:
    """Send every reminder and return what became of each; one failure stops no other."""
    return [
        hand_in(compose(one, server=server, now=now), server, sha256=one.key) for one in reminders
    ]
