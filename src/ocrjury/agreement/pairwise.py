"""Shares of agreeing pairs of ratings, and kappa for every pair of raters.

Symbols: M raters, Q = M (M - 1) / 2 pairs of raters, K categories.
"""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.special import ndtri

from ocrjury.agreement.chance import mean_statistic, pair_mean_statistic, summed_squares
from ocrjury.agreement.confusion import (
    Confusions,
    kappa_influence,
    kappa_of,
    pair_confusions,
    pairs_of_ratings,
)
from ocrjury.agreement.intervals import (
    IntervalOptions,
    Resampling,
    resampled,
    sizes,
    undefined,
    with_error,
)
from ocrjury.agreement.many_values import (
    continuous_pairs,
    equal_pairs,
    has_many_categories,
    rated_items,
)
from ocrjury.agreement.patterns import clusters_of, collapse, usable, why_undefined
from ocrjury.agreement.rows import distinct_rows
from ocrjury.agreement.weights import (
    Weights,
    agreement_weights,
    check_categorical,
    is_measured,
    is_name,
    with_weights,
)
from ocrjury.arrays import Booleans, Floats
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.ratings import RatingTable
from ocrjury.resampling import Statistic

MIN_COMMON_ITEMS = 5  # a pair with fewer has too imprecise a kappa
_QUICK = 25  # answers whose products take as long as one pair of ratings
_ITEMS = 4096  # items whose products are in memory at once


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
    table = usable(table, "pairwise_agreement")
    method = (
        "exact pairwise agreement" if tolerance == 0 else f"pairwise agreement within {tolerance:g}"
    )
    if reason := why_undefined(table):
        return undefined(table, reason, method)
    return resampled(pair_statistic(table, tolerance), sizes(table), method=method, options=options)


def adjacent_agreement(
    table: RatingTable, *, ci: Resampling | None = None, seed: int = 0
) -> Estimate:
    """Share of pairs at most one category apart; undefined on all scales but Likert's."""
    if table.scale.kind != "likert":
        return undefined(table, "scale_mismatch", "adjacent pairwise agreement")
    adjacent = pairwise_agreement(table, tolerance=1, ci=ci, seed=seed)
    return replace(adjacent, method=adjacent.method.replace("pairwise", "adjacent pairwise"))


def pair_statistic(table: RatingTable, tolerance: float) -> Statistic:
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
        One row per pair, columns rater_a rater_b n_items value se low high (95 %) reason; the
        reason is None where there is a value. ``.attrs`` summarises the values: ``n_pairs`` that
        have one, their ``mean``, ``sd`` (over n - 1), ``min``, ``max`` and ``median``, ``nan``
        where there are none.

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
    value, se = kappa_of(confusions, agreement_weights(table.categories, weights), table)
    too_few = confusions.n_items < max(min_items, 1)
    without = too_few | np.isnan(value)
    value, se = np.where(without, np.nan, value), np.where(without, np.nan, se)
    half = float(ndtri(0.975)) * se
    reasons = [
        None if defined else "too_few_common_items" if few else "no_variation"
        for defined, few in zip(~without, too_few, strict=True)
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


def summary_of(values: Floats) -> dict[str, float]:
    """Number, mean, standard deviation, minimum, maximum and median of the kappas of pairs."""
    n, names = len(values), ("mean", "sd", "min", "max", "median")
    if not n:
        return {"n_pairs": 0, **dict.fromkeys(names, math.nan)}
    spread = float(values.std(ddof=1)) if n > 1 else math.nan
    ends = float(values.min()), float(values.max())
    numbers = (float(values.mean()), spread, *ends, float(np.median(values)))
    return {"n_pairs": n, **dict(zip(names, numbers, strict=True))}


def mean_pairwise_kappa(
    table: RatingTable, *, weights: Weights = "none", confidence: float = 0.95
) -> Estimate:
    """Mean of Cohen's kappas over the pairs of raters with enough common items.

    Returns
    -------
    Estimate
        Its standard error is linearised over items, because one item enters several
        pairs. ``nan`` with reason ``too_few_common_items`` if no pair shares
        five items, ``no_variation`` if none of the others has a kappa, ``scale_mismatch`` on an
        interval scale, and with weights on a nominal one.
    """
    method = with_weights("mean of pairwise kappas", weights)
    unordered = is_name(weights) and weights != "none" and not table.scale.ordered
    if table.scale.kind == "interval" or unordered:
        return undefined(table, "scale_mismatch", method)
    if reason := why_undefined(table):
        return undefined(table, reason, method)
    confusions = pair_confusions(table)
    agreement = agreement_weights(table.categories, weights)
    value, influence = kappa_influence(confusions, agreement)
    enough = confusions.n_items >= MIN_COMMON_ITEMS
    if not enough.any():
        return undefined(table, "too_few_common_items", method)
    used = enough & ~np.isnan(value)
    if not used.any():
        return undefined(table, "no_variation", method)
    se = _mean_error(table, confusions, influence, used=used)
    options = IntervalOptions(confidence=confidence)
    return with_error(
        float(value[used].mean()), se, sizes(table), method=f"{method}, linearised", options=options
    )


def mean_pairwise_weighted_kappa(table: RatingTable) -> Estimate:
    """Mean of the pairs' kappas with quadratic weights."""
    return mean_pairwise_kappa(table, weights="quadratic")


def _mean_error(
    table: RatingTable, confusions: Confusions, influence: Floats, *, used: Booleans
) -> float:
    """Standard error of a mean of kappas, from each item's influence on all of them."""
    total = confusions.weight.sum(axis=(1, 2))[used]
    share = influence[used] / total[:, None, None] / used.sum()
    a, b = confusions.rater_a[used], confusions.rater_b[used]
    rows = distinct_rows(table)
    if rows is not None:
        parts = zip(rows.codes.T[a], rows.codes.T[b], share, strict=True)
        of_row = sum(np.where((x >= 0) & (y >= 0), effect[x, y], 0.0) for x, y, effect in parts)
        return math.sqrt(float(rows.frequency @ np.square(of_row)))
    n_raters, n_categories = table.n_raters, len(table.categories)
    effects = np.zeros((n_raters, n_categories, n_raters, n_categories))
    effects[a, :, b] = share
    effects[b, :, a] = share.transpose(0, 2, 1)
    width = n_raters * n_categories
    size = np.bincount(table.item, minlength=table.n_items)
    sum_pairs = _by_product if size.max() > width / _QUICK else _pair_by_pair
    sums = sum_pairs(table, effects.reshape(width, width))
    weight = np.ones(table.n_items) if table.item_weight is None else table.item_weight
    term, clusters = (sums * weight)[size > 1], clusters_of(table, size > 1)
    squares, n = summed_squares(term, np.ones(len(term)), clusters)
    return math.sqrt(squares if clusters is None else squares * n / (n - 1)) if n > 1 else math.nan


def _pair_by_pair(table: RatingTable, effects: Floats) -> Floats:
    """Sum over the pairs of ratings of each item, shape (N,).

    Parameters
    ----------
    effects
        Summand of each pair of answers (rater times K plus category), symmetric and 0 for two
        answers of one rater, shape (M K, M K).
    """
    answer = table.rater * len(table.categories) + table.codes
    flat, sums = effects.ravel(), np.zeros(table.n_items)
    for one, other in pairs_of_ratings(table):
        pairs = flat.take(answer.take(one) * len(effects) + answer.take(other))
        sums += np.bincount(table.item.take(one), weights=pairs, minlength=table.n_items)
    return sums


def _by_product(table: RatingTable, effects: Floats) -> Floats:
    """The same by a matrix product, whose work does not grow with the square of the ratings."""
    answer = table.rater * len(table.categories) + table.codes
    answers = sparse.csr_array(
        (np.ones(table.n_ratings), (table.item, answer)), shape=(table.n_items, len(effects))
    )
    sums = np.empty(table.n_items)
    for first in range(0, table.n_items, _ITEMS):
        given = answers[first : first + _ITEMS]
        sums[first : first + _ITEMS] = given.multiply(given @ effects).sum(axis=1) / 2
    return sums


def _check_tolerance(table: RatingTable, tolerance: float) -> None:
    """Raise if the tolerance does not fit the scale."""
    if not tolerance >= 0:
        raise InputError(f"tolerance must be 0 or more points on the scale; found {tolerance!r}.")
    if tolerance > 0 and not table.scale.ordered:
        raise InputError(
            f"a tolerance needs an order; the scale is {table.scale}. Use tolerance=0, or "
            "declare Scale.likert if the categories have an order."
        )
