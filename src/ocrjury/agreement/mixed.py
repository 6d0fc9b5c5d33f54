"""Intraclass correlation of incomplete designs, from variance components.

A rating is mu + item + rater + residual. Symbols: n ratings of N items by M raters, n_i of item i
and n_j by rater j; T are sums of squared totals.
"""

from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ocrjury.agreement.intervals import IntervalOptions, resampled, sizes, undefined
from ocrjury.agreement.patterns import clusters_of, kept, n_raters
from ocrjury.arrays import Booleans, Floats
from ocrjury.estimate import Estimate
from ocrjury.ratings import RatingTable
from ocrjury.resampling import Statistic

Form = Literal["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"]

DROPPED = "{} item(s) without a rating by every rater were left out."
_ROUNDING = 1e-12  # a variance below this is rounding error
_ITEM_SUMS = 6  # N, n, sum of n_i^2, of 1 / n_i, T_0, T_A


def mixed_icc(table: RatingTable, *, form: Form, options: IntervalOptions) -> Estimate:
    """Coefficient from all ratings, with a jackknife interval over items or clusters.

    Notes
    -----
    Components by Henderson's method 1 (Searle, Casella and McCulloch 1992, Variance Components,
    section 5.3): unbiased for items and raters drawn at random, and equal to the analysis of
    variance on complete data. k is the harmonic mean of the ratings per item, as ten Hove,
    Jorgensen and van der Ark (2022), Psychological Methods, advise for incomplete designs. A
    negative estimate of the error variance, which incomplete designs can yield, is set to 0, with a
    warning.
    """
    method = f"{form}, mixed"
    if _has_too_few(table, form):
        return undefined(table, "fewer_than_two_items", method)
    options = IntervalOptions("jackknife", options.confidence, options.resamples, options.seed)
    statistic = _statistic(table, form)
    estimate = resampled(statistic, sizes(table), method=method, options=options)
    _, error, _ = _components(_totals(statistic.sums(), table.n_raters), form)
    if estimate.defined and error[0] < -_ROUNDING:
        note = "The estimate of the error variance was negative and was set to 0."
        return replace(estimate, warnings=(*estimate.warnings, note))
    return estimate


def complete_icc(table: RatingTable, *, form: Form, options: IntervalOptions) -> Estimate:
    """Coefficient of the items that all raters rated, with a jackknife interval.

    It equals that of the analysis of variance, whose F distributions need independent items.
    """
    size = np.bincount(table.item, minlength=table.n_items)
    complete = size == n_raters(table)
    if not complete.any():
        return undefined(table, "no_complete_items", form)
    estimate = mixed_icc(kept(table, complete[table.item]), form=form, options=options)
    dropped = int(np.count_nonzero(size) - complete.sum())
    warnings = (*estimate.warnings, DROPPED.format(dropped)) if dropped else estimate.warnings
    return replace(estimate, warnings=warnings)


def _has_too_few(table: RatingTable, form: Form) -> bool:
    """Whether there are too few ratings to estimate the variance components."""
    n_items = np.count_nonzero(np.bincount(table.item, minlength=1))
    if n_items < 2 or form.startswith("ICC(1"):
        return bool(n_items < 2)
    n_raters = np.count_nonzero(np.bincount(table.rater, minlength=1))
    n_nodes = table.n_items + table.n_raters
    edges = (np.ones(table.n_ratings), (table.item, table.n_items + table.rater))
    n_groups, _ = connected_components(sparse.csr_matrix(edges, shape=(n_nodes, n_nodes)))
    alone = n_nodes - n_items - n_raters
    return bool(table.n_ratings - n_items - n_raters + n_groups - alone < 1)


def _statistic(table: RatingTable, form: Form) -> Statistic:
    """Coefficient as a function of sums over items."""
    y = table.values - table.values.mean()
    size = np.bincount(table.item, minlength=table.n_items).astype(float)
    total = np.bincount(table.item, weights=y, minlength=table.n_items)
    square = np.bincount(table.item, weights=y**2, minlength=table.n_items)
    keep = size > 0
    inverse = np.divide(1.0, size, out=np.zeros_like(size), where=keep)
    of_item = np.column_stack([keep, size, size**2, inverse, square, total**2 * inverse])
    features = _features(table, y, of_item)[keep]

    def coefficient(totals: _Totals) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            item, error, k = _components(totals, form)
            whole = item + np.maximum(error, 0.0) / k
            spread = whole > _ROUNDING * (1 + totals.t_0 / totals.n)
            return np.where(spread, item / whole, np.nan)  # nan: the components have no solution

    def value(sums: Floats) -> Floats:
        return coefficient(_totals(sums, table.n_raters))

    def left_out() -> Floats:
        return coefficient(_left_out(table, y, of_item=of_item, keep=keep))

    cluster = clusters_of(table, keep)
    return Statistic(features, np.ones(int(keep.sum())), value, left_out, cluster)


def _features(table: RatingTable, y: Floats, of_item: Floats) -> sparse.csr_matrix:
    """Contribution of each item to the sums, (N, 6 + 2 M): its own, and by rater y and counts."""
    n_items, width = of_item.shape
    columns, rows = np.tile(np.arange(width), n_items), width * np.arange(n_items + 1)
    own = sparse.csr_matrix((of_item.ravel(), columns, rows), shape=of_item.shape)
    shape = n_items, table.n_raters
    by_rater = sparse.csr_matrix((y, (table.item, table.rater)), shape=shape)
    ones = np.ones(len(y)), by_rater.indices, by_rater.indptr
    return sparse.hstack([own, by_rater, sparse.csr_matrix(ones, shape=shape)]).tocsr()


class _Totals(NamedTuple):
    """Sums of B samples, each of shape (B,).

    ``inverse`` is that of 1 / n_i, ``squares`` of n_i^2, ``counts`` of n_j^2; ``m`` are the raters.
    """

    n_items: Floats
    n: Floats
    squares: Floats
    inverse: Floats
    t_0: Floats
    t_a: Floats
    t_b: Floats
    t_mu: Floats
    m: Floats
    counts: Floats


def _totals(sums: Floats, n_raters: int) -> _Totals:
    """Sums that the components need, from B rows of features."""
    of_items, n = sums[:, :_ITEM_SUMS].T, sums[:, 1]
    by_rater = sums[:, _ITEM_SUMS : _ITEM_SUMS + n_raters]
    counts = sums[:, _ITEM_SUMS + n_raters :]
    seen = counts > 0
    t_b = (by_rater**2 / np.where(seen, counts, np.inf)).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t_mu = by_rater.sum(axis=1) ** 2 / n
    raters = t_b, t_mu, seen.sum(axis=1), (counts**2).sum(axis=1)
    return _Totals._make([*of_items, *raters])


def _left_out(table: RatingTable, y: Floats, *, of_item: Floats, keep: Booleans) -> _Totals:
    """Sums without one item at a time, B = N: of its raters only."""
    by_rater = np.bincount(table.rater, y, table.n_raters)
    counts = np.bincount(table.rater, minlength=table.n_raters).astype(float)
    b = by_rater**2 / np.maximum(counts, 1.0)
    total, count = by_rater[table.rater], counts[table.rater]
    rest = (total - y) ** 2 / np.maximum(count - 1, 1.0)

    def without(of_all: float, lost: Floats | Booleans) -> Floats:
        return np.asarray(of_all - np.bincount(table.item, lost, table.n_items)[keep])

    with np.errstate(divide="ignore", invalid="ignore"):
        left = of_item[keep].sum(axis=0) - of_item[keep]
        t_mu = without(y.sum(), y) ** 2 / left[:, 1]
    t_b = without(b.sum(), b[table.rater] - np.where(count > 1, rest, 0.0))
    m = without(float(np.count_nonzero(counts)), count == 1)
    squares = without((counts**2).sum(), 2 * count - 1)
    return _Totals._make([*left.T, t_b, t_mu, m, squares])


def _components(totals: _Totals, form: Form) -> tuple[Floats, Floats, Floats]:
    """Variances of items and of error, and the number of ratings averaged, each (B,)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        k = totals.n_items / totals.inverse if form.endswith("k)") else np.ones(len(totals.n))
        if form.startswith("ICC(1"):
            return *_one_way(totals), k
        item, rater, residual = _two_way(totals)
        return item, residual + (rater if form.startswith("ICC(2") else 0.0), k


def _one_way(totals: _Totals) -> tuple[Floats, Floats]:
    """Variances of items and within items, each of shape (B,)."""
    n_items, n, squares, _, t_0, t_a, _, t_mu, *_ = totals
    within = (t_0 - t_a) / (n - n_items)
    per_item = (n - squares / n) / (n_items - 1)
    return ((t_a - t_mu) / (n_items - 1) - within) / per_item, within


def _two_way(totals: _Totals) -> tuple[Floats, Floats, Floats]:
    """Variances of items, raters and residual, each of shape (B,)."""
    n_items, n, squares, _, t_0, t_a, t_b, t_mu, m, counts = totals
    k_a, k_b = squares / n, counts / n
    system = np.stack(
        [
            np.stack([n - k_a, n_items - k_b, n_items - 1], axis=1),
            np.stack([m - k_a, n - k_b, m - 1.0], axis=1),
            np.stack([k_a - m, k_b - n_items, n - n_items - m + 1], axis=1),
        ],
        axis=1,
    )
    right = np.stack([t_a - t_mu, t_b - t_mu, t_0 - t_a - t_b + t_mu], axis=1)
    solvable = np.abs(np.linalg.det(system)) > 1e-9 * n
    system[~solvable] = np.eye(3)
    right[~solvable] = np.nan
    item, rater, residual = np.linalg.solve(system, right[:, :, None]).astype(float)[:, :, 0].T
    return item, rater, residual
