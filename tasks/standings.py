"""Where evaluations stand, for the flows."""

import os

from ocrjury.errors import OcrjuryError
from ocrjury.signals import send_signals
from ocrjury.store.evaluations import list_unfinished
from ocrjury.store.histories import Standing
from tasks.prospects import foresee
from tasks.work import at_work


def read_prospects(evaluation: str) -> Standing:
    """Return where an evaluation stands, with what can only be computed."""
    with at_work() as work:
        return foresee(work.case(evaluation))


def unfinished_evaluations() -> list[str]:
    """Return the evaluations that a sweep advances."""
    with at_work() as work:
        return list_unfinished(work.engine)


def send_waiting_signals() -> None:
    """Announce to Prefect what was not announced yet; without a server it waits."""
    api = os.environ.get("PREFECT_API_URL")
    if api:
        with at_work() as work:
            send_signals(work.engine, api=api)


def name_of_run(evaluation: str, step: str) -> str:
    """Return a run's name: evaluation, number of the last round, step."""
    try:
        with at_work() as work:
            rounds = work.case(evaluation).standing.history.rounds
    except OcrjuryError:
        # The run itself will say what is wrong; its name must not stop it.
        return f"{evaluation}-{step}"
    number = rounds[-1].number if rounds else 0
    return f"{evaluation}-r{number:02d}-{step}"
