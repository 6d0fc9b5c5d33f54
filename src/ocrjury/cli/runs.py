"""Start a flow on the Prefect server, say where it can be watched, and wait until it ends."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ocrjury.cli.prefect_server import once_ready, require_server, server_answers
from ocrjury.cli.printing import say
from ocrjury.cli.run_wait import RunWait
from ocrjury.signals.run_ends import is_good

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Work


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
        end = RunWait(api, run).until_end()
    except KeyboardInterrupt as stopped:
        raise KeyboardInterrupt(
            f"Stopped waiting; the run itself goes on: {run.address}"
        ) from stopped
    return _report(end)


def _report(run: Mapping[str, Any]) -> int:
    from ocrjury.signals.ended_runs import own_words

    state = run["state"]
    message = own_words(state)
    say(f"{run['name']}: {state['name']}" + (f", {message}" if message else ""))
    if state["type"] == "CRASHED":
        say("What was stored before is safe; `ocrjury status` says how it goes on.")
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
