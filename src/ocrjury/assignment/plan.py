"""Assignment plans: distinct eligible raters, even loads, even and connected meetings.

Where nearly every item has its own earlier raters, there are as many groups of similar items as
items. Teams are then made as if there had been no earlier rounds, and a rater who rated the item
before is swapped with a rater of a similar item. Loads do not change, and with fewer conditions
they were at least as even; so if the repair succeeds, nothing is lost.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ocrjury.arrays import Booleans, Integers
from ocrjury.assignment.annealing import settle
from ocrjury.assignment.demand import Capacity, Demand, Groups, group_items, read_demand
from ocrjury.assignment.eligibility import Eligible
from ocrjury.assignment.overlap import Overlap, Swaps, connect_raters, spread_meetings
from ocrjury.assignment.quotas import find_shortage, largest_flow, level_loads
from ocrjury.assignment.realisation import realise_quotas
from ocrjury.errors import InputError

_MANY_CELLS = 500_000  # groups times raters, beyond which earlier rounds are looked at later
_ROUNDS = 300


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
    """Assignment of raters to items, with the position in each rater's queue.

    Loads are as equal as the conditions allow: no other plan has a smaller largest load or a
    larger smallest load. Raters meet each other about equally often, counting meetings in
    ``previous``, and wherever the conditions allow it, chains of meetings connect all raters.

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
        Frame with columns item and rater: pairs that must not be repeated.
    seed
        The same seed and conditions give the same plan.

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
    rng = np.random.default_rng(seed)
    return _frame(demand, _teams(demand, rng=rng), rng=rng)


def missing_ratings(
    items: Sequence[Hashable],
    raters: Sequence[Hashable],
    *,
    raters_per_item: int | Mapping[Any, int] = 2,
    capacity: Capacity = None,
    eligible: Eligible = None,
    previous: pd.DataFrame | None = None,
) -> dict[Any, int]:
    """Number of requested ratings that no rater can give, by item; {} if the plan is feasible.

    The sum is minimal. Where raters' capacity is too small, which items are affected is a
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
    return find_shortage(demand, group_items(demand)).missing


def _teams(demand: Demand, *, rng: np.random.Generator) -> Integers:
    """Raters' places of every item, shape (N, W), R where there are fewer than W."""
    groups = group_items(demand)
    teams = None
    if groups.allowed.size > _MANY_CELLS:
        teams = _realised(demand, group_items(demand, with_before=False), rng=rng)
        if teams is not None and not part_from_earlier(demand, teams, rng=rng):
            teams = None
    if teams is None:
        teams = _realised(demand, groups, rng=rng)
    if teams is None:
        raise InputError(find_shortage(demand, groups).message())
    overlap = Overlap.of(demand, teams)
    spread_meetings(overlap, rng=rng)
    settle(overlap, rng=rng)
    connect_raters(overlap, rng=rng)
    return overlap.teams


def _realised(demand: Demand, groups: Groups, *, rng: np.random.Generator) -> Integers | None:
    """Teams with loads as equal as can be, None where ratings would be missing."""
    # Which of several equal raters gets one item more is decided by chance, not by name.
    order = rng.permutation(len(demand.raters))
    drawn = replace(groups, allowed=groups.allowed[:, order])
    flow = largest_flow(drawn, demand.capacity[order])
    if flow.quotas.sum() < demand.need.sum():
        return None
    quotas = np.zeros_like(flow.quotas)
    quotas[:, order] = level_loads(flow.quotas, drawn, demand.capacity[order])
    return realise_quotas(demand, groups, quotas, rng=rng)


def _frame(demand: Demand, teams: Integers, *, rng: np.random.Generator) -> pd.DataFrame:
    """Plan with a random place for every rating in its rater's queue."""
    n_raters = len(demand.raters)
    by_place = np.sort(teams, axis=1).ravel()
    seats = np.flatnonzero(by_place < n_raters)
    rater = by_place[seats].astype(np.min_scalar_type(n_raters))
    # A stable sort of a shuffled queue; of small integers it takes linear time.
    shuffled = rng.permutation(len(rater)).astype(np.int32)
    by_rater = shuffled[np.argsort(rater[shuffled], kind="stable")]
    load = np.bincount(rater, minlength=n_raters)
    position = np.empty(len(rater), dtype=np.int64)
    position[by_rater] = np.arange(len(rater)) - np.repeat(np.cumsum(load) - load, load) + 1
    items = pd.Series(demand.items).take(seats // max(teams.shape[1], 1))
    raters = pd.Series(demand.raters).take(rater)
    return pd.DataFrame({"item": items.array, "rater": raters.array, "position": position})


def part_from_earlier(demand: Demand, teams: Integers, *, rng: np.random.Generator) -> bool:
    """Swap raters of similar items until none rates an item twice; return whether it succeeded."""
    overlap = Overlap.of(demand, teams)
    by_kind = overlap.busy[np.argsort(demand.kind[overlap.busy], kind="stable")]
    number = np.bincount(demand.kind[by_kind], minlength=len(demand.allowed))
    start = np.cumsum(number) - number
    for _ in range(_ROUNDS):
        item, seat = np.nonzero(_repeated(demand, teams))
        if not len(item):
            return True
        _, first = np.unique(item, return_index=True)
        item, seat = item[first], seat[first]
        kind = demand.kind[item]
        other = by_kind[start[kind] + (rng.random(len(item)) * number[kind]).astype(np.int64)]
        place = (rng.random(len(item)) * demand.need[other]).astype(np.int64)
        swaps = Swaps(item, seat, other, place)
        swaps = swaps.which(overlap.fits(swaps))
        swaps = swaps.which(_alone(swaps))
        out, new = teams[swaps.one, swaps.s], teams[swaps.other, swaps.t]
        teams[swaps.one, swaps.s], teams[swaps.other, swaps.t] = new, out
    return False


def _repeated(demand: Demand, teams: Integers) -> Booleans:
    """Mask of the seats whose rater has an earlier seat on the item, shape (N, W)."""
    repeated = np.zeros(teams.shape, dtype=bool)
    nobody = len(demand.raters)
    for earlier in demand.before.T:
        repeated |= (teams == earlier[:, None]) & (teams < nobody)
    return repeated


def _alone(swaps: Swaps) -> Booleans:
    """Mask of the swaps that share no item with another swap."""
    items = np.concatenate([swaps.one, swaps.other])
    _, code, number = np.unique(items, return_inverse=True, return_counts=True)
    return np.asarray((number[code.ravel()] == 1).reshape(2, -1).all(axis=0))
