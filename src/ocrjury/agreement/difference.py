"""Difference of one coefficient between two tables: two rounds, or two groups of raters.

Symbols: G groups of items, theta_a and theta_b the coefficient of either table, theta(g) that
without the items of group g.
"""

import math
from dataclasses import replace

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.special import stdtrit

from ocrjury.agreement.measurement import measure_statistic
from ocrjury.arrays import Booleans, Floats
from ocrjury.errors import InputError
from ocrjury.estimate import Estimate
from ocrjury.ratings import RatingTable
from ocrjury.ratings.table_checks import check_table
from ocrjury.statistics import STATISTICS

MOST_GROUPS = 200
"""Groups of items that are left out in turn; with more items several are in a group."""


def agreement_difference(
    before: RatingTable,
    after: RatingTable,
    *,
    statistic: str = "krippendorff_alpha",
    confidence: float = 0.95,
) -> Estimate:
    """Coefficient of a second table minus that of a first, with an interval.

    Parameters
    ----------
    before, after
        Two rounds, or two groups of raters. Items are known by their ids: what both tables hold is
        compared with itself, which makes the interval shorter if an item is hard for both.
    statistic
        A key of `ocrjury.statistics.STATISTICS` whose row names a function.

    Returns
    -------
    Estimate
        Above 0 where ``after`` is higher. Undefined for the reason of the table whose coefficient
        is. The interval counts the choice of items, for the raters who rated them.

    Notes
    -----
    Delete-a-group jackknife (Kott 2001, Journal of Official Statistics 17(4), 521-526) over the
    items, or clusters, of both tables: the variance is the sum over groups of the squared
    difference of sqrt((G - 1) / G) (theta(g) - mean theta(g)) of both. Degrees of freedom are those
    of the smaller table.

    Examples
    --------
    >>> from ocrjury import Scale
    >>> before, after = (
    ...     RatingTable.from_matrix(matrix, scale=Scale.likert(1, 5))
    ...     for matrix in (
    ...         [[3, 4], [1, 2], [5, 4], [2, 4], [1, 1]], [[3, 3], [1, 2], [5, 5], [2, 3], [1, 1]])
    ... )
    >>> difference = agreement_difference(before, after)
    >>> round(difference.value, 2), difference.low < 0.15 < difference.high
    (0.16, True)
    """
    for table in (before, after):
        check_table(table, "agreement_difference")
    if not 0 < confidence < 1:
        raise InputError(f"confidence must lie between 0 and 1; found {confidence!r}.")
    if before.scale != after.scale:
        raise InputError(
            f"agreement_difference needs one scale; found {before.scale} and {after.scale}."
        )
    values = [_value(table, statistic) for table in (before, after)]
    difference = Estimate(
        values[1].value - values[0].value,
        n_items=len({*before.items} | {*after.items}),
        n_raters=len({*before.raters} | {*after.raters}),
        n_ratings=before.n_ratings + after.n_ratings,
        method=f"difference of {STATISTICS[statistic].label}",
    )
    for value in values:
        if not value.defined:
            return replace(difference, reason=value.reason)
    return _with_interval(difference, before, after, statistic=statistic, confidence=confidence)


def _with_interval(
    difference: Estimate,
    before: RatingTable,
    after: RatingTable,
    *,
    statistic: str,
    confidence: float,
) -> Estimate:
    group = _groups(before, after)
    first, second = (_contributions(table, group, statistic) for table in (before, after))
    df = min(int(np.isfinite(c).sum()) for c in (first, second)) - 1
    variance = float(np.square(np.nan_to_num(second) - np.nan_to_num(first)).sum())
    if df < 1:
        return replace(difference, reason="fewer_than_two_items")
    se = math.sqrt(variance)
    half = se * float(stdtrit(df, (1 + confidence) / 2))
    value = difference.value
    return replace(difference, low=value - half, high=value + half, se=se)


def _groups(before: RatingTable, after: RatingTable) -> dict[object, int]:
    """Group of every item of both tables, in the order of their ids.

    Items that share a cluster in either table are in one group.
    """
    items = sorted({*before.items} | {*after.items}, key=str)
    place = {item: number for number, item in enumerate(items)}
    edges = [edge for table in (before, after) for edge in _neighbours(table, place)]
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    shape = len(items), len(items)
    _, draw = connected_components(sparse.csr_matrix((np.ones(len(edges)), tuple(ends)), shape))
    return {item: int(draw[number]) % MOST_GROUPS for item, number in place.items()}


def _neighbours(table: RatingTable, place: dict[object, int]) -> list[tuple[int, int]]:
    """Pairs of an item and the first item of its cluster, by place."""
    if table.cluster is None:
        return []
    _, first, code = np.unique(table.cluster, return_index=True, return_inverse=True)
    items = [place[item] for item in table.items]
    return [(items[first[of]], own) for own, of in zip(items, code.tolist(), strict=True)]


def _contributions(table: RatingTable, group: dict[object, int], statistic: str) -> Floats:
    """Contribution of each group of items to the error, shape (G,); nan without an item."""
    of_item = np.array([group[item] for item in table.items], dtype=np.int64)
    contributions = np.full(max(group.values()) + 1, np.nan)
    own = np.unique(of_item[_pairable(table)])
    without = np.array(
        [_value(_without(table, of_item == g), statistic).value for g in own], dtype=float
    )
    if np.isfinite(without).all() and len(own):
        contributions[own] = math.sqrt((len(own) - 1) / len(own)) * (without - without.mean())
    return contributions


def _pairable(table: RatingTable) -> Booleans:
    """Mask of the items that have two or more ratings, shape (N,)."""
    return np.asarray(np.bincount(table.item, minlength=table.n_items) > 1)


def _without(table: RatingTable, left_out: Booleans) -> RatingTable:
    """Table without the ratings of some items."""
    kept = np.flatnonzero(~left_out[table.item])
    return RatingTable(
        scale=table.scale,
        items=table.items,
        raters=table.raters,
        item=table.item[kept],
        rater=table.rater[kept],
        values=table.values[kept],  # no frame
        categories=table.categories,
        codes=table.codes[kept],
        item_weight=table.item_weight,
        cluster=table.cluster,
        repeated=table.repeated,
        anonymous=table.anonymous,
    )


def _value(table: RatingTable, statistic: str) -> Estimate:
    """Coefficient without an interval."""
    row = STATISTICS.get(statistic)
    if row is None or row.function is None:
        known = ", ".join(key for key, row in STATISTICS.items() if row.function)
        raise InputError(f"there is no statistic {statistic!r} to compare; there is {known}.")
    return measure_statistic(table, row, ci=None)
