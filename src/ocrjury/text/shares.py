"""Interval and effective sample size of a share of documents, valid at 0 and at 1 too.

Symbols: n documents in C clusters, p the share, z the normal quantile of the confidence.
"""

import math
from statistics import NormalDist

import numpy as np

from ocrjury.arrays import Floats, Integers


def wilson_interval(share: float, n: float, *, confidence: float = 0.95) -> tuple[float, float]:
    """Interval of a share, by Wilson; it has a width at 0 and at 1 too.

    Parameters
    ----------
    n
        Number of documents, or their `effective_size`. With 0, both ends are nan.

    Notes
    -----
    Wilson (1927), Journal of the American Statistical Association 22(158), 209-212.

    Examples
    --------
    >>> [round(end, 3) for end in wilson_interval(0.8, 10)]
    [0.49, 0.943]
    >>> [round(end, 3) for end in wilson_interval(0.0, 72)]
    [0.0, 0.051]
    """
    if not n > 0:
        return math.nan, math.nan
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    squared = z * z
    centre = (share + squared / (2 * n)) / (1 + squared / n)
    half = z / (1 + squared / n) * math.sqrt(share * (1 - share) / n + squared / (4 * n * n))
    # Rounding must not move a bound past 0 or 1, nor away from it.
    low = 0.0 if share == 0 else max(centre - half, 0.0)
    return low, 1.0 if share == 1 else min(centre + half, 1.0)


def effective_size(hits: Floats, clusters: Integers) -> float:
    """Number of independent documents that would carry as much information as these.

    Parameters
    ----------
    hits
        1 for a document that counts, else 0, shape (n,).
    clusters
        Cluster of each document, shape (n,).

    Returns
    -------
    float
        n over the design effect, which is taken to be at least 1: n where every document is a
        cluster, about C where the documents of a cluster are alike. At a share of 0 or 1, where the
        design effect is unknown, C, the most cautious choice. 0 without documents; with one
        cluster, 1.

    Notes
    -----
    Korn and Graubard (1998), Survey Methodology 24(2), 193-201.

    Examples
    --------
    >>> round(effective_size(np.array([1.0, 1, 0, 0]), np.array([0, 0, 1, 1])), 2)
    1.33
    >>> effective_size(np.zeros(4), np.array([0, 0, 1, 1]))
    2.0
    """
    n = len(hits)
    _, places = np.unique(clusters, return_inverse=True)
    n_clusters = int(places.max(initial=-1)) + 1
    share = float(hits.mean()) if n else 0.0
    if n_clusters < 2 or share in {0.0, 1.0}:
        return float(n_clusters)
    totals = np.bincount(places, weights=hits - share, minlength=n_clusters)
    variance = n_clusters / (n_clusters - 1) * float(totals @ totals) / n**2
    alone = share * (1 - share) / (n - 1)
    return n / max(variance / alone, 1.0)
