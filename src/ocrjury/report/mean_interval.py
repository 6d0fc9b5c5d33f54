"""Mean of one rater's ratings, with an interval over the items that were rated."""

import math
from collections.abc import Hashable, Sequence

import numpy as np

from ocrjury.estimate import Estimate
from ocrjury.estimation import plain_mean
from ocrjury.estimation.interval import within_scale
from ocrjury.scales import Scale


def mean_over_items(
    values: Sequence[float], scale: Scale, *, cluster: Sequence[Hashable] | None = None
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
        return Estimate(math.nan)
    mean = plain_mean(values, cluster=None if cluster is None else np.asarray(cluster))
    return within_scale(mean, low=scale.low, high=scale.high)
