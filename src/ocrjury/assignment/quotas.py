"""Quotas: number of ratings that each rater gives within each group of like items.

n items that need m ratings each can be given q_r ratings by rater r, with distinct raters on every
item, if and only if no q_r exceeds n and the q_r sum to n m (wrap-around rule, McNaughton 1959).
So a maximum flow from groups to raters is exact, and no assignment of single items is needed to
find out whether, and how evenly, the work can be shared.

The flow begins with even shares of every group and is made exact along chains of raters who hand
ratings on (augmenting paths; Ford and Fulkerson 1956). A chain moves ratings of many groups at
once, so their number matters little.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.assignment.demand import Demand, Groups
from ocrjury.problem_lists import NAMED

_SCALINGS = 15


class Flow(NamedTuple):
    """The most ratings that raters can give within capacity.

    Attributes
    ----------
    quotas
        Ratings of each rater in each group, shape (C, R).
    full
        Raters without whom nothing more is possible: all who may still rate something that lacks
        ratings, and all to whom these could hand on; shape (R,).
    """

    quotas: Integers
    full: Booleans


def largest_flow(groups: Groups, capacity: Integers) -> Flow:
    """Quotas that fulfil as much of the demand as can be."""
    quotas = _even_quotas(groups, capacity)
    _fit_capacity(quotas, capacity)
    load = quotas.sum(axis=0)
    while True:
        lacking = groups.size * groups.need - quotas.sum(axis=1)
        start = (groups.allowed & (quotas < groups.size[:, None]))[lacking > 0].any(axis=0)
        reached, giver_of = start, np.full(len(load), -1)
        if not (start & (load < capacity)).any():
            reached, giver_of = _reach(_hand_overs(quotas, groups), start)
        takers = np.flatnonzero(reached & (load < capacity))
        if not len(takers):
            return Flow(quotas, reached)
        taker = int(takers[np.argmin(load[takers])])
        chain = _chain(giver_of, taker)
        new = np.minimum(lacking, groups.size - quotas[:, chain[0]]) * groups.allowed[:, chain[0]]
        amount = min(_most_along(quotas, groups, chain), capacity[taker] - load[taker], new.sum())
        _hand_on(quotas, groups, chain, amount)
        quotas[:, chain[0]] += _take(new, np.argsort(-new, kind="stable"), amount)
        load[taker] += amount


def level_loads(quotas: Integers, groups: Groups, capacity: Integers) -> Integers:
    """Quotas of the same sums per group with loads as equal as can be, shape (C, R).

    No other quotas have a smaller sum of squared loads; hence none has a smaller largest load, or
    a larger smallest one. The given quotas must keep ``capacity``, shape (R,).
    """
    quotas = quotas.copy()
    load = quotas.sum(axis=0)
    settled = np.zeros(len(load), dtype=bool)
    while not settled.all():
        giver = int(np.argmax(np.where(settled, -1, load)))
        reached, giver_of = _reach(_hand_overs(quotas, groups), np.arange(len(load)) == giver)
        takers = np.flatnonzero(reached & (load <= load[giver] - 2) & (load < capacity))
        if not len(takers):
            # Whoever can be reached from here reaches nobody else, and has no more to give away.
            settled |= reached
            continue
        taker = int(takers[np.argmin(load[takers])])
        chain = _chain(giver_of, taker)
        room = min((load[giver] - load[taker]) // 2, capacity[taker] - load[taker])
        amount = min(room, _most_along(quotas, groups, chain))
        _hand_on(quotas, groups, chain, amount)
        load[giver] -= amount
        load[taker] += amount
        settled[:] = False
    return quotas


def _even_quotas(groups: Groups, capacity: Integers) -> Integers:
    """Whole numbers near the most even shares, whose loads are near to equal.

    Columns are scaled in turn (iterative proportional fitting), so that whoever may rate little
    has a large share of that.
    """
    n_groups, n_raters = groups.allowed.shape
    if not n_groups or not n_raters:
        return np.zeros((n_groups, n_raters), dtype=np.int64)
    total = groups.size * np.minimum(groups.need, groups.allowed.sum(axis=1))
    goal = np.minimum(capacity, -(-total.sum() // n_raters))
    weight = np.ones(n_raters)
    shares = _shares(groups, total, weight)
    for _ in range(_SCALINGS):
        weight *= np.sqrt((goal + 1e-9) / (shares.sum(axis=0) + 1e-9))
        weight = np.clip(weight / weight.max(initial=1e-9), 1e-6, 1)
        shares = _shares(groups, total, weight)
    return np.minimum(_rounded(shares), groups.size[:, None] * groups.allowed)


def _shares(groups: Groups, total: Integers, weight: Floats) -> Floats:
    """Shares about proportional to weights, at most the group's size, that sum to ``total``."""
    size, whole = groups.size[:, None].astype(float), total[:, None].astype(float)
    shares = np.where(groups.allowed, weight, 0.0)
    for _ in range(2):
        scale = whole / np.maximum(shares.sum(axis=1, keepdims=True), 1e-12)
        shares = np.minimum(shares * scale, size)
    room = np.where(groups.allowed, size - shares, 0.0)
    rest = whole - shares.sum(axis=1, keepdims=True)
    return np.asarray(shares + room * rest / np.maximum(room.sum(axis=1, keepdims=True), 1e-12))


def _rounded(shares: Floats) -> Integers:
    """Integers next to the shares, with the same sums of rows (which are whole)."""
    ends = np.cumsum(shares, axis=1)
    ends[:, -1] = np.round(ends[:, -1])
    # Every row is cut at another phase, or the first columns would be rounded up in all of them.
    phase = (np.arange(1, len(shares) + 1) * 0.6180339887498949 % 1)[:, None]
    cuts = np.floor(ends + phase + 1e-7).astype(np.int64)
    return np.diff(cuts, axis=1, prepend=0)


def _fit_capacity(quotas: Integers, capacity: Integers) -> None:
    """Remove what exceeds a rater's capacity, in place."""
    for rater in np.flatnonzero(quotas.sum(axis=0) > capacity):
        own = quotas[:, rater]
        own -= _take(own.copy(), np.argsort(-own, kind="stable"), own.sum() - capacity[rater])


def _take(available: Integers, order: Integers, amount: int) -> Integers:
    """Amounts taken from each entry, in an order, that sum to ``amount``."""
    sorted_out = available[order]
    before = np.cumsum(sorted_out) - sorted_out
    taken = np.zeros_like(available)
    taken[order] = np.clip(amount - before, 0, sorted_out)
    return taken


def _hand_overs(quotas: Integers, groups: Groups) -> Booleans:
    """Mask of pairs where the first rater has a rating that the second could give, shape (R, R)."""
    room = groups.allowed & (quotas < groups.size[:, None])
    return ((quotas > 0).T.astype(np.float32) @ room.astype(np.float32)) > 0


def _reach(hand_over: Booleans, start: Booleans) -> tuple[Booleans, Integers]:
    """Raters reached by handing ratings on, and the giver of each (-1 at the start)."""
    reached, giver_of = start.copy(), np.full(len(start), -1)
    front = np.flatnonzero(start)
    while len(front):
        steps = hand_over[front]
        new = np.flatnonzero(steps.any(axis=0) & ~reached)
        giver_of[new] = front[np.argmax(steps[:, new], axis=0)]
        reached[new] = True
        front = new
    return reached, giver_of


def _chain(giver_of: Integers, taker: int) -> list[int]:
    """Raters from the first giver to the taker."""
    chain = [taker]
    while giver_of[chain[-1]] >= 0:
        chain.append(int(giver_of[chain[-1]]))
    return chain[::-1]


def _movable(quotas: Integers, groups: Groups, giver: int, taker: int) -> Integers:  # noqa: PLR0917  # a table, its groups and an arrow
    """Number of ratings of each group that one rater can hand to another, shape (C,)."""
    room = np.where(groups.allowed[:, taker], groups.size - quotas[:, taker], 0)
    return np.minimum(quotas[:, giver], room)


def _most_along(quotas: Integers, groups: Groups, chain: list[int]) -> int:
    """Number of ratings that can be handed along a chain at once; unlimited without a step."""
    steps = itertools.pairwise(chain)
    unlimited = int(groups.size @ groups.need)
    return min([unlimited, *(int(_movable(quotas, groups, a, b).sum()) for a, b in steps)])


def _hand_on(quotas: Integers, groups: Groups, chain: list[int], amount: int) -> None:  # noqa: PLR0917  # a table, its groups, where and how much
    """Hand an amount on along a chain, from the end; groups with the largest difference first."""
    for giver, taker in list(itertools.pairwise(chain))[::-1]:
        movable = _movable(quotas, groups, giver, taker)
        order = np.argsort(quotas[:, taker] - quotas[:, giver], kind="stable")
        moved = _take(movable, order, amount)
        quotas[:, giver] -= moved
        quotas[:, taker] += moved


class Shortage(NamedTuple):
    """Ratings that are missing in every possible assignment.

    Attributes
    ----------
    missing
        Missing ratings of each item, by its id, in canonical order; complete items are left
        out.
    full
        Ids of the raters who have no capacity left for them.
    capacity
        Number of ratings that these raters can give in all.
    scarce
        Ids of items with fewer eligible raters than requested.
    """

    missing: dict[Any, int]
    full: list[Any]
    capacity: int
    scarce: list[Any]

    def message(self) -> str:
        """Sentences about the missing ratings, with reasons and remedies."""
        lacks = _listed(
            [f"{item!r} lacks {number}" for item, number in self.missing.items()], "item"
        )
        reasons, remedies = [], []
        if self.scarce:
            reasons.append(
                f"Fewer raters may rate {_listed([*map(repr, self.scarce)], 'item')} than "
                "are wanted (eligible, and not an earlier rater of it)."
            )
            remedies.append("raters who may rate them")
        if self.full:
            reasons.append(
                f"Everybody who could take more has no capacity left: "
                f"{_listed([*map(repr, self.full)], 'rater')}, {self.capacity} in all."
            )
            remedies.append("capacity")
        return (
            f"{sum(self.missing.values())} rating(s) are missing: item {lacks}. "
            f"{' '.join(reasons)} Add {' or '.join(remedies)}, or ask for fewer ratings of these "
            "items."
        )


def find_shortage(demand: Demand, groups: Groups) -> Shortage:
    """Shortage of a demand; nothing is missing if it is feasible."""
    flow = largest_flow(groups, demand.capacity)
    short = np.zeros(len(demand.items), dtype=np.int64)
    lacking = groups.size * groups.need - flow.quotas.sum(axis=1)
    for members, number in zip(groups.members, lacking.tolist(), strict=True):
        each, rest = divmod(number, len(members))
        short[members] = each
        short[members[:rest]] += 1
    scarce = np.zeros(len(demand.items), dtype=bool)
    for group in np.flatnonzero(groups.need > groups.allowed.sum(axis=1)).tolist():
        scarce[groups.members[group]] = True
    return Shortage(
        {demand.items[place]: int(short[place]) for place in np.flatnonzero(short).tolist()},
        [demand.raters[place] for place in np.flatnonzero(flow.full).tolist()],
        int(demand.capacity[flow.full].sum()),
        [demand.items[place] for place in np.flatnonzero(scarce).tolist()],
    )


def _listed(names: list[str], noun: str) -> str:
    """First names, and the number of further ones."""
    rest = len(names) - NAMED
    more = [f"and {rest} more {noun}{'s' * (rest > 1)}"] if rest > 0 else []
    return ", ".join([*names[:NAMED], *more])
