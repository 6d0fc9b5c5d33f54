"""Columns of a table: what nobody has a number for is left out."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

Row = TypeVar("Row")


class Column(NamedTuple, Generic[Row]):
    """Head of a column, its text in a row, and the number that this text tells.

    ``whole`` is what a row has no room for, such as a range, shown to whoever points at the text.
    """

    head: str
    cell: Callable[[Row], str]
    number: Callable[[Row], float | None]
    kind: str = "number"
    whole: Callable[[Row], str] | None = None


def known_columns(columns: Iterable[Column[Row]], rows: Sequence[Row]) -> list[Column[Row]]:
    """Columns in which some row has a number.

    Examples
    --------
    >>> columns = [Column("n", str, float), Column("root", str, lambda row: math.nan)]
    >>> [column.head for column in known_columns(columns, [1, 2])]
    ['n']
    """
    return [column for column in columns if any(_known(column.number(row)) for row in rows)]


def _known(number: float | None) -> bool:
    return number is not None and math.isfinite(number)
