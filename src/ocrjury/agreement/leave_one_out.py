"""Change of alpha without each rater: whether one person causes the disagreement.

An item that a rater did not rate is the same with and without that rater, so its sums are computed
once for all raters. Symbols: P groups of items, F sums.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ocrjury.agreement.continuous_alpha import (
    alpha_of_moments,
    continuous_alpha,
    moments,
    sums_of_items,
)
from ocrjury.agreement.intervals import (
    IntervalOptions,
    Sizes,
    resampled,
    sizes,
    without_interval,
)
from ocrjury.agreement.krippendorff import MANY, alpha_of_patterns
from ocrjury.agreement.patterns import (
    Patterns,
    clusters_of,
    grouped,
    item_weights,
    kept,
    usable,
)
from ocrjury.arrays import Floats, Integers
from ocrjury.estimate import Estimate, Reason
from ocrjury.ratings import RatingTable
from ocrjury.resampling import SummedStatistic, left_out_values

_METHOD = "gain of alpha without the rater"


def gain_without_raters(
    table: RatingTable, *, confidence: float = 0.95
) -> dict[Hashable, Estimate]:
    """Gain in Krippendorff's alpha when one rater's ratings are left out, for every rater.

    Returns
    -------
    dict
        For every rater who rated, alpha without the rater minus alpha with all, at the scale's
        own level (at interval level with more than 25 ordered categories). ``low`` above 0 means
        that part of the disagreement is due to this rater alone. ``nan`` with a reason
        where either alpha is undefined, as with two raters.

    Notes
    -----
    The interval is that of the difference, by leaving out one item at a time; the two alphas
    share most of their ratings.

    Examples
    --------
    >>> from ocrjury import RatingTable, Scale
    >>> matrix = [[1, 1, 4], [2, 2, 2], [4, 4, 1], [5, 5, 3], [3, 3, 5], [2, 2, 4]]
    >>> table = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 5), raters=["a", "b", "c"])
    >>> gain = gain_without_raters(table)
    >>> max(gain, key=lambda rater: gain[rater].value), gain["c"].low > 0
    ('c', True)
    """
    table = usable(table, "gain_without_raters", compares_raters=True)
    options, n = IntervalOptions("jackknife", confidence), sizes(table)
    by_rater = np.split(
        np.argsort(table.rater, kind="stable"),
        np.cumsum(np.bincount(table.rater, minlength=table.n_raters))[:-1],
    )
    present = {table.raters[place]: mine for place, mine in enumerate(by_rater) if len(mine)}
    size = np.bincount(table.item, minlength=table.n_items)
    gain_without = None
    gains: dict[Hashable, Estimate] = {}
    for rater, mine in present.items():
        reason = _why_undefined(size, table.item[mine], n)
        if reason is not None:
            gains[rater] = without_interval(np.nan, n, _METHOD, reason=reason)
            continue
        gain_without = gain_without or _statistics(table)
        gains[rater] = resampled(gain_without(mine), n, method=_METHOD, options=options)
    return gains


def _why_undefined(size: Integers, items: Integers, n: Sizes) -> Reason | None:
    """Reason why there is no alpha without the rater of these items; ``size`` has shape (N,)."""
    if n.n_raters < 3:
        return "fewer_than_two_raters"
    n_left = n.n_items - np.count_nonzero(size[items] == 2)
    return None if n_left else "no_pairable_items"


def _statistics(table: RatingTable) -> Callable[[Integers], SummedStatistic]:
    """Function from the places of a rater's ratings to the gain without them."""
    if table.scale.kind != "interval" and len(table.categories) <= MANY:
        shared = _of_categories(table)
    elif table.scale.ordered:
        shared = _of_values(table)
    else:
        return lambda mine: _of_names(table, mine)
    alphas = left_out_values(SummedStatistic(shared.features, shared.frequency, shared.value))
    return lambda mine: _gain(
        shared, alphas, group=shared.group[table.item[mine]], codes=table.codes[mine]
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Shared:
    """Items with two or more ratings in groups of the same sums, for all raters alike.

    Attributes
    ----------
    cluster
        Cluster of each group, shape (P,); None without clusters, else a group is one item.
    group
        Group of each item, -1 for fewer than two ratings, shape (N,).
    frequency, weight, size
        Items of a group, and weight and number of ratings of each, shape (P,).
    features
        Contribution of one item to the sums, shape (P, F).
    value
        Alpha from sums, (B, F) to (B,).
    reduced
        Features of items of some groups, each without one rating, from the groups and the codes
        of these ratings; all have another pair of ratings.
    """

    cluster: Integers | None
    group: Integers
    frequency: Floats
    weight: Floats
    size: Floats
    features: Floats
    value: Callable[[Floats], Floats]
    reduced: Callable[[Integers, Integers], Floats]


def _of_categories(table: RatingTable) -> _Shared:
    """Items grouped by their counts per category."""
    group, patterns = grouped(table)

    def alpha(patterns: Patterns) -> SummedStatistic:
        return alpha_of_patterns(patterns, table.categories, table.scale.level)

    def reduced(groups: Integers, codes: Integers) -> Floats:
        counts = patterns.counts[groups]
        counts[np.arange(len(groups)), codes] -= 1
        weight, size = patterns.weight[groups], patterns.size[groups] - 1
        features: Floats = alpha(Patterns(counts, np.ones(len(groups)), weight, size)).features
        return features

    statistic = alpha(patterns)
    return _Shared(
        patterns.cluster,
        group,
        patterns.frequency,
        patterns.weight,
        patterns.size,
        statistic.features,
        statistic.value,
        reduced,
    )


def _of_values(table: RatingTable) -> _Shared:
    """Items one by one, at interval level."""
    size = np.bincount(table.item, minlength=table.n_items).astype(float)
    items = np.flatnonzero(size >= 2)
    group = np.full(table.n_items, -1)
    group[items] = np.arange(len(items))
    weight, m = item_weights(table)[items], size[items]
    s1, s2 = (sums[items] for sums in sums_of_items(table))
    categories = table.categories - table.values.mean()

    def reduced(groups: Integers, codes: Integers) -> Floats:
        x = categories[codes]
        features = moments(m[groups] - 1, s1[groups] - x, s2[groups] - x**2)
        return np.asarray(features * weight[groups, None])

    features = moments(m, s1, s2) * weight[:, None]
    clusters, ones = clusters_of(table, items), np.ones(len(items))
    return _Shared(clusters, group, ones, weight, m, features, alpha_of_moments, reduced)


def _gain(shared: _Shared, alphas: Floats, *, group: Integers, codes: Integers) -> SummedStatistic:
    """Gain in alpha without ratings of these codes, one in each of some items.

    Parameters
    ----------
    alphas
        Alpha of all ratings without one item of each group, shape (P,).
    group, codes
        Group of each item, and code of the rating.
    """
    n_codes, paired = int(codes.max(initial=0)) + 1, group >= 0
    rated, n_rated = np.unique(group[paired] * n_codes + codes[paired], return_counts=True)
    rated, code = np.divmod(rated, n_codes)
    others = shared.frequency - np.bincount(rated, n_rated, len(shared.frequency))
    untouched = np.flatnonzero(others > 0)
    groups = np.concatenate([untouched, rated])
    frequency = np.concatenate([others[untouched], n_rated])
    width = shared.features.shape[1]
    features = np.zeros((len(groups), 2 * width))
    features[:, :width] = shared.features[groups]
    without = features[:, width:]
    without[: len(untouched)] = shared.features[untouched]
    left = np.flatnonzero(shared.size[rated] > 2)
    without[len(untouched) + left] = shared.reduced(rated[left], code[left])
    still = np.concatenate([np.ones(len(untouched), dtype=bool), shared.size[rated] > 2])
    without *= frequency @ still / (frequency @ (still * shared.weight[groups]))

    def left_out() -> Floats:
        alpha = left_out_values(SummedStatistic(without, frequency, shared.value))
        return np.asarray(alpha - alphas[groups])

    def value(sums: Floats) -> Floats:
        return np.asarray(shared.value(sums[:, width:]) - shared.value(sums[:, :width]))

    cluster = None if shared.cluster is None else shared.cluster[groups]
    return SummedStatistic(features, frequency, value, left_out, cluster)


def _of_names(table: RatingTable, mine: Integers) -> SummedStatistic:
    """Gain on a nominal scale with very many categories, from sparse features of every item."""
    keep = np.ones(table.n_ratings, dtype=bool)
    keep[mine] = False
    tables = table, kept(table, keep)
    every, without = (continuous_alpha(part, "nominal") for part in tables)
    features = [_by_item(part, alpha) for part, alpha in zip(tables, (every, without), strict=True)]
    rated = np.bincount(table.item, minlength=table.n_items) >= 2
    width = features[0].shape[1]

    def value(sums: Floats) -> Floats:
        return np.asarray(without.value(sums[:, width:]) - every.value(sums[:, :width]))

    side_by_side = sparse.hstack([part[rated] for part in features]).tocsr()
    ones = np.ones(int(rated.sum()))
    return SummedStatistic(side_by_side, ones, value, cluster=clusters_of(table, rated))


def _by_item(table: RatingTable, statistic: SummedStatistic) -> sparse.csr_matrix:
    """Features with one row for each item of the table, of zeros with fewer than two ratings."""
    rows = np.flatnonzero(np.bincount(table.item, minlength=table.n_items) >= 2)
    place = (np.ones(len(rows)), (rows, np.arange(len(rows))))
    return sparse.csr_matrix(place, shape=(table.n_items, len(rows))) @ statistic.features
