"""Remind raters of the page by email that their round ends soon, or has ended, each once."""

import logging
from datetime import timedelta

from ocrjury.campaign.settings import Settings
from ocrjury.delivery.due_reminders import Round, due_reminders, send_reminder
from ocrjury.delivery.mail import server_of
from ocrjury.evaluation.case import Case
from ocrjury.store.rounds import RoundRow

log = logging.getLogger(__name__)


def remind_raters(case: Case, last: RoundRow) -> None:
    """Send what is due, as long as a mail server and the address of the page are known.

    Nobody is reminded in the first half of a round: the invitation has just been sent.
    """
    page, engine, now = Settings.from_environment().rating_url, case.work.engine, case.work.now
    days = case.campaign.rounds.remind_days
    if page is None or case.campaign.report.mail is None or not days or case.row.simulated:
        return
    server = server_of(case.campaign.report.mail)
    within = min(timedelta(days=days), (last.deadline - last.opened_at) / 2)
    due = due_reminders(
        engine,
        Round(case.name, case.campaign, last, page),
        server=server,
        now=now,
        within=within,
    )
    for letter in due.letters:
        sent = send_reminder(engine, letter, server=server, now=Settings.from_environment().now())
        if sent is not None:
            log.info("reminder to %s: %s", letter.rater, sent.state)
