"""Who rates which item: distinct eligible raters, even loads, even and connected meetings."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ocrjury.assignment.demand import (
    Capacity,
    Demand,
    Eligible,
    Groups,
    group_items,
    read_demand,
)
from ocrjury.assignment.overlap import Overlap, connect_raters, may_rate, spread_meetings
from ocrjury.assignment.quotas import balanced_quotas, largest_quotas
from ocrjury.assignment.realisation import Pairs, Team, realise_quotas
from ocrjury.errors import InputError

_NAMED = 10  # items that an error message names


def assign_raters(
    items: Sequence[Hashable],
    raters: Sequence[Hashable],
    *,
    raters_per_item: int | Mapping[Any, int] = 2,
    capacity: Capacity = None,
    eligible: Eligible = None,
    previous: pd.DataFrame | None = None,
    seed: int,
) -> pd.DataFrame:
    """Return who rates which item, and at which place of their own queue.

    Loads are as equal as the conditions allow: no other plan has a smaller largest load or a
    larger smallest one. Raters meet each other about equally often (meetings in ``previous``
    count), and through chains of meetings everyone is comparable with everyone wherever the
    conditions allow it.

    Parameters
    ----------
    items, raters
        Ids; their order has no influence.
    raters_per_item
        New ratings wanted of each item, one number or one per item; 0 is allowed.
    capacity
        Most ratings of each rater, one number or {rater: number}; a rater without one has no
        limit.
    eligible
        Raters who may rate an item, {item: raters} or a frame with columns item and rater; an item
        that it leaves out has no eligible rater.
    previous
        Frame with columns item and rater: pairs that must not come again.
    seed
        Same seed and same conditions, same plan.

    Returns
    -------
    DataFrame
        Columns item, rater, position; one row per rating to give. ``position`` counts from 1
        within a rater, in random order.

    Raises
    ------
    InputError
        If the conditions leave ratings missing; it says how many and for which items
        (`missing_ratings` returns them).

    Examples
    --------
    >>> plan = assign_raters(["d1", "d2", "d3"], ["R01", "R02", "R03"], seed=1)
    >>> plan["rater"].value_counts().to_list()
    [2, 2, 2]
    """
    demand = read_demand(
        items,
        raters,
        raters_per_item=raters_per_item,
        capacity=capacity,
        eligible=eligible,
        previous=previous,
    )
    groups = group_items(demand)
    missing = _missing(demand, groups)
    if missing:
        raise InputError(_shortage(missing))
    rng = np.random.default_rng(seed)
    return _frame(demand, _teams(demand, groups, rng=rng), rng=rng)


def missing_ratings(
    items: Sequence[Hashable],
    raters: Sequence[Hashable],
    *,
    raters_per_item: int | Mapping[Any, int] = 2,
    capacity: Capacity = None,
    eligible: Eligible = None,
    previous: pd.DataFrame | None = None,
) -> dict[Any, int]:
    """Return how many of the wanted ratings nobody can give, by item; {} if the plan is feasible.

    The sum is as small as can be. Where raters' capacity is short, which items go without is a
    choice; without these ratings, `assign_raters` accepts the same conditions.

    Examples
    --------
    >>> missing_ratings(["d1", "d2"], ["R01"])
    {'d1': 1, 'd2': 1}
    """
    demand = read_demand(
        items,
        raters,
        raters_per_item=raters_per_item,
        capacity=capacity,
        eligible=eligible,
        previous=previous,
    )
    return _missing(demand, group_items(demand))


def _missing(demand: Demand, groups: Groups) -> dict[Any, int]:
    """Return the shortage of every item that has one, in canonical order."""
    quotas = largest_quotas(groups, demand.capacity)
    short = np.zeros(len(demand.items), dtype=np.int64)
    for members, lacking in zip(
        groups.members, groups.size * groups.need - quotas.sum(axis=1), strict=True
    ):
        each, rest = divmod(int(lacking), len(members))
        short[members] = each
        short[members[:rest]] += 1
    return {demand.items[place]: int(short[place]) for place in np.flatnonzero(short)}


def _shortage(missing: dict[Any, int]) -> str:
    """Return the error message for missing ratings."""
    named = [f"{item!r} lacks {number}" for item, number in list(missing.items())[:_NAMED]]
    if len(missing) > _NAMED:
        named.append(f"and {len(missing) - _NAMED} more items")
    return (
        f"{sum(missing.values())} rating(s) are missing, because too few eligible raters have "
        f"capacity left: item {', '.join(named)}. Add raters, eligibility or capacity, or ask for "
        "fewer ratings of these items."
    )


def _teams(demand: Demand, groups: Groups, *, rng: np.random.Generator) -> dict[int, Team]:
    """Return the raters' places of every item that needs ratings."""
    if not groups.members:
        return {}
    # Which of several equal raters gets one item more is decided by chance, not by name.
    order = rng.permutation(len(demand.raters))
    drawn = Groups(groups.members, groups.size, groups.need, groups.allowed[:, order])
    quotas = np.zeros_like(drawn.allowed, dtype=np.int64)
    quotas[:, order] = balanced_quotas(drawn, demand.capacity[order])
    pairs: Pairs = demand.meetings.tolist()
    teams = realise_quotas(demand, groups, quotas, pairs=pairs, rng=rng)
    overlap = Overlap(teams, pairs, demand.partners, may_rate(groups))
    spread_meetings(overlap, rng=rng)
    connect_raters(overlap, rng=rng)
    return teams


def _frame(demand: Demand, teams: dict[int, Team], *, rng: np.random.Generator) -> pd.DataFrame:
    """Return the plan with a random place for every rating in its rater's queue."""
    rows = [(item, rater) for item in sorted(teams) for rater in sorted(teams[item])]
    pairs = np.array(rows, dtype=np.int64).reshape(-1, 2)
    by_rater = np.lexsort((rng.random(len(pairs)), pairs[:, 1]))
    load = np.bincount(pairs[:, 1], minlength=len(demand.raters))
    start = np.concatenate([[0], np.cumsum(load)[:-1]]) if len(load) else load
    position = np.empty(len(pairs), dtype=np.int64)
    position[by_rater] = np.arange(len(pairs)) - np.repeat(start, load) + 1
    return pd.DataFrame(
        {
            "item": [demand.items[item] for item, _ in rows],
            "rater": [demand.raters[rater] for _, rater in rows],
            "position": position,
        }
    )
