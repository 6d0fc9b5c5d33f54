"""Remind raters of a deadline by email, once before it and once after, in their language.

The ledger of deliveries tells who was reminded, so that nobody is twice.
"""

import hashlib
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from ocrjury.campaign.config import Campaign
from ocrjury.campaign.settings import Settings
from ocrjury.delivery.mail import Delivery, MailServer, send_once, server_of
from ocrjury.delivery.round_email import RoundEmail
from ocrjury.evaluation.case import Case
from ocrjury.step_parts import Parts, Tick, unwatched
from ocrjury.store.database import Engine
from ocrjury.store.raters import list_raters
from ocrjury.store.reports import list_deliveries
from ocrjury.store.rounds import RoundRow, list_progress
from ocrjury.store.sendings import ATTEMPTS, Sending

log = logging.getLogger(__name__)

WHAT = "reminder"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder(RoundEmail):
    """Reminder of a deadline; `page` is never a personal link: that was sent already."""

    overdue: bool
    page: str

    @property
    def kind(self) -> str:
        """Name of its texts, before the deadline or after it."""
        return "overdue" if self.overdue else WHAT

    @property
    def key(self) -> str:
        """Key of a reminder that is sent once: this deadline, to come or passed."""
        parts = (self.kind, self.evaluation, str(self.round), self.rater, self.moment)
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def identity(self, server: MailServer) -> str:
        """Id of the message: the same before a deadline, and another after it."""
        return f"<{self.key[:32]}@{server.domain}>"


class RoundToRate(NamedTuple):
    """An open round of an evaluation, and the address of the page on which it is rated."""

    evaluation: str
    campaign: Campaign
    row: RoundRow
    page: str


class DueReminders(NamedTuple):
    """Reminders of a deadline that were not sent yet, and raters who have no address."""

    reminders: Sequence[Reminder]
    without_address: Sequence[str]


def remind_raters(case: Case, last: RoundRow, *, tick: Tick = unwatched) -> None:
    """Send what is due, as long as a mail server and the address of the page are known.

    Nobody is reminded in the first half of a round: the invitation has just been sent.
    """
    engine, reminders = case.work.engine, reminders_of(case, last)
    parts = Parts(tick, len(reminders))
    for reminder in reminders:
        parts.begin(f"reminder to {reminder.rater}")
        server = server_of(case.campaign.report.mail)
        sent = send_reminder(engine, reminder, server=server, now=Settings.from_environment().now())
        if sent is not None:
            log.info("reminder to %s: %s", reminder.rater, sent.state)


def reminders_of(case: Case, last: RoundRow) -> Sequence[Reminder]:
    """Reminders of a round that are due by themselves."""
    page, days = Settings.from_environment().rating_url, case.campaign.rounds.remind_days
    if page is None or case.campaign.report.mail is None or not days or case.row.simulated:
        return []
    within = last.deadline - reminder_moment(case.campaign, last)
    round_ = RoundToRate(case.name, case.campaign, last, page)
    server, now = server_of(case.campaign.report.mail), case.work.now
    return due_reminders(case.work.engine, round_, server=server, now=now, within=within).reminders


def reminder_moment(campaign: Campaign, last: RoundRow) -> datetime:
    """Moment from which reminders of a round are due."""
    days = timedelta(days=campaign.rounds.remind_days)
    return last.deadline - min(days, (last.deadline - last.opened_at) / 2)


def due_reminders(
    engine: Engine,
    round_: RoundToRate,
    *,
    raters: Collection[str] = (),
    server: MailServer,
    now: datetime,
    within: timedelta,
) -> DueReminders:
    """Raters to remind of the deadline of a round, of all who have something to rate or of some.

    `within` is how long before the deadline a reminder is due.
    """
    if round_.row.deadline - now > within:
        return DueReminders([], [])
    progress = list_progress(engine, round_.evaluation, round_.row.round)
    left = {rater.rater: rater.open for rater in progress if rater.open}
    late = [name for name in left if not raters or name in raters]
    people = list_raters(engine, late, evaluation=round_.evaluation)
    deliveries = list_deliveries(engine, round_.evaluation)
    sent = {delivery.message_id for delivery in deliveries if delivery.state == "sent"}
    reminders = [
        Reminder.to(
            person,
            evaluation=round_.evaluation,
            campaign=round_.campaign,
            row=round_.row,
            left=left[person.pseudonym],
            overdue=now > round_.row.deadline,
            page=round_.page,
        )
        for person in people
        if person.email
    ]
    return DueReminders(
        [reminder for reminder in reminders if reminder.identity(server) not in sent],
        [person.pseudonym for person in people if not person.email],
    )


def send_reminder(
    engine: Engine,
    reminder: Reminder,
    *,
    server: MailServer,
    now: datetime,
    limit: int | None = ATTEMPTS,
) -> Delivery | None:
    """Send one reminder, as `ocrjury.delivery.mail.send_once` does."""
    identity = reminder.identity(server)
    again = reminder.say("reminder_again", page=reminder.page)
    message = reminder.composed(
        reminder.kind, identity=identity, server=server, now=now, again=again
    )
    mail = Sending(reminder.evaluation, identity, WHAT, reminder.recipient, reminder.key)
    return send_once(engine, mail, message, server=server, now=now, limit=limit)
