"""Facts about a round in every email to a rater: open items, deadline, expected time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from typing import Any, Self
from zoneinfo import ZoneInfo

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.registry import RaterEntry
from ocrjury.delivery.mail import MailServer, compose
from ocrjury.pages.catalogues import Say, languages, preferred, speaker
from ocrjury.store.rounds import RoundRow

FOLDER = "mail"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEmail:
    """An email to a rater about a round.

    `languages` are those of the rater and of the campaign, the best first; `deadline` is in the
    campaign's time zone.
    """

    evaluation: str
    title: str
    round: int
    rater: str
    recipient: str
    open: int
    minutes: int
    deadline: datetime
    languages: Sequence[str] = ()

    @classmethod
    def to(
        cls,
        person: RaterEntry,
        *,
        evaluation: str,
        campaign: Campaign,
        row: RoundRow,
        left: int,
        **own: Any,
    ) -> Self:
        """Email to a rater who has some items left; `own` are the attributes of the subclass."""
        minutes_per_item = person.minutes_per_item or campaign.raters.minutes_per_item
        return cls(
            evaluation=evaluation,
            title=campaign.title,
            round=row.round,
            rater=person.pseudonym,
            recipient=person.email,
            open=left,
            minutes=max(round(left * minutes_per_item), 1),
            deadline=row.deadline.astimezone(ZoneInfo(campaign.time_zone)),
            languages=(*person.languages, campaign.language),
            **own,
        )

    @property
    def moment(self) -> str:
        """Deadline in words."""
        return self.deadline.strftime("%Y-%m-%d %H:%M %Z").strip()

    @property
    def say(self) -> Say:
        """Texts in the rater's language."""
        return speaker(FOLDER, preferred(self.languages, languages(FOLDER)))

    def composed(
        self, kind: str, *, identity: str, server: MailServer, now: datetime, **own: str
    ) -> EmailMessage:
        """Email with the texts of a kind; the same arguments give the same bytes."""
        facts = {
            "title": " ".join(self.title.split()),
            "evaluation": self.evaluation,
            "round": self.round,
            "rater": self.rater,
            "open": self.open,
            "minutes": self.minutes,
            "deadline": self.moment,
            **own,
        }
        return compose(
            self.say(f"{kind}_subject", **facts),
            self.say(f"{kind}_body", **facts),
            recipient=self.recipient,
            identity=identity,
            server=server,
            now=now,
        )
