"""Krippendorff's alpha: observed over expected disagreement, for any scale and missing ratings.

Symbols follow Krippendorff (2011): m_u values of unit (item) u, n_c values c in all, delta the
distance between two values, D_o and D_e observed and expected disagreement.
"""

from functools import cache
from typing import get_args

import numpy as np

from ocrjury.agreement.alpha_error import linearised_alpha_error
from ocrjury.agreement.chance import linearised
from ocrjury.agreement.continuous_alpha import alpha, continuous_alpha, ratio_distance
from ocrjury.agreement.intervals import IntervalOptions, sizes, undefined
from ocrjury.agreement.patterns import Patterns, collapse, usable, why_undefined
from ocrjury.arrays import Floats, Integers
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate, Resampling
from ocrjury.ratings import RatingTable
from ocrjury.ratings.table_checks import check_table
from ocrjury.resampling import SummedStatistic
from ocrjury.scales import Level

MANY = 25
"""Categories above which summing over their pairs costs more than ranking again."""


def krippendorff_alpha(
    table: RatingTable,
    *,
    level: Level | None = None,
    ci: Resampling | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Estimate:
    """Agreement of any number of raters beyond chance, by Krippendorff.

    Parameters
    ----------
    table
        Complete or incomplete; items with one rating are left out.
    level
        Distance between two values: ``"nominal"`` (equal or not), ``"ordinal"`` (difference of
        their mid-ranks), ``"interval"`` (difference), ``"ratio"`` (difference over sum). None
        takes the scale's own level.

    Returns
    -------
    Estimate
        At most 1; 0 is chance. ``nan`` with reason ``no_variation`` if all values in pairs are
        equal. ``ci=None`` gives the interval of Gwet's linearised standard error.

    Raises
    ------
    InputError
        For another level than nominal on a nominal scale, and for ratio with values below 0.

    Notes
    -----
    Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section E; standard error:
    Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition. The jackknife and the bootstrap
    leave out or draw whole items.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> table = RatingTable.from_matrix(
    ...     [[1, 1, 1], [2, 2, 3], [3, 3, None]], scale=Scale.likert(1, 3))
    >>> round(krippendorff_alpha(table, level="nominal").value, 4)
    0.6667
    """
    check_table(table, "krippendorff_alpha")
    options = IntervalOptions(ci, confidence, resamples, seed)
    level = _checked(table, level)
    table = usable(table, "krippendorff_alpha")
    method = f"Krippendorff's alpha, {level}"
    if reason := why_undefined(table):
        return undefined(table, reason, method)
    patterns = _few_patterns(table)
    return linearised(
        _statistic(table, patterns, level),
        lambda: linearised_alpha_error(table, patterns, level),
        sizes(table),
        method=method,
        options=options,
    )


def _few_patterns(table: RatingTable) -> Patterns | None:
    """Patterns with two or more ratings, None where there are too many categories for them."""
    if table.scale.kind == "interval" or len(table.categories) > MANY:
        return None
    return collapse(table).only_pairable()


def _statistic(table: RatingTable, patterns: Patterns | None, level: Level) -> SummedStatistic:
    if patterns is None:
        return continuous_alpha(table, level)
    return alpha_of_patterns(patterns, table.categories, level)


def alpha_of_patterns(patterns: Patterns, categories: Floats, level: Level) -> SummedStatistic:
    """Alpha of patterns with two or more ratings."""
    if level == "ordinal":
        return _ordinal(patterns)
    return _fixed(patterns, _distances(categories, level))


def _fixed(patterns: Patterns, delta: Floats) -> SummedStatistic:
    """Alpha with distances that do not depend on the ratings."""
    within = (patterns.counts * (patterns.counts @ delta)).sum(axis=1) / (patterns.size - 1)
    features = np.column_stack([within, patterns.counts])

    def value(sums: Floats) -> Floats:
        n_c = sums[:, 1:]
        between = ((n_c @ delta) * n_c).sum(axis=1)
        return alpha(sums[:, 0], between, n_c.sum(axis=1), largest=delta.max(initial=0.0))

    weighed = features * patterns.weight[:, None]
    return SummedStatistic(weighed, patterns.frequency, value, cluster=patterns.cluster)


def _ordinal(patterns: Patterns) -> SummedStatistic:
    """Alpha with squared differences of mid-ranks, ranked again for every replicate.

    A mid-rank less their mean n / 2 is half the ratings below less half of those above. Their
    squared differences over all ordered pairs then sum to 2 n times their sum of squares.
    """
    n_categories = patterns.counts.shape[1]
    c, k, rank_of, difference_of = _ranking(n_categories)
    pairs = patterns.counts[:, c] * patterns.counts[:, k] * (2 / (patterns.size - 1))[:, None]
    features = np.concatenate([patterns.counts, pairs], axis=1)

    def value(sums: Floats) -> Floats:
        n_c, pairs = sums[:, :n_categories], sums[:, n_categories:]
        n = n_c.sum(axis=1)
        within = np.einsum("bp,bp->b", pairs, (n_c @ difference_of) ** 2)
        between = 2 * n * np.einsum("bc,bc->b", n_c, (n_c @ rank_of) ** 2)
        return alpha(within, between, n, largest=n**2)

    weighed = features * patterns.weight[:, None]
    return SummedStatistic(weighed, patterns.frequency, value, cluster=patterns.cluster)


@cache
def _ranking(n_categories: int) -> tuple[Integers, Integers, Floats, Floats]:
    """Both categories of every pair, and what makes counts ranks (K, K) and their differences."""
    c, k = np.triu_indices(n_categories, 1)
    place = np.arange(n_categories)
    rank_of = np.sign(place[None, :] - place[:, None]) / 2
    return c, k, rank_of, rank_of[:, c] - rank_of[:, k]


def _distances(categories: Floats, level: Level) -> Floats:
    """Squared distances of all pairs of categories, shape (K, K)."""
    c, k = categories[:, None], categories[None, :]
    if level == "nominal":
        return np.asarray((c != k).astype(float))
    return np.asarray((c - k) ** 2) if level == "interval" else ratio_distance(c, k)


def _checked(table: RatingTable, level: Level | None) -> Level:
    """Level of measurement to use; raise if the scale does not support it."""
    if level is None:
        return table.scale.level
    if level not in get_args(Level):
        raise InputError(
            f'level must be "nominal", "ordinal", "interval" or "ratio"; found {level!r}.'
        )
    if not table.scale.ordered and level != "nominal":
        raise InputError(
            f"alpha at {level} level needs an order; the scale is {table.scale}. "
            'Use level="nominal", or declare Scale.likert if the categories have an order.'
        )
    if level == "ratio" and table.values.min(initial=0.0) < 0:
        raise InputError(
            f"alpha at ratio level needs values from 0 upwards; found {table.values.min():g}. "
            'Use level="interval".'
        )
    return level
