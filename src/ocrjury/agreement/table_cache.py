"""Results computed once per table and kept as long as the table lives."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from ocrjury.ratings import RatingTable

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
