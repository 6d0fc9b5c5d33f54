"""Sentences on receivers whom a report has not reached: who, why, and what follows."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from ocrjury.campaign.delivery_sections import What
from ocrjury.campaign.sections import Report
from ocrjury.language import tr, trn
from ocrjury.pages.moments import local_minute
from ocrjury.store.database import Engine
from ocrjury.store.sendings import ATTEMPTS
from ocrjury.store.undelivered_reports import Undelivered, list_undelivered

_NOT_THERE: Final[Mapping[What, Callable[[str], str]]] = {
    "report": lambda name: tr("The report has not reached {receiver}", receiver=name),
    "publication": lambda name: tr("The report is not published in {place}", place=name),
    "webhook": lambda name: tr("The webhook {name} has not been told of the report", name=name),
}


def undelivered_texts(
    engine: Engine, evaluation: str, section: Report, *, zone: str, now: datetime
) -> list[str]:
    """Sentences on each receiver who has not got the newest report; none where all have it."""
    waiting = list_undelivered(engine, evaluation, section, now=now)
    return [undelivered_text(row, evaluation, zone=zone) for row in waiting]


def undelivered_text(row: Undelivered, evaluation: str, *, zone: str) -> str:
    """Sentences on a receiver whom the report has not reached."""
    what = _NOT_THERE[row.receiver.what](row.receiver.name)
    why, command = row.detail.rstrip("."), deliver_command(evaluation)
    moment = "" if row.moment is None else local_minute(row.moment, zone)
    if row.progress == "given_up":
        return trn(
            "{what}: {why}. It was given up after {n} attempt. `{command}` tries again, with the "
            "addresses and servers that campaign.yaml then has.",
            "{what}: {why}. It was given up after {n} attempts. `{command}` tries again, with the "
            "addresses and servers that campaign.yaml then has.",
            row.attempts,
            what=what,
            why=why,
            command=command,
        )
    if row.progress == "failed":
        return tr(
            "{what}: {why}. The first run after {moment} makes attempt {next} of {most}; "
            "`{command}` makes it at once, with the addresses and servers that campaign.yaml then "
            "has.",
            what=what,
            why=why,
            moment=moment,
            next=row.attempts + 1,
            most=ATTEMPTS,
            command=command,
        )
    if row.progress == "under way":
        return tr("{what}: an attempt has been under way since {moment}.", what=what, moment=moment)
    return tr("{what}: no attempt was made yet; the next run makes one.", what=what)


def deliver_command(evaluation: str) -> str:
    """Command that brings a report to all who have not got it."""
    return f"ocrjury report {evaluation} --deliver"
