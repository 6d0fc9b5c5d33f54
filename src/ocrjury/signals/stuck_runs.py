"""Runs that need a person: blocked, late or crashed."""

from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from ocrjury.errors import MissingDependencyError
from ocrjury.language import tr
from ocrjury.signals.run_counts import TAG
from ocrjury.signals.server import request

BLOCKED_AFTER = timedelta(minutes=10)
"""So long a run may wait for another one to end."""
CRASHED_SINCE = timedelta(days=1)
CAMPAIGN = "campaign:"
"""Beginning of the tag of a campaign's runs."""
_MOST = 20
_SECONDS = 2.0

Trouble = Literal["blocked", "late", "crashed"]


class StuckRun(NamedTuple):
    """A run, its trouble, when it should have begun, and whose it is; a sweep is everybody's."""

    name: str
    trouble: Trouble
    due: datetime
    flow_run: str = ""
    evaluation: str | None = None
    campaign: str | None = None


class Explained(NamedTuple):
    """What is wrong with a run, and what to do, in the language of the moment."""

    sentence: str
    remedy: str


def explain(run: StuckRun, *, moment: str) -> Explained:
    """Sentences about a run; `moment` is when it should have begun, as its reader writes it."""
    facts = {"run": run.name, "moment": moment}
    sentence, remedy = {
        "blocked": lambda: (
            tr("The run {run} has waited for another run since {moment}.", **facts),
            tr("Cancel the run that is in its way in the Prefect UI, or restart `ocrjury up`."),
        ),
        "late": lambda: (
            tr("No worker has taken the run {run} since {moment}.", **facts),
            tr("Start `ocrjury up`, or a worker."),
        ),
        "crashed": lambda: (
            tr("The process of the run {run} ended in the middle; it began {moment}.", **facts),
            tr("Its log in the Prefect UI says more; often the machine lacks memory."),
        ),
    }[run.trouble]()
    return Explained(sentence, remedy)


def list_stuck(api: str, *, key: str | None, now: datetime) -> list[StuckRun]:
    """Runs of ocrjury that are stuck, the oldest first; none if nobody answers."""
    stuck = [
        *_runs(api, key, _due("AwaitingConcurrencySlot", before=now - BLOCKED_AFTER)),
        *_runs(api, key, _due("Late", before=now)),
        *_runs(api, key, _due("Crashed", before=now, after=now - CRASHED_SINCE)),
    ]
    return sorted(stuck, key=lambda run: run.due)


def _due(state: str, *, before: datetime, after: datetime | None = None) -> dict[str, Any]:
    """Filter for runs in a state that were due at a time."""
    due = {"before_": before.isoformat()} | ({} if after is None else {"after_": after.isoformat()})
    return {
        "tags": {"all_": [TAG]},
        "state": {"name": {"any_": [state]}},
        "expected_start_time": due,
    }


def _runs(api: str, key: str | None, only: dict[str, Any]) -> list[StuckRun]:
    body = {"flow_runs": only, "limit": _MOST}
    try:
        answer = request("POST", f"{api}/flow_runs/filter", key=key, timeout=_SECONDS, json=body)
        return [_stuck(run) for run in answer.json()]
    except (MissingDependencyError, ValueError, LookupError, TypeError):
        return []


def _stuck(run: dict[str, Any]) -> StuckRun:
    words: dict[str, Trouble] = {"Late": "late", "Crashed": "crashed"}
    due = datetime.fromisoformat(run["expected_start_time"])
    campaigns = (tag.removeprefix(CAMPAIGN) for tag in run["tags"] if tag.startswith(CAMPAIGN))
    return StuckRun(
        run["name"],
        words.get(run["state_name"], "blocked"),
        due,
        flow_run=run["id"],
        evaluation=run["parameters"].get("evaluation"),
        campaign=next(campaigns, None),
    )
