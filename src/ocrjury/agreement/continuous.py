"""Agreement on continuous scales: distances between the values themselves.

Nearly every value is distinct here, so nothing collapses, and counts per category would have about
N times n cells. Symbols: N items, r ratings on an item, n ratings in all, K distinct values.
"""

from dataclasses import replace

import numpy as np
from scipy import sparse

from ocrjury.agreement.chance import corrected
from ocrjury.agreement.patterns import Patterns, item_weights
from ocrjury.arrays import Floats, Integers
from ocrjury.ratings import RatingTable
from ocrjury.resampling import Statistic


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
    return keep, Patterns(none, np.ones(len(keep)), weight[keep], size[keep])


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


def continuous_corrected(table: RatingTable) -> Statistic:
    """A^HH beyond chance as a function of agreement, items and shares of each value seen."""
    table = seen_values(table)
    rated, items = rated_items(table)
    agreement = continuous_agreement(table)[rated]
    span = table.scale.high - table.scale.low
    share = 1 / np.bincount(table.item, minlength=table.n_items)[table.item]
    shape = (table.n_items, len(table.categories))
    shares = sparse.csr_matrix((share, (table.item, table.codes)), shape=shape)[rated]
    observed = sparse.csr_matrix(np.column_stack([agreement, items.pairable]))
    features = (sparse.diags(items.weight) @ sparse.hstack([observed, shares])).tocsr()

    def value(sums: Floats) -> Floats:
        prevalence = sums[:, 2:] / sums[:, 2:].sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            chance = continuous_expected(prevalence, table.categories, span)
            return corrected(sums[:, 0] / sums[:, 1], chance)

    def left_out() -> Floats:
        return _without_one(items, agreement, shares, x=table.categories / span)

    return Statistic(features, items.frequency, value, left_out)


def _without_one(
    items: Patterns, agreement: Floats, shares: sparse.csr_matrix, *, x: Floats
) -> Floats:
    """Chance-corrected agreement without each item, shape (N,), in closed form.

    With distances D, masses q and an item's own part c, the mean distance without the item needs
    only q'Dq - 2 c'Dq + c'Dc; Dq is a cumulative sum over the sorted values ``x``, shape (K,).
    """
    weight, total = items.weight, items.weight.sum()
    mass = np.asarray(shares.T @ weight)
    to_left, moment = np.cumsum(mass), np.cumsum(mass * x)
    pull = x * (2 * to_left - total) + moment[-1] - 2 * moment
    own = weight * np.asarray(shares @ pull)
    pairs_of_own = (1 - agreement) * items.pairable * (items.size - 1) / items.size
    distance = mass @ pull - 2 * own + weight**2 * pairs_of_own
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = 1 - distance / (total - weight) ** 2
        observed = (weight @ agreement - weight * agreement) / (
            weight @ items.pairable - weight * items.pairable
        )
        return corrected(observed, expected)


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
