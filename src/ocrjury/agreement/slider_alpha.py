"""Alpha on scales without categories.

At interval level four sums over items suffice. At the other levels the distances depend on which
values occur how often, so that every replicate is computed from the weights of the N items;
time grows with N squared. Symbols follow Krippendorff (2011), as in `krippendorff`.
"""

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ocrjury.agreement.patterns import item_weights
from ocrjury.agreement.sliders import seen_values
from ocrjury.ratings import RatingTable
from ocrjury.resampling import Statistic
from ocrjury.scales import Level

Floats = npt.NDArray[np.float64]

_NO_SPREAD = 1e-12  # expected disagreement below this share of its possible size is none
_BLOCK = 512  # values whose distances to all others are held at once


def alpha(within: Floats, between: Floats, n: Floats, *, largest: Floats | float) -> Floats:
    """Return 1 - D_o / D_e, each of shape (B,); ``nan`` where nothing varies.

    Parameters
    ----------
    within
        Sum over units of the distances of their ordered pairs of values, over m_u - 1.
    between
        Sum of the distances of all ordered pairs of values.
    n
        Number of values.
    largest
        A bound of the distances, to tell rounding from spread.
    """
    spread = np.where(between > _NO_SPREAD * n**2 * largest, between, np.nan)
    return np.asarray(1 - (n - 1) * within / spread)


def slider_alpha(table: RatingTable, level: Level) -> Statistic:
    """Return alpha as a function of sums over items with two or more ratings."""
    if level == "interval":
        return _by_moments(table)
    table = seen_values(table)
    counts, weight = _counts(table)
    size = np.asarray(counts.sum(axis=1)).ravel()
    if level == "ordinal":

        def value(weights: Floats) -> Floats:
            return _ordinal(weights, counts, size)
    else:
        within = _within(counts, table.categories, level) / (size - 1)

        def value(weights: Floats) -> Floats:
            n_c = np.asarray(weights @ counts)
            between = _between(n_c, table.categories, level)
            return alpha(weights @ within, between, n_c.sum(axis=1), largest=1.0)

    return Statistic(sparse.diags(weight).tocsr(), np.ones(len(weight)), value)


def _by_moments(table: RatingTable) -> Statistic:
    """Return alpha with squared differences.

    The squared differences of all ordered pairs of m values sum to 2 (m s2 - s1^2), where s1 and
    s2 are the sums of the values and of their squares.
    """
    size = np.bincount(table.item, minlength=table.n_items)
    centred = table.values - table.values.mean()
    s1 = np.bincount(table.item, weights=centred, minlength=table.n_items)
    s2 = np.bincount(table.item, weights=centred**2, minlength=table.n_items)
    weight = item_weights(table)
    keep = size >= 2
    m, s1, s2 = size[keep].astype(float), s1[keep], s2[keep]
    within = 2 * (m * s2 - s1**2) / (m - 1)
    features = np.column_stack([within, m, s1, s2]) * weight[keep, None]

    def value(sums: Floats) -> Floats:
        within, n, s1, s2 = sums.T
        between = 2 * (n * s2 - s1**2)
        return alpha(within, between, n, largest=s2 / np.maximum(n, 1))

    return Statistic(features, np.ones(len(m)), value)


def _counts(table: RatingTable) -> tuple[sparse.csr_matrix, Floats]:
    """Return counts per item and value, and weights, of the items with two or more ratings."""
    shape = (table.n_items, len(table.categories))
    counts = sparse.csr_matrix((np.ones(table.n_ratings), (table.item, table.codes)), shape=shape)
    weight = item_weights(table)
    keep = np.bincount(table.item, minlength=table.n_items) >= 2
    return counts[keep], weight[keep]


def _ordinal(weights: Floats, counts: sparse.csr_matrix, size: Floats) -> Floats:
    """Return alpha on mid-ranks, from the weights of the items, (B, N) to (B,)."""
    n_c = np.asarray(weights @ counts)
    n = n_c.sum(axis=1)
    rank = np.cumsum(n_c, axis=1) - (n_c + n[:, None]) / 2
    s1, s2 = counts @ rank.T, counts @ (rank**2).T
    within = 2 * (size[:, None] * s2 - s1**2) / (size - 1)[:, None]
    mean, square = (n_c * rank).sum(axis=1), (n_c * rank**2).sum(axis=1)
    between = 2 * (n * square - mean**2)
    return alpha((weights * within.T).sum(axis=1), between, n, largest=n**2)


def _within(counts: sparse.csr_matrix, values: Floats, level: Level) -> Floats:
    """Return the distances of an item's ordered pairs of values, summed, (N,)."""
    total = np.zeros(counts.shape[0])
    for start in range(0, len(values), _BLOCK):
        some = slice(start, start + _BLOCK)
        distance = counts @ _distances(values[:, None], values[None, some], level)
        total += np.asarray(counts[:, some].multiply(distance).sum(axis=1)).ravel()
    return total


def _between(n_c: Floats, values: Floats, level: Level) -> Floats:
    """Return the distances of all ordered pairs of values, summed, (B, K) to (B,)."""
    if level == "nominal":
        return np.asarray(n_c.sum(axis=1) ** 2 - (n_c**2).sum(axis=1))
    total = np.zeros(len(n_c))
    for start in range(0, len(values), _BLOCK):
        some = slice(start, start + _BLOCK)
        distance = n_c @ _distances(values[:, None], values[None, some], level)
        total += (distance * n_c[:, some]).sum(axis=1)
    return total


def _distances(c: Floats, k: Floats, level: Level) -> Floats:
    """Return the squared distances of values at nominal or ratio level."""
    if level == "nominal":
        return np.asarray((c != k).astype(float))
    return ratio_distance(c, k)


def ratio_distance(c: Floats, k: Floats) -> Floats:
    """Return the squared difference over the squared sum, 0 for two zeros."""
    both = c + k
    return np.asarray(np.divide(c - k, both, out=np.zeros_like(both), where=both != 0) ** 2)
