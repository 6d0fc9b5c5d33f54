"""Take a lead's decision: one move, with all that follows from it at once."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from ocrjury.campaign.config import read_campaign
from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.decisions import LATE, Decision, decide
from ocrjury.campaign.registry import read_raters
from ocrjury.errors import InputError, RefusedError
from ocrjury.evaluation.case import Case, Work
from ocrjury.evaluation.documents import undrawn
from ocrjury.evaluation.lateness import give_to_others, name_shortfall, plan_late_assignments
from ocrjury.evaluation.next_rounds import plan_top_up
from ocrjury.evaluation.opening import opening_of, refuse_another_pool
from ocrjury.evaluation.recalibration import plan_recalibration
from ocrjury.language import phrase
from ocrjury.store.database import Connection
from ocrjury.store.decisions import (
    add_decision,
    decision_name,
)
from ocrjury.store.evaluations import replace_campaign, replace_raters
from ocrjury.store.links import revoke_links
from ocrjury.store.moves import Mover, moving
from ocrjury.store.raters import keep_raters, keep_registry
from ocrjury.store.rounds import change_round, close_round, open_round


class Consequence(NamedTuple):
    """Consequence of a decision besides the change of state.

    `write` does it in the transaction of the move; `note` is what the lead has to know of it, kept
    behind the reason that the lead gave; `target` is what the decision turned out to be about.
    """

    write: Callable[[Connection], None]
    note: str = ""
    target: DecisionTarget | None = None


def take_decision(
    work: Work,
    evaluation: str,
    decision: Decision,
    *,
    reason: str,
    actor: str,
    target: DecisionTarget,
) -> None:
    """Check a decision against the state, and write it down with what follows from it.

    Raises `RefusedError` if it does not fit; the sentence names those that do.
    """
    case = work.case(evaluation)
    position = case.standing.position
    step = decide(case.standing.history, decision, target=target)
    consequence = CONSEQUENCES.get(decision, _nothing_more)(case, target)
    mover = Mover(work.now, actor=actor, run_id=work.run_id, event=decision)
    explained = f"{reason} [{consequence.note}]" if consequence.note else reason
    with moving(work.engine, position, step, mover=mover, reason=explained) as connection:
        add_decision(
            connection,
            position,
            kind=decision,
            target=consequence.target or target,
            reason=explained,
            mover=mover,
            # Going on without late ratings releases nothing that the gate has stopped.
            on_verdict=decision != "proceed" or case.row.held_reason not in LATE,
        )
        consequence.write(connection)


def _nothing_more(_case: Case, _target: DecisionTarget) -> Consequence:
    return Consequence(lambda _connection: None)


def _close(case: Case, _target: DecisionTarget) -> Consequence:
    by = "released" if case.row.state == "held" else "decision"
    return Consequence(
        lambda connection: close_round(connection, case.name, by=by, now=case.work.now)
    )


def _abort(case: Case, _target: DecisionTarget) -> Consequence:
    """Drop the open round and end all links; its ratings are kept."""

    def write(connection: Connection) -> None:
        close_round(connection, case.name, by="abort", now=case.work.now, state="dropped")
        revoke_links(connection, case.name, now=case.work.now)

    return Consequence(write)


def _extend(case: Case, target: DecisionTarget) -> Consequence:
    """Give the raters more days, or after an inconclusive gate the sample more items."""
    if case.row.held_reason == "inconclusive":
        return _top_up(case, target)
    deadline = max(case.rounds[-1].deadline, case.work.now) + timedelta(days=target.days or 0)
    return Consequence(lambda connection: change_round(connection, case.name, deadline=deadline))


def _top_up(case: Case, target: DecisionTarget) -> Consequence:
    more = target.items or 0
    _refuse_more_than(undrawn(case), more)
    plan, keep = plan_top_up(case, more=more)

    def write(connection: Connection) -> None:
        keep(connection)
        open_round(connection, case.name, plan, now=case.work.now)

    return Consequence(write)


def _refuse_more_than(left: int, more: int) -> None:
    """Raise if a lead asks for more items than the pool has outside the sample."""
    if more > left:
        raise InputError(
            phrase(
                "{more} more items were asked for, but only {left} of the pool are not in the "
                "sample yet. Ask for {left} or fewer.",
                more=f"{more:,}",
                left=f"{left:,}",
            )
        )


def _reassign(case: Case, target: DecisionTarget) -> Consequence:
    """Give late assignments to others, to newcomers in the registry too."""
    people = read_raters(case.campaign.raters_path)
    consequence = _hand_over(replace(case, people=people), target)

    def write(connection: Connection) -> None:
        keep_raters(connection, people)
        keep_registry(connection, case.name, people)
        replace_raters(connection, case.name, [person.pseudonym for person in people])
        consequence.write(connection)

    return consequence._replace(write=write)


def _drop(case: Case, target: DecisionTarget) -> Consequence:
    """Give open assignments of raters who will not come back to others; end their links."""
    consequence = _hand_over(case, target)

    def write(connection: Connection) -> None:
        consequence.write(connection)
        revoke_links(connection, case.name, target.raters, now=case.work.now)

    return consequence._replace(write=write)


def _hand_over(case: Case, target: DecisionTarget) -> Consequence:
    """Withdraw open assignments of some raters, or of all who are late, for others."""
    leaving = target.raters or None
    last = case.rounds[-1]
    _refuse_strangers(case, leaving or ())
    new = plan_late_assignments(case, leaving=leaving, whole=False)
    if not new and not case.standing.history.last.open:
        raise RefusedError(
            phrase(
                "nothing is open in round {round} of {evaluation}, and nobody is left to give it "
                "to. Add people to {file} and reassign, or decide otherwise.",
                round=last.round,
                evaluation=case.name,
                file=case.campaign.raters_path.name,
            )
        )
    days = timedelta(days=case.campaign.rounds.deadline_days)

    def write(connection: Connection) -> None:
        give_to_others(connection, case, new, leaving=leaving)
        change_round(connection, case.name, deadline=max(case.work.now + days, last.deadline))

    return Consequence(write, name_shortfall(case, new, leaving=leaving))


def _refuse_strangers(case: Case, raters: Sequence[str]) -> None:
    """Raise if a rater has nothing to give away, such as one whose name was mistyped."""
    number = case.rounds[-1].round
    known = {row.rater for row in case.last_assignments}
    strange = [rater for rater in raters if rater not in known]
    if strange:
        raise RefusedError(
            phrase(
                "There is no assignment in round {round} for {names}; those who have one are "
                "{known}.",
                names=", ".join(strange),
                round=number,
                known=", ".join(sorted(known)),
            )
        )


def _retry(case: Case, _target: DecisionTarget) -> Consequence:
    """Read the raters again, and before the sample is drawn the campaign too."""
    fixed = read_campaign(case.row.config_path)
    if fixed.name != case.row.campaign:
        raise InputError(
            f"{fixed.source}: the campaign is called {fixed.name!r} now, but this evaluation is "
            f"one of {case.row.campaign!r}. Give it its name back, or open a new evaluation."
        )
    if case.row.held_from == "scored":
        refuse_another_pool(case.row, case.campaign, fixed)
    people = read_raters(fixed.raters_path)
    # A seed that was given at the opening stands; one from the file follows the file.
    given = case.row.seed if case.row.seed != case.campaign.seed else fixed.seed
    opening = opening_of(fixed, people, period=case.row.period, seed=given)
    early = case.row.held_from in {"opened", "scored"}

    def write(connection: Connection) -> None:
        keep_raters(connection, people)
        keep_registry(connection, case.name, people)
        if early:
            replace_campaign(connection, case.name, opening)
        else:
            replace_raters(connection, case.name, opening.raters)

    return Consequence(write)


def _recalibrate(case: Case, target: DecisionTarget) -> Consequence:
    planned = plan_recalibration(case, raters=target.raters, dimensions=target.dimensions)

    def write(connection: Connection) -> None:
        planned.keep(connection, case, decision=decision_name(case.standing.position))
        open_round(connection, case.name, planned.plan, now=case.work.now)

    # The decision names whom it is about, also where the gate's advice chose them.
    return Consequence(write, target=target.model_copy(update={"raters": planned.raters}))


CONSEQUENCES: dict[str, Callable[[Case, DecisionTarget], Consequence]] = {
    "abort": _abort,
    "close": _close,
    "drop": _drop,
    "extend": _extend,
    "proceed": _close,
    "reassign": _reassign,
    "recalibrate": _recalibrate,
    "retry": _retry,
}
