"""Intraclass correlation of incomplete designs, from variance components.

A rating is mu + item + rater + residual. Symbols: n ratings of N items by M raters, n_i of item i
and n_j by rater j; T are sums of squared totals.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ocrjury.agreement.icc_forms import FORMS, Form
from ocrjury.agreement.intervals import IntervalOptions, resampled, sizes, undefined
from ocrjury.agreement.patterns import clusters_of, kept, n_raters
from ocrjury.arrays import Booleans, Floats
from ocrjury.estimate import Estimate
from ocrjury.ratings import RatingTable
from ocrjury.resampling import SummedStatistic

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
    return mixed_iccs(table, (form,), options=options)[form]


def mixed_iccs(
    table: RatingTable, forms: Sequence[Form], *, options: IntervalOptions
) -> dict[str, Estimate]:
    """Several forms of the coefficient, which share their sums and variance components."""
    options = IntervalOptions("jackknife", options.confidence, options.resamples, options.seed)
    sample = _Sample(table)
    return {form: _estimate(sample, form, options) for form in forms}


def _estimate(sample: "_Sample", form: Form, options: IntervalOptions) -> Estimate:
    """One form of the coefficient."""
    table, method = sample.table, f"{form}, mixed"
    if sample.n_items < 2 or not (FORMS[form].raters == "changing" or sample.separable):
        return undefined(table, "fewer_than_two_items", method)
    estimate = resampled(sample.statistic(form), sizes(table), method=method, options=options)
    error = sample.of_all.parts(form)[1]
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


class _Sample:
    """Sums over the items of a table that all forms share, each computed once."""

    def __init__(self, table: RatingTable) -> None:
        self.table = table

    @cached_property
    def n_items(self) -> int:
        """Number of rated items."""
        return int(np.count_nonzero(np.bincount(self.table.item, minlength=1)))

    @cached_property
    def separable(self) -> bool:
        """Whether there are enough ratings to separate rater variance from the rest."""
        table = self.table
        n_raters = np.count_nonzero(np.bincount(table.rater, minlength=1))
        n_nodes = table.n_items + table.n_raters
        edges = (np.ones(table.n_ratings), (table.item, table.n_items + table.rater))
        n_groups, _ = connected_components(sparse.csr_matrix(edges, shape=(n_nodes, n_nodes)))
        alone = n_nodes - self.n_items - n_raters
        return bool(table.n_ratings - self.n_items - n_raters + n_groups - alone >= 1)

    @cached_property
    def y(self) -> Floats:
        """Ratings less their mean, shape (n,)."""
        return np.asarray(self.table.values - self.table.values.mean())

    @cached_property
    def of_item(self) -> Floats:
        """Each item's part of the sums that do not tell raters apart, shape (N, 6)."""
        table, y = self.table, self.y
        size = np.bincount(table.item, minlength=table.n_items).astype(float)
        total = np.bincount(table.item, weights=y, minlength=table.n_items)
        square = np.bincount(table.item, weights=y**2, minlength=table.n_items)
        inverse = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
        return np.column_stack([size > 0, size, size**2, inverse, square, total**2 * inverse])

    @cached_property
    def keep(self) -> Booleans:
        """Mask of the rated items, shape (N,)."""
        return np.asarray(self.of_item[:, 0] > 0)

    @cached_property
    def features(self) -> sparse.csr_matrix:
        """Each rated item's part of all sums."""
        return _features(self.table, self.y, self.of_item)[self.keep]

    @cached_property
    def of_all(self) -> "_Components":
        """Components of all items."""
        sums = np.asarray(self.features.sum(axis=0), dtype=float)
        return _Components(_totals(sums.reshape(1, -1), self.table.n_raters))

    @cached_property
    def left_out(self) -> "_Components":
        """Components without one item at a time."""
        return _Components(_left_out(self.table, self.y, of_item=self.of_item, keep=self.keep))

    def statistic(self, form: Form) -> SummedStatistic:
        """Coefficient as a function of sums over items."""

        def value(sums: Floats) -> Floats:
            return _Components(_totals(sums, self.table.n_raters)).coefficient(form)

        def left_out() -> Floats:
            return self.left_out.coefficient(form)

        clusters = clusters_of(self.table, self.keep)
        return SummedStatistic(self.features, np.ones(self.n_items), value, left_out, clusters)


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


class _Components:
    """Variance components of B samples, each computed once."""

    def __init__(self, totals: _Totals) -> None:
        self.totals = totals

    @cached_property
    def one_way(self) -> tuple[Floats, Floats]:
        """Variances of items and within items, each of shape (B,)."""
        return _one_way(self.totals)

    @cached_property
    def two_way(self) -> tuple[Floats, Floats, Floats]:
        """Variances of items, raters and residual, each of shape (B,)."""
        return _two_way(self.totals)

    def parts(self, form: Form) -> tuple[Floats, Floats]:
        """Variances of items and of error, each of shape (B,)."""
        raters = FORMS[form].raters
        with np.errstate(divide="ignore", invalid="ignore"):
            if raters == "changing":
                return self.one_way
            item, rater, residual = self.two_way
            return item, residual + (rater if raters == "sampled" else 0.0)

    def coefficient(self, form: Form) -> Floats:
        """Share of the items in the variance, shape (B,); nan where the components have none."""
        item, error = self.parts(form)
        totals = self.totals
        with np.errstate(divide="ignore", invalid="ignore"):
            k = totals.n_items / totals.inverse if FORMS[form].of_mean else 1.0
            whole = item + np.maximum(error, 0.0) / k
            spread = whole > _ROUNDING * (1 + totals.t_0 / totals.n)
            return np.where(spread, item / whole, np.nan)


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
