"""Open an evaluation of a campaign, and take it as far as it goes without a person."""

from datetime import UTC, datetime

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Completed

from ocrjury.campaign.bundled import EXAMPLE
from ocrjury.evaluation.standings import name_of_opening, send_waiting_signals
from ocrjury.flows.advance_evaluation import advance_until_waiting
from ocrjury.tasks.opening import open_campaign


def run_name() -> str:
    """Name of this run."""
    parameters = flow_run.parameters
    scheduled = flow_run.scheduled_start_time or datetime.now(UTC)
    return name_of_opening(
        parameters["campaign"], period=parameters.get("period"), scheduled=scheduled
    )


@flow(name="open-evaluation", flow_run_name=run_name)
def open_evaluation(
    campaign: str = str(EXAMPLE),
    period: str | None = None,
    seed: int | None = None,
) -> State[None]:
    """Open the evaluation of a campaign for a period, unless there is one.

    Parameters
    ----------
    campaign
        Absolute path of a campaign.yaml; the bundled example's by default.
    period
        Name of the period; empty takes the ISO week of this run's scheduled start.
    seed
        Instead of the campaign's own.
    """
    scheduled = flow_run.scheduled_start_time or datetime.now(UTC)
    opened = open_campaign(campaign, period=period, seed=seed, scheduled=scheduled)
    if not opened.new:
        return Completed(name="AlreadyOpen", message=opened.evaluation)
    end = advance_until_waiting(opened.evaluation)
    send_waiting_signals()
    return end
