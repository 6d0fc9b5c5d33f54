"""The round that a step opens, with what has to be in the store before it."""

from collections.abc import Callable
from typing import NamedTuple

from ocrjury.campaign.history import Step
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.documents import enlarged_sample, keep_enlarged_sample
from ocrjury.evaluation.pilots import plan_pilot
from ocrjury.evaluation.prospects import needed_items
from ocrjury.evaluation.recalibration import RECALIBRATE, count_fresh, plan_recalibration
from ocrjury.evaluation.rounds import plan_main_round
from ocrjury.store.database import Connection
from ocrjury.store.decisions import add_decision
from ocrjury.store.rounds import RoundPlan

TOP_UP, AGAIN = "18", "27"

Keep = Callable[[Connection], None]


class NextRound(NamedTuple):
    """A round before it is opened, and what becomes part of the store in the same transaction."""

    plan: RoundPlan
    keep: Keep = lambda _connection: None


def plan_next_round(case: Case, step: Step, *, planned: RoundPlan | None) -> NextRound:
    """Round that a step of the table opens; `foresee` may have planned it behind the gate."""
    if step.what == "pilot":
        if step.row == AGAIN:
            return _recalibrating(case)
        pilot = plan_pilot(case)
        return NextRound(pilot.plan, lambda connection: pilot.keep(connection, case))
    if step.what == "main":
        return _main(case, step)
    if planned is None:
        raise InputError(f"nothing is left to ask in the {step.what} round; advance again.")
    return NextRound(planned)


def plan_top_up(case: Case, *, more: int) -> NextRound:
    """Plan the main round on the next documents in draw order that the gate asks for."""
    return _enlarged(case, more=more, for_gate=True)


def _enlarged(
    case: Case, *, more: int, dimensions: tuple[str, ...] = (), for_gate: bool = False
) -> NextRound:
    sample = enlarged_sample(case, more=more)
    return NextRound(
        plan_main_round(case, sample, dimensions=dimensions, for_gate=for_gate),
        lambda connection: keep_enlarged_sample(connection, case, sample),
    )


def _main(case: Case, step: Step) -> NextRound:
    """Plan a main round: the first, a top-up, or fresh items after a recalibration."""
    if step.row == TOP_UP:
        return plan_top_up(case, more=needed_items(case) or 0)
    if "main" not in case.kinds.values():
        return NextRound(plan_main_round(case))
    # A second recalibration on another dimension sets aside ratings on both.
    newest = max(number for number, kind in case.kinds.items() if kind == "main")
    practised = {
        name for round_ in case.rounds if round_.round > newest for name in round_.dimensions
    }
    several = tuple(name for name in case.dimensions if name in practised)
    dimensions = () if len(several) == len(case.dimensions) else several
    return _enlarged(case, more=count_fresh(case), dimensions=dimensions)


def _recalibrating(case: Case) -> NextRound:
    """Plan the pilot of a recalibration that the campaign asks for after a FAIL."""
    recalibration = plan_recalibration(case)

    def keep(connection: Connection) -> None:
        decision = add_decision(
            connection,
            case.standing.position,
            kind=RECALIBRATE,
            target={"raters": list(recalibration.raters), "dimensions": []},
            reason="gate.on_fail of the campaign is recalibrate",
            mover=case.work.mover,
        )
        recalibration.keep(connection, case, decision=decision)

    return NextRound(recalibration.plan, keep)
