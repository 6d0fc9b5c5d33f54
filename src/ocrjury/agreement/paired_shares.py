"""Test of the difference of two paired shares against a least difference."""

import math

import numpy as np
from scipy.special import stdtr

from ocrjury.agreement.chance import summed_squares
from ocrjury.arrays import Floats, Integers

_NOTHING = 1e-15


def score_p_value(
    difference: Floats, weight: Floats, *, cluster: Integers | None, least: float
) -> float:
    """P value of the hypothesis that the first share is larger by the least difference or more.

    Parameters
    ----------
    difference
        First less second outcome of each item, -1, 0 or 1, shape (n,).
    weight
        Of each item, summing to 1, shape (n,).
    cluster
        Of each item, shape (n,); two or more.
    least
        Between 0 and 1.

    Notes
    -----
    Tango (1998), Statistics in Medicine 17, 891-908, with Student's quantile. Items of unequal
    weight, and clusters, count as the number of items with the same precision.

    Examples
    --------
    >>> never = np.zeros(30)  # .9^30 = .042 by the binomial distribution
    >>> round(score_p_value(never, np.full(30, 1 / 30), cluster=None, least=0.1), 3)
    0.039
    """
    mean = float(weight @ difference)
    term = weight * (difference - mean)
    squares, draws = summed_squares(term, np.ones(len(term)), cluster)
    of_draw = weight if cluster is None else np.bincount(cluster, weight)
    n = 1 / float(of_draw @ of_draw)  # where nothing varies, it is Kish's
    if squares > _NOTHING:
        n = min(float(weight @ (difference - mean) ** 2) / squares, len(term))
    alone = float(weight @ (difference > 0)), float(weight @ (difference < 0))
    t = (mean - least) / math.sqrt(_variance_at(least, *alone) / n)
    return float(stdtr(draws - 1, t))


def _variance_at(difference: float, first: float, second: float) -> float:
    """Variance of one item if two shares differ as given, from those of the only one to win.

    The likeliest share p of items on which the first wins alone solves 2 p^2 - b p + c = 0.
    """
    neither = 1 - first - second
    b = first * (1 + 3 * difference) + second * (1 + difference) + 2 * neither * difference
    c = first * difference * (1 + difference)
    p = (b + math.sqrt(max(b * b - 8 * c, 0.0))) / 4
    return 2 * p - difference - difference**2
