"""Tables of how many raters chose each category, without the raters' ids.

Symbols: N items, K categories.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Integers
from ocrjury.errors import InputError
from ocrjury.scales import Scale

_MOST_RATERS = 1_000_000  # of one item; more must be an error


def whole_counts(counts: Sequence[Sequence[int]] | npt.NDArray[Any], scale: Scale) -> Integers:
    """Checked number of raters who chose each category of the scale, shape (N, K)."""
    n_categories = len(scale.numbers)
    if not n_categories:
        raise InputError(
            f"from_counts needs a scale with categories, a column for each; found {scale}. "
            "Use from_long or from_matrix."
        )
    try:
        numbers = np.asarray(counts, dtype=float)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.size == 0 and len(counts) == 0:
        numbers = np.empty((0, n_categories))
    if numbers.ndim != 2 or numbers.shape[1] != n_categories:
        raise InputError(
            f"from_counts needs one row per item and {n_categories} columns of numbers, one per "
            f"category ({scale}); found shape {numbers.shape}, or values that are not numbers."
        )
    invalid = ~((numbers >= 0) & (numbers == np.floor(numbers)) & (numbers < _MOST_RATERS))
    if invalid.any():
        row, column = np.argwhere(invalid)[0]
        raise InputError(
            f"{np.count_nonzero(invalid)} invalid count(s) of raters; the first is "
            f"{numbers[row, column]:g} in row {row}, column {column}. Give whole numbers from 0 to "
            f"{_MOST_RATERS:,}."
        )
    return numbers.astype(np.int64)


def seats_of(
    whole: Integers,
) -> tuple[Integers, Integers, Integers]:
    """Place of the item, seat and category of each rating behind counts, shape (n,) each.

    The raters are unknown: each item's ratings get the seats 0, 1, ... in the order of categories.

    >>> seats_of(np.array([[2, 0], [1, 1]]))
    (array([0, 0, 1, 1]), array([0, 1, 0, 1]), array([0, 0, 0, 1]))
    """
    places, categories = np.nonzero(whole)
    times = whole[places, categories]
    size = whole.sum(axis=1)
    seat = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
    return np.repeat(places, times), seat, np.repeat(categories, times)
