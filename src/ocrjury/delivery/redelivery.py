"""Deliver a report once more, to the addresses and by the servers of a corrected campaign file."""

import os
from collections.abc import Callable
from typing import NamedTuple

from ocrjury.campaign.config import read_campaign
from ocrjury.delivery.report_delivery import bring_report
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.store.database import Connection, writing
from ocrjury.store.reports import newest_final
from ocrjury.store.undelivered_reports import Undelivered, list_undelivered, replace_deliveries

Note = Callable[[Connection, str], object]
"""Keeps in the audit log which settings were taken."""


class Ended(NamedTuple):
    """A receiver to whom a report was to be brought; `left` is None if it has arrived."""

    name: str
    left: Undelivered | None


def take_deliveries(case: Case, *, note: Note) -> list[str]:
    """Take who gets reports and how from the campaign's file as it is now; name what changed.

    Raises
    ------
    InputError
        If the file cannot be read, or is another campaign's.
    """
    fixed = read_campaign(case.row.config_path)
    if fixed.name != case.row.campaign:
        raise InputError(
            f"{fixed.source}: the campaign is called {fixed.name!r} now, but this evaluation is "
            f"one of {case.row.campaign!r}. Give it its name back."
        )
    before, after = case.row.config.report.deliveries(), fixed.report.deliveries()
    changed = [f"report.{key}" for key, value in after.items() if value != before[key]]
    if changed:
        with writing(case.work.engine) as connection:
            replace_deliveries(connection, case.name, fixed.report)
            note(connection, ", ".join(changed))
    return changed


def deliver_again(case: Case, *, first: Callable[[], object]) -> list[Ended]:
    """Bring the newest report to all who have not got it, also where runs have given up.

    Parameters
    ----------
    first
        Is called before anything leaves.

    Raises
    ------
    InputError
        If the environment lacks the password of the mail server.
    """
    engine, section = case.work.engine, case.campaign.report
    waiting = list_undelivered(engine, case.name, section, now=case.work.now)
    _check_password(case, waiting)
    if waiting:
        first()
    for row in waiting:
        bring_report(case, newest_final(engine, case.name), row.receiver, limit=None)
    left = {
        row.receiver: row for row in list_undelivered(engine, case.name, section, now=case.work.now)
    }
    return [Ended(row.receiver.name, left.get(row.receiver)) for row in waiting]


def _check_password(case: Case, waiting: list[Undelivered]) -> None:
    """Refuse to sign in without the password, which would cost everybody an attempt."""
    mail = case.campaign.report.mail
    name = None if mail is None else mail.password_env
    if name is None or name in os.environ:
        return
    if any(row.receiver.what == "report" for row in waiting):
        raise InputError(
            f"{name}, the password of the mail server (report.mail.password_env), is not set here; "
            "set it as where runs work."
        )
