"""Rank correlation with an interval, over items that may share a page."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.special import stdtrit

from ocrjury.arrays import Floats, Integers
from ocrjury.estimate import Estimate
from ocrjury.ranks import mid_ranks

Numbers = Sequence[float] | Floats

MOST_GROUPS = 100
"""Groups of pages that are left out in turn."""
_FEWEST, _FEWEST_ITEMS = 10, 3
_ROUNDING = 1e-12
_METHOD = "Spearman’s ρ"


def rank_correlation(
    x: Sequence[float], y: Sequence[float], *, pages: Sequence[object]
) -> Estimate:
    """Spearman's rank correlation with its 95 % interval.

    Parameters
    ----------
    x, y
        Two measures of the same items; pairs with nan are left out.
    pages
        Page of each item. Items of a page are left out together.

    Returns
    -------
    Estimate
        Without an interval for fewer than ten pages and where the orders are the same or exactly
        reversed, ``nan`` where a measure does not vary and for fewer than three items.

    Notes
    -----
    Delete-a-group jackknife on the scale of the inverse hyperbolic tangent, where the interval is
    symmetric and stays between -1 and 1.

    Examples
    --------
    >>> x = [float(n % 12) for n in range(24)]
    >>> y = [n + 3.0 * (n % 5) for n in range(24)]
    >>> found = rank_correlation(x, y, pages=range(24))
    >>> found.low < found.value < found.high
    True
    """
    a, b = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    both = np.isfinite(a) & np.isfinite(b)
    a, b = a[both], b[both]
    names = {page: place for place, page in enumerate(dict.fromkeys(map(str, pages)))}
    group = np.array([names[str(page)] for page in pages], dtype=np.int64)[both] % MOST_GROUPS
    estimate = Estimate(spearman(a, b), n_items=len(a), method=_METHOD)
    if not estimate.defined:
        why = "too_few_items" if len(a) < _FEWEST_ITEMS else "no_variation"
        return Estimate(math.nan, n_items=len(a), method=_METHOD, reason=why)
    groups, group = np.unique(group, return_inverse=True)
    if len(groups) < _FEWEST:
        return replace(estimate, reason="too_few_items")
    if abs(estimate.value) >= 1 - _ROUNDING:
        return replace(estimate, reason="perfect_order")
    without = _correlations(_ranks_without(a, group), _ranks_without(b, group))
    return _with_interval(estimate, np.arctanh(np.clip(without, -1 + 1e-12, 1 - 1e-12)))


def spearman(x: Numbers, y: Numbers) -> float:
    """Spearman's rank correlation, nan with under three pairs or no variation.

    Examples
    --------
    >>> round(spearman([1, 2, 3, 4], [9, 7, 5, 1]), 3)
    -1.0
    >>> spearman([1, 1, 1], [1, 2, 3])
    nan
    """
    pairs = np.column_stack([np.asarray(x, dtype=float), np.asarray(y, dtype=float)])
    pairs = pairs[np.isfinite(pairs).all(axis=1)]
    if len(pairs) < _FEWEST_ITEMS or (np.ptp(pairs, axis=0) == 0).any():
        return math.nan
    return float(np.corrcoef(mid_ranks(pairs[:, 0]), mid_ranks(pairs[:, 1]))[0, 1])


def _ranks_without(values: Floats, group: Integers) -> Floats:
    """Centred mid-rank of each item without each group, items by groups; 0 for the group's own."""
    levels, level = np.unique(values, return_inverse=True)
    counts = np.zeros((len(levels), group.max() + 1))
    np.add.at(counts, (level, group), 1)
    passed = counts.cumsum(axis=0) - counts / 2  # a tie counts half
    ranks = mid_ranks(values)[:, None] - passed[level]
    stays = group[:, None] != np.arange(counts.shape[1])
    mean = np.sum(ranks, axis=0, where=stays) / stays.sum(axis=0)
    return np.where(stays, ranks - mean, 0.0)


def _correlations(x: Floats, y: Floats) -> Floats:
    """Correlation of each column with its counterpart, nan where one does not vary."""
    together = np.sum(x * y, axis=0)
    spread = np.sqrt(np.square(x).sum(axis=0) * np.square(y).sum(axis=0))
    return np.where(spread > 0, together / np.where(spread > 0, spread, 1.0), math.nan)


def _with_interval(estimate: Estimate, without: Floats) -> Estimate:
    """Interval from the transformed correlations without each group."""
    n = len(without)
    if not np.isfinite(without).all():
        return Estimate(
            estimate.value, n_items=estimate.n_items, method=_METHOD, reason="no_variation"
        )
    se = math.sqrt((n - 1) / n * float(np.square(without - without.mean()).sum()))
    centre, half = math.atanh(estimate.value), se * float(stdtrit(n - 1, 0.975))
    low, high = (math.tanh(centre + sign * half) for sign in (-1, 1))
    error = se * (1 - estimate.value**2)
    return Estimate(estimate.value, low, high, error, n_items=estimate.n_items, method=_METHOD)
