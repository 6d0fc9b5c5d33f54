"""Groups of similar raters: expected gain of an unknown rater, in time linear in the items.

The gain depends on the rater, so an item's gain is a mean over the raters who have not rated it.
Few raters are treated individually; many are grouped by accuracy and bias and represented by their
mean confusion matrix, so the cost does not grow with their number.
"""

from typing import NamedTuple

import numpy as np

from ocrjury.arrays import Floats, Integers

MOST_GROUPS = 16
_BY_ACCURACY = 4  # slices by accuracy, each divided again by bias


class RaterGroups(NamedTuple):
    """M raters in G groups.

    Attributes
    ----------
    confusion
        Confusion matrix of each group, indexed group, true, observed.
    group
        Group of each rater, shape (M,).
    size
        Number of raters in each group, shape (G,).
    """

    confusion: Floats
    group: Integers
    size: Integers


def group_raters(confusion: Floats) -> RaterGroups:
    """At most `MOST_GROUPS` groups of raters with similar confusion matrices, (M, K, K).

    Examples
    --------
    >>> good, poor = [[0.9, 0.1], [0.1, 0.9]], [[0.6, 0.4], [0.4, 0.6]]
    >>> group_raters(np.array([good, poor])).group.tolist()
    [0, 1]
    """
    n_raters = len(confusion)
    if n_raters <= MOST_GROUPS:
        return RaterGroups(confusion, np.arange(n_raters), np.ones(n_raters, dtype=np.int64))
    n_categories = confusion.shape[1]
    accuracy = np.einsum("rkk->r", confusion)
    shift = (confusion @ np.arange(n_categories)).sum(axis=1)
    group = np.empty(n_raters, dtype=np.int64)
    by_accuracy = np.array_split(np.lexsort((shift, accuracy)), _BY_ACCURACY)
    for slice_, raters in enumerate(by_accuracy):
        by_shift = np.array_split(
            raters[np.lexsort((accuracy[raters], shift[raters]))], MOST_GROUPS // _BY_ACCURACY
        )
        for part, members in enumerate(by_shift):
            group[members] = slice_ * (MOST_GROUPS // _BY_ACCURACY) + part
    size = np.bincount(group, minlength=MOST_GROUPS)
    total = np.zeros((MOST_GROUPS, n_categories, n_categories))
    for place, matrix in zip(group, confusion, strict=True):
        total[place] += matrix
    return RaterGroups(total / size[:, None, None], group, size)
