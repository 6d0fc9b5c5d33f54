"""Runs of the last day that failed or crashed, as long as no later run made up for them.

An opening counts as one only until it has opened its evaluation, for which no other run does
that. From then on it is a run of that evaluation, which the next sweep takes further.
"""

import shlex
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

import httpx

from ocrjury import errors
from ocrjury.errors import MissingDependencyError, OcrjuryError
from ocrjury.signals.run_counts import TAG
from ocrjury.signals.run_ends import HELD, REFUSED, TYPES
from ocrjury.signals.server import all_rows, request

OPENING, OPENS = "open-evaluation", "open-campaign"
"""The flow that opens an evaluation, and its task that stores it."""
CAMPAIGN, EVALUATION = "campaign:", "evaluation:"
"""Beginnings of the tags of a run."""
SINCE = timedelta(days=1)
TRIES = 3
"""Number of times that an opening begins if its process ends before there is an evaluation."""
AGAIN = "Its process ended before there was an evaluation; it begins again."
NEVER_BEGUN = "A worker took it and did not begin it; the next one does."
BEGINS_WITHIN = timedelta(minutes=30)
"""More than a machine takes to start a process, or a cluster to fetch an image."""
_LONGEST = 600
_SECONDS = 2.0
_RAISED = "exception: "
_OURS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, OcrjuryError)
}

Run = dict[str, Any]

_BADLY = {"type": {"any_": ["FAILED", "CRASHED"]}, "name": {"not_any_": [HELD, REFUSED]}}
_WELL = {"operator": "or_", "type": {"any_": ["COMPLETED"]}, "name": {"any_": list(TYPES)}}


class EndedRuns:
    """Runs that ended badly, those of which a person should know."""

    def __init__(self, api: str, key: str | None, *, now: datetime) -> None:
        self._api, self._key, self._since = api, key, now - SINCE
        bad = self._due(_BADLY)
        self._lost = lost_openings(api, bad, key=key)
        self._good = self._due(_WELL) if bad else []
        self.runs = self._unsettled(bad)

    def command(self, run: Run) -> str:
        """Command that opens what a run should have; empty if it did, was no opening, or will."""
        if run["id"] not in self._lost or begins_again(run):
            return ""
        words = ["ocrjury", "evaluation", "open", file_of(run) or "campaign.yaml"]
        name, campaign = tag_of(run, EVALUATION), tag_of(run, CAMPAIGN)
        if name and campaign:
            words += ["--period", name.removeprefix(f"{campaign}-")]
        return shlex.join(words)

    @property
    def lost(self) -> list[Run]:
        """Openings that have opened nothing, and which no later one made up for."""
        return [run for run in self.runs if run["id"] in self._lost]

    def never_begun(self, before: datetime) -> list[Run]:
        """Runs that a worker took before a moment and has not begun yet."""
        taken = self._due({"type": {"any_": ["PENDING"]}})
        return [run for run in taken if _entered(run) < before]

    def message(self, run: Run) -> str:
        """Reason why a run failed, if our own error gives it: others may quote a document."""
        if run["id"] not in self._lost and evaluation_of(run) is None:
            return ""  # a sweep's names evaluations that not every lead sees
        message = " ".join(own_words(run.get("state") or {}).split())
        return message if len(message) <= _LONGEST else f"{message[:_LONGEST]}..."

    def _unsettled(self, bad: Sequence[Run]) -> list[Run]:
        """Newest failures of each thing; every crash of what goes on by itself."""
        newest: dict[tuple[str, str | None], Run] = {}
        for run in bad:
            newest.setdefault(self._about(run), run)
        return [
            run
            for run in bad
            if (run["state_type"] == "CRASHED" and run["id"] not in self._lost)
            or (run is newest[self._about(run)] and not self.is_settled(run))
        ]

    def is_settled(self, run: Run) -> bool:
        """Return whether a later run did it, or a later sweep took everything further."""
        about = self._about(run)
        later = [each for each in self._good if _due_at(each) > _due_at(run)]
        if run["id"] in self._lost:
            return any(file_of(each) == file_of(run) for each in later)
        return any(_is_sweep(each) or self._about(each) == about for each in later)

    def _about(self, run: Run) -> tuple[str, str | None]:
        """Campaign file of an opening, else the evaluation; neither for a sweep."""
        return (file_of(run), None) if run["id"] in self._lost else ("", evaluation_of(run))

    def _due(self, state: Run) -> list[Run]:
        """Runs of ocrjury in a state, the newest first."""
        only = {
            "tags": {"all_": [TAG]},
            "state": state,
            "expected_start_time": {"after_": self._since.isoformat()},
        }
        body = {"flow_runs": only, "sort": "EXPECTED_START_TIME_DESC"}
        return ask(self._api, "/flow_runs/filter", body, key=self._key)


def own_words(state: Run) -> str:
    """Message of a run's state; of an error the sentence if it is ours, else its kind alone.

    Examples
    --------
    >>> own_words({"message": "Flow run encountered an exception: InputError: raters.csv is gone."})
    'raters.csv is gone.'
    """
    message = str(state.get("message") or "")
    _, raised, why = message.partition(_RAISED)
    if not raised:
        return message
    kind, _, sentence = why.partition(": ")
    return sentence if kind in _OURS else kind


def begin_again(api: str, *, key: str | None, now: datetime) -> list[str]:
    """Put back openings whose process ended before there was an evaluation; return their names.

    No other run does what they should have; one that is open already is not opened twice. So are
    runs of all kinds whose worker was killed when it had taken them and not yet begun them: Prefect
    never does anything about these.
    """
    ended = EndedRuns(api, key, now=now)
    lost = [(run, AGAIN) for run in ended.lost if begins_again(run)]
    again = [*lost, *((run, NEVER_BEGUN) for run in ended.never_begun(now - BEGINS_WITHIN))]
    for run, why in again:
        state = {"state": {"type": "SCHEDULED", "message": why}, "force": True}
        path = f"{api}/flow_runs/{run['id']}/set_state"
        request("POST", path, key=key, timeout=_SECONDS, json=state)
    return [run["name"] for run, _ in again]


def begins_again(run: Run) -> bool:
    """Return whether an opening that opened nothing begins again; a failed one would fail again."""
    return run["state_type"] != "FAILED" and int(run["run_count"]) < TRIES


def lost_openings(api: str, runs: Iterable[Run], *, key: str | None) -> frozenset[str]:
    """Openings among some runs that have opened nothing, as far as Prefect knows."""
    if not (runs := list(runs)):
        return frozenset()
    body: Run = {"flows": {"name": {"any_": [OPENING]}}}
    flows = {flow["id"] for flow in ask(api, "/flows/filter", body, key=key)}
    openings = sorted(run["id"] for run in runs if run["flow_id"] in flows)
    if not openings:
        return frozenset()
    done = {"name": {"any_": [OPENS]}, "state": {"type": {"any_": ["COMPLETED"]}}}
    body = {"flow_runs": {"id": {"any_": openings}}, "task_runs": done}
    tasks = ask(api, "/task_runs/filter", body, key=key)
    return frozenset(openings) - {task["flow_run_id"] for task in tasks}


def ask(api: str, path: str, body: Run, *, key: str | None) -> list[Run]:
    """All rows that Prefect has, or as many as the body asks for; none if nobody answers."""

    def rows(page: Run) -> list[Run]:
        whole = {**body, **page}
        answer = request("POST", f"{api}{path}", key=key, timeout=_SECONDS, json=whole)
        return list(answer.raise_for_status().json())

    try:
        return rows({}) if "limit" in body else all_rows(rows)
    except (MissingDependencyError, httpx.HTTPError, ValueError, TypeError, LookupError):
        return []


def tag_of(run: Run, beginning: str) -> str | None:
    """Campaign or evaluation that a run is tagged with."""
    return next((t.removeprefix(beginning) for t in run["tags"] if t.startswith(beginning)), None)


def evaluation_of(run: Run) -> str | None:
    """Evaluation that a run is about, None for a sweep."""
    return run["parameters"].get("evaluation") or tag_of(run, EVALUATION)


def _is_sweep(run: Run) -> bool:
    return evaluation_of(run) is None and not file_of(run)


def file_of(run: Run) -> str:
    """Campaign file that a run opens an evaluation of, empty for others."""
    return str(run["parameters"].get("campaign") or "")


def _due_at(run: Run) -> datetime:
    return datetime.fromisoformat(run["expected_start_time"])


def _entered(run: Run) -> datetime:
    """Time at which a run came into its state."""
    return datetime.fromisoformat(run["state"]["timestamp"])
