"""Mean of one rater's ratings, with an interval over the items that were rated."""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit

from ocrjury.estimate import Estimate


def mean_over_items(values: Sequence[float]) -> Estimate:
    """Mean of ratings of different items, as of items drawn alike, with its 95% interval.

    >>> round(mean_over_items([1, 2, 3]).low, 2)
    -0.48
    """
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else math.nan
    return item_mean(float(np.mean(values)), sd, len(values))


def item_mean(mean: float, sd: float, n: int) -> Estimate:
    """Mean of n ratings with Student's 95% interval; one rating has none.

    Parameters
    ----------
    sd
        Standard deviation of the ratings, which divides by n - 1.
    """
    se = sd / math.sqrt(n)
    half = float(stdtrit(n - 1, 0.975)) * se if n > 1 else math.nan
    return Estimate(mean, mean - half, mean + half, se, n_items=n)
