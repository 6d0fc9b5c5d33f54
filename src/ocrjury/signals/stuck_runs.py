"""Runs that need a person: blocked, late, crashed or failed."""

from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from ocrjury.language import tr
from ocrjury.signals.ended_runs import CAMPAIGN, EndedRuns, Run, ask, evaluation_of, file_of, tag_of
from ocrjury.signals.run_counts import TAG

BLOCKED_AFTER = timedelta(minutes=10)
"""Time for which a run may wait for another one to end."""
_MOST = 20

Trouble = Literal["blocked", "late", "crashed", "failed"]


class StuckRun(NamedTuple):
    """A run, its trouble, when it should have begun, and whose it is; a sweep is everybody's.

    `message` says why it failed; `command` opens the evaluation of `file` that it was to open and
    has not; `decision` is the one that it was to store first, and may not have. `over`: a later run
    went on, so that only a second crash would need a person.
    """

    name: str
    trouble: Trouble
    due: datetime
    flow_run: str = ""
    evaluation: str | None = None
    campaign: str | None = None
    message: str = ""
    command: str = ""
    file: str = ""
    decision: str = ""
    over: bool = False


class Explained(NamedTuple):
    """Problem of a run and its remedy, in the language of the moment."""

    sentence: str
    remedy: str


def explain(run: StuckRun, *, moment: str) -> Explained:
    """Sentences about a run; `moment` is when it should have begun, as its reader writes it."""
    facts = {"run": run.name, "moment": moment}
    sentence = {
        "blocked": lambda: tr("The run {run} has waited for another run since {moment}.", **facts),
        "late": lambda: tr("No worker has taken the run {run} since {moment}.", **facts),
        "crashed": lambda: tr(
            "The process of the run {run} ended in the middle; it began {moment}.", **facts
        ),
        "failed": lambda: (
            tr("The run {run}, which began {moment}, failed: {why}", why=run.message, **facts)
            if run.message
            else tr("The run {run}, which began {moment}, failed.", **facts)
        ),
    }[run.trouble]()
    return Explained(sentence, _remedy(run))


def _remedy(run: StuckRun) -> str:
    """Remedy for a run."""
    if run.command and run.trouble == "failed":
        return tr("Fix that, then open the evaluation: `{command}`.", command=run.command)
    if run.command:
        return tr(
            "It has opened no evaluation, and no other run does: `{command}`.", command=run.command
        )
    if run.decision and run.trouble == "crashed":
        return tr(
            "The decision {decision} may be lost: if `ocrjury evaluation show {evaluation}` does "
            "not list it, take it again.",
            decision=run.decision,
            evaluation=run.evaluation or "",
        )
    return {
        "blocked": lambda: tr(
            "Cancel the run that is in its way in the Prefect UI, or restart `ocrjury up`."
        ),
        "late": lambda: tr("Start `ocrjury up`, or a worker."),
        "crashed": lambda: tr(
            "The next sweep goes on. If that crashes, too, its log in the Prefect UI says more; "
            "often the machine lacks memory."
        ),
        "failed": lambda: tr("The next sweep tries again. The log in the Prefect UI says more."),
    }[run.trouble]()


def list_stuck(api: str, *, key: str | None, now: datetime) -> list[StuckRun]:
    """Runs of ocrjury that are stuck, the oldest first; none if nobody answers."""
    try:
        blocked = _waiting(api, key, "AwaitingConcurrencySlot", before=now - BLOCKED_AFTER)
        late = _waiting(api, key, "Late", before=now)
        ended = EndedRuns(api, key, now=now)
        stuck = [
            *(_stuck(run, "blocked") for run in blocked),
            *(_stuck(run, "late") for run in late),
            *(_ended(run, ended) for run in ended.runs),
        ]
    except (LookupError, TypeError, ValueError):  # something else than Prefect answered
        return []
    return sorted(stuck, key=lambda run: run.due)


def _waiting(api: str, key: str | None, state: str, *, before: datetime) -> list[Run]:
    """Runs in a state that were due before a time."""
    only = {
        "tags": {"all_": [TAG]},
        "state": {"name": {"any_": [state]}},
        "expected_start_time": {"before_": before.isoformat()},
    }
    return ask(api, "/flow_runs/filter", {"flow_runs": only, "limit": _MOST}, key=key)


def _ended(run: Run, ended: EndedRuns) -> StuckRun:
    """A run that failed or crashed, with what is known of it."""
    crashed, command = run["state_type"] == "CRASHED", ended.command(run)
    stuck = _stuck(run, "crashed" if crashed else "failed")
    return stuck._replace(
        over=not stuck.decision and ended.is_settled(run),
        evaluation=None if run in ended.lost else evaluation_of(run),
        message="" if crashed else ended.message(run),
        command=command,
        file=file_of(run),
    )


def _stuck(run: Run, trouble: Trouble) -> StuckRun:
    return StuckRun(
        run["name"],
        trouble,
        datetime.fromisoformat(run["expected_start_time"]),
        flow_run=run["id"],
        evaluation=run["parameters"].get("evaluation"),
        campaign=tag_of(run, CAMPAIGN),
        decision=_unstored(run),
    )


def _unstored(run: Run) -> str:
    """Decision of a form in Prefect; one of the command line was stored before its run."""
    given = run["parameters"]
    return "" if given.get("request") else given.get("decision") or ""
