"""Histograms, axes and rank correlation for the charts of the report."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from ocrjury.arrays import Floats
from ocrjury.scales import Scale


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts between edges; ``beyond`` values lie above the last edge and are drawn in its bin."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]
    median: float
    p95: float
    beyond: int = 0

    @property
    def n(self) -> int:
        """Number of values."""
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class RatingCounts:
    """Ratings per level of the scale on one dimension, as they were given."""

    dimension: str
    counts: tuple[int, ...]

    @property
    def n(self) -> int:
        """Number of ratings."""
        return sum(self.counts)


def at_levels(values: list[float], scale: Scale) -> tuple[int, ...]:
    """Number of ratings at each level of the scale; none on a continuous scale."""
    if scale.kind == "interval":
        return ()
    return tuple(values.count(level) for level in scale.numbers)


Numbers = Sequence[float] | Floats


def histogram(values: Numbers, *, bins: int = 20) -> Histogram | None:
    """Distribution of shares from 0 up, None where there is no value.

    The last edge is a round number that at most one value in twenty exceeds; those are counted
    in the last bin. ``nan`` is left out.

    Examples
    --------
    >>> shown = histogram([0.0, 0.01, 0.03, 0.08], bins=4)
    >>> shown.counts, shown.median
    ((2, 1, 0, 1), 0.02)
    """
    known = np.asarray(values, dtype=float)
    known = known[np.isfinite(known)]
    if not len(known):
        return None
    p95 = float(np.quantile(known, 0.95))
    last = max(math.ceil(10 * p95 - 1e-9) / 10, 0.1)
    edges = np.linspace(0, last, bins + 1)
    counts, _ = np.histogram(np.clip(known, 0, last), edges)
    return Histogram(
        tuple(float(edge) for edge in edges.round(6)),
        tuple(int(number) for number in counts),
        float(np.median(known)),
        p95,
        int((known > last).sum()),
    )


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
    if len(pairs) < 3 or (np.ptp(pairs, axis=0) == 0).any():
        return math.nan
    return float(stats.spearmanr(pairs[:, 0], pairs[:, 1]).statistic)
