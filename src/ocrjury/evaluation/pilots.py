"""Plan pilots: everybody rates the same few items before it counts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ocrjury.campaign.shortages import too_few_to_practise_on
from ocrjury.errors import InputError
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.documents import drawn_soon, spare_documents, spread
from ocrjury.evaluation.eligible_people import who_may_rate
from ocrjury.evaluation.passing_gold import GOLD
from ocrjury.evaluation.repeated_practice import choose_again, told_before
from ocrjury.evaluation.rounds import REPEAT, ROLE, Wanted, plan_round
from ocrjury.evaluation.unmet_gold import Gold, least_gold, unmet_gold
from ocrjury.language import phrase
from ocrjury.planner import Controls
from ocrjury.store.database import Connection
from ocrjury.store.documents import SampledItem, add_items
from ocrjury.store.rounds import NewAssignment, RoundPlan


class PilotPlan(NamedTuple):
    """A pilot round, the documents that become items with it, and how much of it is gold.

    ``n_gold`` is that of the dimension with the least: the criterion holds on each.
    """

    plan: RoundPlan
    new: list[SampledItem]
    n_gold: int

    def keep(self, connection: Connection, case: Case) -> None:
        """Keep the new items."""
        add_items(connection, case.name, self.new)


def plan_pilot(
    case: Case,
    items: Sequence[SampledItem] | None = None,
    *,
    gold: Gold | None = None,
    raters: Sequence[str] | None = None,
    dimensions: Sequence[str] = (),
) -> PilotPlan:
    """Plan a pilot in which every rater rates every item that is right for them.

    Its items are gold that none of them has met, then documents outside the sample. Beside them,
    who practised before has a few of the items whose answers the rating page told then; they say
    what moved, and have no part in the criterion.

    Parameters
    ----------
    items, gold
        The sample, gold outside it and its known ratings by dimension and item, if they are not in
        the store yet.
    raters
        Who takes part; None: all.
    dimensions
        On which; none are all.

    Raises
    ------
    InputError
        If there are too few such documents, or nobody can rate them.
    """
    items = case.items if items is None else items
    gold = case.gold if gold is None else gold
    people = {p.pseudonym for p in case.raters if p.role == ROLE["pilot"]} - case.dropped
    taking_part = people if raters is None else people & set(raters)
    values = {
        item: value
        for name in dimensions or case.dimensions
        for item, value in gold.get(name, {}).items()
    }
    chosen, new = _pilot_items(case, items, raters=taking_part, values=values)
    without = sorted(people - taking_part)
    may_rate = who_may_rate(case, ROLE["pilot"], sample=[*chosen, *new], without=without)
    demand = _demand(case, may_rate)
    if not demand:
        raise InputError(
            f"nobody can take part in the pilot: {', '.join(sorted(taking_part)) or 'no rater'} "
            "cannot rate any of its items today (absence, language or conflict in the registry)."
        )
    known = [item.item for item in chosen if item.item in demand]
    n_gold = least_gold(known, gold, dimensions or case.dimensions)
    gold_there = len(known)
    rule = _rule(gold=gold_there, fresh=len(demand) - gold_there)
    wanted = Wanted("pilot", rule, demand, dimensions=dimensions)
    expected = told_before(case, dimensions or case.dimensions)
    again = choose_again(expected, _open_to(case, taking_part, expected), new=len(demand))
    plan = _plan_with(case, wanted, again, sample=[*chosen, *new], without=without)
    return PilotPlan(plan, new, n_gold)


def _open_to(
    case: Case, raters: set[str], expected: Mapping[str, Mapping[str, float]]
) -> Mapping[str, Sequence[str]]:
    """Raters of a pilot who may rate each item of earlier pilots today."""
    known = {item for values in expected.values() for item in values}.difference(case.excluded)
    items = [item for item in case.items if item.item in known]
    everybody = {person.pseudonym for person in case.raters}
    return who_may_rate(case, ROLE["pilot"], sample=items, without=sorted(everybody - raters))


def _plan_with(
    case: Case,
    wanted: Wanted,
    again: Mapping[str, Sequence[str]],
    *,
    sample: Sequence[SampledItem],
    without: Sequence[str],
) -> RoundPlan:
    """Plan a pilot with items that are practised again at random turns of their raters."""
    if not again:
        return plan_round(case, wanted, sample=sample, without=without)
    most = max(map(len, again.values()))
    # So many turns that the items given to each rater all find one.
    controls = Controls(again, gold_every=len(wanted.demand) // most + 1)
    try:
        plan = plan_round(case, wanted._replace(controls=controls), sample=sample, without=without)
    except InputError:
        # Somebody has room for what is new only.
        return plan_round(case, wanted, sample=sample, without=without)
    second = (
        replace(row, repeat=1, reason=REPEAT) if row.reason == GOLD else row
        for row in plan.assignments
    )
    return replace(plan, assignments=tuple(second))


def _demand(case: Case, may_rate: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Ratings that a pilot asks for: of everybody who can, on every item that was not excluded."""
    return {
        item: len(able) for item, able in may_rate.items() if able and item not in case.excluded
    }


def _rule(*, gold: int, fresh: int) -> str:
    """Items of a pilot in words."""
    if not fresh:
        return phrase("for everybody to practise on: {gold} of gold", gold=gold)
    if not gold:
        return phrase("for everybody to practise on: {fresh} outside the sample", fresh=fresh)
    return phrase(
        "for everybody to practise on: {gold} of gold and {fresh} outside the sample",
        gold=gold,
        fresh=fresh,
    )


def _too_few_to_recalibrate(wanted: int, *, gold: int, others: int) -> str:
    """Sentence on a recalibration of an open evaluation, whose campaign stays as it is."""
    return phrase(
        "raters who recalibrate practise on {wanted} items, but outside the sample only {gold} "
        "gold items and {others} other documents are left. Go on as it is, or end this "
        "evaluation and open another with a smaller sampling.n or more gold.",
        wanted=wanted,
        gold=gold,
        others=others,
    )


def plan_newcomers(case: Case, *, leaving: Sequence[str]) -> tuple[NewAssignment, ...]:
    """Assign the open pilot's items to raters who joined after it was opened."""
    of_round = case.last_assignments
    practised = {row.item for row in of_round if not row.repeat}
    others = {row.rater for row in of_round} | {*leaving}
    items = [item for item in case.items if item.item in practised]
    may_rate = who_may_rate(case, ROLE["pilot"], sample=items, without=sorted(others))
    demand = _demand(case, may_rate)
    if not demand:
        return ()
    last = case.rounds[-1]
    wanted = Wanted("pilot", last.rule, demand, dimensions=tuple(last.dimensions))
    return plan_round(case, wanted, sample=items, without=sorted(others)).assignments


def _pilot_items(
    case: Case, items: Sequence[SampledItem], *, raters: set[str], values: Mapping[str, float]
) -> tuple[list[SampledItem], list[SampledItem]]:
    """Gold of a pilot, from bad to good, and documents that are no items yet."""
    count = case.campaign.rounds.pilot.practice_items
    known = unmet_gold(case, items, raters=raters, values=values)
    sample = [item for item in items if item.purpose == "sample"]
    if len(known) > count:
        soon = drawn_soon(case, sample)
        late = [item for item in known if item.doc_id not in soon]
        known = late if len(late) >= count else known
    gold = spread(sorted(known, key=lambda item: (values[item.item], item.item)), count)
    if len(gold) == count:
        return gold, []
    taken = {item.doc_id for item in items}
    new = spare_documents(case, sample, count=count - len(gold), taken=taken)
    if len(gold) + len(new) < count:
        left = {"gold": len(gold), "others": len(new)}
        raise InputError(
            _too_few_to_recalibrate(count, **left)
            if case.rounds
            else too_few_to_practise_on(count, **left)
        )
    return gold, new
