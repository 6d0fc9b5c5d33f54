"""Fill in what only a computation can tell of an evaluation's history."""

from dataclasses import replace
from itertools import pairwise

from ocrjury.campaign.history import History
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.lateness import plan_late_assignments
from ocrjury.evaluation.recalibration import anything_fresh
from ocrjury.evaluation.rounds import plan_adaptive_round, plan_adjudication, plan_panel
from ocrjury.store.histories import Standing
from ocrjury.store.results import latest_verdicts


def foresee(case: Case) -> Standing:
    """Return the standing with the prospects that its state asks for."""
    history = case.standing.history
    if history.state == "judged" and not history.estimated_once:
        history = _after_judgement(case, history)
    elif history.state == "collecting" and history.last.overdue and not history.last.replanned:
        last = replace(history.last, spare=_spare(case))
        history = replace(history, rounds=(*history.rounds[:-1], last))
    return case.standing._replace(history=history)


def needed_items(case: Case) -> int | None:
    """Return how many more items the newest verdict asks for, None if more cannot help."""
    verdicts = latest_verdicts(case.work.engine, case.name)
    return verdicts[0].needed_items if verdicts else None


def _after_judgement(case: Case, history: History) -> History:
    """Return the history with what may follow a verdict; a later row is asked only if needed."""
    if history.pilot_last:
        return history  # a main round follows, whatever was said of an earlier one
    if not history.passed:
        # Without fresh documents a recalibration could not go on; a lead decides instead.
        spent = history.recalibrated or not anything_fresh(case)
        return replace(history, can_top_up=_can_top_up(case, history), recalibrated=spent)
    if case.campaign.rubric.scale.kind == "interval":
        # Uncertain is a label that another one could be; a slider has none, and two raters who
        # set it to 71 and 73 need no adjudicator.
        return history
    if plan_adaptive_round(case) is not None:
        return replace(history, gain=True)
    if plan_adjudication(case) is not None:
        return replace(history, disputed=True)
    return replace(history, unsettled=plan_panel(case) is not None)


def _can_top_up(case: Case, history: History) -> bool:
    """Return whether the items that the gate asks for may and can be drawn.

    A top-up may at most double the sample that the lead asked for.
    """
    needed = needed_items(case)
    if needed is None or history.verdict != "INCONCLUSIVE":
        return False
    # The first main round and one after a recalibration follow a pilot or nothing.
    kinds = [round_.kind for round_ in history.rounds]
    used = sum(pair == ("main", "main") for pair in pairwise(kinds))
    sampled = len(case.sample)
    left = (case.row.pool_size or 0) - sampled
    return used < case.campaign.rounds.top_ups and needed <= min(sampled, left)


def _spare(case: Case) -> bool:
    """Return whether other raters could take over what is late."""
    try:
        return bool(plan_late_assignments(case))
    except InputError:
        return False
