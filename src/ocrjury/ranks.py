"""Ranks of numbers."""

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Floats


def mid_ranks(values: npt.ArrayLike) -> Floats:
    """Rank of each value from 1 up; equal values share the mean of their ranks.

    Counted here: importing ``scipy.stats`` takes longer than most commands.

    Examples
    --------
    >>> mid_ranks([3.0, 1.0, 3.0, float("inf")]).tolist()
    [2.5, 1.0, 2.5, 4.0]
    """
    numbers = np.asarray(values, dtype=float)
    return weighted_ranks(numbers, np.ones(len(numbers))) + 0.5


def weighted_ranks(values: Floats, weight: Floats) -> Floats:
    """Weight of all that is smaller, and half of what is equal, shape (n,).

    Equal weights give mid-ranks, but for a constant and a factor.

    Examples
    --------
    >>> weighted_ranks(np.array([3.0, 1.0, 3.0]), np.array([1.0, 4.0, 1.0])).tolist()
    [5.0, 2.0, 5.0]
    """
    _, level = np.unique(values, return_inverse=True)
    equal = np.bincount(level, weight)
    return np.asarray((equal.cumsum() - equal / 2)[level], dtype=float)
