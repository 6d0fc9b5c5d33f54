"""How many ratings each rater gives within each group of like items.

n items that need m ratings each can be given q_r ratings by rater r, with distinct raters on every
item, if and only if no q_r exceeds n and the q_r sum to n m (wrap-around rule, McNaughton 1959).
So a maximum flow from groups to raters is exact, and no assignment of single items is needed to
find out whether, and how evenly, the work can be shared.
"""

import itertools

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from ocrjury.assignment.demand import Booleans, Groups, Integers


def largest_quotas(groups: Groups, capacity: Integers) -> Integers:
    """Return quotas that fulfil as much of the demand as can be, shape (C, R)."""
    n_groups, n_raters = groups.allowed.shape
    if not n_groups or not n_raters:
        return np.zeros((n_groups, n_raters), dtype=np.int64)
    group, rater = np.nonzero(groups.allowed)
    source, sink = 0, n_groups + n_raters + 1
    every_group = np.arange(1, n_groups + 1)
    every_rater = np.arange(n_groups + 1, sink)
    tail = np.concatenate([np.full(n_groups, source), group + 1, every_rater])
    head = np.concatenate([every_group, rater + n_groups + 1, np.full(n_raters, sink)])
    width = np.concatenate([groups.size * groups.need, groups.size[group], capacity])
    graph = csr_matrix((width.astype(np.int32), (tail, head)), shape=(sink + 1, sink + 1))
    flow = maximum_flow(graph, source, sink).flow[1 : n_groups + 1, n_groups + 1 : sink]
    return np.asarray(flow.toarray(), dtype=np.int64)


def balanced_quotas(groups: Groups, capacity: Integers) -> Integers:
    """Return quotas that fulfil the demand with loads as equal as can be, shape (C, R).

    No other quotas have a smaller sum of squared loads; hence none has a smaller largest load, or
    a larger smallest one. The demand must be feasible within ``capacity``, shape (R,).
    """
    total = int((groups.size * groups.need).sum())
    low, high = -(-total // max(len(capacity), 1)), int(capacity.max(initial=0))
    while low < high:  # the smallest largest load
        middle = (low + high) // 2
        enough = largest_quotas(groups, np.minimum(capacity, middle)).sum() == total
        low, high = (low, middle) if enough else (middle + 1, high)
    quotas = largest_quotas(groups, np.minimum(capacity, high))
    _level_loads(quotas, groups, capacity)
    _spread_within_groups(quotas, groups)
    return quotas


def _level_loads(quotas: Integers, groups: Groups, capacity: Integers) -> None:
    """Hand ratings on from busy to idle raters until no chain of hand-overs helps; in place."""
    load = quotas.sum(axis=0)
    while True:
        room = groups.allowed & (quotas < groups.size[:, None])
        # hand_over[a, b]: a can give b a rating of some group that both may rate.
        hand_over = ((quotas > 0).T.astype(np.float32) @ room.astype(np.float32)) > 0
        chain = _helpful_chain(load, hand_over, capacity)
        if not chain:
            return
        giver, taker = chain[0], chain[-1]
        steps = [
            (int(np.argmax(np.where(room[:, b], quotas[:, a], 0))), a, b)
            for a, b in itertools.pairwise(chain)
        ]
        amount = min(
            (load[giver] - load[taker]) // 2,
            capacity[taker] - load[taker],
            *(min(quotas[c, a], groups.size[c] - quotas[c, b]) for c, a, b in steps),
        )
        for c, a, b in steps:
            quotas[c, a] -= amount
            quotas[c, b] += amount
        load = quotas.sum(axis=0)


def _helpful_chain(load: Integers, hand_over: Booleans, capacity: Integers) -> list[int]:
    """Return raters along whom ratings can pass to one with at least two fewer; [] if none."""
    graph = csr_matrix(hand_over)
    open_to_more = load < capacity
    for giver in np.argsort(-load, kind="stable"):
        reached, before = breadth_first_order(graph, giver)
        takers = reached[(load[reached] <= load[giver] - 2) & open_to_more[reached]]
        if not len(takers):
            continue
        chain = [int(takers[np.argmin(load[takers])])]
        while chain[-1] != giver:
            chain.append(int(before[chain[-1]]))
        return chain[::-1]
    return []


def _spread_within_groups(quotas: Integers, groups: Groups) -> None:
    """Exchange ratings of different groups so that everyone has a share of each; in place.

    Loads stay as they are. Groups with one rating per item come last, because they make no pairs.
    """
    weight = np.where(groups.need > 1, len(groups.size) + 1, 1)
    for _ in range(20):
        moved = sum(
            _spread_one(quotas, groups, weight=weight, group=group) for group in range(len(quotas))
        )
        if not moved:
            return


def _spread_one(quotas: Integers, groups: Groups, *, weight: Integers, group: int) -> int:
    """Move ratings of one group from its busiest to its idlest rater, and of another one back."""
    moved = 0
    raters = np.flatnonzero(groups.allowed[group])
    for _ in range(len(raters)):
        a = raters[np.argmax(quotas[group, raters])]
        b = raters[np.argmin(quotas[group, raters])]
        back = groups.allowed[:, a] & groups.allowed[:, b]
        back[group] = False
        most = np.minimum(quotas[:, b], groups.size - quotas[:, a])
        most = np.minimum(most, min(quotas[group, a], groups.size[group] - quotas[group, b]))
        # Moving x changes the weighted sum of squares by 2 (both x^2 - gap x).
        both = weight[group] + weight
        gap = weight[group] * (quotas[group, a] - quotas[group, b])
        gap = gap + weight * (quotas[:, b] - quotas[:, a])
        amount = np.where(back, np.clip((gap + both) // (2 * both), 0, most), 0)
        gain = amount * (gap - amount * both)
        other = int(np.argmax(gain))
        if gain[other] <= 0:
            break
        quotas[[group, other], [a, b]] -= amount[other]
        quotas[[group, other], [b, a]] += amount[other]
        moved += int(amount[other])
    return moved
