"""Progress of a flow run: its step in words, and the share that is done."""

from typing import Any, NamedTuple

from ocrjury.campaign.decisions import DECISIONS
from ocrjury.errors import MissingDependencyError
from ocrjury.signals.server import request

STEPS: dict[str, str] = {
    "open-campaign": "reading the campaign",
    "score": "scoring the pool",
    "sample": "drawing the sample",
    "foresee": "planning the next round",
    "pilot": "opening the pilot round",
    "main": "opening the main round",
    "adaptive": "opening the adaptive round",
    "adjudication": "opening the adjudication",
    "panel": "opening the panel",
    "rehearse": "rating by simulated raters",
    "progress": "measuring the agreement so far",
    "close-round": "closing the round",
    "replan": "giving late assignments to others",
    "judge": "judging the round",
    "judge-pilot": "judging the pilot",
    "estimate": "estimating the pool",
    "report": "writing the report",
    "copy-report": "copying the report",
    "deliver": "bringing the report to its receivers",
    "tell-lead": "telling the lead",
    "hand-out": "handing out assignments",
    "remind": "reminding raters",
    "fetch": "fetching ratings",
    "fetch-late": "fetching late ratings",
    "take-back": "taking assignments back",
    "held": "holding the evaluation",
    "aborted": "ending the evaluation",
    "closed": "closing the evaluation",
    "requested": "taking the lead's decision",
    **{decision: f"taking the decision '{decision}'" for decision in DECISIONS},
    "purge-texts": "removing texts",
}
"""Words for the steps, by the end of the names of their task runs."""
PART = "score-batch-"
"""Beginning of the names of task runs that are parts of a step."""
_SECONDS = 5.0
_FEW = 5


class RunProgress(NamedTuple):
    """Step that a run takes, and how far it is; empty where nobody knows."""

    step: str = ""
    detail: str = ""


def read_progress(api: str, flow_run: str, *, key: str | None) -> RunProgress:
    """Progress of a run; a server that does not answer in time tells nothing."""
    running = {
        "flow_runs": {"id": {"any_": [flow_run]}},
        "task_runs": {"state": {"type": {"any_": ["RUNNING"]}}},
        "sort": "EXPECTED_START_TIME_ASC",
        "limit": _FEW,
    }
    try:
        tasks = _ask(f"{api}/task_runs/filter", running, key=key)
        steps = [task for task in tasks if not task["name"].startswith(PART)]
        if not steps:
            return RunProgress()
        bars = {"task_run_id": {"any_": [steps[-1]["id"]]}, "type": {"any_": ["progress"]}}
        shown = _ask(f"{api}/artifacts/filter", {"artifacts": bars, "limit": 1}, key=key)
        detail = shown[0]["description"] if shown else ""
        return RunProgress(step_words(steps[-1]["name"]), detail or "")
    except (MissingDependencyError, ValueError, LookupError, TypeError, AttributeError):
        return RunProgress()


def step_words(task: str) -> str:
    """Words for the step of a task run, with the evaluation that it is about; else its name.

    Examples
    --------
    >>> step_words("claims-2026w47-judge-pilot"), step_words("purge-texts"), step_words("other")
    ('claims-2026w47: judging the pilot', 'removing texts', 'other')
    """
    ends = [end for end in STEPS if task == end or task.endswith(f"-{end}")]
    if not ends:
        return task
    end = max(ends, key=len)
    evaluation = task.removesuffix(end).rstrip("-")
    return f"{evaluation}: {STEPS[end]}" if evaluation else STEPS[end]


def _ask(address: str, only: dict[str, Any], *, key: str | None) -> Any:
    return request("POST", address, key=key, timeout=_SECONDS, json=only).json()
