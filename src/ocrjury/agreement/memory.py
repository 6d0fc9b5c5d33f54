"""What was computed from a table once, kept as long as the table."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from ocrjury.ratings import RatingTable

Found = TypeVar("Found")


def remembered(
    known: WeakKeyDictionary[RatingTable, Found],
) -> Callable[[Callable[[RatingTable], Found]], Callable[[RatingTable], Found]]:
    """Return a decorator that asks a function once for each table.

    Tables do not change. What is kept must be small, and must not hold the table itself.

    Parameters
    ----------
    known
        Where the answers are kept.

    Examples
    --------
    >>> from ocrjury import Scale
    >>> asked = []
    >>> @remembered(WeakKeyDictionary())
    ... def size(table):
    ...     asked.append(table.n_items)
    ...     return table.n_items
    >>> table = RatingTable.from_matrix([[1, 2]], scale=Scale.likert(1, 5))
    >>> size(table), size(table), asked
    (1, 1, [1])
    """

    def remember(function: Callable[[RatingTable], Found]) -> Callable[[RatingTable], Found]:
        @wraps(function)
        def ask(table: RatingTable) -> Found:
            try:
                return known[table]
            except KeyError:
                found = known[table] = function(table)
                return found

        return ask

    return remember
