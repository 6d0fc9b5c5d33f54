"""Counts of ratings, axes and rank correlation for the charts of the report."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ocrjury.arrays import Floats
from ocrjury.ranks import mid_ranks
from ocrjury.scales import Scale


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
    return float(np.corrcoef(mid_ranks(pairs[:, 0]), mid_ranks(pairs[:, 1]))[0, 1])
