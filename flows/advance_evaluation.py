"""Take the next steps of an evaluation until a person is needed."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

from prefect import flow, get_run_logger
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed
from pydantic import Field

from ocrjury.campaign.history import FINAL_STATES, Step
from ocrjury.campaign.state import accepts_ratings, next_step
from ocrjury.campaign.step_news import step_news
from ocrjury.delivery.resting_evaluations import Resting, find_resting, keep_resting
from ocrjury.errors import LostRaceError, OcrjuryError
from ocrjury.evaluation.next_rounds import Prospects, leaves_open
from ocrjury.evaluation.standings import (
    is_requested,
    lately_moved,
    send_waiting_signals,
    stand,
    unfinished_evaluations,
    was_anything_opened,
    why_unknown,
)
from ocrjury.flows import EvaluationName, name_errors_only, resting, run_name, tag_run, went_wrong
from ocrjury.signals.run_ends import (
    HELD,
    REFUSED,
    TYPES,
    WAITING_FOR_DELIVERY,
    WAITING_FOR_RATINGS,
)
from ocrjury.signals.unquoted_errors import why
from ocrjury.tasks import at_work, show_page, shown_pages
from ocrjury.tasks.collecting import (
    close_open_round,
    is_progress,
    measure_progress,
    open_next_round,
    rate_by_simulation,
    replan_late,
)
from ocrjury.tasks.decisions import take_requested
from ocrjury.tasks.delivery import (
    begin_lost_openings,
    deliver_report,
    has_news,
    tell_lead,
    tell_of_stuck_runs,
)
from ocrjury.tasks.estimation import estimate_pool
from ocrjury.tasks.frontends import (
    fetch_late,
    fetch_ratings,
    hand_out,
    is_anything_to_hand_out,
    is_anything_to_take_back,
    remind_late,
    take_back,
)
from ocrjury.tasks.gate import judge_pilot, judge_round
from ocrjury.tasks.holding import record_move
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
"""Task for each move between states; every other move is only recorded."""

ROUND_ENDS = ("rated", "aborted")
LONGEST_CHAIN = 200


@flow(name="advance-evaluation", flow_run_name=run_name, on_running=[name_errors_only, tag_run])
def advance_evaluation(
    evaluation: EvaluationName | None = None,
    reason: Annotated[str, Field(max_length=40)] = "person",  # noqa: ARG001  # it names the run
) -> State[None]:
    """Advance one evaluation, or without a name every one that can go on.

    Args:
        evaluation: Campaign and period, such as claims-2026w47: as on the evaluation's page
            at /artifacts, which lists all there are. Empty: all unfinished ones.
        reason: Why this run was started; shown in its name.
    """
    if not evaluation:
        _without_failing(begin_lost_openings)
    if not (evaluation or was_anything_opened()):
        return Completed(name="Swept", message="nothing was opened yet")
    if evaluation and (unknown := why_unknown(evaluation)):
        return Failed(name=REFUSED, message=unknown)
    end = advance_until_waiting(evaluation) if evaluation else sweep()
    send_waiting_signals()
    return end


def sweep() -> State[None]:
    """Advance every unfinished evaluation; one that fails does not stop the others."""
    known = find_resting(shown_pages)
    ends = {name: _end_of(name, known) for name in unfinished_evaluations()}
    if is_purge_due():
        ends["texts that are due"] = _purge_or_fail()
    _without_failing(tell_of_stuck_runs)
    for name in lately_moved():
        if name not in ends and name not in known.rests:
            _look_once_more(name, known)
    failed = [name for name, end in ends.items() if went_wrong(end)]
    if failed:
        reasons = "; ".join(f"{name}: {ends[name].message}" for name in failed)
        return Failed(message=f"{', '.join(failed)} failed; the others went on. {reasons}")
    ends_in_words = [f"{name}: {end.message or end.name}" for name, end in ends.items()]
    return Completed(name="Swept", message="; ".join(ends_in_words) or "nothing is open")


@at_work()  # the store is opened once for all steps
def advance_until_waiting(evaluation: str) -> State[None]:
    """Take steps until none is left that needs nobody; say how the evaluation stands then."""
    for _ in range(LONGEST_CHAIN):
        try:
            if is_requested(evaluation):
                take_requested(evaluation)
            prospects = stand(evaluation)
            if leaves_open(prospects.history):
                prospects = read_prospects(evaluation)
            show_page(evaluation)
            if not _went_on(prospects, next_step(prospects.history)):
                return _rest(prospects)
        except LostRaceError:
            get_run_logger().info("another run moved %s first; reading again", evaluation)
    return Failed(message=f"{evaluation}: {LONGEST_CHAIN} steps without rest")


def _rest(prospects: Prospects) -> State[None]:
    """Leave an evaluation to whoever is awaited, and tell the lead."""
    # A lead closes rounds too, and a run may have been stopped right after one ended.
    if prospects.asked:
        _take_back_left(prospects.evaluation)
    if has_news(prospects.evaluation):
        tell_lead(prospects.evaluation)
    return end_state(prospects)


def _went_on(prospects: Prospects, step: Step) -> bool:
    """Take a step; False if a person, a rater or a mail server is awaited."""
    if step.what == "progress":
        return _collect(prospects)
    if step.what == "delivery":
        return deliver_report(prospects.evaluation)
    # What was rated at the last moment decides about a round whose time is over, or a hold.
    if (step.rests or _is_overdue(prospects)) and _came_late(prospects):
        return True
    if not step.rests:
        _take(prospects, step)
    return not step.rests


def _take(prospects: Prospects, step: Step) -> None:
    """Take a step that needs nobody."""
    state = prospects.history.state
    if state == "rated" and prospects.history.pilot_last:
        judge_pilot(prospects, step)
    else:
        STEPS.get((state, step.to), record_move)(prospects, step)
    if step.to in ROUND_ENDS and prospects.elsewhere:
        take_back(prospects.evaluation)
    get_run_logger().info("%s: %s", prospects.evaluation, step_news(step))


def _collect(prospects: Prospects) -> bool:
    """Hand out what is open and fetch what was done; True if anything came in."""
    evaluation, came = prospects.evaluation, False
    if prospects.elsewhere and is_anything_to_hand_out(evaluation):
        hand_out(evaluation)
    if prospects.asked:
        came = fetch_ratings(evaluation)
    if is_progress(evaluation):
        measure_progress(evaluation)
    return came or (prospects.standing.evaluation.simulated and rate_by_simulation(evaluation))


def _take_back_left(evaluation: str) -> None:
    """Take back closed rounds that are still where raters worked, such as those of an abort."""
    if is_anything_to_take_back(evaluation):
        take_back(evaluation)


def _is_overdue(prospects: Prospects) -> bool:
    return prospects.history.state == "collecting" and prospects.history.last.overdue


def _came_late(prospects: Prospects) -> bool:
    """Fetch what was rated at the last moment or too late; True if anything came in."""
    if not (accepts_ratings(prospects.history) and prospects.elsewhere):
        return False
    if prospects.history.state == "held" and is_anything_to_hand_out(prospects.evaluation):
        remind_late(prospects.evaluation)
    return prospects.asked and fetch_late(prospects.evaluation)


def end_state(prospects: Prospects) -> State[None]:
    """End of the run: what is awaited, in a word and a sentence."""
    history = prospects.history
    if history.state == "collecting":
        done, left = history.last.ratings, history.last.open
        return resting(WAITING_FOR_RATINGS, f"{done} of {done + left} assignments")
    if history.state == "held":
        detail = prospects.standing.evaluation.held_detail or history.held_reason
        return resting(HELD, f"{history.held_reason}: {detail}")
    if history.state in FINAL_STATES:
        return Completed(name=history.state.capitalize(), message=prospects.evaluation)
    return resting(WAITING_FOR_DELIVERY, prospects.evaluation)


def _end_of(evaluation: str, known: Resting) -> State[None]:
    """Advance an evaluation, unless a run found before that there is nothing to do."""
    if (rest := known.rests.get(evaluation)) is not None:
        return resting(rest.word, rest.sentence)
    end = _advance_or_fail(evaluation)
    if end.name in TYPES:
        _keep_if_possible(evaluation, known, end)
    return end


def _look_once_more(evaluation: str, known: Resting) -> None:
    """Do what the last run of an evaluation that has ended may have left undone."""
    _without_failing(partial(_take_back_left, evaluation))
    if not _keep_if_possible(evaluation, known):
        _tell_if_possible(evaluation)


def _keep_if_possible(evaluation: str, known: Resting, end: State[None] | None = None) -> bool:
    """Keep that there is nothing to do, if that is so; else the next sweep looks again."""
    word, sentence = (str(end.name), str(end.message)) if end else ("", "")
    page = end is not None
    try:
        return keep_resting(evaluation, known, word=word, sentence=sentence, page=page)
    except Exception as error:  # noqa: BLE001  # as below: the other evaluations go on
        get_run_logger().info("the next sweep looks at %s again: %s", evaluation, error)
        return False


def _advance_or_fail(evaluation: str) -> State[None]:
    """Advance an evaluation; end with the error that stopped it."""
    try:
        return advance_until_waiting(evaluation)
    except Exception as error:  # noqa: BLE001  # of whatever kind, it is this evaluation's own
        get_run_logger().exception("%s failed", evaluation)
        reason = why(error)
        _tell_if_possible(evaluation, reason)
        return Failed(message=reason)


def _tell_if_possible(evaluation: str, reason: str | None = None) -> None:
    """Tell the lead of a failure, or how it stands; what is wrong may keep this from working."""
    try:
        if has_news(evaluation, reason):
            tell_lead(evaluation, reason)
    except Exception:  # noqa: BLE001  # as above: the other evaluations go on
        get_run_logger().exception("nobody could be told of %s", evaluation)


def _without_failing(look_after_runs: Callable[[], None]) -> None:
    """Look after runs of others; the sweep itself is as good without."""
    try:
        look_after_runs()
    except Exception:  # noqa: BLE001  # of whatever kind, the next sweep tries again
        get_run_logger().exception("other runs were not looked after")


def _purge_or_fail() -> State[None]:
    """Remove the texts that are due; end with the error that stopped it."""
    try:
        return Completed(message=purge_due())
    except LostRaceError as error:
        return Completed(message=f"another run is at it: {error}")
    except (OcrjuryError, OSError) as error:
        get_run_logger().exception("removing texts failed")
        return Failed(message=why(error))
