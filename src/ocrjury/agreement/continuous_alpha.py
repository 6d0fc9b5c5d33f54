"""Alpha on continuous scales, and on scales with very many categories.

At interval level four sums over items suffice. At nominal and ratio level the distances between
values are fixed, and an item is left out in closed form. At ordinal level they depend on how often
each value occurs, so every replicate is computed from the weights of the N items; time grows with
N squared. Symbols follow Krippendorff (2011), as in `krippendorff`.
"""

import numpy as np
from scipy import sparse

from ocrjury.agreement.many_values import seen_values
from ocrjury.agreement.patterns import clusters_of, item_weights
from ocrjury.arrays import Floats, Integers
from ocrjury.ratings import RatingTable
from ocrjury.resampling import SummedStatistic
from ocrjury.scales import Level

_NO_SPREAD = 1e-12  # a smaller share of the largest possible disagreement is rounding
_BLOCK = 512  # values whose distances to all others are in memory at once


def alpha(within: Floats, between: Floats, n: Floats, *, largest: Floats | float) -> Floats:
    """Alpha, 1 - D_o / D_e, each of shape (B,); ``nan`` where nothing varies.

    Parameters
    ----------
    within
        Sum over units of the distances within their ordered pairs of values, over m_u - 1.
    between
        Sum of the distances within all ordered pairs of values.
    n
        Number of values.
    largest
        An upper bound of the distances, to tell rounding from spread.
    """
    spread = np.where(between > _NO_SPREAD * n**2 * largest, between, np.nan)
    return np.asarray(1 - (n - 1) * within / spread)


def continuous_alpha(table: RatingTable, level: Level) -> SummedStatistic:
    """Alpha as a function of sums over items with two or more ratings."""
    if level == "interval":
        return _by_moments(table)
    table = seen_values(table)
    if level != "ordinal":
        return _by_distance(table, level)
    counts, weight, cluster = counts_by_item(table)
    size = np.asarray(counts.sum(axis=1)).ravel()

    def value(weights: Floats) -> Floats:
        return _ordinal(weights, counts, size)

    of_item = sparse.diags(weight).tocsr()
    return SummedStatistic(of_item, np.ones(len(weight)), value, cluster=cluster)


def _by_moments(table: RatingTable) -> SummedStatistic:
    """Alpha with squared differences.

    The squared differences of all ordered pairs of m values sum to 2 (m s2 - s1^2), where s1 and
    s2 are the sums of the values and of their squares.
    """
    size = np.bincount(table.item, minlength=table.n_items)
    weight = item_weights(table)
    s1, s2 = sums_of_items(table)
    keep = size >= 2
    features = moments(size[keep].astype(float), s1[keep], s2[keep]) * weight[keep, None]
    ones, cluster = np.ones(len(features)), clusters_of(table, keep)
    return SummedStatistic(features, ones, alpha_of_moments, cluster=cluster)


def sums_of_items(table: RatingTable) -> tuple[Floats, Floats]:
    """Sums of each item's values, less the mean of all, and of their squares, both (N,)."""
    centred = table.values - table.values.mean()
    s1 = np.bincount(table.item, weights=centred, minlength=table.n_items)
    s2 = np.bincount(table.item, weights=centred**2, minlength=table.n_items)
    return s1.astype(float), s2.astype(float)


def moments(m: Floats, s1: Floats, s2: Floats) -> Floats:
    """Features of items with two or more values, (P, 4)."""
    within = 2 * (m * s2 - s1**2) / (m - 1)
    return np.column_stack([within, m, s1, s2])


def alpha_of_moments(sums: Floats) -> Floats:
    """Alpha from sums of these features, (B, 4) to (B,)."""
    within, n, s1, s2 = sums.T
    between = 2 * (n * s2 - s1**2)
    return alpha(within, between, n, largest=s2 / np.maximum(n, 1))


def counts_by_item(table: RatingTable) -> tuple[sparse.csr_matrix, Floats, Integers | None]:
    """Counts per item and value, weights, and clusters of the items with two or more ratings."""
    shape = (table.n_items, len(table.categories))
    counts = sparse.csr_matrix((np.ones(table.n_ratings), (table.item, table.codes)), shape=shape)
    weight = item_weights(table)
    keep = np.bincount(table.item, minlength=table.n_items) >= 2
    return counts[keep], weight[keep], clusters_of(table, keep)


def _ordinal(weights: Floats, counts: sparse.csr_matrix, size: Floats) -> Floats:
    """Alpha on mid-ranks, from the weights of the items, (B, N) to (B,)."""
    n_c = np.asarray(weights @ counts)
    n = n_c.sum(axis=1)
    rank = np.cumsum(n_c, axis=1) - (n_c + n[:, None]) / 2
    s1, s2 = counts @ rank.T, counts @ (rank**2).T
    within = 2 * (size[:, None] * s2 - s1**2) / (size - 1)[:, None]
    mean, square = (n_c * rank).sum(axis=1), (n_c * rank**2).sum(axis=1)
    between = 2 * (n * square - mean**2)
    return alpha((weights * within.T).sum(axis=1), between, n, largest=n**2)


def _by_distance(table: RatingTable, level: Level) -> SummedStatistic:
    """Alpha with the fixed distances of the nominal or the ratio level.

    With distances D and counts n_c, an item with counts c contributes 2 c'Dn_c - c'Dc to n_c'Dn_c.
    """
    x, (counts, weight, cluster) = table.categories, counts_by_item(table)
    size = np.asarray(counts.sum(axis=1)).ravel()
    within_sum = nominal_pairs(counts, size) if level == "nominal" else ratio_pairs(table)
    within = within_sum / (size - 1)
    columns = sparse.hstack([sparse.csr_matrix(within[:, None]), counts])

    def value(sums: Floats) -> Floats:
        n_c = sums[:, 1:]
        between = (pull_of(n_c, x, level) * n_c).sum(axis=1)
        return alpha(sums[:, 0], between, n_c.sum(axis=1), largest=1.0)

    def left_out() -> Floats:
        n_c = np.asarray(weight @ counts)[None, :]
        pull = pull_of(n_c, x, level)[0]
        between = pull @ n_c[0] - 2 * weight * (counts @ pull) + weight**2 * within_sum
        within_rest = weight @ within - weight * within
        return alpha(within_rest, between, n_c.sum() - weight * size, largest=1.0)

    of_item = (sparse.diags(weight) @ columns).tocsr()
    return SummedStatistic(of_item, np.ones(len(weight)), value, left_out, cluster)


def nominal_pairs(counts: sparse.csr_matrix, size: Floats) -> Floats:
    """Number of an item's ordered pairs of different values, (N,)."""
    return np.asarray(size**2 - np.asarray(counts.multiply(counts).sum(axis=1)).ravel())


def ratio_pairs(table: RatingTable) -> Floats:
    """Sum of ratio distances over the ordered pairs of each item with two or more values, (N,)."""
    order = np.argsort(table.item, kind="stable")
    item, values = table.item[order], table.values[order]
    size = np.bincount(item, minlength=table.n_items)
    total = np.zeros(table.n_items)
    for step in range(1, int(size.max(initial=0))):
        same = item[step:] == item[:-step]
        distance = ratio_distance(values[step:][same], values[:-step][same])
        total += 2 * np.bincount(item[step:][same], weights=distance, minlength=table.n_items)
    return np.asarray(total[size >= 2])


def pull_of(n_c: Floats, values: Floats, level: Level) -> Floats:
    """Sum of the distances from each value to all ratings, for B rows of counts (B, K)."""
    if level == "nominal":
        return np.asarray(n_c.sum(axis=1, keepdims=True) - n_c)
    blocks = range(0, len(values), _BLOCK)
    parts = [n_c @ ratio_distance(values[:, None], values[None, b : b + _BLOCK]) for b in blocks]
    return np.concatenate(parts, axis=1)


def ratio_distance(c: Floats, k: Floats) -> Floats:
    """Squared difference over the squared sum, 0 for two zeros."""
    both = c + k
    return np.asarray(np.divide(c - k, both, out=np.zeros_like(both), where=both != 0) ** 2)
