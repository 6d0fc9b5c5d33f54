"""Ratings as a coarse view of a normal value, so that severity alone restricts no range.

A lenient rater is nearer to the upper end of the scale, gives the best rating more often, and so
uses less of the scale than colleagues do who judge alike. Symbols: z = b_r + e is what rater r sees
of an item, with variance 1; tau_k the bounds between the K ratings in use, the same for all raters;
s the mean of e given the rating; rho_r the variance of s, which is what the scale leaves of e.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from ocrjury.arrays import Floats, Integers

_ROUNDS = 30
_MOST = 101  # ratings told apart: time and memory grow with the number of raters times theirs
_FAR = 4.0  # standard deviations; beyond, an end of the scale is all that is seen
_LEAST = 0.05  # share left of e, so that rare ratings do not weigh without limit


class Latent(NamedTuple):
    """Scores of ratings, and what the scale leaves of each rater's.

    Attributes
    ----------
    score
        s / sqrt(rho_r), shape (n,): variance 1 whatever the severity.
    kept
        sqrt(rho_r), shape (M,): the slope of the score on what is seen.
    """

    score: Floats
    kept: Floats


def latent_scores(value: Floats, rater: Integers, *, n_raters: int) -> Latent:
    """Scores of ratings by the ordered probit model with a severity of each rater.

    Notes
    -----
    McKelvey and Zavoina (1975), Journal of Mathematical Sociology 4, 103-120. The severity solves
    its likelihood equation, sum(s) = 0; the bounds give each rating its share among all ratings.
    """
    code = _levels(value)
    n_levels, n = int(code.max(initial=0)) + 1, np.bincount(rater, minlength=n_raters).astype(float)
    if n_levels < 2:
        return Latent(np.zeros(len(value)), np.ones(n_raters))
    counts = np.zeros((n_raters, n_levels))
    np.add.at(counts, (rater, code), 1.0)
    below = counts.sum(axis=0).cumsum()[:-1] / len(value)
    bounds, severity = ndtri(below), np.zeros(n_raters)
    for _ in range(_ROUNDS):
        score, kept = _scores(bounds, severity)
        step = (counts * score).sum(axis=1) / np.maximum(n * kept, 1e-9)
        severity = np.clip(severity + np.clip(step, -1.0, 1.0), -_FAR, _FAR)
        gap = bounds[:, None] - severity
        slope = _density(gap) @ n / len(value)
        shift = (below - ndtr(gap) @ n / len(value)) / np.maximum(slope, 1e-9)
        bounds = bounds + np.clip(shift, -0.5, 0.5)
        bounds = np.maximum.accumulate(bounds)
        if max(np.abs(step).max(initial=0.0), np.abs(shift).max(initial=0.0)) < 1e-6:
            break
    score, kept = _scores(bounds, severity)
    root = np.sqrt(np.maximum(kept, _LEAST))
    return Latent(score[rater, code] / root[rater], root)


def _levels(value: Floats) -> Integers:
    """Number of each rating from 0 up, shape (n,); neighbours on a continuous scale share one."""
    levels, code, count = np.unique(np.round(value, 9), return_inverse=True, return_counts=True)
    if len(levels) <= _MOST:
        return code
    share = (count.cumsum() - count / 2) / len(value)
    return np.unique(np.floor(share * _MOST), return_inverse=True)[1][code]


def _scores(bounds: Floats, severity: Floats) -> tuple[Floats, Floats]:
    """Mean of e for each rater and rating, (M, K), and its variance, (M,)."""
    ends = bounds - severity[:, None]
    edge = np.zeros((len(severity), 1))
    density = np.hstack([edge, _density(ends), edge])
    mass = np.diff(np.hstack([edge, ndtr(ends), edge + 1]), axis=1)
    score = -np.diff(density, axis=1) / np.maximum(mass, 1e-12)
    return score, (mass * score**2).sum(axis=1)


def _density(x: Floats) -> Floats:
    """Standard normal density."""
    return np.asarray(np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi), dtype=float)
