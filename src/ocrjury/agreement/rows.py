"""Items collapsed to the distinct rows of their ratings, rater by rater.

With few raters and categories, N items have far fewer distinct rows; the cross-tabulations of two
raters, and sums of squares, then cost the same for any N. Symbols: N items, M raters,
K categories, J distinct rows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from ocrjury.arrays import Integers
from ocrjury.ratings import RatingTable

_MOST = 1 << 22  # with more possible rows, distinct ones are not collected
_CHEAP = 1 << 12  # so few possible rows are counted even for a handful of items
_BLOCK = 1 << 17  # items whose rows are numbered at once
Result = TypeVar("Result")


def cached_by_table(
    results: WeakKeyDictionary[RatingTable, Result],
) -> Callable[[Callable[[RatingTable], Result]], Callable[[RatingTable], Result]]:
    """Decorator that calls a function once for each table.

    Tables are immutable. Results must be small and must not refer to the table itself.

    Parameters
    ----------
    results
        Storage of the results.

    Examples
    --------
    >>> from ocrjury import Scale
    >>> calls = []
    >>> @cached_by_table(WeakKeyDictionary())
    ... def size(table):
    ...     calls.append(table.n_items)
    ...     return table.n_items
    >>> table = RatingTable.from_matrix([[1, 2]], scale=Scale.likert(1, 5))
    >>> size(table), size(table), calls
    (1, 1, [1])
    """

    def decorate(function: Callable[[RatingTable], Result]) -> Callable[[RatingTable], Result]:
        @wraps(function)
        def cached(table: RatingTable) -> Result:
            try:
                return results[table]
            except KeyError:
                result = results[table] = function(table)
                return result

        return cached

    return decorate


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Distinct rows of ratings of the rated items, and the number of items of each.

    Attributes
    ----------
    codes
        Code by every rater, -1 where the rater did not rate, shape (J, M).
    frequency
        Number of items, shape (J,).
    raters
        Places of the raters who rated anything.
    by_size
        Number of items with 0, 1, 2, ... ratings, up to the largest number of ratings.
    """

    codes: Integers
    frequency: Integers
    raters: Integers
    by_size: Integers


_KNOWN: WeakKeyDictionary[RatingTable, Rows | None] = WeakKeyDictionary()


@cached_by_table(_KNOWN)
def distinct_rows(table: RatingTable) -> Rows | None:
    """Distinct rows, None where collecting them does not pay.

    It does not pay with item weights or clusters, with repeated ratings, and where (K + 1) to the
    power of M exceeds a few millions.
    """
    base, n_raters = len(table.categories) + 1, table.n_raters
    apart = table.item_weight is not None or table.cluster is not None
    if table.repeated or apart or base**n_raters > _MOST:
        return None
    if base**n_raters <= _CHEAP + 8 * table.n_items:
        counted = _histogram(table, base, base**n_raters)
        key = np.flatnonzero(counted)
        frequency = counted[key]
    else:
        key, frequency = np.unique(_keys(table, base), return_counts=True)
    rated = key > 0
    key, frequency = key[rated], frequency[rated]
    codes = key[:, None] // base ** np.arange(n_raters - 1, -1, -1) % base - 1
    rated_cells = codes >= 0
    by_size = np.bincount(rated_cells.sum(axis=1), weights=frequency).astype(np.int64)
    return Rows(codes, frequency, np.flatnonzero(rated_cells.any(axis=0)), by_size)


def _histogram(table: RatingTable, base: int, n_cells: int) -> Integers:
    """Number of items with each key, shape (base ** M,)."""
    if table.grid is None:
        return np.bincount(_keys(table, base), minlength=n_cells)
    counted = np.zeros(n_cells, dtype=np.int64)
    step = max(_BLOCK, n_cells)
    for start in range(0, table.n_items, step):
        block = slice(start, start + step)
        counted += np.bincount(_keys(table, base, block), minlength=n_cells)
    return counted


def _keys(table: RatingTable, base: int, block: slice = slice(None)) -> Integers:
    """Ratings of each item as the digits of one number, 0 where nobody rated.

    A table without a grid ignores ``block``.
    """
    if table.grid is None:
        power = float(base) ** np.arange(table.n_raters - 1, -1, -1)
        digits = power[table.rater] * (table.codes + 1)
        return np.bincount(table.item, weights=digits, minlength=table.n_items).astype(np.int64)
    grid = table.grid[block]
    key = np.zeros(len(grid), dtype=np.int64)
    for column in grid.T:
        key *= base
        key += column
        key += 1
    return key
