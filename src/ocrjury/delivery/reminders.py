"""Remind raters of a deadline by email, once before it and once after, in their language."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from ocrjury.delivery.mail import MailServer
from ocrjury.pages.catalogues import languages, preferred, speaker

FOLDER = "mail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """What a rater is reminded of.

    Attributes
    ----------
    page
        The address of the page, never a personal link: that was sent already.
    languages
        Those of the rater and of the campaign, the best first.
    deadline
        In the campaign's time zone.
    """

    evaluation: str
    title: str
    round: int
    rater: str
    recipient: str
    open: int
    minutes: int
    deadline: datetime
    overdue: bool
    page: str
    languages: Sequence[str] = ()

    @property
    def key(self) -> str:
        """Key of a reminder that is sent once: this deadline, to come or passed."""
        kind = "overdue" if self.overdue else "reminder"
        parts = (kind, self.evaluation, str(self.round), self.rater, self.moment)
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    @property
    def moment(self) -> str:
        """Deadline as the email words it."""
        return self.deadline.strftime("%Y-%m-%d %H:%M %Z").strip()

    def identity(self, *, domain: str) -> str:
        """Id of the message: the same before a deadline, and another after it."""
        return f"<{self.key[:32]}@{domain}>"


def compose_reminder(reminder: Reminder, *, server: MailServer, now: datetime) -> EmailMessage:
    """Message to one rater; the same arguments give the same bytes."""
    say = speaker(FOLDER, preferred(reminder.languages, languages(FOLDER)))
    kind = "overdue" if reminder.overdue else "reminder"
    facts = {
        "title": " ".join(reminder.title.split()),
        "evaluation": reminder.evaluation,
        "round": reminder.round,
        "rater": reminder.rater,
        "open": reminder.open,
        "minutes": reminder.minutes,
        "deadline": reminder.moment,
        "again": say("reminder_again", page=reminder.page),
    }
    message = EmailMessage(policy=SMTP)
    message["Subject"] = say(f"{kind}_subject", **facts)
    message["From"] = server.sender
    message["To"] = reminder.recipient
    message["Date"] = format_datetime(now)
    message["Message-ID"] = reminder.identity(domain=server.sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(say(f"{kind}_body", **facts) + "\n")
    return message
