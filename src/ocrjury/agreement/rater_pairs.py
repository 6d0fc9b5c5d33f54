"""Shares of agreeing pairs of ratings, and kappa for every pair of raters.

Symbols: M raters, Q = M (M - 1) / 2 pairs of raters, K categories.
"""

import math

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from ocrjury.agreement.chance import mean_statistic, pair_mean_statistic
from ocrjury.agreement.confusion import (
    left_out_kappa_of,
    pair_confusions,
)
from ocrjury.agreement.intervals import (
    IntervalOptions,
    effective_draws,
    resampled,
    sizes,
    undefined,
)
from ocrjury.agreement.many_values import (
    continuous_pairs,
    equal_pairs,
    has_many_categories,
    rated_items,
)
from ocrjury.agreement.patterns import collapse, usable, why_undefined
from ocrjury.agreement.weights import (
    Weights,
    agreement_weights,
    check_categorical,
    is_measured,
)
from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate, Reason, Resampling
from ocrjury.ratings import RatingTable
from ocrjury.resampling import SummedStatistic

MIN_COMMON_ITEMS = 5  # a pair with fewer has too imprecise a kappa


def pairwise_agreement(
    table: RatingTable,
    *,
    tolerance: float = 0,
    ci: Resampling | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Estimate:
    """Share of agreeing pairs over all pairs of ratings of an item.

    Parameters
    ----------
    tolerance
        Largest difference between agreeing ratings, in points of the scale: 0 is exact
        agreement, 1 on a Likert scale exact or adjacent.

    Returns
    -------
    Estimate
        In [0, 1]; every pair counts the same, so items with many ratings count more.
        Not corrected for chance.

    Raises
    ------
    InputError
        For a tolerance below 0, or above 0 on a nominal scale.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[3, 4], [5, 5], [1, 5]], scale=Scale.likert(1, 5))
    >>> [round(pairwise_agreement(table, tolerance=points).value, 4) for points in (0, 1)]
    [0.3333, 0.6667]
    """
    options = IntervalOptions(ci, confidence, resamples, seed)
    _check_tolerance(table, tolerance)
    method = (
        "exact pairwise agreement" if tolerance == 0 else f"pairwise agreement within {tolerance:g}"
    )
    table = usable(table, "pairwise_agreement")
    return _of_pairs(table, tolerance, method=method, options=options)


def _of_pairs(
    table: RatingTable, tolerance: float, *, method: str, options: IntervalOptions
) -> Estimate:
    if reason := why_undefined(table):
        return undefined(table, reason, method)
    ratings = np.bincount(table.item, minlength=table.n_items)
    n = sizes(table)._replace(n_effective=effective_draws(table, ratings * (ratings - 1)))
    statistic = pair_statistic(table, tolerance)
    return resampled(statistic, n, method=method, options=options, share=True)


def adjacent_agreement(
    table: RatingTable, *, ci: Resampling | None = None, seed: int = 0
) -> Estimate:
    """Share of pairs at most one category apart; undefined on all scales but Likert's."""
    method = "adjacent pairwise agreement"
    if table.scale.kind != "likert":
        return undefined(table, "scale_mismatch", method)
    table = usable(table, "adjacent_agreement")
    return _of_pairs(table, 1, method=method, options=IntervalOptions(ci, seed=seed))


def pair_statistic(table: RatingTable, tolerance: float) -> SummedStatistic:
    """Share of agreeing pairs as a function of sums over items with a pair."""
    many_names = has_many_categories(table)
    if many_names or is_measured(table):
        paired, items = rated_items(table, least=2)
        agreeing, pairs = equal_pairs(table) if many_names else continuous_pairs(table, tolerance)
        return mean_statistic(agreeing[paired], pairs[paired], items)
    distance = np.abs(table.categories[:, None] - table.categories[None, :])
    return pair_mean_statistic(
        collapse(table).only_pairable(), (distance <= tolerance).astype(float)
    )


def pairwise_kappa(
    table: RatingTable, *, weights: Weights = "none", min_items: int = MIN_COMMON_ITEMS
) -> pd.DataFrame:
    """Cohen's kappa of every pair of raters on the items that both rated.

    Parameters
    ----------
    min_items
        A pair with fewer common items has no value, with reason ``too_few_common_items``.

    Returns
    -------
    DataFrame
        One row per pair, columns rater_a rater_b n_items value se low high (95 %, by a jackknife
        over items) reason, which is None where there is an interval: raters who never differ have
        none, because the error is 0 then, which a few items do not prove. ``.attrs`` summarises the
        values: ``n_pairs`` that have one, their ``mean``, ``sd`` (over n - 1), ``min``, ``max``
        and ``median``, ``nan`` where there are none.

    Raises
    ------
    InputError
        On an interval scale, and for weights on a nominal scale.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[1, 1], [2, 2], [1, 2], [2, 2], [1, 1]],
    ...     scale=Scale.likert(1, 2), raters=["R01", "R02"])
    >>> pairwise_kappa(table)[["rater_a", "rater_b", "n_items", "value"]].round(3).values.tolist()
    [['R01', 'R02', 5, 0.615]]
    """
    check_categorical(table, weights, "pairwise_kappa")
    table = usable(table, "pairwise_kappa", compares_raters=True)
    confusions = pair_confusions(table)
    agreement = agreement_weights(table.categories, weights)
    value, se, draws = left_out_kappa_of(confusions, agreement, table)
    too_few = confusions.n_items < max(min_items, 1)
    without = too_few | np.isnan(value)
    value, se = np.where(without, np.nan, value), np.where(without, np.nan, se)
    quantile = np.where(draws > 1, stdtrit(np.maximum(draws - 1, 1), 0.975), np.nan)
    half = np.where(value == 1, np.nan, quantile * se)
    reasons = [
        "too_few_common_items" if few else _why_no_interval(kappa, known=not math.isnan(length))
        for few, kappa, length in zip(too_few, value, half, strict=True)
    ]
    frame = pd.DataFrame(
        {
            "rater_a": [table.raters[rater] for rater in confusions.rater_a],
            "rater_b": [table.raters[rater] for rater in confusions.rater_b],
            "n_items": confusions.n_items,
            "value": value,
            "se": se,
            "low": value - half,
            "high": np.minimum(value + half, 1.0),
            "reason": pd.Series(reasons, dtype="object"),
        }
    )
    frame.attrs.update(summary_of(value[~without]))
    return frame


def _why_no_interval(kappa: float, *, known: bool) -> Reason | None:
    """Reason why the kappa of a pair has no interval, None where it has one."""
    if known:
        return None
    return "no_disagreement" if kappa == 1 else "no_variation"


def summary_of(values: Floats) -> dict[str, float]:
    """Number, mean, standard deviation, minimum, maximum and median of the kappas of pairs."""
    n, names = len(values), ("mean", "sd", "min", "max", "median")
    if not n:
        return {"n_pairs": 0, **dict.fromkeys(names, math.nan)}
    spread = float(values.std(ddof=1)) if n > 1 else math.nan
    ends = float(values.min()), float(values.max())
    numbers = (float(values.mean()), spread, *ends, float(np.median(values)))
    return {"n_pairs": n, **dict(zip(names, numbers, strict=True))}


def _check_tolerance(table: RatingTable, tolerance: float) -> None:
    """Raise if the tolerance does not fit the scale."""
    if not tolerance >= 0:
        raise InputError(f"tolerance must be 0 or more points on the scale; found {tolerance!r}.")
    if tolerance > 0 and not table.scale.ordered:
        raise InputError(
            f"a tolerance needs an order; the scale is {table.scale}. Use tolerance=0, or "
            "declare Scale.likert if the categories have an order."
        )
