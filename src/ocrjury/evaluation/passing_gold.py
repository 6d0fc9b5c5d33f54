"""Gold that raters meet in passing, and how it counts once a larger sample draws it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from ocrjury.evaluation.case import Case
from ocrjury.store.decisions import list_set_aside
from ocrjury.store.documents import SampledItem

GOLD = "gold"
"""Reason of an assignment that checks a rater on an item outside the sample."""

Pair = tuple[str, str]


class InPassing(NamedTuple):
    """Ratings in passing that count for the main round of an item that was drawn since.

    Attributes
    ----------
    counting
        Number for each item that count on all dimensions asked.
    void
        Pairs of item and rater without one that counts on any of them: withdrawn, set aside, or
        given on other dimensions.
    partial
        Number of raters of each item with one that counts on some of them.
    """

    counting: Counter[str]
    void: set[Pair]
    partial: Counter[str]


def rated_in_passing(case: Case, dimensions: Sequence[str]) -> InPassing:
    """Ratings in passing in main rounds; no dimensions are all."""
    wanted = set(dimensions or case.dimensions)
    of_round = {round_.round: set(round_.dimensions) for round_ in case.rounds}
    aside: dict[str, set[str]] = {}
    for assignment, dimension, _ in list_set_aside(case.work.engine, case.name):
        aside.setdefault(assignment, set()).add(dimension)
    ratings = InPassing(Counter(), set(), Counter())
    for row in case.assignments:
        if case.kinds[row.round] != "main" or row.reason != GOLD:
            continue
        left = of_round[row.round] - aside.get(row.assignment, set())
        counts = wanted & left if row.state != "withdrawn" else set()
        if counts == wanted:
            ratings.counting[row.item] += 1
        elif counts:
            ratings.partial[row.item] += 1
        else:
            ratings.void.add((row.item, row.rater))
    return ratings


def ask_for_rest(
    case: Case,
    demand: Mapping[str, int],
    in_passing: InPassing,
    *,
    may_rate: Mapping[str, Collection[str]],
) -> tuple[dict[str, int], set[Pair]]:
    """Ratings left to ask for, and the pairs of item and rater that may come again for them.

    Somebody who met an item in passing, without a rating that counts now, is asked again where too
    few others are left.
    """
    left = {item: number - in_passing.counting[item] for item, number in demand.items()}
    met, again = set(case.pairs_before()), set()
    for item in sorted({item for item, _ in in_passing.void} | set(in_passing.partial)):
        fresh = sum((item, rater) not in met for rater in may_rate.get(item, ()))
        if fresh >= left.get(item, 0):
            continue
        old = {(item, rater) for rater in may_rate[item]} & in_passing.void
        again |= old
        left[item] = min(left[item], max(fresh + len(old), left[item] - in_passing.partial[item]))
    return {item: number for item, number in left.items() if number > 0}, again


def silent_gold(
    case: Case,
    sample: Sequence[SampledItem],
    dimensions: Sequence[str],
    *,
    may_rate: Mapping[str, Sequence[str]],
) -> dict[str, list[str]]:
    """Gold outside the sample that each rater may meet and has not met yet."""
    known = {item for name in dimensions or case.dimensions for item in case.gold.get(name, {})}
    drawn = {item.item for item in sample}
    met = {*case.pairs_before(), *case.pairs_before("pilot")}
    by_rater: dict[str, list[str]] = {}
    for item in case.items:
        if item.item not in known or item.item in drawn or item.item in case.excluded:
            continue
        for rater in may_rate[item.item]:
            if (item.item, rater) not in met:
                by_rater.setdefault(rater, []).append(item.item)
    return by_rater
