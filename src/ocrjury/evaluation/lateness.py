"""Give what is late, or what a leaving rater had, to others."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from ocrjury.evaluation.case import Case
from ocrjury.evaluation.passing_gold import GOLD
from ocrjury.evaluation.pilots import plan_newcomers
from ocrjury.evaluation.rounds import REPEAT, Wanted, plan_round, plan_what_can_be
from ocrjury.store.database import Connection
from ocrjury.store.rounds import (
    AssignmentRow,
    NewAssignment,
    add_assignments,
    change_round,
    withdraw,
)

TAKES_OVER = "takes over"
"""Reason of an assignment that was somebody else's."""
CHECKS = (GOLD, REPEAT)
"""Reasons of assignments that say something about their own rater only."""
_NAMED = 10  # items that a sentence names


def plan_late_assignments(
    case: Case, *, leaving: Sequence[str] | None = None, whole: bool = True
) -> tuple[NewAssignment, ...]:
    """Return new assignments of the last round for the open ones of raters who do not go on.

    Unless it must be the whole, what was withdrawn before and found nobody is asked for again.

    Parameters
    ----------
    leaving
        Raters whose open assignments are given to others; None: all who are late.
    whole
        Whether all of it must find somebody; otherwise as much as the others can take.

    Raises
    ------
    InputError
        If the others cannot take them.
    """
    last = case.rounds[-1]
    if last.kind == "pilot":
        # Nobody can practise for somebody else; who joined the raters can for himself.
        return () if whole else plan_newcomers(case, leaving=leaving or ())
    late = _late(case, leaving)
    away = sorted({one.rater for one in late} | set(leaving or ()))
    demand = Counter(one.item for one in late)
    if not whole:
        demand += _found_nobody(case)
    if not demand:
        return ()
    wanted = Wanted(
        last.kind,
        last.rule,
        demand,
        reason=dict.fromkeys(demand, TAKES_OVER),
        busy=_standing(case),
    )
    plan = (plan_round if whole else plan_what_can_be)(case, wanted, without=away)
    return () if plan is None else _after_own(case, plan.assignments)


def hand_over(connection: Connection, case: Case, takeover: Sequence[NewAssignment]) -> None:
    """Withdraw what is late in the open round, give it to others once, and set a new deadline."""
    deadline = case.work.now + timedelta(days=case.campaign.rounds.deadline_days)
    withdraw(connection, case.name)
    add_assignments(connection, case.name, takeover, number=case.rounds[-1].round)
    change_round(connection, case.name, replanned=True, deadline=deadline)


def name_shortfall(
    case: Case, new: Sequence[NewAssignment], *, leaving: Sequence[str] | None
) -> str:
    """Return which ratings of the last round nobody takes over, "" if there are none."""
    if case.rounds[-1].kind == "pilot":
        return ""
    wanted = Counter(one.item for one in _late(case, leaving)) + _found_nobody(case)
    missing = wanted - Counter(one.item for one in new if one.reason not in CHECKS)
    if not missing:
        return ""
    named = [f"{item} lacks {number}" for item, number in sorted(missing.items())]
    more = f", and {len(named) - _NAMED} more items" if len(named) > _NAMED else ""
    return (
        f"{missing.total()} rating(s) found nobody: {', '.join(named[:_NAMED])}{more}. The round "
        f"goes on without them; somebody new in {case.campaign.raters_path.name} can get them by "
        "reassign once it is overdue."
    )


def _late(case: Case, leaving: Sequence[str] | None) -> list[AssignmentRow]:
    """Return what raters who do not go on have open in the last round."""
    return [
        one
        for one in case.assignments
        if one.round == case.rounds[-1].round
        and one.state == "open"
        and one.reason not in CHECKS
        and (leaving is None or one.rater in leaving)
    ]


def _found_nobody(case: Case) -> Counter[str]:
    """Return how many ratings of each item the last round asked for and no longer does."""
    number = case.rounds[-1].round
    of_round = [one for one in case.assignments if one.round == number]
    asked = Counter(one.item for one in of_round if one.reason not in {TAKES_OVER, *CHECKS})
    return asked - Counter(
        one.item for one in of_round if one.state != "withdrawn" and one.reason not in CHECKS
    )


def _standing(case: Case) -> Counter[str]:
    """Return how many assignments of the last round each rater has."""
    number = case.rounds[-1].round
    return Counter(
        one.rater for one in case.assignments if one.round == number and one.state != "withdrawn"
    )


def _after_own(case: Case, new: Sequence[NewAssignment]) -> tuple[NewAssignment, ...]:
    """Return assignments placed behind what their raters have in the round already."""
    number = case.rounds[-1].round
    last: Counter[str] = Counter()
    for one in case.assignments:
        if one.round == number:
            last[one.rater] = max(last[one.rater], one.position)
    return tuple(replace(one, position=last[one.rater] + one.position) for one in new)
