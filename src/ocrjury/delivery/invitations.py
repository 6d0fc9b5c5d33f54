"""Invite raters by email: a message with the rater's personal link, in the rater's language."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from ocrjury.delivery.mail import MailServer, message_id
from ocrjury.pages.catalogues import languages, preferred, speaker

FOLDER = "mail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """What a rater is invited to.

    Attributes
    ----------
    link
        The rater's own; nothing prints it but the email.
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
    link: str = field(repr=False)
    open: int
    minutes: int
    deadline: datetime
    languages: Sequence[str] = ()

    def identity(self, *, domain: str) -> str:
        """Id of the message: one for a rater and a round."""
        return invitation_id(
            self.evaluation, self.round, self.rater, recipient=self.recipient, domain=domain
        )


def invitation_id(evaluation: str, number: int, rater: str, *, recipient: str, domain: str) -> str:
    """Id of the message that invites a rater to a round."""
    return message_id(f"{evaluation}/{number}/{rater}", "invitation", recipient, domain=domain)


def compose_invitation(
    invitation: Invitation, *, server: MailServer, now: datetime
) -> EmailMessage:
    """Message to one rater; the same arguments give the same bytes."""
    say = speaker(FOLDER, preferred(invitation.languages, languages(FOLDER)))
    facts = {
        "title": " ".join(invitation.title.split()),
        "evaluation": invitation.evaluation,
        "round": invitation.round,
        "rater": invitation.rater,
        "open": invitation.open,
        "minutes": invitation.minutes,
        "deadline": invitation.deadline.strftime("%Y-%m-%d %H:%M %Z").strip(),
        "link": invitation.link,
    }
    message = EmailMessage(policy=SMTP)
    message["Subject"] = say("invitation_subject", **facts)
    message["From"] = server.sender
    message["To"] = invitation.recipient
    message["Date"] = format_datetime(now)
    message["Message-ID"] = invitation.identity(domain=server.sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(say("invitation_body", **facts) + "\n")
    return message
