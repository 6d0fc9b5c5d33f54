"""Recalibrate raters: a pilot for them, and new items in place of earlier ratings."""

from collections.abc import Sequence
from typing import NamedTuple

from ocrjury.campaign.openings import rows_opening
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.documents import undrawn
from ocrjury.evaluation.pilots import PilotPlan, plan_pilot
from ocrjury.evaluation.recalibrated_people import (
    enough_gold,
    list_recalibrated,
    why_not_recalibrated,
)
from ocrjury.gate.verdict import RECALIBRATE
from ocrjury.language import phrase
from ocrjury.sentences import listed
from ocrjury.store.database import Connection
from ocrjury.store.decisions import list_decisions, list_set_aside, set_ratings_aside
from ocrjury.store.moves import list_moves
from ocrjury.store.results import latest_verdicts
from ocrjury.store.rounds import RoundPlan

LEAST_FRESH = 50
"""Items with two ratings under which the gate neither passes nor fails."""


class Recalibration(NamedTuple):
    """Raters who are recalibrated, the dimensions, and the pilot."""

    raters: tuple[str, ...]
    dimensions: tuple[str, ...]
    pilot: PilotPlan

    @property
    def plan(self) -> RoundPlan:
        """Pilot round."""
        return self.pilot.plan

    def keep(self, connection: Connection, case: Case, *, decision: str) -> None:
        """Keep the pilot's items, and set aside the raters' ratings of main rounds so far."""
        self.pilot.keep(connection, case)
        set_ratings_aside(
            connection,
            case.name,
            raters=self.raters,
            dimensions=self.dimensions or None,
            decision=decision,
        )


def plan_recalibration(
    case: Case, *, raters: Sequence[str] = (), dimensions: Sequence[str] = ()
) -> Recalibration:
    """Plan the recalibration of raters.

    Parameters
    ----------
    raters
        Who; none: those who missed the pilot, or whom the gate's advice names on one of the
        dimensions, else all.
    dimensions
        On which; none are all.

    Raises
    ------
    InputError
        If a name is unknown, or one rater alone would have nothing to be compared with.
    """
    _check_names(case, raters, dimensions)
    everybody = list_recalibrated(case)
    chosen = tuple(raters or _named_by_the_gate(case, dimensions) or everybody)
    pilot = plan_pilot(case, raters=chosen, dimensions=dimensions)
    if not raters and not _comparable(case, pilot, chosen):
        chosen = everybody
        pilot = plan_pilot(case, raters=chosen, dimensions=dimensions)
    if not _comparable(case, pilot, chosen):
        raise InputError(
            phrase(
                "{names} alone has nobody to be compared with, and only {gold} gold items are left "
                "to practise on. Name a second rater, or give the next campaign a gold file "
                "(raters.gold).",
                names=", ".join(chosen),
                gold=pilot.n_gold,
            )
        )
    return Recalibration(chosen, tuple(dimensions), pilot)


def count_fresh(case: Case) -> int:
    """Number of new items in the main round after a recalibration.

    As many as lost a rating, and enough for the gate, as far as the pool has them.
    """
    mains = rows_opening("main", "top_up")
    moves = list_moves(case.work.engine, case.name)
    opened = max((move.version for move in moves if move.row in mains), default=0)
    since = {
        decision.decision
        for decision in list_decisions(case.work.engine, case.name)
        if decision.kind == RECALIBRATE and decision.version >= opened
    }
    items = {assignment.assignment: assignment.item for assignment in case.assignments}
    aside = list_set_aside(case.work.engine, case.name)
    touched = {items[assignment] for assignment, _, decision in aside if decision in since}
    # Gold in passing that was set aside is no part of the sample.
    lost = touched & {item.item for item in case.sample}
    if not anything_fresh(case):
        raise InputError("nothing of the pool is left for new items after a recalibration.")
    return min(max(len(lost), LEAST_FRESH), undrawn(case))


def plan_if_possible(case: Case) -> Recalibration | None:
    """Plan the recalibration of those whom the gate names.

    None if they cannot practise, or could rate no new documents afterwards.
    """
    if not anything_fresh(case):
        return None
    try:
        return plan_recalibration(case)
    except InputError:
        return None


def anything_fresh(case: Case) -> bool:
    """Return whether the pool has documents that are not in the sample."""
    return undrawn(case) > 0


def _check_names(case: Case, raters: Sequence[str], dimensions: Sequence[str]) -> None:
    known = list_recalibrated(case)
    strange = [name for name in raters if name not in known]
    if strange:
        reasons = why_not_recalibrated(case)
        with_reasons = [
            phrase("{rater} ({reason})", rater=name, reason=reasons[name])
            if name in reasons
            else name
            for name in strange
        ]
        raise InputError(
            phrase(
                "{evaluation} has no rater {names} who could be recalibrated; there are {known}.",
                names=listed(with_reasons),
                evaluation=case.name,
                known=", ".join(known),
            )
        )
    unknown = [name for name in dimensions if name not in case.dimensions]
    if unknown:
        raise InputError(
            phrase(
                "the rubric has no dimension {names}; it has {known}.",
                names=", ".join(map(repr, unknown)),
                known=", ".join(case.dimensions),
            )
        )


def _named_by_the_gate(case: Case, dimensions: Sequence[str]) -> list[str]:
    """Raters whom the advice on the newest verdict names, on a pilot or a main round."""
    actions = latest_verdicts(case.work.engine, case.name)[0].actions
    named = {
        action.rater
        for action in actions
        if action.kind == RECALIBRATE
        and (not dimensions or action.dimension in {None, *dimensions})
    }
    return [name for name in list_recalibrated(case) if name in named]


def _comparable(case: Case, pilot: PilotPlan, raters: Sequence[str]) -> bool:
    """Return whether each rater of a pilot can be compared with gold or with somebody."""
    return len(raters) > 1 or enough_gold(case, pilot.n_gold)
