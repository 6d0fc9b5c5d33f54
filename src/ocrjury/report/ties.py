"""The foremost of several rows, as a reader sees it: rows whose numbers print alike tie."""

from collections.abc import Callable, Iterable
from typing import TypeVar

Row = TypeVar("Row")


def foremost(
    rows: Iterable[Row],
    value: Callable[[Row], float],
    printed: Callable[[float], str],
    *,
    of: Callable[[Iterable[float]], float] = max,
) -> list[Row]:
    """Rows with the largest value (``of=min``: the smallest) as it is printed, in their order.

    Examples
    --------
    >>> foremost([0.151, 0.149, 0.02], float, "{:.0%}".format)
    [0.151, 0.149]
    """
    every = list(rows)
    if not every:
        return []
    end = printed(of(map(value, every)))
    return [row for row in every if printed(value(row)) == end]
