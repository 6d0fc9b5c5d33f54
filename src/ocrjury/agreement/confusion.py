"""Cross-tabulations of the ratings of two raters, for all pairs of raters at once.

Symbols: M raters, K categories, Q = M (M - 1) / 2 pairs of raters.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse

from ocrjury.agreement.chance import corrected
from ocrjury.agreement.patterns import active_raters
from ocrjury.agreement.rows import Rows, cached_by_table, distinct_rows
from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.ratings import RatingTable
from ocrjury.resampling import SummedStatistic

_ROUNDING = 1e-12  # a kappa this near to 1 is 1
_FEW = 500  # raters times categories up to which cross-tabulations are kept, at most 4 MB


@dataclass(frozen=True, slots=True, eq=False)
class Confusions:
    """Categories that rater a (rows) and rater b (columns) gave to the same items.

    Attributes
    ----------
    rater_a, rater_b
        Places of the raters, a before b, shape (Q,).
    weight
        Sum of the inclusion weights in every cell, shape (Q, K, K); counts without weights.
    square
        Sum of the squared weights, same shape.
    n_items
        Number of common items, shape (Q,).
    """

    rater_a: Integers
    rater_b: Integers
    weight: Floats
    square: Floats
    n_items: Integers


def pair_confusions(table: RatingTable) -> Confusions:
    """Cross-tabulations of all pairs of raters who rated anything."""
    few = table.n_raters * len(table.categories) <= _FEW
    return _known_confusions(table) if few else _confusions(table)


def _confusions(table: RatingTable) -> Confusions:
    """Cross-tabulations, computed anew."""
    raters = active_raters(table)
    a, b = np.triu_indices(len(raters), 1)
    rows = distinct_rows(table)
    if rows is None:
        n_items = _gram(table, raters, np.ones(table.n_items))[a, b]
    else:
        n_items = _of_rows(rows, raters[a], raters[b], n_categories=len(table.categories))
    weight = square = n_items
    if table.item_weight is not None:
        weight = _gram(table, raters, table.item_weight)[a, b]
        square = _gram(table, raters, table.item_weight**2)[a, b]
    return Confusions(
        raters[a], raters[b], weight, square, n_items.sum(axis=(1, 2)).round().astype(np.int64)
    )


_KNOWN: WeakKeyDictionary[RatingTable, Confusions] = WeakKeyDictionary()
_known_confusions = cached_by_table(_KNOWN)(_confusions)


def kappa_of(confusions: Confusions, weights: Floats, table: RatingTable) -> tuple[Floats, Floats]:
    """Kappa and its standard error for every pair, two arrays of shape (Q,).

    ``nan`` where a pair has no common item or no variation. If one rater used a single
    category, kappa is 0 whatever the other did; its error would be 0 as well, and is ``nan``.
    """
    value, influence = kappa_influence(confusions, weights)
    return _with_errors(confusions, value, influence, table=table)[:2]


def left_out_kappa_of(
    confusions: Confusions, weights: Floats, table: RatingTable
) -> tuple[Floats, Floats, Floats]:
    """Kappa as `kappa_of` gives it, its jackknife error and the number of draws, all (Q,).

    The published error is that of many items. Of 20 items of which 85 % are in one category it is
    two thirds of the true one, because a single item may make the kappa.
    """
    value, change = kappa_changes(confusions, weights)
    return _with_errors(confusions, value, change, table=table)


def _with_errors(
    confusions: Confusions, value: Floats, influence: Floats, *, table: RatingTable
) -> tuple[Floats, Floats, Floats]:
    """Kappa, its standard error from the influences of cells, and the number of draws, all (Q,)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        total, n = confusions.weight.sum(axis=(1, 2)), confusions.n_items.astype(float)
        if table.cluster is None:
            squares = (confusions.square * influence**2).sum(axis=(1, 2))
        else:
            squares, n = _squares_by_cluster(table, table.cluster, confusions, influence=influence)
        se = np.where(never_differ(value), 0.0, np.sqrt(squares) / total)
        value = np.where(never_differ(value), 1.0, value)
        return value, np.asarray(np.where(has_constant_rater(confusions), np.nan, se)), n


def never_differ(kappa: Floats) -> Booleans:
    """Mask of the pairs whose raters gave the same ratings, up to rounding, by their kappas.

    Such ratings have no error, even where without one item they would not vary: that item moves
    the kappa from 1 to no number, not to 0 as `kappa_changes` counts it.
    """
    return np.asarray(np.abs(1 - kappa) < _ROUNDING)


def _squares_by_cluster(
    table: RatingTable, cluster: Integers, confusions: Confusions, *, influence: Floats
) -> tuple[Floats, Floats]:
    """Sum of squares of the clusters' influences on every pair, times C / (C - 1), and C, (Q,)."""
    pair = np.full((table.n_raters, table.n_raters), -1, dtype=np.int64)
    pair[confusions.rater_a, confusions.rater_b] = np.arange(len(confusions.rater_a))
    weight = np.ones(table.n_items) if table.item_weight is None else table.item_weight
    n_clusters = int(cluster.max(initial=0)) + 1
    # Raters who have no item in common leave nothing to add to these.
    keys, terms = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for pairs_, other in pairs_of_ratings(table):
        swap = table.rater[pairs_] > table.rater[other]
        a, b = np.where(swap, other, pairs_), np.where(swap, pairs_, other)
        place, item = pair[table.rater[a], table.rater[b]], table.item[a]
        keys.append(place * n_clusters + cluster[item])
        terms.append(influence[place, table.codes[a], table.codes[b]] * weight[item])
    key, which = np.unique(np.concatenate(keys), return_inverse=True)
    sums, of_pair = np.bincount(which, np.concatenate(terms)), key // n_clusters
    n = np.bincount(of_pair, minlength=len(confusions.n_items)).astype(float)
    squares = np.bincount(of_pair, sums**2, minlength=len(n))
    return squares * n / np.where(n > 1, n - 1.0, np.nan), n


def pairs_of_ratings(table: RatingTable) -> Iterator[tuple[Integers, Integers]]:
    """Yield the places of all pairs of ratings of one item, in blocks."""
    order = np.argsort(table.item, kind="stable")
    item = table.item[order]
    for step in range(1, int(np.bincount(item, minlength=1).max())):
        same = np.flatnonzero(item[step:] == item[:-step])
        yield order[same], order[same + step]


def has_constant_rater(confusions: Confusions) -> Booleans:
    """Mask of the pairs with a rater who used a single category, shape (Q,)."""
    by_a = np.count_nonzero(confusions.weight.sum(axis=2), axis=1)
    by_b = np.count_nonzero(confusions.weight.sum(axis=1), axis=1)
    return np.asarray((by_a < 2) | (by_b < 2))


def kappa_influence(confusions: Confusions, weights: Floats) -> tuple[Floats, Floats]:
    """Kappa of every pair, (Q,), and the influence of an item in each cell, (Q, K, K).

    Notes
    -----
    The mean of the squared influences is N times the variance of Fleiss, Cohen and Everitt
    (1969), equation 14.
    """
    total = confusions.weight.sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = confusions.weight / total[:, None, None]
        row, column = p.sum(axis=2), p.sum(axis=1)
        observed, expected = _agreement(p, weights)
        value = corrected(observed, expected)
        by_row, by_column = column @ weights.T, row @ weights
        shortfall = (1 - value)[:, None, None]
        cell = weights - (by_row[:, :, None] + by_column[:, None, :]) * shortfall
        centre = value - expected * (1 - value)
        return value, (cell - centre[:, None, None]) / (1 - expected)[:, None, None]


def kappa_changes(confusions: Confusions, weights: Floats) -> tuple[Floats, Floats]:
    """Kappa of every pair, (Q,), and its change without an item of each cell, (Q, K, K).

    The change stands where `kappa_influence` has its derivative, and is scaled so that the same
    sums of squares give the jackknife variance. A pair without any variation counts as 0, as a
    rater with a single category does. With unequal weights the item has the mean weight of its
    cell's weight.
    """
    table, total = confusions.weight.astype(float), confusions.weight.sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = table / total[:, None, None]
        row, column = p.sum(axis=2), p.sum(axis=1)
        observed, expected = _agreement(p, weights)
        value = corrected(observed, expected)
        part = np.where(table > 0, confusions.square / table, np.nan) / total[:, None, None]
        by_row, by_column = (column @ weights.T)[:, :, None], (row @ weights)[:, None, :]
        chance = expected[:, None, None] - part * (by_row + by_column - part * weights)
        left = corrected(
            (observed[:, None, None] - part * weights) / (1 - part), chance / (1 - part) ** 2
        )
        change = (value[:, None, None] - np.where(np.isnan(left), 0.0, left)) / part
        n = confusions.n_items[:, None, None]
        return value, np.where(table > 0, change * np.sqrt((n - 1) / n), 0.0)


def _agreement(p: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Observed and expected agreement of shares of items, (B, K, K) to (B,) each."""
    expected = ((p.sum(axis=2) @ weights) * p.sum(axis=1)).sum(axis=1)
    return (p * weights).sum(axis=(1, 2)), expected


def kappa_statistic(table: RatingTable, weights: Floats) -> SummedStatistic:
    """Cohen's kappa of a table with two raters as a function of sums over items."""
    cell, inclusion, frequency, cluster = _cells(table)
    n_categories = len(weights)
    features = sparse.csr_matrix(
        (inclusion, (np.arange(len(cell)), cell)), shape=(len(cell), n_categories**2)
    )

    def value(sums: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            p = (sums / sums.sum(axis=1, keepdims=True)).reshape(-1, n_categories, n_categories)
            return corrected(*_agreement(p, weights))

    return SummedStatistic(features, frequency, value, cluster=cluster)


def _cells(table: RatingTable) -> tuple[Integers, Floats, Floats, Integers | None]:
    """Distinct cells of two raters' table, the weight and number of their items, and clusters."""
    first, second = active_raters(table)
    rows = distinct_rows(table)
    if rows is None:
        codes = np.full((2, table.n_items), -1, dtype=np.int64)
        for row, rater in enumerate((first, second)):
            by_rater = table.rater == rater
            codes[row, table.item[by_rater]] = table.codes[by_rater]
        inclusion = np.ones(table.n_items) if table.item_weight is None else table.item_weight
        frequency = np.ones(table.n_items)
    else:
        codes, frequency = rows.codes.T[[first, second]], rows.frequency.astype(float)
        inclusion = np.ones(len(frequency))
    common = (codes >= 0).all(axis=0)
    cell = codes[0, common] * len(table.categories) + codes[1, common]
    if table.cluster is not None:
        return cell, inclusion[common], frequency[common], table.cluster[common]
    pair = np.column_stack([cell, inclusion[common]])
    distinct, which = np.unique(pair, axis=0, return_inverse=True)
    merged = np.bincount(which.reshape(-1), weights=frequency[common], minlength=len(distinct))
    return distinct[:, 0].astype(np.int64), distinct[:, 1], merged.astype(float), None


def _of_rows(rows: Rows, a: Integers, b: Integers, *, n_categories: int) -> Floats:
    """Cross-tabulations of the raters a and b from distinct rows, shape (Q, K, K)."""
    counts = np.empty((len(a), n_categories**2))
    for place, (first, second) in enumerate(zip(rows.codes.T[a], rows.codes.T[b], strict=True)):
        common = (first >= 0) & (second >= 0)
        cell = first[common] * n_categories + second[common]
        counts[place] = np.bincount(cell, weights=rows.frequency[common], minlength=n_categories**2)
    return counts.reshape(len(a), n_categories, n_categories)


def _gram(table: RatingTable, raters: Integers, inclusion: Floats) -> Floats:
    """Weighted co-occurrences of all pairs of (rater, category), shape (M, M, K, K)."""
    n_categories, n_raters = len(table.categories), len(raters)
    place = np.zeros(table.n_raters, dtype=np.int64)
    place[raters] = np.arange(n_raters)
    column = place[table.rater] * n_categories + table.codes
    shape = (table.n_items, n_raters * n_categories)
    seen = sparse.csr_matrix((np.ones(table.n_ratings), (table.item, column)), shape=shape)
    weighted = sparse.csr_matrix((inclusion[table.item], (table.item, column)), shape=shape)
    gram = (seen.T @ weighted).toarray()
    return np.asarray(
        gram.reshape(n_raters, n_categories, n_raters, n_categories).transpose(0, 2, 1, 3)
    )
