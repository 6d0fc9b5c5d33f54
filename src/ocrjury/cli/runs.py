"""Start a flow on the Prefect server, say where it can be watched, and wait until it ends."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ocrjury.cli.prefect_server import once_ready, require_server, server_answers
from ocrjury.cli.printing import Waiting, say, waiting
from ocrjury.errors import MissingDependencyError, OcrjuryError
from ocrjury.signals.run_ends import is_good

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Work
    from ocrjury.signals.deployments import StartedRun

ENDS = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")
NOT_FOUND = 404
POLL_SECONDS = 1.0
PATIENCE = 5
"""Questions in a row that a server may leave unanswered while a run is waited for."""


def start(deployment: str, parameters: Mapping[str, Any], *, wait: bool) -> int:
    """Start a deployment and return 0 if its run ends well, 1 if not; 0 at once without waiting.

    Parameters
    ----------
    deployment
        Flow and deployment, such as ``advance-evaluation/advance``.
    """
    from ocrjury.evaluation.run_labels import label_of
    from ocrjury.signals.deployments import start_deployment
    from ocrjury.signals.own_server import prefect_key

    api = require_server()
    flow, _, _ = deployment.partition("/")
    label = label_of(flow, parameters, scheduled=datetime.now(UTC))
    run = once_ready(
        lambda: start_deployment(
            api, deployment, parameters, key=prefect_key(api), label=label._asdict()
        )
    )
    say(f"Started: {run.address}")
    if not wait:
        return 0
    try:
        end = _wait(api, run)
    except KeyboardInterrupt as stopped:
        raise KeyboardInterrupt(
            f"Stopped waiting; the run itself goes on: {run.address}"
        ) from stopped
    return _report(end)


def _wait(api: str, run: "StartedRun") -> Mapping[str, Any]:
    """Flow run once it has ended."""
    began = time.monotonic()
    unanswered = 0
    with waiting("Waiting for the run") as line:
        while True:
            try:
                run_state = _read(api, run.flow_run)
                unanswered = 0
            except MissingDependencyError:
                unanswered += 1
                if unanswered >= PATIENCE:
                    raise
                run_state = {}
            state = run_state.get("state") or {}
            if state.get("type") in ENDS:
                return run_state
            _show(line, state, seconds=time.monotonic() - began)
            time.sleep(POLL_SECONDS)


def _read(api: str, flow_run: str) -> dict[str, Any]:
    from ocrjury.signals.own_server import prefect_key
    from ocrjury.signals.server import body_of, request

    answer = request("GET", f"{api}/flow_runs/{flow_run}", key=prefect_key(api))
    if answer.status_code == NOT_FOUND:
        raise OcrjuryError(f"Prefect at {api} no longer knows this run; somebody deleted it.")
    return body_of(answer)


def _show(line: Waiting, state: Mapping[str, Any], *, seconds: float) -> None:
    """Say what the run does, and what may be missing if it does nothing."""
    name = state.get("name", "no answer")
    what = f"The run is {name}"
    if name == "Late":
        what += "; no worker has taken it yet. Is `ocrjury up` running?"
    line.update(what, detail=f"{seconds:.0f} s")


def _report(run: Mapping[str, Any]) -> int:
    state = run["state"]
    message = state.get("message") or ""
    say(f"{run['name']}: {state['name']}" + (f", {message}" if message else ""))
    return 0 if is_good(state) else 1


def round_news(work: "Work", evaluation: str, *, complete: bool) -> str:
    """Progress of the open round; Prefect is told about a complete one, and goes on."""
    from ocrjury.evaluation.overview import show_overview
    from ocrjury.signals.events import send_signals
    from ocrjury.signals.own_server import prefect_address, prefect_key

    api, case = prefect_address(), work.case(evaluation)
    answers = server_answers(api)
    if answers:
        show_overview(case)
    if not complete:
        last = case.standing.history.last
        assigned = last.ratings + last.open
        return f"{last.ratings:,} of {assigned:,} assignments of round {last.number} are done."
    if answers and send_signals(work.engine, api=api, key=prefect_key(api)):
        return "The round is complete; Prefect was told and goes on."
    return f"The round is complete. Go on with: ocrjury evaluation advance {evaluation}"
