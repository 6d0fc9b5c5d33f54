"""Open an evaluation of a campaign, and take it as far as it goes without a person."""

from datetime import UTC, datetime
from typing import Annotated

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Completed
from pydantic import Field

from ocrjury.campaign.bundled_example import EXAMPLE
from ocrjury.campaign.period import PERIOD
from ocrjury.campaign.section_values import Seed
from ocrjury.evaluation.standings import send_waiting_signals
from ocrjury.flows import name_errors_only, run_name, tag_run
from ocrjury.flows.advance_evaluation import advance_until_waiting
from ocrjury.tasks.opening import open_campaign


@flow(name="open-evaluation", flow_run_name=run_name, on_running=[name_errors_only, tag_run])
def open_evaluation(
    campaign: Annotated[str, Field(min_length=1, max_length=4096)] = str(EXAMPLE),
    period: Annotated[str, Field(pattern=PERIOD)] | None = None,
    seed: Seed | None = None,
) -> State[None]:
    """Open the evaluation of a campaign for a period, unless there is one.

    Args:
        campaign: Absolute path of a campaign.yaml on the worker's machine; by default the example.
        period: Last part of the evaluation's name, such as 2026w47 or pilot1. Empty: the ISO week.
        seed: Number from which sample and assignments are drawn. Empty: the campaign's own.
    """
    scheduled = flow_run.scheduled_start_time or datetime.now(UTC)
    opened = open_campaign(campaign, period=period, seed=seed, scheduled=scheduled)
    if not opened.new:
        return Completed(name="AlreadyOpen", message=opened.already(campaign))
    end = advance_until_waiting(opened.evaluation)
    send_waiting_signals()
    return end
