"""Agreement on scales with too many values for a table of all pairs of them.

On continuous scales the distances are those between the values themselves; nearly every value is
distinct, so nothing collapses, and counts per category would have about N times n cells. On nominal
scales two ratings are equal or not, so the counts of the categories that occur suffice. Symbols:
N items, r ratings on an item, n ratings in all, K distinct values, B replicates.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy import sparse

from ocrjury.agreement.chance import corrected
from ocrjury.agreement.patterns import Patterns, clusters_of, item_weights
from ocrjury.agreement.weights import MANY_CATEGORIES
from ocrjury.arrays import Floats, Integers
from ocrjury.ratings import RatingTable
from ocrjury.resampling import SummedStatistic


def seen_values(table: RatingTable) -> RatingTable:
    """Table whose categories are the values that occur, as on an interval scale."""
    used, codes = np.unique(table.codes, return_inverse=True)
    if len(used) == len(table.categories):
        return table
    codes = codes.astype(np.int64).reshape(-1)
    return replace(table, categories=table.categories[used], codes=codes)


def rated_items(table: RatingTable, *, least: int = 1) -> tuple[Integers, Patterns]:
    """Places, sizes and weights of the items with at least ``least`` ratings."""
    size = np.bincount(table.item, minlength=table.n_items).astype(float)
    weight = item_weights(table)
    keep = np.flatnonzero(size >= least)
    none = np.empty((len(keep), 0))
    parts = none, np.ones(len(keep)), weight[keep], size[keep]
    return keep, Patterns(*parts, clusters_of(table, keep))


def continuous_agreement(table: RatingTable) -> Floats:
    """One minus the mean distance within an item's pairs, as a share of the scale, (N,).

    0 for an item without a pair. For the sorted values x of an item, the distances of all pairs
    sum to the sum of x_k (2 k - r - 1) over the places k.
    """
    order = np.lexsort((table.values, table.item))
    item, values = table.item[order], table.values[order]
    size = np.bincount(item, minlength=table.n_items).astype(float)
    first = np.cumsum(size) - size
    place = np.arange(len(item)) - first[item] + 1
    lift = (values - table.scale.low) * (2 * place - size[item] - 1)
    distance = 2 * np.bincount(item, weights=lift, minlength=table.n_items)
    span = table.scale.high - table.scale.low
    mean = distance / np.maximum(size * (size - 1), 1) / span
    return np.asarray(np.where(size >= 2, 1 - mean, 0.0))


def continuous_expected(prevalence: Floats, categories: Floats, span: float) -> Floats:
    """One minus the mean distance of two ratings drawn by B rows of prevalences, (B, K) to (B,).

    The mean distance is twice the integral of F (1 - F) over the scale.
    """
    below = np.cumsum(prevalence, axis=1)[:, :-1]
    return np.asarray(1 - 2 * (below * (1 - below)) @ np.diff(categories) / span)


def continuous_corrected(table: RatingTable) -> SummedStatistic:
    """A^HH beyond chance as a function of agreement, items and shares of each value seen."""
    table = seen_values(table)
    span = table.scale.high - table.scale.low
    x = table.categories / span

    def distances(mass: Floats, total: float) -> Floats:
        # The distances times the masses are cumulative sums over the sorted values.
        to_left, moment = np.cumsum(mass), np.cumsum(mass * x)
        return np.asarray(x * (2 * to_left - total) + moment[-1] - 2 * moment)

    def expected(prevalence: Floats) -> Floats:
        return continuous_expected(prevalence, table.categories, span)

    return _beyond_chance(table, continuous_agreement(table), expected, distances=distances)


def equality_corrected(table: RatingTable) -> SummedStatistic:
    """A^HH beyond chance as a function of agreement, items and shares of each category seen."""
    table = seen_values(table)
    equal, pairs = equal_pairs(table)
    agreement = equal / np.maximum(pairs, 1)
    return _beyond_chance(table, agreement, chance_of_equality, distances=_unequal)


def _unequal(mass: Floats, total: float) -> Floats:
    """Mass of all other categories, (K,)."""
    return np.asarray(total - mass)


def _beyond_chance(
    table: RatingTable,
    agreement: Floats,
    expected: Callable[[Floats], Floats],
    *,
    distances: Callable[[Floats, float], Floats],
) -> SummedStatistic:
    """Chance-corrected agreement of items, (N,), without a table of all pairs of values.

    With distances D, masses q of the values and an item's own part c, the mean distance without the
    item needs only q'Dq - 2 c'Dq + c'Dc; ``distances`` makes Dq, (K,), of q and the sum of q.
    """
    rated, items = rated_items(table)
    agreement = agreement[rated]
    share = 1 / np.bincount(table.item, minlength=table.n_items)[table.item]
    shape = (table.n_items, len(table.categories))
    shares = sparse.csr_matrix((share, (table.item, table.codes)), shape=shape)[rated]
    parts = sparse.csr_matrix(np.column_stack([agreement, items.pairable]))
    features = (sparse.diags(items.weight) @ sparse.hstack([parts, shares])).tocsr()

    def value(sums: Floats) -> Floats:
        prevalence = sums[:, 2:] / sums[:, 2:].sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            return corrected(sums[:, 0] / sums[:, 1], expected(prevalence))

    def left_out() -> Floats:
        weight, total = items.weight, items.weight.sum()
        paired = weight * items.pairable
        mass = np.asarray(shares.T @ weight)
        pull = distances(mass, total)
        own = (1 - agreement) * items.pairable * (items.size - 1) / items.size
        distance = mass @ pull - 2 * weight * np.asarray(shares @ pull) + weight**2 * own
        with np.errstate(divide="ignore", invalid="ignore"):
            chance = 1 - distance / (total - weight) ** 2
            observed = (weight @ agreement - weight * agreement) / (
                weight @ items.pairable - paired
            )
            return corrected(observed, chance)

    return SummedStatistic(features, items.frequency, value, left_out, items.cluster)


def continuous_pairs(table: RatingTable, tolerance: float) -> tuple[Floats, Floats]:
    """Number of pairs within the tolerance and of all pairs of each item, two of shape (N,)."""
    order = np.lexsort((table.values, table.item))
    item, values = table.item[order], table.values[order]
    size = np.bincount(item, minlength=table.n_items).astype(float)
    agreeing = np.zeros(table.n_items)
    allowed = tolerance + 1e-9 * (table.scale.high - table.scale.low)
    for step in range(1, int(size.max())):
        near = (item[step:] == item[:-step]) & (values[step:] - values[:-step] <= allowed)
        agreeing += np.bincount(item[step:][near], minlength=table.n_items)
    return agreeing, size * (size - 1) / 2


def has_many_categories(table: RatingTable) -> bool:
    """Return whether a nominal scale has too many categories for a table of all pairs of them."""
    return not table.scale.ordered and len(table.categories) > MANY_CATEGORIES


def equal_pairs(table: RatingTable) -> tuple[Floats, Floats]:
    """Number of pairs of equal ratings and of all pairs of each item, two of shape (N,)."""
    cell, count = np.unique(table.item * len(table.categories) + table.codes, return_counts=True)
    equal = np.bincount(
        cell // len(table.categories),
        weights=count * (count - 1) / 2,
        minlength=table.n_items,
    )
    size = np.bincount(table.item, minlength=table.n_items)
    return np.asarray(equal, dtype=float), np.asarray(size * (size - 1) / 2, dtype=float)


def chance_of_equality(prevalence: Floats) -> Floats:
    """Probability that two ratings drawn by B rows of prevalences are equal, (B, K) to (B,)."""
    return np.asarray((prevalence**2).sum(axis=1))
