"""Open an evaluation of a campaign for a period."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury import __version__
from ocrjury.campaign.config import Campaign, read_campaign
from ocrjury.campaign.period import period_name
from ocrjury.campaign.registry import RaterEntry, read_raters
from ocrjury.errors import InputError
from ocrjury.store.database import writing
from ocrjury.store.evaluations import Opening, add_evaluation
from ocrjury.store.raters import keep_raters
from tasks.work import at_work


class Opened(NamedTuple):
    """The evaluation of a campaign and period, and whether it is new."""

    evaluation: str
    new: bool


@task(task_run_name="open-campaign", cache_policy=NO_CACHE)
def open_campaign(
    campaign_path: str, *, period: str | None, seed: int | None, scheduled: datetime
) -> Opened:
    """Read a campaign and its raters, and open its evaluation unless there is one.

    Parameters
    ----------
    period
        Name of the period; None takes the ISO week of `scheduled` in the campaign's time zone.
    seed
        Instead of the campaign's own.
    """
    campaign = read_campaign(campaign_path)
    people = read_raters(campaign.raters_path)
    opening = opening_of(
        campaign,
        people,
        period=period or period_name(scheduled, campaign.time_zone),
        seed=campaign.seed if seed is None else seed,
    )
    with at_work() as work, writing(work.engine) as connection:
        keep_raters(connection, people)
        return Opened(
            *add_evaluation(connection, opening, now=work.now, actor="flow", run_id=work.run_id)
        )


def opening_of(
    campaign: Campaign, people: Sequence[RaterEntry], *, period: str, seed: int
) -> Opening:
    """Return what is fixed when an evaluation opens."""
    _refuse_pilots(campaign)
    return Opening(
        campaign=campaign.name,
        period=period,
        config=campaign.to_json(),
        config_hash=campaign.config_hash,
        config_path=str(campaign.source or ""),
        rubric=campaign.rubric.to_json(),
        rubric_hash=campaign.rubric.rubric_hash,
        raters=[person.pseudonym for person in people],
        pool_uri=campaign.pool_location,
        seed=seed,
        package_version=__version__,
        simulated=campaign.simulated,
    )


def _refuse_pilots(campaign: Campaign) -> None:
    """Raise where a campaign asks for pilot rounds."""
    if campaign.rounds.pilot.items or campaign.gate.on_fail == "recalibrate":
        raise InputError(
            f"{campaign.source}: pilot rounds are not available in version {__version__}. "
            "Set rounds.pilot.items to 0 and gate.on_fail to hold, proceed or abort."
        )
