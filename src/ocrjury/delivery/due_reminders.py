"""Who is to be reminded now; the ledger of deliveries tells who was, so that nobody is twice."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple
from zoneinfo import ZoneInfo

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.registry import RaterEntry
from ocrjury.delivery.mail import Delivery, MailServer, hand_in
from ocrjury.delivery.reminders import Reminder, compose_reminder
from ocrjury.delivery.sending import send_once
from ocrjury.store.database import Engine
from ocrjury.store.raters import list_raters
from ocrjury.store.reports import list_deliveries
from ocrjury.store.rounds import RoundRow, list_progress
from ocrjury.store.sendings import ATTEMPTS, Mail

WHAT = "reminder"


class Round(NamedTuple):
    """An open round of an evaluation, and the address of the page on which it is rated."""

    evaluation: str
    campaign: Campaign
    row: RoundRow
    page: str


class DueReminders(NamedTuple):
    """Reminders of a deadline that were not sent yet, and raters who have no address."""

    letters: Sequence[Reminder]
    silent: Sequence[str]


def due_reminders(
    engine: Engine,
    round_: Round,
    *,
    raters: Collection[str] = (),
    server: MailServer,
    now: datetime,
    within: timedelta,
) -> DueReminders:
    """Raters to remind of the deadline of a round.

    Parameters
    ----------
    raters
        Only these; empty means all who have something to rate.
    within
        How long before the deadline a reminder is due.
    """
    if round_.row.deadline - now > within:
        return DueReminders([], [])
    progress = list_progress(engine, round_.evaluation, round_.row.round)
    left = {rater.rater: rater.open for rater in progress if rater.open}
    people = list_raters(engine, [name for name in left if not raters or name in raters])
    domain = server.sender.rpartition("@")[2]
    sent = {
        delivery.message_id
        for delivery in list_deliveries(engine, round_.evaluation)
        if delivery.state == "sent"
    }
    letters = [
        _letter(round_, person, left=left[person.pseudonym], now=now)
        for person in people
        if person.email
    ]
    return DueReminders(
        [letter for letter in letters if letter.identity(domain=domain) not in sent],
        [person.pseudonym for person in people if not person.email],
    )


def send_reminder(
    engine: Engine,
    letter: Reminder,
    *,
    server: MailServer,
    now: datetime,
    limit: int | None = ATTEMPTS,
) -> Delivery | None:
    """Send one reminder, as `ocrjury.delivery.sending.send_once` does."""
    message = compose_reminder(letter, server=server, now=now)
    identity = str(message["Message-ID"])
    mail = Mail(letter.evaluation, identity, WHAT, letter.recipient, letter.key)
    send = partial(hand_in, message, server, sha256=letter.key)
    return send_once(engine, mail, send, now=now, limit=limit)


def _letter(round_: Round, person: RaterEntry, *, left: int, now: datetime) -> Reminder:
    """Reminder of one rater."""
    campaign, row = round_.campaign, round_.row
    each = person.minutes_per_item or campaign.raters.minutes_per_item
    return Reminder(
        evaluation=round_.evaluation,
        title=campaign.title,
        round=row.round,
        rater=person.pseudonym,
        recipient=person.email,
        open=left,
        minutes=max(round(left * each), 1),
        deadline=row.deadline.astimezone(ZoneInfo(campaign.time_zone)),
        overdue=now > row.deadline,
        page=round_.page,
        languages=(*person.languages, campaign.language),
    )
