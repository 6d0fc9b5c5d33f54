"""Take the next steps of an evaluation until a person is needed."""

from collections.abc import Callable

from prefect import flow, get_run_logger
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Completed, Failed

from ocrjury.campaign.history import Step
from ocrjury.campaign.state import accepts_ratings, next_step
from ocrjury.errors import LostRaceError, OcrjuryError
from ocrjury.evaluation.standings import (
    name_of_run,
    send_waiting_signals,
    unfinished_evaluations,
)
from ocrjury.store.histories import Standing
from ocrjury.tasks.collecting import (
    close_open_round,
    open_next_round,
    rate_by_simulation,
    replan_late,
    show_progress,
)
from ocrjury.tasks.delivery import deliver_report
from ocrjury.tasks.desk import is_requested, take_requested
from ocrjury.tasks.estimation import estimate_pool
from ocrjury.tasks.frontends import (
    fetch_late,
    fetch_ratings,
    hand_out,
    is_elsewhere,
    remind_late,
    take_back,
)
from ocrjury.tasks.gate import judge_round
from ocrjury.tasks.holding import record_move
from ocrjury.tasks.pilot_verdict import judge_pilot
from ocrjury.tasks.privacy import is_purge_due, purge_due
from ocrjury.tasks.prospects import read_prospects
from ocrjury.tasks.report import write_report
from ocrjury.tasks.sampling import draw_items
from ocrjury.tasks.scoring import score_pool

STEPS: dict[tuple[str, str], Callable[..., None]] = {
    ("opened", "scored"): score_pool,
    ("scored", "sampled"): draw_items,
    ("sampled", "collecting"): open_next_round,
    ("collecting", "collecting"): replan_late,
    ("collecting", "rated"): close_open_round,
    ("held", "rated"): close_open_round,
    ("rated", "judged"): judge_round,
    ("judged", "collecting"): open_next_round,
    ("judged", "estimated"): estimate_pool,
    ("estimated", "reported"): write_report,
}
"""What takes an evaluation from a state to the next; every other move only writes itself down."""

DEADLINE_PASSED = ("11", "12", "13")
"""Rows that decide about a round by what was rated until then."""
ROUND_ENDS = ("rated", "aborted")
LONGEST_CHAIN = 200


def run_name() -> str:
    """Return the name of this run: evaluation, round and step, or the reason of a sweep."""
    evaluation = flow_run.parameters.get("evaluation")
    if not evaluation:
        return f"sweep-{flow_run.parameters.get('reason', 'schedule')}"
    return name_of_run(evaluation, "advance")


@flow(name="advance-evaluation", flow_run_name=run_name)
def advance_evaluation(
    evaluation: str | None = None,
    reason: str = "person",  # noqa: ARG001  # it names the run
) -> State[None]:
    """Advance one evaluation, or without a name every one that can go on.

    Parameters
    ----------
    evaluation
        Name of an evaluation; empty sweeps over all unfinished ones.
    reason
        Why this run was started; shown in its name.
    """
    end = advance_until_waiting(evaluation) if evaluation else sweep()
    send_waiting_signals()
    return end


def sweep() -> State[None]:
    """Advance every unfinished evaluation; one that fails does not stop the others."""
    ends = {name: _advance_or_fail(name) for name in unfinished_evaluations()}
    if is_purge_due():
        ends["texts that are due"] = _purge_or_fail()
    failed = [name for name, end in ends.items() if end.is_failed()]
    if failed:
        return Failed(message=f"{', '.join(failed)} failed, see the log; the others went on")
    said = [f"{name}: {end.message or end.name}" for name, end in ends.items()]
    return Completed(name="Swept", message="; ".join(said) or "nothing is open")


def advance_until_waiting(evaluation: str) -> State[None]:
    """Return how an evaluation stands once no step is left that needs nobody."""
    for _ in range(LONGEST_CHAIN):
        try:
            if is_requested(evaluation):
                take_requested(evaluation)
            standing = read_prospects(evaluation)
            step = next_step(standing.history)
            if not _went_on(standing, step):
                return end_state(standing)
        except LostRaceError:
            get_run_logger().info("another run moved %s first; reading again", evaluation)
    return Failed(message=f"{evaluation}: {LONGEST_CHAIN} steps without rest")


def _went_on(standing: Standing, step: Step) -> bool:
    """Take a step; return False if a person, a rater or a mail server is awaited."""
    position = standing.position
    if step.row == "10":
        return _collect(standing)
    if step.row == "30a":
        return deliver_report(position.evaluation)
    if (step.rests or step.row in DEADLINE_PASSED) and _came_late(standing):
        return True
    if step.rests:
        return False
    if position.state == "rated" and standing.history.pilot_last:
        judge_pilot(position, step)
    else:
        STEPS.get((position.state, step.to), record_move)(position, step)
    if step.to in ROUND_ENDS and is_elsewhere(standing):
        take_back(position.evaluation)
    get_run_logger().info("%s -> %s: %s (row %s)", position.state, step.to, step.what, step.row)
    return True


def _collect(standing: Standing) -> bool:
    """Hand out what is open and fetch what was done; return whether anything came in."""
    evaluation, came = standing.position.evaluation, False
    if is_elsewhere(standing):
        hand_out(evaluation)
        came = fetch_ratings(evaluation)
    show_progress(standing)
    return came or (standing.evaluation.simulated and rate_by_simulation(evaluation))


def _came_late(standing: Standing) -> bool:
    """Fetch what was rated at the last moment or too late, and return whether anything came in."""
    if not (accepts_ratings(standing.history) and is_elsewhere(standing)):
        return False
    if standing.history.state == "held":
        remind_late(standing.position.evaluation)
    return fetch_late(standing.position.evaluation)


def end_state(standing: Standing) -> State[None]:
    """Return the end of the run: what is awaited, in a word and a sentence."""
    history = standing.history
    if history.state == "collecting":
        done, left = history.last.ratings, history.last.open
        return Completed(name="WaitingForRatings", message=f"{done} of {done + left} ratings")
    if history.state == "held":
        detail = standing.evaluation.held_detail or history.held_reason
        return Completed(name="Held", message=f"{history.held_reason}: {detail}")
    name = {"closed": "Closed", "aborted": "Aborted"}.get(history.state, "WaitingForDelivery")
    return Completed(name=name, message=standing.position.evaluation)


def _advance_or_fail(evaluation: str) -> State[None]:
    """Return how an evaluation stands, or the error that stopped it."""
    try:
        return advance_until_waiting(evaluation)
    except (OcrjuryError, OSError) as error:
        get_run_logger().exception("%s failed", evaluation)
        return Failed(message=str(error))


def _purge_or_fail() -> State[None]:
    """Return what became of the texts whose time is over, or the error that stopped it."""
    try:
        return Completed(message=purge_due())
    except (OcrjuryError, OSError) as error:
        get_run_logger().exception("removing texts failed")
        return Failed(message=str(error))
