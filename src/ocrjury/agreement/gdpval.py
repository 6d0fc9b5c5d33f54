"""A^HH, agreement between humans as defined in the GDPval paper, raw and beyond chance.

Ratings are scaled to [0, 1] by the declared scale, never by the values seen. The agreement
of two ratings is one minus their distance.
"""

from collections.abc import Callable

import numpy as np

from ocrjury.agreement.chance import chance_statistic, item_mean_statistic, mean_statistic
from ocrjury.agreement.intervals import (
    IntervalOptions,
    resampled,
    sizes,
    undefined,
    without_interval,
)
from ocrjury.agreement.kappa import fleiss_chance
from ocrjury.agreement.many_values import (
    chance_of_equality,
    continuous_agreement,
    continuous_corrected,
    continuous_expected,
    equal_pairs,
    equality_corrected,
    has_many_categories,
    rated_items,
    seen_values,
)
from ocrjury.agreement.patterns import collapse, usable, why_undefined
from ocrjury.agreement.weights import is_measured, unit_distances
from ocrjury.arrays import Floats
from ocrjury.estimate import Estimate, Resampling
from ocrjury.ratings import RatingTable
from ocrjury.resampling import SummedStatistic


def human_agreement(
    table: RatingTable,
    *,
    ci: Resampling | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Estimate:
    """A^HH: nearness of two raters' ratings of an item, averaged over pairs, then over items.

    Returns
    -------
    Estimate
        In [0, 1]; items with one rating are left out. Not corrected for chance: compare it
        with `human_agreement_chance`. ``nan`` with reason ``fewer_than_two_categories`` if the
        scale has one category. There is no published standard error.

    Notes
    -----
    Patwardhan et al. (2025), GDPval, arXiv:2510.04374: A = E[1 - |H1 - H2|]. On a nominal scale,
    as on a binary one, the distance is 0 between equal ratings and 1 otherwise.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[3, 4, 5], [1, 1, 2]], scale=Scale.likert(1, 5))
    >>> human_agreement(table).value
    0.75
    """
    options = IntervalOptions(ci, confidence, resamples, seed)
    table = usable(table, "human_agreement")
    method = "A^HH"
    if reason := why_undefined(table, two_categories=True):
        return undefined(table, reason, method)
    statistic, n = agreement_statistic(table), sizes(table)
    return resampled(statistic, n, method=method, options=options, share=True)


def human_agreement_chance(table: RatingTable) -> Estimate:
    """A^HH expected from independent raters with the same shares of categories.

    Returns
    -------
    Estimate
        In [0, 1], without an interval.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[1, 1], [5, 5]], scale=Scale.likert(1, 5))
    >>> human_agreement_chance(table).value
    0.5
    """
    table = usable(table, "human_agreement_chance")
    method = "A^HH by chance"
    if reason := why_undefined(table, two_categories=True):
        return undefined(table, reason, method)
    sums = corrected_statistic(table).sums()[:, 2:]
    value = float(_expected(table)(sums / sums.sum())[0])
    return without_interval(value, sizes(table), method)


def human_agreement_corrected(
    table: RatingTable,
    *,
    ci: Resampling | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Estimate:
    """A^HH beyond chance: (A^HH - chance) / (1 - chance).

    Returns
    -------
    Estimate
        At most 1; 0 is chance. On a Likert scale it equals Fleiss' kappa with linear weights.
        ``nan`` with reason ``no_variation`` if all ratings are equal.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix([[1, 1], [5, 4]], scale=Scale.likert(1, 5))
    >>> round(human_agreement_corrected(table).value, 4)
    0.7333
    """
    options = IntervalOptions(ci, confidence, resamples, seed)
    table = usable(table, "human_agreement_corrected")
    method = "A^HH beyond chance"
    if reason := why_undefined(table, two_categories=True):
        return undefined(table, reason, method)
    return resampled(corrected_statistic(table), sizes(table), method=method, options=options)


def agreement_statistic(table: RatingTable) -> SummedStatistic:
    """A^HH as a function of sums over items with two or more ratings."""
    if is_measured(table):
        paired, items = rated_items(table, least=2)
        return mean_statistic(continuous_agreement(table)[paired], np.ones(len(paired)), items)
    if has_many_categories(table):
        paired, items = rated_items(table, least=2)
        equal, pairs = equal_pairs(table)
        return mean_statistic(equal[paired] / pairs[paired], np.ones(len(paired)), items)
    weights = 1 - unit_distances(table.scale, table.categories)
    return item_mean_statistic(collapse(table).only_pairable(), weights)


def corrected_statistic(table: RatingTable) -> SummedStatistic:
    """A^HH beyond chance; the sums from the third on are the prevalences."""
    if is_measured(table):
        return continuous_corrected(table)
    if has_many_categories(table):
        return equality_corrected(table)
    weights = 1 - unit_distances(table.scale, table.categories)
    return chance_statistic(collapse(table), weights, fleiss_chance(weights))


def _expected(table: RatingTable) -> Callable[[Floats], Floats]:
    """Chance agreement as a function of the prevalences."""
    if is_measured(table):
        span = table.scale.high - table.scale.low
        seen = seen_values(table).categories
        return lambda prevalence: continuous_expected(prevalence, seen, span)
    if has_many_categories(table):
        return chance_of_equality
    return fleiss_chance(1 - unit_distances(table.scale, table.categories)).expected
