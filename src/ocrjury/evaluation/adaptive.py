"""Choice of items for an adaptive round, and of those worth an adjudicator's decision."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import pandas as pd

from ocrjury.adaptive import (
    POLICIES,
    GainCheck,
    adjudication_steps,
    check_gain,
    choose_raters,
    disputed_items,
    next_ratings,
    price_experts,
)
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.case_cache import once
from ocrjury.evaluation.eligible_people import who_may_rate
from ocrjury.evaluation.inference import Inferred, explored_items, fair_gold, infer_untold
from ocrjury.language import phrase
from ocrjury.planner import items_left
from ocrjury.truth import Truth, with_known

DEAR = 3.0
"""Price of a decision, in ratings, where the registry prices adjudicators like raters."""

_PRESETS = {
    "disagreement": ("disagreement", phrase("items whose ratings differ most")),
    "under_annotated": (
        "under_annotated_first",
        phrase("items with fewer than three ratings first"),
    ),
    "three_step": ("three_step_adjudication", phrase("a third rating where two differ")),
}
_BY_RATERS = ("first_ratings", "third_rater")
_LEFT_TO_SETTLE = ("third_rater", "panel")


class Questions(NamedTuple):
    """Ratings that a round asks for: one row each (item, gain, reason), and the rule in words.

    Where items are chosen by expected gain, raters are too.
    """

    ratings: pd.DataFrame
    rule: str
    by_gain: bool


def next_questions(case: Case, inferred: Inferred, *, budget: int, seed: int) -> Questions:
    """Choose ratings by the campaign's policy, no more than the raters left have capacity for."""
    budget = min(budget, _room(case, otherwise=budget))
    policy, target = case.campaign.adaptive.policy, case.campaign.truth.target_confidence
    caps = _caps(case, inferred, out=case.not_asked("adaptive"))
    if policy != "gain":
        return _by_preset(inferred, policy=policy, caps=caps, budget=budget, seed=seed)
    check = check_by_gold(case)
    explore = case.campaign.adaptive.explore
    explore = explore if check is None else check.explore(explore)
    experts = for_the_adjudicator(case, inferred)["item"].tolist()
    left = inferred._replace(truths=_taken_for_settled(inferred, set(experts)))
    options: dict[str, Any] = {"caps": caps, "budget": budget, "explore": explore, "seed": seed}
    ratings = _by_gain(case, left, **options)
    if experts and ratings.empty:
        # Decisions are scarce: another rating is better than none until one is taken.
        ratings = _by_gain(case, inferred, **options)
    if check is not None and check.decision == "uniform":
        rule = phrase("the items with the fewest ratings, because gold shows no gain in choosing")
        return Questions(ratings, rule, by_gain=False)
    rule = phrase("items below confidence {target}, by expected gain", target=f"{target:g}")
    return Questions(ratings, rule, by_gain=True)


def _by_gain(
    case: Case,
    inferred: Inferred,
    *,
    caps: Mapping[str, int],
    budget: int,
    explore: float,
    seed: int,
) -> pd.DataFrame:
    return next_ratings(
        inferred.truths,
        inferred.tables,
        budget=budget,
        target_confidence=case.campaign.truth.target_confidence,
        cap=caps,
        explore=explore,
        cost=_prices(case),
        weights=_weights(case, inferred),
        raters=_left(case),
        seed=seed,
    )


def _caps(case: Case, inferred: Inferred, *, out: Collection[str] = ()) -> dict[str, int]:
    """Largest number of ratings of each item: what it has, and those who are left to rate it.

    Items that are ``out`` get no more.
    """
    may_rate = who_may_rate(case, "rater", sample=case.sample, without=())
    eligible = {item: raters for item, raters in may_rate.items() if item not in out}
    free = items_left(eligible, previous=case.pairs_before())
    caps: dict[str, int] = {}
    for table in inferred.tables.values():
        for name, number in zip(table.items, table.counts().sum(axis=1).tolist(), strict=True):
            item = str(name)
            most = min(case.campaign.adaptive.cap, number + len(free.get(item, ())))
            caps[item] = max(most, caps.get(item, 0))
    return caps


@once
def check_by_gold(case: Case) -> GainCheck | None:
    """Test on gold whether choosing items pays, None without a fair sample of gold."""
    gold = fair_gold(case)
    if not any(gold.values()):
        return None
    untold = infer_untold(case).of_labels
    gold = {name: gold[name] for name in untold.labelled}
    return check_gain(untold.truths, untold.tables, gold)


def match_raters(
    case: Case,
    inferred: Inferred,
    demand: Mapping[str, int],
    *,
    eligible: Mapping[str, Collection[str]],
    capacity: Mapping[str, int],
) -> dict[str, list[str]]:
    """Choose for every item the most informative raters, at balanced loads.

    Empty where they could not give all ratings: then the planner of the round chooses.
    """
    chosen = choose_raters(
        inferred.truths,
        inferred.tables,
        demand,
        eligible=eligible,
        capacity=capacity,
        cost=_prices(case),
        weights=_weights(case, inferred),
    )
    complete = all(len(chosen.get(item, ())) == number for item, number in demand.items())
    return chosen if complete else {}


def to_adjudicate(case: Case, inferred: Inferred) -> list[str]:
    """Items that an adjudicator is to decide, as many as the campaign still allows."""
    wanted = case.campaign.adaptive
    if wanted.policy == "three_step":
        steps = adjudication_steps(inferred.tables)
        unsure = steps.loc[steps["step"].isin(_LEFT_TO_SETTLE), "item"].tolist()
    else:
        unsure = for_the_adjudicator(case, inferred)["item"].tolist() + _disputed(case, inferred)
    fair = any(fair_gold(case).values())
    drawn = explored_items(case) if wanted.adjudicate_explored and not fair else []
    had, left = _decided(case), decisions_left(case)
    # Decisions on items drawn at random calibrate confidence only if none of them is left out.
    fits = len(set(drawn) - had) <= left
    candidates = [*drawn, *unsure] if fits else [*unsure, *drawn]
    return [item for item in dict.fromkeys(map(str, candidates)) if item not in had][:left]


def decisions_left(case: Case) -> int:
    """Number of items that an adjudicator may still decide."""
    return max(case.campaign.adaptive.decisions - len(_decided(case)), 0)


def _decided(case: Case) -> set[str]:
    return {item for item, _ in case.pairs_before("adjudication")}


def for_the_adjudicator(case: Case, inferred: Inferred) -> pd.DataFrame:
    """Items on which a decision is worth more for its price than another rating.

    Raters have contradicted each other, or further ratings bring no gain or cannot be had. The most
    valuable come first, and no more than the campaign still allows. Columns as of
    `ocrjury.adaptive.price_experts`; no row of an item that no adjudicator may decide today.
    """
    priced = price_experts(
        inferred.truths,
        inferred.tables,
        expert_cost=decision_cost(case),
        target_confidence=case.campaign.truth.target_confidence,
        cap=_caps(case, inferred),
        cost=_prices(case),
        weights=_weights(case, inferred),
        raters=_left(case),
    )
    stuck = priced["item"].isin(_disputed(case, inferred)) | (priced["rater_gain"] == 0)
    may_decide = who_may_rate(case, "adjudicator", sample=case.sample, without=())
    available = priced["item"].isin([item for item, able in may_decide.items() if able])
    fresh = ~priced["item"].isin(_decided(case))
    worth = priced[(priced["choice"] == "expert") & stuck & available & fresh]
    return worth.head(decisions_left(case)).reset_index(drop=True)


def _disputed(case: Case, inferred: Inferred) -> list[str]:
    """Unsure items at their cap, or on which all raters differ."""
    return disputed_items(
        inferred.truths,
        inferred.tables,
        target_confidence=case.campaign.truth.target_confidence,
        cap=case.campaign.adaptive.cap,
    )


def decision_cost(case: Case) -> float:
    """Price of an adjudicator's decision, in the unit of the registry."""
    own, theirs = _mean_cost(case, "adjudicator"), _mean_cost(case, "rater")
    return own if own != theirs else DEAR * theirs


def _by_preset(
    inferred: Inferred, *, policy: str, caps: Mapping[str, int], budget: int, seed: int
) -> Questions:
    name, rule = _PRESETS[policy]
    ratings = POLICIES[name].ask(
        inferred.truths, inferred.tables, budget=budget, cap=caps, seed=seed
    )
    if policy == "three_step":
        # Where all three differ, further raters would not settle it.
        ratings = ratings[ratings["reason"].isin(_BY_RATERS)].reset_index(drop=True)
    return Questions(ratings, rule, by_gain=False)


def _taken_for_settled(inferred: Inferred, items: Collection[str]) -> dict[str, Truth]:
    """Truths in which some items are settled, so that no round asks for them."""
    return {
        name: with_known(
            truth,
            {
                item: label
                for item, label in zip(truth.items, truth.label.tolist(), strict=True)
                if item in items
            },
        )
        for name, truth in inferred.truths.items()
    }


def _costs(case: Case, role: str) -> list[float]:
    return [p.cost for p in case.raters if p.role == role and p.pseudonym not in case.dropped]


def _mean_cost(case: Case, role: str) -> float:
    """Mean price of a role; free work counts like the default."""
    paid = [cost for cost in _costs(case, role) if cost > 0]
    return sum(paid) / len(paid) if paid else 1.0


def _prices(case: Case) -> dict[str, float]:
    return {p.pseudonym: p.cost for p in case.raters if p.role == "rater" and p.cost > 0}


def _left(case: Case) -> set[str]:
    """Raters who may rate some sampled item today."""
    may_rate = who_may_rate(case, "rater", sample=case.sample, without=())
    return {rater for raters in may_rate.values() for rater in raters}


def _room(case: Case, *, otherwise: int) -> int:
    """Ratings that the raters left can give in a round, `otherwise` if somebody has no limit."""
    left = _left(case)
    capacities = [person.capacity for person in case.raters if person.pseudonym in left]
    return sum(otherwise if capacity is None else capacity for capacity in capacities)


def _weights(case: Case, inferred: Inferred) -> dict[str, float]:
    """Weight of each inferred dimension."""
    dimensions = case.campaign.rubric.dimensions
    return {of.name: of.weight for of in dimensions if of.name in inferred.truths}
