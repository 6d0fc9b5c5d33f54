"""Ratings given as a matrix, of N items by M raters or as counts of raters by category.

Counts have shape (N, K), K categories, and do not tell who the raters were.
"""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Floats, Integers
from ocrjury.errors import InputError
from ocrjury.ratings.encoding import Grid
from ocrjury.scales import Scale, check_scale

_MOST_RATERS = 1_000_000  # of one item; more must be an error
REPEATED = (
    "{} needs at most one rating per item and rater; this table was built with "
    'repeats="keep" and holds several. Keep one of each pair.'
)
ANONYMOUS = (
    "{} compares raters, and this table was built from counts, which do not say who rated. "
    "Use from_long or from_matrix."
)
ON_DEMAND = ("items", "item", "rater", "values", "codes")
"""Attributes of `ocrjury.ratings.RatingTable` that are derived from the grid on first access."""


def made_on_demand(name: str, grid: Grid, numbers: Callable[[], Floats]) -> dict[str, Any]:
    """One of these attributes; item and rater come together.

    Parameters
    ----------
    grid
        Codes of shape (N, M), -1 where there is no rating.
    numbers
        Function that returns the numbers behind the codes, shape (n,).
    """
    if name == "items":
        return {"items": tuple(range(len(grid)))}
    if name == "codes":
        return {"codes": grid[grid >= 0].astype(np.int64)}
    if name == "values":
        return {"values": numbers()}
    return dict(zip(("item", "rater"), np.nonzero(grid >= 0), strict=True))


def two_dimensional(values: Sequence[Sequence[Any]] | npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Values as a matrix, of Python objects unless given as an array.

    Raises
    ------
    InputError
        If rows are of unequal length, or there are not two dimensions.
    """
    matrix = values if isinstance(values, np.ndarray) else np.asarray(values, dtype=object)
    if matrix.size == 0:
        matrix = matrix.reshape(len(matrix), 0)
    if matrix.ndim != 2:
        raise InputError(
            f"from_matrix needs one row per item and one column per rater; found "
            f"{matrix.ndim} dimension(s), or rows of unequal length."
        )
    return matrix


def whole_counts(
    counts: Sequence[Sequence[int]] | npt.NDArray[Any], scale: Scale, *, square: bool = False
) -> Integers:
    """Checked number of raters who chose each category of the scale, shape (N, K).

    With ``square`` a cross table of two raters, shape (K, K).
    """
    check_scale(scale)
    caller = "from_crosstab" if square else "from_counts"
    n_categories = len(scale.numbers)
    if not n_categories:
        raise InputError(
            f"{caller} needs a scale with categories, a column for each; found {scale}. "
            "Use from_long or from_matrix."
        )
    try:
        numbers = np.asarray(counts, dtype=float)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.size == 0 and len(counts) == 0:
        numbers = np.empty((0, n_categories))
    rows = n_categories if square else len(counts)
    if numbers.shape != (rows, n_categories):
        wanted = f"{n_categories} rows" if square else "one row per item"
        raise InputError(
            f"{caller} needs {wanted} and {n_categories} columns of numbers, one per "
            f"category ({scale}); found shape {numbers.shape}, or values that are not numbers."
        )
    invalid = ~((numbers >= 0) & (numbers == np.floor(numbers)) & (numbers < _MOST_RATERS))
    if invalid.any():
        row, column = np.argwhere(invalid)[0]
        raise InputError(
            f"{np.count_nonzero(invalid)} invalid count(s) in {caller}; the first is "
            f"{numbers[row, column]:g} in row {row}, column {column}. Give whole numbers from 0 to "
            f"{_MOST_RATERS:,}."
        )
    whole = numbers.astype(np.int64)
    if not square:
        _warn_of_crosstab(whole)
    return whole


def _warn_of_crosstab(whole: Integers) -> None:
    """Warn where counts look like a cross table of two raters, which has another meaning."""
    rows, n_categories = whole.shape
    size = whole.sum(axis=1)
    if rows == n_categories > 1 and len(np.unique(size)) > 1 and np.trace(whole) > whole.sum() / 2:
        warnings.warn(
            f"from_counts read {rows} items rated {size.min()} to {size.max()} times. If rows and "
            "columns are the categories of two raters, use from_crosstab.",
            UserWarning,
            stacklevel=4,
        )


def answers_of(crosstab: Integers) -> Integers:
    """Both raters' categories on each item behind a cross table, shape (n, 2).

    >>> answers_of(np.array([[1, 0], [1, 1]])).tolist()
    [[0, 0], [1, 0], [1, 1]]
    """
    return np.repeat(np.argwhere(crosstab), crosstab[crosstab > 0], axis=0)


def seats_of(whole: Integers) -> tuple[Integers, Integers, Integers]:
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
