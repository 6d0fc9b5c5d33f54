"""``ocrjury raters remind``: emails to raters who have something to rate, with the deadline."""

import argparse
from datetime import timedelta
from typing import TYPE_CHECKING

from ocrjury.campaign.capabilities import RATING_PAGE
from ocrjury.campaign.limits import TEN_YEARS
from ocrjury.campaign.settings import RATING_URL, Settings
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import say
from ocrjury.cli.rater_names import add_raters, raters_named
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError, StateError

if TYPE_CHECKING:
    from ocrjury.campaign.config import Campaign
    from ocrjury.delivery import MailServer
    from ocrjury.delivery.reminders import DueReminders, Reminder, RoundToRate
    from ocrjury.evaluation.case import Case, Work


REMIND = """email those who have something to rate, once before a deadline and once after

Remind raters by email that the open round ends soon, or has ended.

The chain does so by itself (rounds.remind_days); this command does it now. Everybody with
something to rate is reminded once before a deadline and once after it. The email names the
deadline, what is open and the page (OCRJURY_RATING_URL), but no link: those were sent already.
Addresses are those of the registry; the server is the campaign's own, under report.mail.

ocrjury raters remind claims-2026w47            # if the deadline is within two days
ocrjury raters remind claims-2026w47 --within 5 --dry-run
ocrjury raters remind claims-2026w47 R03"""


def add_to(group: Commands) -> None:
    """Declare the command."""
    remind = add_command(group, "remind", REMIND, run=run_remind)
    remind.add_argument("evaluation", help="its name")
    add_raters(remind, about="[all with open assignments]")
    remind.add_argument("--within", type=float, default=2, help="days before the deadline [2]")
    remind.add_argument("--dry-run", action="store_true", help="print whom; send nothing")


def run_remind(options: argparse.Namespace) -> int:
    """Send reminders and print what became of them."""
    if not 0 <= options.within <= TEN_YEARS:
        raise InputError(f"--within must be from 0 to {TEN_YEARS} days; found {options.within:g}.")
    with open_existing() as work:
        server, due = _due(work, options)
        if due.without_address:
            say(f"No address: {', '.join(due.without_address)}.")
        if options.dry_run:
            for reminder in due.reminders:
                say(f"{reminder.rater}  {reminder.open} open, deadline {reminder.moment}")
            return 0
        bad = [reminder for reminder in due.reminders if not _remind(work, reminder, server=server)]
        now = work.now
    if not due.reminders:
        say(f"Nobody needs a reminder at {now:%Y-%m-%d %H:%M} UTC.")
    return 1 if bad else 0


def _due(work: "Work", options: argparse.Namespace) -> "tuple[MailServer, DueReminders]":
    from ocrjury.delivery.reminders import due_reminders

    case, raters = work.case(options.evaluation), raters_named(options)
    server, round_ = _server(case.campaign), _open_round(case)
    _check(work, round_, raters)
    due = due_reminders(
        work.engine,
        round_,
        raters=raters,
        server=server,
        now=work.now,
        within=timedelta(days=options.within),
    )
    return server, due


def _open_round(case: "Case") -> "RoundToRate":
    """Open round, which people rate on the page."""
    from ocrjury.delivery.reminders import RoundToRate

    name = case.name
    if case.row.simulated:
        raise StateError(f"{name} is a rehearsal; simulated raters read no email.")
    last = case.open_round
    if last.frontend != RATING_PAGE:
        raise StateError(
            f"round {last.round} of {name} has the frontend {last.frontend}; reminders are for "
            "rounds that people rate on the rating page."
        )
    page = Settings.from_environment().rating_url
    if page is None:
        raise InputError(
            f"{RATING_URL} is not set, so the email could name no address that raters reach. Set "
            "it to what they type, such as https://rate.example.org."
        )
    return RoundToRate(name, case.campaign, last, page)


def _check(work: "Work", round_: "RoundToRate", raters: list[str]) -> None:
    from ocrjury.store.rounds import list_progress

    progress = list_progress(work.engine, round_.evaluation, round_.row.round)
    left = [row.rater for row in progress if row.open]
    if strange := [rater for rater in raters if rater not in left]:
        raise InputError(
            f"{', '.join(strange)} has nothing open in round {round_.row.round}; those who have "
            f"are {', '.join(left) or 'none'}."
        )


def _remind(work: "Work", reminder: "Reminder", *, server: "MailServer") -> bool:
    """Send one reminder; return whether it was sent, or another process is sending it."""
    from ocrjury.delivery.reminders import send_reminder

    # A person may try an email that the chain gave up.
    now = Settings.from_environment().now()
    sent = send_reminder(work.engine, reminder, server=server, now=now, limit=None)
    if sent is None:
        say(f"{reminder.rater}  another process is sending it")
        return True
    say(f"{reminder.rater}  {sent.state}{f': {sent.detail}' if sent.detail else ''}")
    return sent.state == "sent"


def _server(campaign: "Campaign") -> "MailServer":
    from ocrjury.delivery.mail import server_of

    mail = campaign.report.mail
    if mail is None:
        raise InputError(
            "the campaign names no mail server; give host and sender under report.mail."
        )
    return server_of(mail)
