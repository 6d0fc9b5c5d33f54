"""Mean of one rater's ratings, with an interval over the items that were rated."""

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit

from ocrjury.estimate import Estimate
from ocrjury.estimation.interval import within_scale
from ocrjury.scales import Scale

_ROUNDING = 1e-9
"""Standard error, as part of the scale, of ratings that are equal but for rounding."""


def mean_over_items(values: Sequence[float], scale: Scale) -> Estimate:
    """Mean of ratings of different items, as of items drawn alike, with its 95% interval.

    >>> round(mean_over_items([1, 2, 3], Scale.interval(-9, 9)).low, 2)
    -0.48
    """
    if not scale.ordered:
        return Estimate(math.nan)
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else math.nan
    return item_mean(float(np.mean(values)), sd, len(values), scale=scale)


def item_mean(mean: float, sd: float, n: int, *, scale: Scale) -> Estimate:
    """Mean of n ratings with Student's 95% interval, none of one rating or of equal ones.

    Parameters
    ----------
    sd
        Standard deviation of the ratings, which divides by n - 1.
    """
    se = sd / math.sqrt(n)
    if math.isnan(se):
        return Estimate(mean, se=se, n_items=n)
    if se <= _ROUNDING * (scale.high - scale.low):
        return Estimate(mean, se=0.0, n_items=n, reason="no_variation")
    half = float(stdtrit(n - 1, 0.975)) * se
    unbounded = Estimate(mean, mean - half, mean + half, se, n_items=n)
    return within_scale(unbounded, low=scale.low, high=scale.high)
