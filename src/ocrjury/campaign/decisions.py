"""What a lead may decide, where, and where it leads.

A decision never skips the table: it moves the evaluation once, and ``advance`` goes on from there.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from ocrjury.campaign.history import OPEN_STATES, HeldReason, History, Opening, State, Step
from ocrjury.errors import RefusedError, StateError
from ocrjury.language import phrase

if TYPE_CHECKING:
    from ocrjury.campaign.decision_targets import DecisionTarget

Decision = Literal[
    "proceed",
    "retry",
    "extend",
    "reassign",
    "drop",
    "close",
    "recalibrate",
    "rerun judge",
    "rerun estimate",
    "rerun report",
    "abort",
]
DECISIONS: tuple[Decision, ...] = get_args(Decision)

LATE: tuple[HeldReason, ...] = ("overdue", "no_ratings")
AT_THE_GATE: tuple[HeldReason, ...] = ("gate_failed", "inconclusive", "pilot")
MENDABLE: tuple[HeldReason, ...] = ("pool", "plan", "error")


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One row: ``decision`` fits these states and holds and leads ``to``.

    Parameters
    ----------
    to
        None: back to the state that the hold interrupted.
    held
        Reasons of a hold that it fits; for other states empty.
    rated, waiting
        It needs a rating in the round; it needs an assignment still open.
    needs
        What the lead must name with it: a field of the target.
    opens
        Round that it opens, None where it opens none.
    """

    row: str
    decision: Decision
    states: tuple[State, ...]
    to: State | None
    held: tuple[HeldReason, ...] = ()
    rated: bool = False
    waiting: bool = False
    needs: str | None = None
    opens: Opening | None = None

    def fits(self, history: History) -> bool:
        """Whether an evaluation with this history takes the decision."""
        return (
            history.state in self.states
            and (not self.held or history.held_reason in self.held)
            and (not self.rated or history.last.ratings > 0)
            and (not self.waiting or history.last.open > 0)
        )


# `extend` on a late round with nothing open would hold again at once: `reassign` is the way out.
DECISION_TABLE: tuple[DecisionRow, ...] = (
    DecisionRow("25", "proceed", ("held",), "judged", held=AT_THE_GATE),
    DecisionRow("25", "proceed", ("held",), "rated", held=("overdue",), rated=True),
    DecisionRow("28", "retry", ("held",), None, held=MENDABLE),
    DecisionRow("14", "extend", ("collecting",), "collecting", needs="days"),
    DecisionRow("26", "extend", ("held",), "collecting", held=LATE, waiting=True, needs="days"),
    DecisionRow(
        "19a",
        "extend",
        ("held",),
        "collecting",
        held=("inconclusive",),
        needs="items",
        opens="top_up",
    ),
    DecisionRow("26", "reassign", ("held",), "collecting", held=LATE),
    DecisionRow("14", "drop", ("collecting",), "collecting", needs="raters"),
    DecisionRow("14", "close", ("collecting",), "rated", rated=True),
    DecisionRow(
        "27", "recalibrate", ("held",), "collecting", held=AT_THE_GATE, opens="recalibration"
    ),
    DecisionRow("32", "rerun judge", ("judged", "estimated", "reported"), "rated"),
    DecisionRow("32", "rerun estimate", ("estimated", "reported"), "judged"),
    DecisionRow("32", "rerun report", ("reported",), "estimated"),
    DecisionRow("31", "abort", OPEN_STATES, "aborted"),
)


def allowed(history: History) -> tuple[Decision, ...]:
    """Decisions that this evaluation takes now, in the order of `DECISIONS`.

    Examples
    --------
    >>> allowed(History("held", "plan", "scored"))
    ('retry', 'abort')
    """
    return tuple(dict.fromkeys(row.decision for row in DECISION_TABLE if row.fits(history)))


def decide(history: History, decision: str, *, target: "DecisionTarget | None" = None) -> Step:
    """Step that a lead's decision makes; its ``what`` is the decision.

    Parameters
    ----------
    target
        A decision that needs one of its fields is refused without it; None leaves this check to the
        caller.

    Raises
    ------
    RefusedError
        The decision does not fit; the sentence names those that do.

    Examples
    --------
    >>> decide(History("reported"), "rerun estimate")
    Step(row='32', to='judged', what='rerun estimate', rests=False, opens=None)
    """
    row = next((r for r in DECISION_TABLE if r.decision == decision and r.fits(history)), None)
    if row is None:
        raise RefusedError(_refusal(history, decision))
    if row.needs and target is not None and not getattr(target, row.needs):
        raise RefusedError(
            phrase(
                "'{decision}' on an evaluation that is {place} needs {what}; found none.",
                decision=decision,
                place=history.place,
                what=row.needs,
            )
        )
    return Step(row.row, row.to or _interrupted(history), decision, opens=row.opens)


def _refusal(history: History, decision: str) -> str:
    if decision not in DECISIONS:
        reason = phrase("There is no decision '{decision}'", decision=decision)
    else:
        reason = phrase(
            "'{decision}' does not fit an evaluation that is {place}",
            decision=decision,
            place=history.place,
        )
    if possible := ", ".join(allowed(history)):
        return phrase("{reason}; possible: {possible}.", reason=reason, possible=possible)
    return phrase("{reason}; it takes no decision.", reason=reason)


def _interrupted(history: History) -> State:
    if history.held_from is None:
        raise StateError(
            f"An evaluation that is {history.place} knows which state it was held from; found "
            "none. Abort it and open a new one."
        )
    return history.held_from
