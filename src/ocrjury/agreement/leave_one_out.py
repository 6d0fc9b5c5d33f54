"""Change of alpha without each rater: whether one person causes the disagreement."""

from collections.abc import Hashable

import numpy as np
from scipy import sparse

from ocrjury.agreement.intervals import IntervalOptions, resampled, sizes, undefined
from ocrjury.agreement.krippendorff import alpha_by_item
from ocrjury.agreement.patterns import kept, n_raters, usable, why_undefined
from ocrjury.arrays import Floats
from ocrjury.estimate import Estimate
from ocrjury.ratings import RatingTable
from ocrjury.resampling import Statistic


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
    options = IntervalOptions("jackknife", confidence)
    raters = np.flatnonzero(np.bincount(table.rater, minlength=table.n_raters))
    return {table.raters[rater]: _gain(table, int(rater), options) for rater in raters}


def _gain(table: RatingTable, rater: int, options: IntervalOptions) -> Estimate:
    """Gain in alpha without one rater."""
    method = "gain of alpha without the rater"
    others = kept(table, table.rater != rater)
    if n_raters(table) < 3:
        return undefined(table, "fewer_than_two_raters", method)
    if reason := why_undefined(others) or why_undefined(table):
        return undefined(table, reason, method)
    all_raters, without_rater = alpha_by_item(table), alpha_by_item(others)
    rated = np.bincount(table.item, minlength=table.n_items) >= 2
    width = all_raters.features.shape[1]

    def value(sums: Floats) -> Floats:
        return np.asarray(without_rater.value(sums[:, width:]) - all_raters.value(sums[:, :width]))

    features = [all_raters.features[rated], without_rater.features[rated]]
    is_sparse = sparse.issparse(features[0])
    side_by_side = sparse.hstack(features).tocsr() if is_sparse else np.hstack(features)
    statistic = Statistic(side_by_side, np.ones(int(rated.sum())), value)
    return resampled(statistic, sizes(table), method=method, options=options)
