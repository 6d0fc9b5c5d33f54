"""Open an evaluation of a campaign for a period."""

from datetime import datetime

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.config import read_campaign
from ocrjury.evaluation import opening
from ocrjury.evaluation.opening import Opened
from ocrjury.report.html import check_templates
from ocrjury.signals.ended_runs import OPENS
from ocrjury.tasks import at_work


@task(task_run_name=OPENS, cache_policy=NO_CACHE)
def open_campaign(
    campaign_path: str, *, period: str | None, seed: int | None, scheduled: datetime
) -> Opened:
    """Read a campaign and its raters, and open its evaluation unless there is one."""
    campaign = read_campaign(campaign_path)
    with at_work(new=True) as work:  # a store before any trouble: its ledger tells the leads of it
        check_templates(campaign.report.templates or {})
        return opening.open_campaign(work, campaign, period=period, seed=seed, scheduled=scheduled)
