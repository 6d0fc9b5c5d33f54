"""``ocrjury raters remind``: mails to raters who have something to rate, with the deadline."""

import argparse
import os
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

from ocrjury.cli.declaring import add_command
from ocrjury.errors import InputError, StateError

if TYPE_CHECKING:
    from ocrjury.campaign.config import Campaign
    from ocrjury.campaign.registry import RaterEntry
    from ocrjury.cli.declaring import Commands
    from ocrjury.cli.stored import OpenStore
    from ocrjury.delivery import MailServer
    from ocrjury.delivery.reminders import Reminder
    from ocrjury.store.rounds import RoundRow

ABOUT = """Remind raters by mail that the open round ends soon, or has ended.

Everybody with something to rate is reminded once for a deadline; when it is moved, once more. The
mail names the deadline, what is open and the page, but holds no link: those were sent already.
Addresses are those of the registry; the server is the campaign's own, under report.mail."""
EXAMPLES = [
    "ocrjury raters remind claims-2026w47            # if the deadline is within two days",
    "ocrjury raters remind claims-2026w47 --within 5 --dry-run",
    "ocrjury raters remind claims-2026w47 R03",
]


def add_to(group: "Commands") -> None:
    """Declare the command."""
    remind = add_command(
        group,
        "remind",
        summary="mail those who have something to rate, once for a deadline",
        about=ABOUT,
        examples=EXAMPLES,
        run=run_remind,
    )
    remind.add_argument("evaluation", help="its name")
    remind.add_argument("raters", nargs="*", metavar="R01", help="[all with open assignments]")
    remind.add_argument("--within", type=float, default=2, help="days before the deadline [2]")
    remind.add_argument("--dry-run", action="store_true", help="print whom; send nothing")


def run_remind(options: argparse.Namespace) -> int:
    """Send reminders and print what became of them."""
    from ocrjury.cli.printing import say
    from ocrjury.cli.stored import open_existing
    from ocrjury.delivery.reminders import message_id

    with open_existing() as opened:
        campaign = opened.campaign(opened.evaluation(options.evaluation))
        server = _server(campaign)
        wanted, silent = _whom(opened, campaign, options)
        domain = server.sender.rpartition("@")[2]
        known = _sent(opened, options.evaluation)
        fresh = [one for one in wanted if message_id(one, domain=domain) not in known]
        if silent:
            say(f"No address: {', '.join(silent)}.")
        if options.dry_run:
            for one in fresh:
                say(f"{one.rater}  {one.open} open, deadline {one.moment}")
            return 0
        bad = [one for one in fresh if not _remind(opened, one, server=server)]
        now = opened.now
    if not fresh:
        say(f"Nobody needs a reminder at {now:%Y-%m-%d %H:%M} UTC.")
    return 1 if bad else 0


def _whom(
    opened: "OpenStore", campaign: "Campaign", options: argparse.Namespace
) -> "tuple[list[Reminder], list[str]]":
    """Return the reminders that are due, and the raters who have no address."""
    from ocrjury.store.raters import list_raters
    from ocrjury.store.rounds import list_progress

    row = opened.evaluation(options.evaluation)
    if row.simulated:
        raise StateError(f"{row.evaluation} is a rehearsal; simulated raters read no mail.")
    last = _open_round(opened, row.evaluation)
    progress = list_progress(opened.store.engine, row.evaluation, last.round)
    left = {one.rater: one.open for one in progress if one.open}
    if strange := [one for one in options.raters if one not in left]:
        raise InputError(
            f"{', '.join(strange)} has nothing open in round {last.round}; those who have are "
            f"{', '.join(left) or 'none'}."
        )
    if last.deadline - opened.now > timedelta(days=options.within):
        return [], []
    names, name = options.raters or sorted(left), row.evaluation
    overdue = opened.now > last.deadline
    people = list_raters(opened.store.engine, names)
    found = [
        _reminder(campaign, last, person=one, left=left[one.pseudonym], overdue=overdue, name=name)
        for one in people
        if one.email
    ]
    return found, [one.pseudonym for one in people if not one.email]


def _reminder(
    campaign: "Campaign",
    last: "RoundRow",
    *,
    person: "RaterEntry",
    left: int,
    overdue: bool,
    name: str,
) -> "Reminder":
    """Return what one rater is reminded of."""
    from zoneinfo import ZoneInfo

    from ocrjury.campaign.settings import Settings
    from ocrjury.delivery.reminders import Reminder

    return Reminder(
        evaluation=name,
        title=campaign.title,
        round=last.round,
        rater=person.pseudonym,
        recipient=person.email,
        open=left,
        minutes=max(round(left * (person.minutes_per_item or campaign.raters.minutes_per_item)), 1),
        deadline=last.deadline.astimezone(ZoneInfo(campaign.time_zone)),
        overdue=overdue,
        address=Settings.from_environment().rating_url or "http://127.0.0.1:8080",
    )


def _open_round(opened: "OpenStore", name: str) -> "RoundRow":
    """Return the open round."""
    from ocrjury.store.rounds import list_rounds

    last = next((r for r in list_rounds(opened.store.engine, name) if r.state == "open"), None)
    if last is None:
        raise StateError(f"{name} has no open round; nobody is asked for ratings.")
    return last


def _sent(opened: "OpenStore", name: str) -> set[str]:
    """Return the ids of the messages that were sent."""
    from ocrjury.store.reports import list_deliveries

    return {
        one.message_id for one in list_deliveries(opened.store.engine, name) if one.state == "sent"
    }


def _remind(opened: "OpenStore", reminder: "Reminder", *, server: "MailServer") -> bool:
    """Send one reminder and keep what became of it; return whether it was sent."""
    from ocrjury.cli.printing import say
    from ocrjury.delivery.reminders import send_reminders
    from ocrjury.store.reports import DeliveryRow, add_delivery, list_deliveries

    (sent,) = send_reminders([reminder], server=server, now=opened.now)
    tried = Counter(
        one.message_id for one in list_deliveries(opened.store.engine, reminder.evaluation)
    )
    add_delivery(
        opened.store.engine,
        reminder.evaluation,
        DeliveryRow(
            message_id=sent.message_id,
            attempt=tried[sent.message_id] + 1,
            what="reminder",
            recipient=sent.recipient,
            sha256=sent.sha256,
            state=sent.state,
            detail=sent.detail,
            at=opened.now,
        ),
    )
    say(f"{reminder.rater}  {sent.state}{f': {sent.detail}' if sent.detail else ''}")
    return sent.state == "sent"


def _server(campaign: "Campaign") -> "MailServer":
    """Return the campaign's mail server; its password is in the environment."""
    from ocrjury.delivery import MailServer

    mail = campaign.report.mail
    if mail is None:
        raise InputError(
            "the campaign names no mail server; give host and sender under report.mail."
        )
    return MailServer(
        host=mail.host,
        port=mail.port,
        sender=mail.sender,
        starttls=mail.starttls,
        username=mail.username,
        password=os.environ.get(mail.password_env) if mail.password_env else None,
    )
