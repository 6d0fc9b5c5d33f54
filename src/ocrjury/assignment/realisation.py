"""Realisation of quotas as teams: which raters rate which item, each as often as they say.

Raters are laid out in random order along a line, each as often as their quota, and the line is
wound around n items: with quotas of at most n, nobody comes twice on one (McNaughton 1959). Many
like items are wound in blocks of their own, so that a rater meets many others; thousands that
everybody has equally many of are laid out in cycles, where meetings are even by construction.
"""

import itertools
import math
from typing import NamedTuple, Self

import numpy as np

from ocrjury.arrays import Integers
from ocrjury.assignment.demand import Demand, Groups
from ocrjury.assignment.quotas import largest_flow

_MANY = 5000  # like items, above which cycles pay
_MOST_STEPS = 2000  # distinct cycles laid out before they come again


class Blocks(NamedTuple):
    """Like items that are wound together.

    Attributes
    ----------
    members
        Places of each block's items, B arrays.
    need
        Ratings wanted of each item, shape (B,).
    quotas
        Ratings of each rater in each block, shape (B, R).
    """

    members: list[Integers]
    need: Integers
    quotas: Integers

    @classmethod
    def joined(cls, some: list[Self]) -> Self:
        """All blocks of several lists of blocks."""
        return cls(
            [members for blocks in some for members in blocks.members],
            np.concatenate([blocks.need for blocks in some]),
            np.concatenate([blocks.quotas for blocks in some]),
        )


def realise_quotas(
    demand: Demand, groups: Groups, quotas: Integers, *, rng: np.random.Generator
) -> Integers:
    """Team of every item, shape (N, W), R where an item has fewer than W raters.

    Parameters
    ----------
    quotas
        Ratings of each rater in each group, shape (C, R).
    """
    n_raters = len(demand.raters)
    widest = int(groups.need.max(initial=0))
    teams = np.full((len(demand.items), widest), n_raters, dtype=np.int64)
    blocks = [Blocks([], np.empty(0, dtype=np.int64), np.empty((0, n_raters), dtype=np.int64))]
    for members, need, quota in zip(groups.members, groups.need.tolist(), quotas, strict=True):
        places = rng.permutation(members)
        left = quota
        cycles = _cycles(len(places), need, quota, rng=rng)
        if cycles is not None:
            teams[places[: len(cycles)], :need] = cycles
            places = places[len(cycles) :]
            left = quota - np.bincount(cycles.ravel(), minlength=n_raters)
        blocks.append(_split(places, need, left))
    _wind(Blocks.joined(blocks), teams, rng=rng)
    return teams


def _split(places: Integers, need: int, quota: Integers) -> Blocks:
    """Like items in blocks, in each of which most raters come about once."""
    present = int(np.count_nonzero(quota))
    n_blocks = max(len(places) * need // max(present, 1), 1)
    if n_blocks < 3:
        return Blocks([places], np.array([need]), quota[None, :])
    members = np.array_split(places, n_blocks)
    size, everybody = np.array([len(block) for block in members]), np.full(n_blocks, need)
    allowed = np.broadcast_to(quota > 0, (n_blocks, len(quota)))
    flow = largest_flow(Groups(members, size, everybody, allowed), quota)
    return Blocks(members, everybody, flow.quotas)


def _wind(blocks: Blocks, teams: Integers, *, rng: np.random.Generator) -> None:
    """Wind the line of raters of every block around its items; fills in teams."""
    size = np.array([len(members) for members in blocks.members], dtype=np.int64)
    seats = size * blocks.need
    block, rater = np.nonzero(blocks.quotas)
    order = np.lexsort((rng.random(len(block)), block))
    line = np.repeat(rater[order], blocks.quotas[block, rater][order])
    own = np.repeat(np.arange(len(size)), seats)
    place = np.arange(len(line)) - (np.cumsum(seats) - seats)[own]
    first = (np.cumsum(size) - size)[own]
    items = np.concatenate([*blocks.members, np.empty(0, dtype=np.int64)]).astype(np.int64)
    teams[items[first + place % size[own]], place // size[own]] = line


def _cycles(n: int, need: int, quota: Integers, *, rng: np.random.Generator) -> Integers | None:
    """Teams for most of n like items, shape (n', need); None where cycles do not fit.

    Raters stand in a circle; a team is a rater and those at fixed steps from them, and turning it
    once around the circle gives everyone ``need`` items. The steps run over all their choices.
    """
    raters = rng.permutation(np.flatnonzero(quota))
    n_raters = len(raters)
    even = n_raters > need and np.ptp(quota[raters]) <= 1
    turns = (n - 2 * n_raters) // max(n_raters, 1)
    if n < _MANY or need < 2 or not even or turns < 1:
        return None
    steps = _steps(n_raters, need, rng=rng)
    if turns % len(steps) * n_raters <= _MANY:  # whole rounds of steps are perfectly even
        turns = max(turns - turns % len(steps), 1)
    order = np.concatenate([rng.permutation(len(steps)) for _ in range(-(-turns // len(steps)))])
    circle = (steps[order[:turns], None, :] + np.arange(n_raters)[None, :, None]) % n_raters
    return np.asarray(raters[circle.reshape(-1, need)])


def _steps(n_raters: int, need: int, *, rng: np.random.Generator) -> Integers:
    """Distances of team members from the first, shape (steps, need)."""
    if need == 2 and n_raters > 4:
        # One way around is enough: everybody meets those on the left when they meet those there.
        others = np.arange(1, (n_raters + 1) // 2)[:, None]
    elif math.comb(n_raters - 1, need - 1) <= _MOST_STEPS:
        others = np.array(list(itertools.combinations(range(1, n_raters), need - 1)))
    else:
        others = np.array(
            [1 + rng.choice(n_raters - 1, need - 1, replace=False) for _ in range(_MOST_STEPS)]
        )
    return np.column_stack([np.zeros(len(others), dtype=np.int64), others])
