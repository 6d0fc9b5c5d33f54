"""Plan rounds: which ratings each asks for, and from whom."""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import pandas as pd

from ocrjury.adaptive import unsettled_items
from ocrjury.campaign.history import RoundKind
from ocrjury.errors import InputError
from ocrjury.evaluation.adaptive import match_raters, next_questions, to_adjudicate
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.eligible_people import people_of, who_may_rate
from ocrjury.evaluation.foresight import explain_shortage
from ocrjury.evaluation.inference import Inferred
from ocrjury.evaluation.pages import SIDE_BY_SIDE, page_of_items
from ocrjury.evaluation.passing_gold import GOLD, ask_for_rest, rated_in_passing, silent_gold
from ocrjury.language import counted, phrase
from ocrjury.planner import (
    Controls,
    clip_demand,
    items_left,
    main_demand,
    plan_assignments,
    plan_side_by_side,
    queue_gains,
)
from ocrjury.store.documents import SampledItem
from ocrjury.store.rounds import NewAssignment, RoundPlan

ROLE: dict[RoundKind, str] = {
    "pilot": "rater",
    "main": "rater",
    "adaptive": "rater",
    "adjudication": "adjudicator",
    "panel": "expert",
}


REPEAT, DESIGN = "repeat", "design"
"""Reasons of assignments: what checks a rater a second time, and what the design asks for."""


class Wanted(NamedTuple):
    """Request for a round: new ratings per item, why, and the expected gain of each.

    `busy` is what raters have in the round already, if it is open; no `dimensions` are all; `only`
    are the raters of an item that matters who rates it; `again` are pairs that may come again.
    """

    kind: RoundKind
    rule: str
    demand: Mapping[str, int]
    gain: Mapping[str, Sequence[float]] = {}
    reason: Mapping[str, str] = {}
    busy: Mapping[str, int] = {}
    dimensions: Sequence[str] = ()
    controls: Controls = Controls()
    only: Mapping[str, Sequence[str]] = {}
    again: Collection[tuple[str, str]] = ()


def plan_main_round(
    case: Case,
    sample: Sequence[SampledItem] | None = None,
    *,
    dimensions: Sequence[str] = (),
    for_gate: bool = False,
) -> RoundPlan:
    """Plan the main round on the sampled items that no main round has had yet.

    Parameters
    ----------
    sample
        The sample with items that are not in the store yet; None: as it is.
    dimensions
        On which they are rated; none are all.
    for_gate
        Whether the gate asked for them; an item with one rating shows it nothing.
    """
    sample = case.sample if sample is None else sample
    wanted = case.campaign.raters
    per_item = max(wanted.per_item, 2) if for_gate else wanted.per_item
    double_rated = 1.0 if for_gate else wanted.double_rated
    in_main = [row for row in case.assignments if case.kinds[row.round] == "main"]
    had = {row.item for row in in_main if row.reason != GOLD}
    fresh = [
        item.item for item in sample if item.item not in had and item.item not in case.excluded
    ]
    demand = main_demand(fresh, per_item=per_item, double_rated=double_rated)
    items = {item.item: item for item in (*case.items, *sample)}
    may_rate = who_may_rate(case, ROLE["main"], sample=list(items.values()), without=())
    # Gold that a top-up draws was rated in passing already.
    in_passing = rated_in_passing(case, dimensions)
    left, again = ask_for_rest(case, demand, in_passing, may_rate=may_rate)
    raters = counted(per_item, "rater")
    rule = (
        phrase("items added to the sample, {raters} per item", raters=raters)
        if in_main
        else phrase("the sample, {raters} per item", raters=raters)
    )
    gold = silent_gold(case, sample, dimensions, may_rate=may_rate)
    controls = Controls(gold, wanted.gold_every, wanted.repeats)
    request = Wanted("main", rule, left, dimensions=dimensions, controls=controls, again=again)
    return plan_round(case, request, sample=sample)


def plan_adaptive_round(case: Case, inferred: Inferred) -> RoundPlan | None:
    """Plan the round of items on which another rating pays, None where none does."""
    wanted = case.campaign.adaptive
    earlier = sum(round_.kind == "adaptive" for round_ in case.rounds)
    left = wanted.budget - _adaptive_ratings(case)
    if earlier >= wanted.max_rounds or left <= 0:
        return None
    # The later rounds know more, so the first must not spend what belongs to them.
    budget = -(-left // (wanted.max_rounds - earlier))
    questions = next_questions(case, inferred, budget=budget, seed=case.row.seed + earlier)
    request = Wanted("adaptive", questions.rule, *queue_gains(questions.ratings))
    return plan_what_can_be(case, request, teller=inferred if questions.by_gain else None)


def _adaptive_ratings(case: Case) -> int:
    """Ratings that adaptive rounds asked for; what was withdrawn costs nothing."""
    return sum(
        case.kinds[row.round] == "adaptive" and row.state != "withdrawn" for row in case.assignments
    )


def plan_adjudication(case: Case, inferred: Inferred) -> RoundPlan | None:
    """Plan the round in which an adjudicator decides, None if nothing is to decide."""
    items = to_adjudicate(case, inferred)
    rule = phrase("items still uncertain at the cap, rated differently by all, or worth the price")
    return plan_what_can_be(case, Wanted("adjudication", rule, dict.fromkeys(items, 1)))


def plan_panel(case: Case) -> RoundPlan | None:
    """Plan the round in which all experts vote on unsettled items, None without one.

    Nobody sets a continuous scale to the very number of a rater, so it unsettles nothing.
    """
    scales = case.campaign.rubric.scales
    labelled = [name for name, scale in scales.items() if scale.kind != "interval"]
    ratings = case.ratings[case.ratings["dimension"].isin(labelled)]
    had = {item for item, _ in case.pairs_before("panel")}
    experts = sum(person.role == "expert" for person in case.raters)
    unsettled = [str(item) for item in unsettled_items(ratings) if item not in had]
    rule = phrase("items on which the adjudicator agrees with no rater")
    return plan_what_can_be(case, Wanted("panel", rule, dict.fromkeys(unsettled, experts)))


def plan_what_can_be(
    case: Case, wanted: Wanted, *, without: Sequence[str] = (), teller: Inferred | None = None
) -> RoundPlan | None:
    """Plan the part of a round that eligible people can still do, None if that is nothing.

    Parameters
    ----------
    teller
        Truths that tell which raters know most about which items; None: chance shares them out.
    """
    may_rate = who_may_rate(case, ROLE[wanted.kind], sample=case.sample, without=without)
    previous, capacity = case.pairs_before(), _capacity(case, wanted)
    out = case.not_asked(wanted.kind)
    left = {item: n for item, n in wanted.demand.items() if item not in out}
    demand = clip_demand(left, eligible=may_rate, previous=previous, capacity=capacity)
    if not demand:
        return None
    request = wanted._replace(demand=demand)
    if teller is not None:
        able = items_left({item: may_rate[item] for item in demand}, previous=previous)
        chosen = match_raters(case, teller, demand, eligible=able, capacity=capacity)
        request = request._replace(only=chosen)
    return plan_round(case, request, without=without)


def plan_round(
    case: Case,
    wanted: Wanted,
    *,
    sample: Sequence[SampledItem] | None = None,
    without: Sequence[str] = (),
) -> RoundPlan:
    """Plan a round in full.

    Parameters
    ----------
    sample
        Where its items are, if they are not in the store yet.
    without
        Raters who are to get nothing.

    Raises
    ------
    InputError
        If eligible people cannot do all of it; names what is missing.
    """
    campaign = case.campaign
    may_rate = who_may_rate(
        case,
        ROLE[wanted.kind],
        sample=case.sample if sample is None else sample,
        without=without,
    )
    items = {item.item: item for item in (*case.items, *(sample or ()))}
    try:
        assigned = _assigned(
            case,
            wanted,
            items=list(items.values()),
            eligible={item: wanted.only.get(item, may_rate[item]) for item in wanted.demand},
        )
    except InputError as error:
        people = people_of(case, ROLE[wanted.kind], without)
        why = explain_shortage(case, people, items, demand=wanted.demand)
        raise InputError(" ".join(why) or str(error)) from error
    return RoundPlan(
        kind=wanted.kind,
        rule=wanted.rule,
        dimensions=tuple(wanted.dimensions or case.dimensions),
        frontend=campaign.rounds.frontend,
        deadline=case.work.now + timedelta(days=campaign.rounds.deadline_days),
        assignments=_assignments(wanted, assigned),
    )


def _assigned(
    case: Case,
    wanted: Wanted,
    *,
    items: Sequence[SampledItem],
    eligible: Mapping[str, Sequence[str]],
) -> pd.DataFrame:
    """Assign items to raters in order: the outputs of a page apart, or side by side."""
    raters = case.campaign.raters
    options: dict[str, Any] = {
        "eligible": eligible,
        "previous": [pair for pair in case.pairs_before() if pair not in wanted.again],
        "capacity": _capacity(case, wanted),
        "minutes_per_item": {
            person.pseudonym: person.minutes_per_item or raters.minutes_per_item
            for person in case.raters
        },
        "session_minutes": raters.session_minutes,
        "controls": wanted.controls,
        "seed": case.row.seed + len(case.rounds),
    }
    beside = case.campaign.rounds.page.systems == SIDE_BY_SIDE and wanted.kind == "main"
    pages = page_of_items(items, alike=beside)
    if beside and pages:
        try:
            return plan_side_by_side(wanted.demand, pages=pages, **options)
        except InputError:
            if not wanted.busy:
                raise
            # Who takes over what others left open takes it output by output rather than not.
    return plan_assignments(wanted.demand, pages=pages or None, **options)


def _assignments(wanted: Wanted, assigned: pd.DataFrame) -> tuple[NewAssignment, ...]:
    """Assignments as the store keeps them; an item's ratings share its gains."""
    left = {item: list(gains) for item, gains in wanted.gain.items()}
    assignments = []
    for row in assigned.to_dict(orient="records"):
        item, kind = str(row["item"]), str(row["kind"])
        own = kind == "item"
        assignments.append(
            NewAssignment(
                item=item,
                rater=str(row["rater"]),
                position=int(row["position"]),
                session=int(row["session"]),
                repeat=int(kind == REPEAT),
                reason=wanted.reason.get(item, DESIGN) if own else kind,
                gain=left[item].pop(0) if own and left.get(item) else None,
            )
        )
    return tuple(assignments)


def _capacity(case: Case, wanted: Wanted) -> dict[str, int]:
    return {
        person.pseudonym: max(person.capacity - wanted.busy.get(person.pseudonym, 0), 0)
        for person in case.raters
        if person.capacity is not None
    }
