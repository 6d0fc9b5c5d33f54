"""Null distributions by shuffling, and p-values from them.

Symbols: n places in groups, B draws, T statistics.
"""

from collections.abc import Iterator
from itertools import permutations
from typing import Literal

import numpy as np

from ocrjury.arrays import Floats, Integers

Tail = Literal["upper", "lower", "both"]

DRAWS = 499
_FEWEST = 199
_WORK = 4_000_000  # places shuffled in total; more places mean fewer draws
_CELLS = 500_000  # numbers in memory at once, 4 MB
LISTED = 5
"""Number of places up to which all orders are listed."""
_BITS = 24  # of a random number of single precision
_PACKED = 1 << (31 - _BITS)  # so many places are numbered in the rest of a 32-bit integer


def shuffles(
    groups: Integers, *, rng: np.random.Generator, n_places: int | None = None
) -> Iterator[Integers]:
    """Yield shuffles within groups, each of shape (n, b): columns are rearrangements of 0 to n - 1.

    ``n_places`` says for how many places the n stand, if for more than themselves.

    Examples
    --------
    >>> block = next(shuffles(np.array([0, 1, 0, 1]), rng=np.random.default_rng(1)))
    >>> block.shape, sorted(set(block[0].tolist())), sorted(set(block[1].tolist()))
    ((4, 499), [0, 2], [1, 3])
    """
    n = len(groups)
    together = groups_of_one_size(groups)
    draws, step = draws_and_step(n_places or n)
    in_order = bool((np.diff(groups) >= 0).all())
    for start in range(0, draws, step):
        b = min(step, draws - start)
        block = np.empty((b, n), dtype=np.int64)
        for places in together:
            n_groups, size = places.shape
            drawn = rearrangements(size, (b, n_groups), rng=rng)
            drawn += size * np.arange(n_groups)[:, None]
            if n_groups * size == n and in_order:
                block = drawn.reshape(b, n)
            else:
                block[:, places.ravel()] = places.ravel().take(drawn.reshape(b, -1))
        yield np.ascontiguousarray(block.T)


def draws_and_step(n: int) -> tuple[int, int]:
    """Number of shuffles of n places, and how many of them are held at once."""
    draws = int(np.clip(_WORK // max(n, 1), _FEWEST, DRAWS))
    return draws, max(1, _CELLS // max(n, 1))


def groups_of_one_size(groups: Integers) -> list[Integers]:
    """Places of all groups of one size, shape (groups, size), for every size."""
    order = np.argsort(groups, kind="stable")
    _, first, size = np.unique(groups[order], return_index=True, return_counts=True)
    return [order[first[size == s][:, None] + np.arange(s)] for s in np.unique(size)]


def listed_orders(size: int) -> Integers:
    """All orders of 0 to size - 1, shape (size!, size)."""
    return np.array(list(permutations(range(size))), dtype=np.int64)


def rearrangements(size: int, shape: tuple[int, ...], *, rng: np.random.Generator) -> Integers:
    """Random orders of 0 to size - 1, shape (*shape, size)."""
    if size <= LISTED:
        orders = listed_orders(size)
        return orders.take(rng.integers(len(orders), size=shape), axis=0)
    drawn = rng.random((*shape, size), dtype=np.float32)
    if size > _PACKED:
        return drawn.argsort(axis=-1)
    # Sorting numbers with their places in the last bits is several times faster than argsort, which
    # is left with the rows that may hold two equal numbers.
    packed = np.multiply(drawn, _PACKED << _BITS, out=drawn).astype(np.int32)
    packed += np.arange(size, dtype=np.int32)
    packed.sort(axis=-1)
    steps = np.diff(packed.ravel())  # from one row to the next they are negative, or large
    close = np.flatnonzero(steps.view(np.uint32) < _PACKED) // size
    packed &= _PACKED - 1
    order = packed.astype(np.int64)
    if len(close):
        rows = np.unravel_index(np.unique(close), shape)
        order[rows] = drawn[rows].argsort(axis=-1)
    return order


def own_p_values(observed: Floats, null: Floats, *, tail: Tail) -> Floats:
    """P-value of each statistic among its own draws, shape (T,).

    Notes
    -----
    (1 + draws at least as extreme) / (1 + B): Phipson and Smyth (2010), Statistical Applications
    in Genetics and Molecular Biology 9(1), 39.
    """
    z, drawn = _standardised(observed, null, tail=tail)
    extreme = (drawn >= (z - 1e-9)[:, None]).sum(axis=1)
    return np.where(np.isnan(z), np.nan, (1 + extreme) / (1 + null.shape[1]))


def pooled_p_values(observed: Floats, null: Floats, *, tail: Tail) -> Floats:
    """P-value of each statistic among the draws of all statistics, shape (T,).

    Every statistic is first centred and scaled by its own draws, so only the shape of the tail is
    shared. The p-values can then be small enough to survive the adjustment for many raters.
    """
    z, drawn = _standardised(observed, null, tail=tail)
    usable = np.isfinite(drawn).all(axis=1) & (drawn.max(axis=1) > drawn.min(axis=1))
    pool = np.sort(drawn[usable].ravel())
    extreme = len(pool) - np.searchsorted(pool, z - 1e-9)
    p = (1 + extreme) / (1 + len(pool))
    return np.where(np.isnan(z), np.nan, np.where(usable, p, 1.0))


def adjusted_p_values(p: Floats, weight: Floats) -> Floats:
    """P-values adjusted for multiple tests; ``nan`` is not a test.

    Parameters
    ----------
    p, weight
        Shape (T,); the larger the weight, the more of the error rate is spent on a test.

    Notes
    -----
    Benjamini and Hochberg (1995), Journal of the Royal Statistical Society B 57, 289-300; with
    weights Genovese, Roeder and Wasserman (2006), Biometrika 93(3), 509-524.

    Examples
    --------
    >>> adjusted_p_values(np.array([0.01, 0.04, 0.03]), np.ones(3)).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    adjusted = np.full(len(p), np.nan)
    tests = np.flatnonzero(np.isfinite(p))
    if not len(tests):
        return adjusted
    scaled = p[tests] * weight[tests].mean() / weight[tests]
    order = np.argsort(scaled, kind="stable")
    steps = scaled[order] * len(tests) / np.arange(1, len(tests) + 1)
    least = np.minimum.accumulate(steps[::-1])[::-1]
    adjusted[tests[order]] = np.minimum(least, 1.0)
    adjusted[tests] = np.maximum(
        adjusted[tests], p[tests]
    )  # a large weight must not lower a p-value
    return adjusted


def _standardised(observed: Floats, null: Floats, *, tail: Tail) -> tuple[Floats, Floats]:
    """Statistics and draws as standard scores that grow with the evidence."""
    centre, spread = null.mean(axis=1), null.std(axis=1)
    size = np.maximum(np.abs(centre), np.abs(observed))
    spread = np.where(spread > 1e-9 * size, spread, np.inf)  # equal draws carry no information
    sign = -1.0 if tail == "lower" else 1.0
    z = sign * (observed - centre) / spread
    drawn = sign * (null - centre[:, None]) / spread[:, None]
    return (np.abs(z), np.abs(drawn)) if tail == "both" else (z, drawn)
