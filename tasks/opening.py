"""Open an evaluation of a campaign for a period."""

from datetime import datetime

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.evaluation import opening
from ocrjury.evaluation.opening import Opened
from ocrjury.tasks import at_work


@task(task_run_name="open-campaign", cache_policy=NO_CACHE)
def open_campaign(
    campaign_path: str, *, period: str | None, seed: int | None, scheduled: datetime
) -> Opened:
    """Read a campaign and its raters, and open its evaluation unless there is one."""
    with at_work() as work:
        return opening.open_campaign(
            work, campaign_path, period=period, seed=seed, scheduled=scheduled
        )
