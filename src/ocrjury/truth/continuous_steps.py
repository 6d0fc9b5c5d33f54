"""Ratings on a continuous scale, grouped into steps, with exact means and medians.

On a continuous scale nearly every rating is a different number. Shares and confusion matrices over
all of them would fill the memory without being informative.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ocrjury.arrays import Booleans, Floats
from ocrjury.ratings import RatingTable

MOST_STEPS = 101  # every whole number on a scale from 0 to 100


class Middle(NamedTuple):
    """Mean and lower median of each item's ratings, and whether half of them lie above it, (N,)."""

    mean: Floats
    median: Floats
    halved: Booleans


def in_steps(table: RatingTable) -> RatingTable:
    """Table on a continuous scale with its ratings rounded, if they are too many to be categories.

    Other tables are returned as they are.

    Examples
    --------
    >>> from ocrjury import Scale
    >>> values = np.random.default_rng(0).random((60, 3))
    >>> table = in_steps(RatingTable.from_matrix(values, scale=Scale.interval(0, 1)))
    >>> len(table.categories), float(table.categories[1])
    (101, 0.01)
    """
    scale = table.scale
    if scale.kind != "interval" or len(table.categories) <= MOST_STEPS:
        return table
    steps = np.linspace(scale.low, scale.high, MOST_STEPS)
    place = (table.values - scale.low) / (scale.high - scale.low) * (MOST_STEPS - 1)
    return replace(table, categories=steps, codes=np.rint(place).astype(np.int64))


def middle_of(table: RatingTable) -> Middle:
    """Mean and median of every item; those of all ratings where an item has none."""
    n_ratings = np.bincount(table.item, minlength=table.n_items)
    rated = n_ratings > 0
    total = np.bincount(table.item, weights=table.values, minlength=table.n_items)
    ranked = table.values[np.lexsort((table.values, table.item))]
    first = np.cumsum(n_ratings) - n_ratings
    all_values = np.sort(table.values)
    mean = np.full(table.n_items, table.values.mean())
    mean[rated] = total[rated] / n_ratings[rated]
    median = np.full(table.n_items, all_values[(len(all_values) - 1) // 2])
    lower = first[rated] + (n_ratings[rated] - 1) // 2
    upper = first[rated] + n_ratings[rated] // 2
    median[rated] = ranked[lower]
    halved = np.zeros(table.n_items, dtype=bool)
    halved[rated] = ranked[upper] > ranked[lower]
    return Middle(mean, median, halved)
