"""Give late assignments, or those of a leaving rater, to others."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from ocrjury.evaluation.case import Case
from ocrjury.evaluation.pilots import plan_newcomers
from ocrjury.evaluation.rounds import Wanted, plan_round, plan_what_can_be
from ocrjury.problem_lists import NAMED
from ocrjury.store.database import Connection
from ocrjury.store.rounds import (
    CHECKS,
    TAKES_OVER,
    AssignmentRow,
    NewAssignment,
    add_assignments,
    change_round,
    withdraw,
)
from ocrjury.store.unmet_panels import keep_votes


def plan_late_assignments(
    case: Case, *, leaving: Sequence[str] | None = None, whole: bool = True
) -> tuple[NewAssignment, ...]:
    """Reassign the open assignments of the last round whose raters do not go on.

    Unless all of them must be taken over, those withdrawn before without a taker are tried again.

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
    away = sorted({row.rater for row in late} | set(leaving or ()))
    demand = Counter(row.item for row in late)
    if not whole:
        demand += _found_nobody(case)
    if not demand:
        return ()
    wanted = Wanted(
        last.kind,
        last.rule,
        demand,
        reason=dict.fromkeys(demand, TAKES_OVER),
        busy=Counter(row.rater for row in case.last_assignments if row.state != "withdrawn"),
    )
    plan = (plan_round if whole else plan_what_can_be)(case, wanted, without=away)
    return () if plan is None else _after_own(case, plan.assignments)


def hand_over(connection: Connection, case: Case, takeover: Sequence[NewAssignment]) -> None:
    """Withdraw what is late in the open round, give it to others once, and set a new deadline."""
    deadline = case.work.now + timedelta(days=case.campaign.rounds.deadline_days)
    give_to_others(connection, case, takeover)
    change_round(connection, case.name, replanned=True, deadline=deadline)


def give_to_others(
    connection: Connection,
    case: Case,
    new: Sequence[NewAssignment],
    *,
    leaving: Sequence[str] | None = None,
) -> None:
    """Withdraw what raters who do not go on have open, and ask others for it.

    What was rated since it was planned is asked of nobody a second time.
    """
    last = case.rounds[-1]
    keep_votes(connection, case.name, leaving, now=case.work.now)
    withdrawn = withdraw(connection, case.name, leaving)
    if last.kind != "pilot":
        left = Counter(row.item for row in withdrawn if row.reason not in CHECKS)
        new = _no_more_than(left + _found_nobody(case), new)
    add_assignments(connection, case.name, new, number=last.round)


def name_shortfall(
    case: Case, new: Sequence[NewAssignment], *, leaving: Sequence[str] | None
) -> str:
    """Sentence on ratings of the last round that nobody takes over, "" without any."""
    if case.rounds[-1].kind == "pilot":
        return ""
    wanted = Counter(row.item for row in _late(case, leaving)) + _found_nobody(case)
    missing = wanted - Counter(row.item for row in new if row.reason not in CHECKS)
    if not missing:
        return ""
    named = [f"{item} lacks {number}" for item, number in sorted(missing.items())]
    more = f", and {len(named) - NAMED} more items" if len(named) > NAMED else ""
    return (
        f"{missing.total()} rating(s) found nobody: {', '.join(named[:NAMED])}{more}. The round "
        f"goes on without them; somebody new in {case.campaign.raters_path.name} can get them by "
        "reassign once it is overdue."
    )


def _late(case: Case, leaving: Sequence[str] | None) -> list[AssignmentRow]:
    """Open assignments of the last round whose raters do not go on."""
    return [
        row
        for row in case.last_assignments
        if row.state == "open"
        and row.reason not in CHECKS
        and (leaving is None or row.rater in leaving)
    ]


def _found_nobody(case: Case) -> Counter[str]:
    """Number of ratings of each item that the last round asked for and no longer does."""
    rows = [
        row
        for row in case.last_assignments
        if row.reason not in CHECKS and row.item not in case.excluded
    ]
    requested = Counter(row.item for row in rows if row.reason != TAKES_OVER)
    return requested - Counter(row.item for row in rows if row.state != "withdrawn")


def _no_more_than(wanted: Counter[str], new: Sequence[NewAssignment]) -> list[NewAssignment]:
    """Assignments without those beyond a number for each item."""
    left = Counter(wanted)
    kept = []
    for row in new:
        if left[row.item] > 0:
            left[row.item] -= 1
            kept.append(row)
    return kept


def _after_own(case: Case, new: Sequence[NewAssignment]) -> tuple[NewAssignment, ...]:
    """Assignments behind those that their raters have already, in sessions of their own."""
    session: Counter[str] = Counter()
    position: Counter[str] = Counter()
    for row in case.last_assignments:
        session[row.rater] = max(session[row.rater], row.session)
        position[row.rater] = max(position[row.rater], row.position)
    return tuple(
        replace(
            assignment,
            session=session[assignment.rater] + assignment.session,
            position=position[assignment.rater] + assignment.position,
        )
        for assignment in new
    )
