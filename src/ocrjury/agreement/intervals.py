"""Confidence interval, sample sizes and method of a statistic, as an `Estimate`."""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple, get_args

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from ocrjury.agreement.patterns import items_by_size, n_raters
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate, Reason, Resampling
from ocrjury.ratings import RatingTable
from ocrjury.resampling import (
    SummedStatistic,
    bootstrap_replicates,
    jackknife_error,
    percentile_interval,
)

_NO_ERROR = 1e-9  # a standard error, or a difference, below this is 0 up to rounding


@dataclass(frozen=True, slots=True)
class IntervalOptions:
    """Method and parameters of an interval, checked before any work.

    ``ci=None`` uses the published analytic error where there is one.
    """

    ci: Resampling | None = None
    confidence: float = 0.95
    resamples: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise on an invalid option."""
        if self.ci is not None and self.ci not in get_args(Resampling):
            raise InputError(f'ci must be None, "jackknife" or "bootstrap"; found {self.ci!r}.')
        if not 0 < self.confidence < 1:
            raise InputError(
                f"confidence must lie between 0 and 1, as 0.95; found {self.confidence!r}."
            )
        if self.resamples < 2:
            raise InputError(f"resamples must be 2 or more; found {self.resamples!r}.")
        if self.seed < 0:
            raise InputError(f"seed must be 0 or more; found {self.seed!r}.")


class Sizes(NamedTuple):
    """Numbers of items with two or more ratings, of raters, and of ratings of those items.

    ``n_clusters`` is that of the clusters of these items, None where each was drawn by itself, and
    ``n_effective`` the number of draws of equal weight that tell as much (Kish 1965).
    """

    n_items: int
    n_raters: int
    n_ratings: int
    n_clusters: int | None
    n_effective: float

    @property
    def n_draws(self) -> int:
        """Number of items, or of clusters."""
        return self.n_items if self.n_clusters is None else self.n_clusters

    def named(self, method: str) -> str:
        """Name of a method whose error counts clusters, if there are any."""
        return method if self.n_clusters is None else f"{method}, clusters"


def sizes(table: RatingTable) -> Sizes:
    """Sample sizes of a table."""
    paired = items_by_size(table)[2:]
    n_ratings = paired @ np.arange(2, 2 + len(paired))
    several = np.bincount(table.item, minlength=table.n_items) > 1
    n_clusters = None if table.cluster is None else len(np.unique(table.cluster[several]))
    effective = effective_draws(table, several)
    return Sizes(int(paired.sum()), n_raters(table), int(n_ratings), n_clusters, effective)


def effective_draws(table: RatingTable, counts: npt.ArrayLike) -> float:
    """Kish's effective number of draws, of which each item counts that often, shape (N,)."""
    weight = np.asarray(counts, dtype=float)
    if table.item_weight is not None:
        weight = weight * table.item_weight
    if table.cluster is not None:
        weight = np.bincount(table.cluster, weight).astype(float)
    return float(weight.sum() ** 2 / (weight @ weight)) if weight.any() else 0.0


def undefined(table: RatingTable, reason: Reason, method: str) -> Estimate:
    """Estimate without a value."""
    return without_interval(math.nan, sizes(table), method, reason=reason)


def without_interval(
    value: float,
    n: Sizes,
    method: str,
    *,
    reason: Reason | None = None,
    warnings: tuple[str, ...] = (),
) -> Estimate:
    """Value alone."""
    return Estimate(
        value,
        n_items=n.n_items,
        n_raters=n.n_raters,
        n_ratings=n.n_ratings,
        method=method,
        reason=reason,
        warnings=warnings,
        n_clusters=n.n_clusters,
        n_effective=n.n_effective if n.n_effective < n.n_draws - _NO_ERROR else None,
    )


def resampled(
    statistic: SummedStatistic,
    n: Sizes,
    *,
    method: str,
    options: IntervalOptions,
    share: bool = False,
) -> Estimate:
    """Value with its jackknife or bootstrap interval, without one if ``ci`` is None.

    Items of one cluster are left out, or drawn, together. ``share`` tells that the value is a mean
    of numbers between 0 and 1.
    """
    value, statistic = statistic.point(), statistic.by_cluster()
    if math.isnan(value):
        return without_interval(value, n, method, reason="no_variation")
    if options.ci == "bootstrap" and n.n_draws > 1:
        return _bootstrap(statistic, n, method=method, options=options, share=share)
    if options.ci is None:
        return without_interval(value, n, method)
    estimate = with_error(
        value,
        _jackknife(statistic, value),
        n,
        method=f"{method}, jackknife",
        options=options,
        df=statistic.n - 1,
        share=share,
    )
    return _of_share(estimate, statistic.n - 1, options.confidence) if share else estimate


def _of_share(estimate: Estimate, df: int, confidence: float) -> Estimate:
    """A share with Wilson's interval, of as many draws as would give it this standard error.

    Near 1 few items are below 1, and a symmetric interval ends too early on that side. Korn and
    Graubard (1998) name the number of draws; Student's t stands in for the normal quantile.
    """
    p, variance = estimate.value, estimate.se**2
    if not (0 < p < 1 and estimate.se > _NO_ERROR):
        return estimate
    squared = float(stdtrit(df, (1 + confidence) / 2)) ** 2
    per_draw = squared * variance / (p * (1 - p))  # squared over the number of draws
    centre = (p + per_draw / 2) / (1 + per_draw)
    half = math.sqrt(squared * variance + per_draw**2 / 4) / (1 + per_draw)
    return replace(estimate, low=max(centre - half, 0.0), high=min(centre + half, 1.0))


def _bootstrap(
    statistic: SummedStatistic, n: Sizes, *, method: str, options: IntervalOptions, share: bool
) -> Estimate:
    """Value with its percentile interval."""
    rng = np.random.default_rng(options.seed)
    (replicates,) = bootstrap_replicates([statistic], resamples=options.resamples, rng=rng)
    se, low, high = percentile_interval(replicates, confidence=options.confidence)
    if se < _NO_ERROR:
        return _without_error(
            statistic.point(), n, method=f"{method}, bootstrap", options=options, share=share
        )
    lost = int(np.count_nonzero(np.isnan(replicates)))
    warning = f"{lost} of {len(replicates)} resamples had no value and were left out."
    reason: Reason | None = "no_variation" if math.isnan(se) else None
    estimate = without_interval(
        statistic.point(),
        n,
        n.named(f"{method}, bootstrap"),
        reason=reason,
        warnings=(warning,) if lost else (),
    )
    return replace(estimate, low=low, high=high, se=se)


def _jackknife(statistic: SummedStatistic, value: float) -> float:
    """Jackknife error, ``nan`` where two items do not show how items differ.

    A chance-corrected coefficient of one item alone may be a constant whatever its ratings are;
    with two items both replicates then are that constant, and an error of 0 would be wrong.
    """
    se = jackknife_error(statistic)
    if statistic.n == 2 and se < _NO_ERROR:
        first = statistic.features[:1]
        alone = statistic.value(first if isinstance(first, np.ndarray) else first.toarray())
        return se if abs(float(alone[0]) - value) < _NO_ERROR else math.nan
    return se


def with_error(
    value: float,
    se: float,
    n: Sizes,
    *,
    method: str,
    options: IntervalOptions,
    df: int | None = None,
    share: bool = False,
) -> Estimate:
    """Value with a symmetric interval, based on Student's t if ``df`` is given.

    The upper end is capped at 1, which no coefficient exceeds. Items that are all alike do not
    prove that the others are: with an error of 0 there is no interval, but for a ``share``.
    """
    if math.isnan(value):
        return without_interval(value, n, method, reason="no_variation")
    if math.isnan(se) or (df is not None and df < 1):
        alone = n.n_draws < 2
        reason: Reason = "fewer_than_two_items" if alone else "items_alike"
        return without_interval(value, n, method, reason=reason, warnings=(_no_interval(n),))
    if se < _NO_ERROR:
        return _without_error(value, n, method=method, options=options, share=share)
    probability = (1 + options.confidence) / 2
    half = se * float(ndtri(probability) if df is None else stdtrit(df, probability))
    estimate = without_interval(value, n, n.named(method))
    return replace(estimate, low=value - half, high=min(value + half, 1.0), se=se)


def _without_error(
    value: float, n: Sizes, *, method: str, options: IntervalOptions, share: bool
) -> Estimate:
    """Value of items that are all alike, of a share of none or all with Clopper and Pearson's.

    That interval (1934, Biometrika 26(4), 404-413) is wide enough for the mean of any numbers
    between 0 and 1 that were all 0, or all 1. Of draws with unequal weights it takes the effective
    number (Korn and Graubard 1998, Survey Methodology 24(2), 193-201).
    """
    if abs(1 - value) < _NO_ERROR:
        value = 1.0  # but for rounding
    estimate = replace(without_interval(value, n, n.named(method)), se=0.0)
    if not share or _NO_ERROR < value < 1:
        return replace(estimate, reason="no_disagreement" if value == 1 else "items_alike")
    unseen = 1 - math.pow((1 - options.confidence) / 2, 1 / n.n_effective)
    return replace(estimate, low=value * (1 - unseen), high=max(value, unseen))


def _no_interval(n: Sizes) -> str:
    """Sentence on why there is no interval."""
    unit = "item" if n.n_clusters is None else "cluster"
    if n.n_draws < 2:
        return f"No interval: one {unit} cannot show how {unit}s differ."
    return f"No interval: without one of the {unit}s the ratings would not vary."
