"""Nobody rates an item again: mend teams that were made without a look at earlier rounds.

Where nearly every item has earlier raters of its own, groups of like items are as many as items.
Then teams are made as if there had been no earlier rounds, and whoever comes again changes places
with a rater of a like item. Loads stay what they were, and with fewer conditions they could not
have been less even; so if this mends everything, nothing is lost.
"""

import numpy as np

from ocrjury.assignment.demand import Demand
from ocrjury.assignment.eligibility import Booleans, Integers
from ocrjury.assignment.overlap import Overlap, Swaps

_ROUNDS = 300


def part_from_earlier(demand: Demand, teams: Integers, *, rng: np.random.Generator) -> bool:
    """Swap raters of like items until nobody comes again; return whether that succeeded."""
    overlap = Overlap.of(demand, teams)
    by_kind = overlap.busy[np.argsort(demand.kind[overlap.busy], kind="stable")]
    number = np.bincount(demand.kind[by_kind], minlength=len(demand.allowed))
    start = np.cumsum(number) - number
    for _ in range(_ROUNDS):
        item, seat = np.nonzero(_again(demand, teams))
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


def _again(demand: Demand, teams: Integers) -> Booleans:
    """Return which seats hold an earlier rater of the item, shape (N, W)."""
    again = np.zeros(teams.shape, dtype=bool)
    nobody = len(demand.raters)
    for earlier in demand.before.T:
        again |= (teams == earlier[:, None]) & (teams < nobody)
    return again


def _alone(swaps: Swaps) -> Booleans:
    """Return which swaps share no item with another one."""
    items = np.concatenate([swaps.one, swaps.other])
    _, where, number = np.unique(items, return_inverse=True, return_counts=True)
    return np.asarray((number[where.ravel()] == 1).reshape(2, -1).all(axis=0))
