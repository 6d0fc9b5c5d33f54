"""Possible next moves that only a computation can tell, and the round that a step opens."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from ocrjury.campaign.capabilities import ASKED, HANDED_OUT
from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.history import History, Opening, Step
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.documents import enlarge_sample
from ocrjury.evaluation.inference import Inferred, infer_truths
from ocrjury.evaluation.lateness import plan_late_assignments
from ocrjury.evaluation.pilots import plan_pilot
from ocrjury.evaluation.recalibration import (
    Recalibration,
    count_fresh,
    plan_if_possible,
)
from ocrjury.evaluation.rounds import (
    plan_adaptive_round,
    plan_adjudication,
    plan_main_round,
    plan_panel,
)
from ocrjury.gate.verdict import RECALIBRATE
from ocrjury.step_parts import Parts, Tick, unwatched
from ocrjury.store.database import Connection
from ocrjury.store.decisions import add_decision
from ocrjury.store.histories import Standing
from ocrjury.store.moves import Position
from ocrjury.store.results import latest_verdicts
from ocrjury.store.rounds import NewAssignment, RoundPlan

Keep = Callable[[Connection], None]


class RoundToOpen(NamedTuple):
    """A round before it is opened, and what becomes part of the store in the same transaction."""

    plan: RoundPlan
    keep: Keep = lambda _connection: None


def plan_round_to_open(
    case: Case, step: Step, *, planned: RoundPlan | Recalibration | None
) -> RoundToOpen:
    """Round that a step of the table opens; what follows a verdict was planned by `foresee`."""
    if (plan := _BEFORE_THE_GATE.get(step.opens)) is not None:
        return plan(case)
    if planned is None:
        raise InputError(f"nothing is left to ask in the {step.what} round; advance again.")
    if isinstance(planned, Recalibration):
        return _recalibrating(case, planned)
    return RoundToOpen(planned)


def _pilot(case: Case) -> RoundToOpen:
    pilot = plan_pilot(case)
    return RoundToOpen(pilot.plan, lambda connection: pilot.keep(connection, case))


def _top_up(case: Case) -> RoundToOpen:
    return plan_top_up(case, more=_top_up_size(case) or 0)


def plan_top_up(case: Case, *, more: int) -> RoundToOpen:
    """Plan the main round on the next documents in draw order that the gate asks for."""
    return _enlarged(case, more=more, for_gate=True)


def _enlarged(
    case: Case, *, more: int, dimensions: tuple[str, ...] = (), for_gate: bool = False
) -> RoundToOpen:
    sample = enlarge_sample(case, more=more)
    return RoundToOpen(
        plan_main_round(case, sample.items, dimensions=dimensions, for_gate=for_gate),
        lambda connection: sample.keep(connection, case),
    )


def _main(case: Case) -> RoundToOpen:
    """Plan a main round: the first, or new items after a recalibration."""
    if "main" not in case.kinds.values():
        return RoundToOpen(plan_main_round(case))
    # A second recalibration on another dimension sets aside ratings on both.
    newest = max(number for number, kind in case.kinds.items() if kind == "main")
    practised = {
        name for round_ in case.rounds if round_.round > newest for name in round_.dimensions
    }
    several = tuple(name for name in case.dimensions if name in practised)
    dimensions = () if len(several) == len(case.dimensions) else several
    return _enlarged(case, more=count_fresh(case), dimensions=dimensions)


def _recalibrating(case: Case, recalibration: Recalibration) -> RoundToOpen:
    """Pilot of a recalibration that the campaign asks for after a FAIL, with its decision."""

    def keep(connection: Connection) -> None:
        decision = add_decision(
            connection,
            case.standing.position,
            kind=RECALIBRATE,
            target=DecisionTarget(raters=recalibration.raters),
            reason="gate.on_fail of the campaign is recalibrate",
            mover=case.work.mover,
        )
        recalibration.keep(connection, case, decision=decision)

    return RoundToOpen(recalibration.plan, keep)


_BEFORE_THE_GATE: Mapping[Opening | None, Callable[[Case], RoundToOpen]] = {
    "pilot": _pilot,
    "main": _main,
    "top_up": _top_up,
}
"""Functions that plan the rounds before the gate; `foresee` plans the others."""


@dataclass(frozen=True)
class Prospects:
    """Standing of an evaluation, and the computed facts on which its next move depends.

    Attributes
    ----------
    round
        The round that would ask where another rating or a decision pays, or the recalibration
        after a FAIL; None without one.
    takeover
        New assignments of what is late in the open round.
    """

    standing: Standing
    round: RoundPlan | Recalibration | None = None
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
        return self._frontend in HANDED_OUT

    @property
    def asked(self) -> bool:
        """Whether rounds are rated where somebody has to ask for the ratings."""
        return self._frontend in ASKED

    @property
    def _frontend(self) -> str:
        return self.standing.evaluation.config.rounds.frontend

    @property
    def history(self) -> History:
        """History that the table of states reads."""
        return self.standing.history


def leaves_open(history: History) -> bool:
    """Return whether only `foresee` tells what follows: after a verdict, or with a late round."""
    if history.state == "judged":
        return not history.estimated_once
    return history.state == "collecting" and history.last.overdue and not history.last.replanned


def foresee(case: Case, *, tick: Tick = unwatched) -> Prospects:
    """Compute what the state of an evaluation leaves open: rounds that pay, late work, top-ups."""
    history = case.standing.history
    if not leaves_open(history):
        return Prospects(case.standing)
    if history.state == "judged":
        return _after_judgement(case, history, Parts(tick, 2))
    takeover = _takeover(case)
    last = replace(history.last, spare=bool(takeover))
    history = replace(history, rounds=(*history.rounds[:-1], last))
    return Prospects(case.standing._replace(history=history), takeover=takeover)


def needed_items(case: Case) -> int | None:
    """Further items that the newest verdict asks for, None if more cannot help."""
    verdicts = latest_verdicts(case.work.engine, case.name)
    return verdicts[0].needed_items if verdicts else None


def _after_judgement(case: Case, history: History, parts: Parts) -> Prospects:
    """Plan what may follow a verdict; a later kind of round only where an earlier one is idle."""
    known = Prospects(case.standing)
    if history.pilot_last:
        return known  # a main round follows, whatever an earlier verdict said
    if not history.passed:
        asks = history.verdict == "FAIL" and history.policy.on_fail == "recalibrate"
        asks = asks and not history.recalibrated
        recalibration = plan_if_possible(case) if asks else None
        # Where no recalibration is possible, a lead decides instead.
        spent = history.recalibrated or (asks and recalibration is None)
        history = replace(history, can_top_up=_can_top_up(case, history), recalibrated=spent)
        return Prospects(case.standing._replace(history=history), round=recalibration)
    if all(scale.kind == "interval" for scale in case.campaign.rubric.scales.values()):
        # A label is uncertain if another one is possible; a continuous scale has no labels, and
        # two raters who set it to 71 and 73 need no adjudicator.
        return known
    parts.begin("truths of the items")
    inferred = infer_truths(case).of_labels
    parts.begin("ratings that would pay")
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
    """Return whether another top-up is allowed and would help."""
    if history.verdict != "INCONCLUSIVE" or _top_up_size(case) is None:
        return False
    # The first main round and one after a recalibration follow a pilot or nothing.
    kinds = [round_.kind for round_ in history.rounds]
    used = sum(pair == ("main", "main") for pair in pairwise(kinds))
    return used < case.campaign.rounds.top_ups


def _top_up_size(case: Case) -> int | None:
    """Items of a top-up, None if it is not worth its ratings.

    As many as the gate asks for; it may at most double the sample that the lead asked for. With
    less than half of them, or too few to decide, a PASS is less likely than not.
    """
    needed = needed_items(case)
    if needed is None:
        return None
    sampled = len(case.sample)
    size = min(needed, sampled, (case.row.pool_size or 0) - sampled)
    enough = sampled + size >= case.campaign.gate.min_items
    return size if enough and 2 * size >= needed else None


def _takeover(case: Case) -> tuple[NewAssignment, ...]:
    """Assignments by which other raters take over what is late, () if they cannot."""
    try:
        return plan_late_assignments(case)
    except InputError:
        return ()
