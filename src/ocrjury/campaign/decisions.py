"""Decisions of a lead: the states in which each is allowed, and the state to which it leads.

A decision never skips the table: it moves the evaluation once, and ``advance`` goes on from there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from ocrjury.campaign.history import OPEN_STATES, HeldReason, History, Opening, State, Step
from ocrjury.errors import RefusedError, StateError
from ocrjury.language import Phrase, phrase

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
Needed = Literal["days", "items", "raters"]
_NEEDED: Final[Mapping[Needed, Phrase]] = {
    "days": phrase("a number of days"),
    "items": phrase("a number of items"),
    "raters": phrase("a rater or more"),
}
"""Parts of a target that a decision needs, in words."""

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
    settled
        It needs that earlier rounds suffice: the round is a top-up, or follows the gate.
    fresh
        It needs documents of the pool that no main round asked about.
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
    settled: bool = False
    fresh: bool = False
    needs: Needed | None = None
    opens: Opening | None = None

    def is_about(self, history: History) -> bool:
        """Return whether the decision is one for this state and hold."""
        return history.state in self.states and (not self.held or history.held_reason in self.held)

    def fits(self, history: History) -> bool:
        """Return whether an evaluation with this history takes the decision."""
        return (
            self.is_about(history)
            and not (self.fresh and history.drawn_whole)
            and (not self.rated or history.last.ratings > 0)
            and (not self.waiting or history.last.open > 0)
            and (not self.settled or _rated_before(history))
        )


def _rated_before(history: History) -> bool:
    """Return whether earlier ratings suffice to go on: in a top-up, or after the gate."""
    kinds = [round_.kind for round_ in history.rounds]
    return kinds[-2:] == ["main", "main"] or kinds[-1] not in {"pilot", "main"}


# `extend` on a late round with nothing open would hold again at once: `reassign` is the way out.
DECISION_TABLE: tuple[DecisionRow, ...] = (
    DecisionRow("25", "proceed", ("held",), "judged", held=AT_THE_GATE),
    DecisionRow("25", "proceed", ("held",), "rated", held=("overdue",), rated=True),
    DecisionRow("25", "proceed", ("held",), "rated", held=("no_ratings",), settled=True),
    DecisionRow("28", "retry", ("held",), None, held=MENDABLE),
    DecisionRow("14", "extend", ("collecting",), "collecting", needs="days"),
    DecisionRow("26", "extend", ("held",), "collecting", held=LATE, waiting=True, needs="days"),
    DecisionRow(
        "19a",
        "extend",
        ("held",),
        "collecting",
        held=("inconclusive",),
        fresh=True,
        needs="items",
        opens="top_up",
    ),
    DecisionRow("26", "reassign", ("held",), "collecting", held=LATE),
    DecisionRow("14", "drop", ("collecting",), "collecting", needs="raters"),
    DecisionRow("14", "close", ("collecting",), "rated", rated=True),
    DecisionRow(
        "27",
        "recalibrate",
        ("held",),
        "collecting",
        held=AT_THE_GATE,
        fresh=True,
        opens="recalibration",
    ),
    DecisionRow("32", "rerun judge", ("judged", "estimated", "reported"), "rated"),
    DecisionRow("32", "rerun estimate", ("estimated", "reported"), "judged"),
    DecisionRow("32", "rerun report", ("reported",), "estimated"),
    DecisionRow("31", "abort", OPEN_STATES, "aborted"),
)


_NOTHING_FRESH: dict[Opening | None, Phrase] = {
    "top_up": phrase(
        "the whole pool is in the sample already, so that no more items can be drawn. "
        "Proceed or abort."
    ),
    "recalibration": phrase(
        "the whole pool is in the sample already, so that nothing new is "
        "left to rate after a recalibration. Proceed or abort."
    ),
}
"""Reasons to refuse a decision that opens a round of new items."""


def allowed(history: History) -> tuple[Decision, ...]:
    """Decisions that this evaluation takes now, in the order of `DECISIONS`.

    A recalibration that must be refused for lack of items to practise on is none of them.

    Examples
    --------
    >>> allowed(History("held", "plan", "scored"))
    ('retry', 'abort')
    """
    return tuple(
        dict.fromkeys(
            row.decision
            for row in DECISION_TABLE
            if row.fits(history) and (row.opens != "recalibration" or history.may_practise)
        )
    )


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
    row = _fitting(history, decision)
    if row is None:
        raise RefusedError(_refusal(history, decision))
    if target is not None and (lack := _lack(row, target)):
        raise RefusedError(
            phrase(
                "'{decision}' on an evaluation that is {place} needs {what}; found none.",
                decision=decision,
                place=history.place,
                what=_NEEDED[lack],
            )
        )
    return Step(row.row, row.to or _interrupted(history), decision, opens=row.opens)


def lacking(history: History, decision: str, target: "DecisionTarget") -> Needed | None:
    """Field that a target lacks for a decision; None where the decision fits as it is, or not."""
    row = _fitting(history, decision)
    return None if row is None else _lack(row, target)


def _fitting(history: History, decision: str) -> DecisionRow | None:
    return next((r for r in DECISION_TABLE if r.decision == decision and r.fits(history)), None)


def _lack(row: DecisionRow, target: "DecisionTarget") -> Needed | None:
    return None if row.needs is None or getattr(target, row.needs) else row.needs


def _refusal(history: History, decision: str) -> str:
    rows = [row for row in DECISION_TABLE if row.decision == decision and row.is_about(history)]
    if history.drawn_whole and any(row.fresh for row in rows):
        return _NOTHING_FRESH[rows[0].opens]
    if decision not in DECISIONS:
        reason = phrase("There is no decision '{decision}'", decision=decision)
    elif any(row.rated for row in rows):
        reason = phrase(
            "'{decision}' needs a rating, and nobody has rated anything in this round yet",
            decision=decision,
        )
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
