"""Mean of one rater's ratings, with an interval over the items that were rated."""

import math
from collections.abc import Hashable, Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Integers
from ocrjury.estimate import Estimate
from ocrjury.estimation.interval import within_scale
from ocrjury.estimation.plain_average import plain_mean
from ocrjury.ratings import RatingTable
from ocrjury.scales import Scale


def means_by_rater(table: RatingTable) -> dict[Hashable, Estimate]:
    """Mean of the ratings of each rater who gave some, every rating counted alike."""
    values, draws = table.values, table.cluster
    return {
        rater: mean_over_items(
            values[mine],
            table.scale,
            cluster=None if draws is None else draws[table.item[mine]],
        )
        for rater, mine in ratings_by_rater(table)
    }


def ratings_by_rater(table: RatingTable) -> Iterator[tuple[Hashable, Integers]]:
    """Yield each rater who rated anything, and the places of the ratings in the table."""
    order = np.argsort(table.rater, kind="stable")
    ends = np.cumsum(np.bincount(table.rater, minlength=table.n_raters)).tolist()
    for rater, start, end in zip(table.raters, [0, *ends], ends, strict=False):
        if start < end:
            yield rater, order[start:end]


def mean_over_items(
    values: npt.ArrayLike, scale: Scale, *, cluster: npt.ArrayLike | None = None
) -> Estimate:
    """Mean of ratings of different items, as of items drawn alike, with its 95% interval.

    Parameters
    ----------
    values
        Ratings, shape (n,).
    cluster
        What was drawn together, such as the page of each item, shape (n,).

    >>> round(mean_over_items([1, 2, 3], Scale.interval(-9, 9)).low, 2)
    -0.48
    """
    if not scale.ordered:
        n = len(np.asarray(values))
        return Estimate(math.nan, n_items=n, n_raters=1, n_ratings=n, reason="scale_mismatch")
    share = (scale.low, scale.high) == (0, 1)
    mean = plain_mean(values, cluster=cluster, share=share)
    mean = within_scale(mean, low=scale.low, high=scale.high)
    return replace(mean, n_raters=1, n_ratings=mean.n_items)
