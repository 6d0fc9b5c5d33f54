"""Shares of agreeing pairs of ratings, as functions of sums over items."""

import numpy as np
import numpy.typing as npt

from ocrjury.agreement.chance import item_agreement
from ocrjury.agreement.patterns import Patterns
from ocrjury.resampling import Statistic

Floats = npt.NDArray[np.float64]


def item_mean_statistic(patterns: Patterns, weights: Floats) -> Statistic:
    """Return the mean over items of the mean weight of their pairs; every item counts once."""
    return mean_statistic(
        item_agreement(patterns, weights), patterns.pairable.astype(float), patterns
    )


def pair_mean_statistic(patterns: Patterns, weights: Floats) -> Statistic:
    """Return the mean weight over all pairs of ratings of an item; every pair counts once."""
    pairs = patterns.pairs * patterns.pairable
    return mean_statistic(item_agreement(patterns, weights) * pairs, pairs, patterns)


def mean_statistic(part: Floats, whole: Floats, patterns: Patterns) -> Statistic:
    """Return the weighted sum of ``part`` over that of ``whole``, both of shape (P,)."""
    features = np.column_stack([part, whole]) * patterns.weight[:, None]

    def value(sums: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[:, 0] / sums[:, 1])

    return Statistic(features, patterns.frequency, value)
