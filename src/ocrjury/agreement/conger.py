"""Conger's chance agreement: every rater has category shares of their own.

Symbols follow `kappa`: N items, M raters, K categories, p_e chance agreement, w agreement weights.
"""

import numpy as np
from scipy import sparse

from ocrjury.agreement.chance import corrected, influence_error, item_agreement, weighted
from ocrjury.agreement.patterns import Patterns, item_weights
from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.ratings import RatingTable
from ocrjury.resampling import SummedStatistic

_CRUMB = 1e-9  # rounding residue of a rater whose last rating was left out
_CELLS = 2_000_000  # numbers in memory at once, 16 MB


def conger_statistic(
    table: RatingTable, rated: Integers, items: Patterns, *, weights: Floats
) -> SummedStatistic:
    """Coefficient as a function of sums: agreement, items, ratings of each category by rater."""
    n_categories, n_raters = len(weights), table.n_raters

    def value(sums: Floats) -> Floats:
        counts = sums[:, 2:].reshape(-1, n_raters, n_categories)
        with np.errstate(divide="ignore", invalid="ignore"):
            return corrected(sums[:, 0] / sums[:, 1], _conger_chance(counts, weights))

    agreeing = item_agreement(items, weights)

    def left_out() -> Floats:
        return _left_out(table, rated, items, weights=weights, agreeing=agreeing)

    features = _features(table, rated, items, agreeing=agreeing)
    return SummedStatistic(features, items.frequency, value, left_out, items.cluster)


def _features(
    table: RatingTable, rated: Integers, items: Patterns, *, agreeing: Floats
) -> sparse.csr_matrix:
    """Contribution of each item to the sums, (N, 2 + M K), from its share of agreeing pairs."""
    n_categories, n = items.counts.shape[1], len(rated)
    row = np.zeros(table.n_items, dtype=np.int64)
    row[rated] = np.arange(n)
    row = row[table.item]
    given = 2 + table.rater * n_categories + table.codes
    rows = np.concatenate([np.tile(np.arange(n), 2), row])
    columns = np.concatenate([np.repeat([0, 1], n), given])
    own = agreeing * items.weight, items.pairable * items.weight
    data = np.concatenate([*own, items.weight[row]])
    shape = n, 2 + table.n_raters * n_categories
    return sparse.csr_matrix((data, (rows, columns)), shape=shape)


def _left_out(
    table: RatingTable, rated: Integers, items: Patterns, *, weights: Floats, agreeing: Floats
) -> Floats:
    """Coefficient without one item at a time, shape (N,).

    Leaving out a rating k of weight w, of the n of a rater with shares s, adds w / (n - w) times
    s - e_k to s; without a last rating the rater has no shares.
    """
    counts = _counts_by_rater(table, len(weights))
    share, seen = _shares(counts)
    total, pull = share.sum(axis=0), share @ ((weights + weights.T) / 2)
    own = (pull * share).sum(axis=1)
    weight = item_weights(table)[table.item]
    rest = counts.sum(axis=1)[table.rater] - weight
    last = rest <= _CRUMB
    step = np.divide(weight, rest, out=np.zeros_like(weight), where=~last)
    mine, other = own[table.rater], pull[table.rater, table.codes]
    change = 2 * step * (mine - other)
    change += step**2 * (mine - 2 * other + np.diag(weights)[table.codes])
    change = np.where(last, -mine, change)
    own_left = own.sum() + np.bincount(table.item, change, table.n_items)[rated]
    m = np.count_nonzero(seen) - np.bincount(table.item, last, table.n_items)[rated]
    shape = table.n_items, len(share)
    by_rater = sparse.csr_matrix((np.where(last, -1.0, step), (table.item, table.rater)), shape)
    shape = table.n_items, len(total)
    by_code = sparse.csr_matrix((np.where(last, 0.0, step), (table.item, table.codes)), shape)
    all_pairs = np.empty(len(rated))
    block = max(1, _CELLS // len(total))
    for start in range(0, len(rated), block):
        rows = rated[start : start + block]
        shares = total + by_rater[rows] @ share - by_code[rows].toarray()
        all_pairs[start : start + block] = np.einsum("ij,ij->i", weighted(shares, weights), shares)
    agreeing, paired = agreeing * items.weight, items.pairable * items.weight
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = (agreeing.sum() - agreeing) / (paired.sum() - paired)
        return corrected(observed, (all_pairs - own_left) / (m * (m - 1)))


def _counts_by_rater(table: RatingTable, n_categories: int) -> Floats:
    """Weighted ratings of each category by each rater, shape (M, K)."""
    counts = np.bincount(
        table.rater * n_categories + table.codes,
        weights=item_weights(table)[table.item],
        minlength=table.n_raters * n_categories,
    )
    return counts.reshape(table.n_raters, n_categories).astype(float)


def _shares(counts: Floats) -> tuple[Floats, Booleans]:
    """Shares of the categories, (..., M, K), and which raters rated anything, (..., M, 1)."""
    n_g = counts.sum(axis=-1, keepdims=True)
    seen = n_g > _CRUMB
    return np.divide(counts, n_g, out=np.zeros_like(counts), where=seen), seen


def _conger_chance(counts: Floats, weights: Floats) -> Floats:
    """Chance agreement p_e, the mean over pairs of raters, from counts (B, M, K) to (B,)."""
    share, seen = _shares(counts)
    m = seen.sum(axis=(1, 2))
    total = share.sum(axis=1)
    all_pairs = (weighted(total, weights) * total).sum(axis=1)
    own = (weighted(share, weights) * share).sum(axis=(1, 2))
    return np.asarray((all_pairs - own) / (m * (m - 1)))


def conger_error(table: RatingTable, rated: Integers, items: Patterns, *, weights: Floats) -> float:
    """Linearised standard error; an item also moves p_e, through its raters' shares."""
    counts = _counts_by_rater(table, len(weights))
    n_g = counts.sum(axis=1)
    share, seen = _shares(counts)
    pull = (share.sum(axis=0) - share) @ ((weights + weights.T) / 2)
    surprise = pull[table.rater, table.codes] - (pull * share).sum(axis=1)[table.rater]
    per_rating = surprise * items.weight.sum() / n_g[table.rater]
    m = np.count_nonzero(seen)
    own = np.bincount(table.item, weights=per_rating, minlength=table.n_items) / (m * (m - 1))
    expected = float(_conger_chance(counts[None], weights)[0])
    return influence_error(item_agreement(items, weights), own[rated], items, expected=expected)
