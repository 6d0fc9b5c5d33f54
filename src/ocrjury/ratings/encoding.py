"""Conversion of ratings as given to numbers and codes.

A code is the place of a rating among the categories; -1 means outside the scale, and in a grid not
rated. Symbols: N items, M raters, n ratings, K categories.
"""

from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.errors import InputError
from ocrjury.ratings.identity import Pairs
from ocrjury.scales import Scale, check_scale

if TYPE_CHECKING:
    from collections.abc import Hashable

    import pandas as pd

Array: TypeAlias = npt.NDArray[Any]
Grid = npt.NDArray[np.int8]

_NUMERIC = "iuf"
_BLOCK = 1 << 15  # ratings encoded at once; two buffers of them stay in the cache


def encode(pairs: Pairs, values: Array, scale: Scale) -> tuple[Floats, Floats, Integers]:
    """Ratings as numbers, the numbers of the categories, and codes; raise outside the scale.

    ``values`` has shape (n,) and holds no missing rating.
    """
    check_scale(scale)
    if scale.kind == "interval":
        numbers = values.astype(float) if values.dtype.kind in _NUMERIC else _numbers(values)
        refuse(~((numbers >= scale.low) & (numbers <= scale.high)), pairs, values, scale=scale)
        categories, codes = np.unique(numbers, return_inverse=True)
        return numbers, categories, codes.astype(np.int64).reshape(-1)
    codes = _codes(values, scale)
    refuse(codes < 0, pairs, values, scale=scale)
    categories = np.array(scale.numbers)
    return categories[codes], categories, codes


def grid_of(matrix: Array, scale: Scale) -> Grid | None:
    """Codes of shape (N, M) in one byte each, None unless all values are numbers on the scale.

    The categories must be consecutive whole numbers, as on a Likert scale.
    """
    check_scale(scale)
    first, n_categories = first_whole(scale), len(scale.categories)
    if first is None or n_categories > np.iinfo(np.int8).max or matrix.dtype.kind not in _NUMERIC:
        return None
    n_items, n_raters = matrix.shape
    grid = np.empty((n_items, n_raters), dtype=np.int8)
    step = max(1, _BLOCK // max(n_raters, 1))
    with np.errstate(invalid="ignore"):
        for start in range(0, n_items, step):
            block = matrix[start : start + step] - float(first)
            codes = grid[start : start + step]
            codes[...] = block
            exact = codes == block
            if not exact.all():
                missing = np.isnan(block)
                if not (exact | missing).all():
                    return None
                codes[missing] = 0
                if codes.min(initial=0) < 0:
                    return None
                codes[missing] = -1
            elif codes.min(initial=0) < 0:
                return None
    return None if grid.size and grid.max() >= n_categories else grid


def plain_numbers(matrix: Array) -> Array:
    """Matrix of Python numbers and None as floats; any other matrix unchanged."""
    if matrix.dtype != object or set(map(type, matrix.flat)) - {int, float, type(None)}:
        return matrix
    try:
        return matrix.astype(float)
    except OverflowError:  # a whole number too large for a float; it is refused later by name
        return matrix


def first_whole(scale: Scale) -> int | None:
    """Lowest category if the categories are whole numbers without a gap."""
    if not scale.categories or type(scale.categories[0]) is not int:
        return None
    first = scale.categories[0]
    return first if scale.categories == tuple(range(first, first + len(scale.categories))) else None


def present(matrix: Array) -> Booleans:
    """Mask of the cells with a rating."""
    if matrix.dtype.kind in _NUMERIC:
        return np.asarray(~np.isnan(matrix))
    # nan is the only value that differs from itself.
    return np.asarray((matrix != None) & (matrix == matrix))  # noqa: E711, PLR0124


def column_values(column: "pd.Series[Any]") -> Array:
    """Ratings of a column without missing ones, as an array of numbers where possible."""
    return column.to_numpy(dtype=getattr(column.dtype, "numpy_dtype", None))


def refuse(strange: Booleans, pairs: Pairs, values: Array, *, scale: Scale) -> None:
    """Raise if some rating is marked as strange, naming the first."""
    if strange.any():
        first = int(strange.argmax())
        value = values[first].item() if isinstance(values[first], np.generic) else values[first]
        raise InputError(
            f"{np.count_nonzero(strange)} rating(s) outside the scale ({scale}); the first is "
            f"{value!r} for {pairs.name(first)}."
        )


def _codes(values: Array, scale: Scale) -> Integers:
    """Place of each value on the scale, -1 where it has none."""
    first = first_whole(scale)
    if first is not None and values.dtype.kind in _NUMERIC:
        inside = (values >= first) & (values <= first + len(scale.categories) - 1)
        codes = np.where(inside, values, first).astype(np.int64) - first
        return np.asarray(np.where(inside & (codes + first == values), codes, -1))
    try:
        places, distinct = _distinct(values)
    except TypeError:  # a list or the like among the ratings
        return np.array([_code(value, scale) for value in values.tolist()], dtype=np.int64)
    known = np.array([_code(value, scale) for value in distinct], dtype=np.int64)
    return known[places] if len(known) else places


def _distinct(values: Array) -> tuple[Integers, list[Any]]:
    """Place of each value among the distinct values, and those values."""
    if values.dtype.kind in _NUMERIC:
        distinct, places = np.unique(values, return_inverse=True)
        return places.astype(np.int64).reshape(-1), distinct.tolist()
    seen: dict[Hashable, int] = {}
    codes = [seen.setdefault(value, len(seen)) for value in values.tolist()]
    return np.array(codes, dtype=np.int64), list(seen)


def _code(value: Any, scale: Scale) -> int:
    """Place of a value on the scale, -1 if it has none."""
    try:
        return scale.codes.get(value, -1)
    except TypeError:
        return -1


def _numbers(values: Array) -> Floats:
    """Values as numbers, ``nan`` (outside every scale) where a value is not a number."""
    return np.array([_number(value) for value in values.tolist()], dtype=float)


def _number(value: Any) -> float:
    """Value as a number, ``nan`` if it is not one or too large for a float."""
    try:
        return float(value) if isinstance(value, int | float | np.number | Decimal) else np.nan
    except OverflowError:
        return np.nan
