"""State of evaluations, for the flows."""

import os
from datetime import datetime
from pathlib import PurePath

from ocrjury.campaign.config import read_campaign
from ocrjury.campaign.period import period_name
from ocrjury.errors import OcrjuryError
from ocrjury.evaluation.case import at_work
from ocrjury.signals import send_signals
from ocrjury.signals.own_server import prefect_address, prefect_key
from ocrjury.store.decisions import list_requested, waiting_request
from ocrjury.store.evaluations import list_unfinished


def unfinished_evaluations() -> list[str]:
    """Evaluations that a sweep advances, also those that a lead has decided about."""
    with at_work() as work:
        return list(dict.fromkeys([*list_requested(work.engine), *list_unfinished(work.engine)]))


def is_requested(evaluation: str) -> bool:
    """Whether a decision that a lead asked for at the desk waits to be taken."""
    with at_work() as work:
        return waiting_request(work.engine, evaluation) is not None


def send_waiting_signals() -> None:
    """Announce to Prefect what was not announced yet; without a server it waits."""
    if os.environ.get("PREFECT_API_URL"):
        api = prefect_address()
        with at_work() as work:
            send_signals(work.engine, api=api, key=prefect_key(api))


def name_of_opening(campaign_path: str, *, period: str | None, scheduled: datetime) -> str:
    """Name of a run that opens an evaluation."""
    try:
        campaign = read_campaign(campaign_path)
    except OcrjuryError:
        # The run itself says what is wrong.
        return f"{PurePath(campaign_path).parent.name}-open"
    return f"{campaign.name}-{period or period_name(scheduled, campaign.time_zone)}-r00-open"


def name_of_run(evaluation: str, step: str) -> str:
    """Name of a run: evaluation, number of the last round, step."""
    try:
        with at_work() as work:
            rounds = work.case(evaluation).standing.history.rounds
    except OcrjuryError:
        # The run itself will say what is wrong; its name must not stop it.
        return f"{evaluation}-{step}"
    number = rounds[-1].number if rounds else 0
    return f"{evaluation}-r{number:02d}-{step}"
