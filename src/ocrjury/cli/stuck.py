"""Runs that are stuck, as `ocrjury status` and `ocrjury doctor` show them."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ocrjury.cli.printing import say
from ocrjury.cli.runs import server_answers

if TYPE_CHECKING:
    from ocrjury.signals.stuck_runs import StuckRun


def stuck_runs() -> "list[StuckRun]":
    """Runs that are blocked, late or crashed; none without a server."""
    from ocrjury.signals.own_server import prefect_address, prefect_key
    from ocrjury.signals.stuck_runs import list_stuck

    api = prefect_address()
    if not server_answers(api):
        return []
    return list_stuck(api, key=prefect_key(api), now=datetime.now(UTC))


def say_stuck() -> None:
    """Print a line for each run that is stuck, with what to do."""
    for run in stuck_runs():
        say(f"{describe(run)}: {remedy(run)}.")


def describe(run: "StuckRun") -> str:
    """Run, its trouble, and since when."""
    return f"run {run.name} is {run.trouble} since {run.due.astimezone():%Y-%m-%d %H:%M}"


def remedy(run: "StuckRun") -> str:
    """What to do about a run."""
    from ocrjury.signals.stuck_runs import REMEDIES

    return REMEDIES[run.trouble]
