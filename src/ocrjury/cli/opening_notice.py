"""Notice of `ocrjury evaluation open` before it opens: the store, the server, the recipients."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.campaign.capabilities import RATING_PAGE
from ocrjury.campaign.period import PERIOD
from ocrjury.campaign.settings import Settings
from ocrjury.cli.printing import remark, say
from ocrjury.cli.store_access import chosen_store, open_at
from ocrjury.errors import InputError
from ocrjury.pages.numbers import plural

if TYPE_CHECKING:
    from ocrjury.campaign.config import Campaign
    from ocrjury.campaign.registry import RaterEntry
    from ocrjury.store.evaluations import Evaluation

MOST_NAMES = 10
LARGEST_SEED = 2**63 - 1


def check_choices(period: str | None, seed: int | None) -> None:
    """Refuse what the flow would, in words that a person reads.

    Raises
    ------
    InputError
        If a period cannot be part of a name, or a seed is none.
    """
    if period is not None and not re.fullmatch(PERIOD, period):
        raise InputError(
            "--period may have up to 60 letters, digits, dots, hyphens and underscores, the first "
            f"of them no dot or hyphen; found {period!r}."
        )
    if seed is not None and not 0 <= seed <= LARGEST_SEED:
        raise InputError(f"--seed must be from 0 to {LARGEST_SEED}; found {seed}.")


def read_files(file: Path) -> "tuple[Campaign, Sequence[RaterEntry]]":
    """Campaign of a file and its raters; a bad file that it names is refused, too."""
    from ocrjury.campaign.config import read_campaign
    from ocrjury.campaign.gold_file import read_gold
    from ocrjury.campaign.registry import read_raters
    from ocrjury.readers.masks import read_masks

    campaign = read_campaign(file)
    people = read_raters(campaign.raters_path)
    if campaign.gold_path is not None:
        read_gold(campaign.gold_path, campaign.rubric)
    if campaign.masks_path is not None:
        read_masks(campaign.masks_path)
    return campaign, people


def tell_and_ask(
    campaign: "Campaign", people: "Sequence[RaterEntry]", api: str, *, sure: bool
) -> None:
    """Name store, server and who is mailed; ask before anybody is, unless somebody is sure.

    Raises
    ------
    InputError
        If the answer is no, or nobody is there to answer.
    """
    settings = Settings.from_environment()
    remark(f"Store: {chosen_store(settings)}")
    remark(f"Prefect server: {api}")
    if other := _of_another_file(campaign, settings):
        remark(other)
    mailed = _mailed(campaign, people, settings)
    for line in mailed:
        remark(line)
    if not mailed or sure:
        return
    if not sys.stdin.isatty():
        raise InputError("Nothing was opened: people would be emailed. Add --yes if that is right.")
    remark("Open it? [y/N]")
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise InputError("Nothing was opened.")


def tell_unread(campaign: "Campaign") -> None:
    """Say what the pool of the newest evaluation of a campaign lost, if it lost anything."""
    from ocrjury.pages.unread_words import unread_of

    settings = Settings.from_environment()
    if (row := _newest(campaign, settings)) is not None:
        with open_at(settings) as work:
            unread = unread_of(work.engine, row.evaluation, documents=row.pool_size)
        if unread:
            say(f"{unread} `ocrjury campaign check {campaign.source}` names them.")


def _of_another_file(campaign: "Campaign", settings: Settings) -> str | None:
    """Sentences on the last evaluation with this campaign's name, if it is of another file."""
    if campaign.simulated or campaign.source is None:
        return None
    last = _newest(campaign, settings)
    if last is None or Path(last.config_path).resolve() == campaign.source.resolve():
        return None
    return (
        f"{last.evaluation}, the last one of a campaign with this name, is of another file: "
        f"{last.config_path}. Reports compare the two; if they are not one campaign, rename "
        "this one."
    )


def _newest(campaign: "Campaign", settings: Settings) -> "Evaluation | None":
    """Newest evaluation of a campaign with this name, rated by people or simulated as this one."""
    from ocrjury.store.evaluations import list_evaluations

    if not settings.store_exists:
        return None
    with open_at(settings) as work:
        rows = list_evaluations(work.engine)
    kind = (campaign.name, campaign.simulated)
    return next((row for row in rows if (row.campaign, row.simulated) == kind), None)


def _mailed(campaign: "Campaign", people: "Sequence[RaterEntry]", settings: Settings) -> list[str]:
    """Lines on who gets emails; none without a mail server, and no raters if they are simulated."""
    report = campaign.report
    if report.mail is None:
        return []
    raters = [person.pseudonym for person in people if person.email]
    invited = raters if campaign.rounds.frontend == RATING_PAGE and settings.rating_url else []
    readers = [recipient.address for recipient in report.recipients]
    groups = (
        ("Invitations and reminders go to", invited),
        ("News for the lead goes to", report.leads_told),
        ("The report goes to", readers),
    )
    host = f"by {report.mail.host}:{report.mail.port}"
    return [f"{what} {_some(names)} ({host})" for what, names in groups if names]


def _some(names: Sequence[str]) -> str:
    """Names, as many as can be read."""
    left = len(names) - MOST_NAMES
    more = [plural(left, "other", "others")] if left > 0 else []
    return ", ".join([*names[:MOST_NAMES], *more])
