"""Ratings given as a matrix of N items by M raters: its shape, and conversion to the long form."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Floats
from ocrjury.errors import InputError
from ocrjury.ratings.encoding import Grid

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
