"""Tables that say how many raters chose each category, and not who.

Symbols: N items, K categories.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ocrjury.errors import InputError
from ocrjury.scales import Scale

_MOST_RATERS = 1_000_000  # of one item; more are a mistake


def whole_counts(
    counts: Sequence[Sequence[int]] | npt.NDArray[Any], scale: Scale
) -> npt.NDArray[np.int64]:
    """How many raters chose each category of the scale, checked, shape (N, K)."""
    n_categories = len(scale.numbers)
    if not n_categories:
        raise InputError(
            f"from_counts needs a scale with categories, a column for each; found {scale}. "
            "Use from_long or from_matrix."
        )
    try:
        found = np.asarray(counts, dtype=float)
    except (TypeError, ValueError):
        found = np.empty(0)
    if found.size == 0 and len(counts) == 0:
        found = np.empty((0, n_categories))
    if found.ndim != 2 or found.shape[1] != n_categories:
        raise InputError(
            f"from_counts needs one row per item and {n_categories} columns of numbers, one per "
            f"category ({scale}); found shape {found.shape}, or something else than numbers."
        )
    wrong = ~((found >= 0) & (found == np.floor(found)) & (found < _MOST_RATERS))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InputError(
            f"{np.count_nonzero(wrong)} count(s) that count no raters; the first is "
            f"{found[row, column]:g} in row {row}, column {column}. Give whole numbers from 0 to "
            f"{_MOST_RATERS:,}."
        )
    return found.astype(np.int64)


def seats_of(
    whole: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Place of the item, seat and category of each rating behind counts, shape (n,) each.

    Nobody knows who rated: each item's raters take the seats 0, 1, ... in the categories' order.

    >>> seats_of(np.array([[2, 0], [1, 1]]))
    (array([0, 0, 1, 1]), array([0, 1, 0, 1]), array([0, 0, 0, 1]))
    """
    places, categories = np.nonzero(whole)
    times = whole[places, categories]
    size = whole.sum(axis=1)
    seat = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
    return np.repeat(places, times), seat, np.repeat(categories, times)
