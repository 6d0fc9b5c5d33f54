"""Possible next moves that only a computation can tell; planned once, passed on."""

from dataclasses import dataclass, replace
from itertools import pairwise

from ocrjury.campaign.history import History
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.inference import Inferred, infer_truths
from ocrjury.evaluation.lateness import plan_late_assignments
from ocrjury.evaluation.recalibration import anything_fresh
from ocrjury.evaluation.rounds import plan_adaptive_round, plan_adjudication, plan_panel
from ocrjury.store.histories import Standing
from ocrjury.store.moves import Position
from ocrjury.store.results import latest_verdicts
from ocrjury.store.rounds import NewAssignment, RoundPlan


@dataclass(frozen=True)
class Prospects:
    """Standing of an evaluation, and the computed facts on which its next move depends.

    Attributes
    ----------
    round
        The round that would ask where another rating or a decision pays; None without one.
    takeover
        New assignments of what is late in the open round.
    """

    standing: Standing
    round: RoundPlan | None = None
    takeover: tuple[NewAssignment, ...] = ()

    @property
    def evaluation(self) -> str:
        """Name of the evaluation."""
        return self.standing.position.evaluation

    @property
    def position(self) -> Position:
        """Position from which the next move starts."""
        return self.standing.position

    @property
    def elsewhere(self) -> bool:
        """Whether rounds are handed out, to the rating page, workbooks or Label Studio."""
        frontend = self.standing.evaluation.config["rounds"]["frontend"]
        return frontend in {"web", "sheets", "labelstudio"}

    @property
    def history(self) -> History:
        """History that the table of states reads."""
        return self.standing.history


def foresee(case: Case, *, inferred: Inferred | None = None) -> Prospects:
    """Compute what the state of an evaluation leaves open: rounds that pay, late work, top-ups.

    ``inferred`` are the truths of the case, where they are inferred already.
    """
    history = case.standing.history
    if history.state == "judged" and not history.estimated_once:
        return _after_judgement(case, history, inferred)
    if history.state == "collecting" and history.last.overdue and not history.last.replanned:
        takeover = _takeover(case)
        last = replace(history.last, spare=bool(takeover))
        history = replace(history, rounds=(*history.rounds[:-1], last))
        return Prospects(case.standing._replace(history=history), takeover=takeover)
    return Prospects(case.standing)


def needed_items(case: Case) -> int | None:
    """Further items that the newest verdict asks for, None if more cannot help."""
    verdicts = latest_verdicts(case.work.engine, case.name)
    return verdicts[0].needed_items if verdicts else None


def _after_judgement(case: Case, history: History, inferred: Inferred | None) -> Prospects:
    """Plan what may follow a verdict; a later kind of round only where an earlier one is idle."""
    known = Prospects(case.standing)
    if history.pilot_last:
        return known  # a main round follows, whatever an earlier verdict said
    if not history.passed:
        # Without fresh documents a recalibration could not go on; a lead decides instead.
        spent = history.recalibrated or not anything_fresh(case)
        history = replace(history, can_top_up=_can_top_up(case, history), recalibrated=spent)
        return replace(known, standing=case.standing._replace(history=history))
    if case.campaign.rubric.scale.kind == "interval":
        # A label is uncertain if another one is possible; a continuous scale has no labels, and
        # two raters who set it to 71 and 73 need no adjudicator.
        return known
    inferred = inferred or infer_truths(case)
    planned, now_due = _behind_the_gate(case, history, inferred)
    return Prospects(case.standing._replace(history=now_due), round=planned)


def _behind_the_gate(
    case: Case, history: History, inferred: Inferred
) -> tuple[RoundPlan | None, History]:
    """Plan the first kind of round that has something to ask, and mark it in the history."""
    if (adaptive := plan_adaptive_round(case, inferred)) is not None:
        return adaptive, replace(history, gain=True)
    if (adjudication := plan_adjudication(case, inferred)) is not None:
        return adjudication, replace(history, disputed=True)
    panel = plan_panel(case)
    return panel, replace(history, unsettled=panel is not None)


def _can_top_up(case: Case, history: History) -> bool:
    """Whether the items that the gate asks for may and can be drawn.

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


def _takeover(case: Case) -> tuple[NewAssignment, ...]:
    """Assignments by which other raters take over what is late, () if they cannot."""
    try:
        return plan_late_assignments(case)
    except InputError:
        return ()
