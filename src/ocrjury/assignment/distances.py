"""Spacing of like items in a queue, such as two systems' outputs of one page.

Symbols: n turns, k the most items of one place, g the distance that is kept.
"""

import numpy as np

from ocrjury.arrays import Integers

APART = 10
"""Turns between two items of one place, where the queue is long enough."""


def spaced(order: Integers, place: Integers, *, rng: np.random.Generator) -> Integers:
    """Queue in which items of one place are far apart.

    The queue is cut into as many parts as a place has items, each part gets one of them by lot,
    and in each part those wait that would come too soon after the other: at least `APART` turns
    lie between, or nearly a whole part where that is shorter.

    Parameters
    ----------
    order
        Items in random order, shape (n,).
    place
        Place of each of them; different numbers do not matter to each other, shape (n,).

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> order = rng.permutation(40)
    >>> queue = spaced(order, order // 2, rng=rng)
    >>> first, second = (np.argsort(queue)[which::2] for which in (0, 1))
    >>> bool((abs(first - second) > APART).all())
    True
    """
    counts = np.unique_counts(place).counts
    most = int(counts.max(initial=1))
    if most == 1:
        return order
    part = _parts(place, most, rng=rng)
    gap = min(APART, int(np.bincount(part, minlength=most).min()) - 1)
    turns: list[int] = []
    last: dict[int, int] = {}
    for number in range(most):
        waiting = np.flatnonzero(part == number).tolist()
        while waiting:
            free = (
                which
                for which, seat in enumerate(waiting)
                if len(turns) - last.get(int(place[seat]), -len(order)) > gap
            )
            seat = waiting.pop(next(free, 0))
            last[int(place[seat])] = len(turns)
            turns.append(seat)
    return order[turns]


def far_repeats(
    order: Integers, place: Integers, repeats: int, *, rng: np.random.Generator
) -> tuple[Integers, Integers]:
    """Turns of a queue to repeat, and the turns after which to repeat them, far from their place.

    At most one item of each place is repeated, and fewer where there is no room.

    Parameters
    ----------
    order, place
        Items in turn and the place of each of them, shape (n,).
    """
    n, half = len(order), len(order) // 2
    chosen: dict[int, tuple[int, int]] = {}
    for turn in rng.permutation(half).tolist():
        if len(chosen) == min(repeats, half):
            break
        others = np.flatnonzero(place == place[turn])
        room = np.arange(turn + (n + 1) // 2, n)
        far = (abs(room[:, None] + 0.5 - others[others != turn]) > APART).all(axis=1)
        if far.any() and int(place[turn]) not in chosen:
            chosen[int(place[turn])] = turn, int(rng.choice(room[far]))
    pairs = np.array(list(chosen.values()), dtype=np.int64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def one_of_each(items: Integers, place: Integers, *, rng: np.random.Generator) -> Integers:
    """One item of every place, chosen at random.

    ``place`` is that of each item, shape (n,).
    """
    mixed = rng.permutation(len(items))
    return items[np.sort(mixed[np.unique(place[mixed], return_index=True)[1]])]


def _parts(place: Integers, most: int, *, rng: np.random.Generator) -> Integers:
    """Part of the queue of each item, the parts being of about equal size."""
    part = np.empty(len(place), dtype=np.int64)
    size = np.zeros(most)
    code = np.unique_inverse(place).inverse_indices
    members = np.split(np.argsort(code, kind="stable"), np.cumsum(np.bincount(code))[:-1])
    # Large places first; otherwise single items would leave no room for an even distribution.
    for group in sorted((members[row] for row in rng.permutation(len(members))), key=len)[::-1]:
        emptiest = np.lexsort((rng.random(most), size))[: len(group)]
        part[rng.permutation(group)] = emptiest
        size[emptiest] += 1
    return part
