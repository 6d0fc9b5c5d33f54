"""Ratings that came as a matrix of N items by M raters: its shape, and the long form made of it."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ocrjury.errors import InputError
from ocrjury.ratings.encoding import Floats, Grid

ON_DEMAND = ("items", "item", "rater", "values", "codes")
"""Attributes of `ocrjury.ratings.RatingTable` that a grid is turned into when somebody asks."""


def made_on_demand(name: str, grid: Grid, numbers: Callable[[], Floats]) -> dict[str, Any]:
    """One of these attributes; item and rater come together.

    Parameters
    ----------
    grid
        Codes of shape (N, M), -1 where nothing was rated.
    numbers
        What returns the numbers behind the codes, shape (n,).
    """
    if name == "items":
        return {"items": tuple(range(len(grid)))}
    if name == "codes":
        return {"codes": grid[grid >= 0].astype(np.int64)}
    if name == "values":
        return {"values": numbers()}
    return dict(zip(("item", "rater"), np.nonzero(grid >= 0), strict=True))


def two_dimensional(values: Sequence[Sequence[Any]] | npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Matrix, of Python objects unless it came as an array.

    Raises
    ------
    InputError
        If rows are of unequal length, or there are more or fewer than two dimensions.
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
