"""Repair of teams made without regard to earlier rounds, so that no rater rates an item twice.

Where nearly every item has its own earlier raters, there are as many groups of similar items as
items. Teams are then made as if there had been no earlier rounds, and a rater who rated the item
before is swapped with a rater of a similar item. Loads do not change, and with fewer conditions
they were at least as even; so if the repair succeeds, nothing is lost.
"""

import numpy as np

from ocrjury.arrays import Booleans, Integers
from ocrjury.assignment.demand import Demand
from ocrjury.assignment.overlap import Overlap, Swaps

_ROUNDS = 300


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
    """Whether each seat has an earlier rater of the item, shape (N, W)."""
    repeated = np.zeros(teams.shape, dtype=bool)
    nobody = len(demand.raters)
    for earlier in demand.before.T:
        repeated |= (teams == earlier[:, None]) & (teams < nobody)
    return repeated


def _alone(swaps: Swaps) -> Booleans:
    """Whether each swap shares no item with another swap."""
    items = np.concatenate([swaps.one, swaps.other])
    _, code, number = np.unique(items, return_inverse=True, return_counts=True)
    return np.asarray((number[code.ravel()] == 1).reshape(2, -1).all(axis=0))
