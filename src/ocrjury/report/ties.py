"""The foremost of several rows, as a reader sees it: rows whose numbers print alike tie."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from ocrjury.estimate import Estimate
from ocrjury.pages.numbers import has_interval, percent, range_text

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


def whole_percent(share: float) -> str:
    """A share as titles print it, and as their rows tie."""
    return percent(share, 0)


def clearly_first(rows: Iterable[Row], estimate: Callable[[Row], Estimate]) -> Row | None:
    """Row whose interval lies above those of all others; None without one, or with a single row.

    Examples
    --------
    >>> clearly_first([Estimate(0.3, 0.25, 0.35), Estimate(0.1, 0.05, 0.15)], lambda row: row).value
    0.3
    >>> clearly_first([Estimate(0.3, 0.25, 0.35), Estimate(0.2, 0.1, 0.3)], lambda row: row)
    """
    every = sorted(rows, key=lambda row: -estimate(row).value)
    if len(every) < 2 or not all(has_interval(estimate(row)) for row in every):
        return None
    return (
        every[0] if estimate(every[0]).low > max(estimate(row).high for row in every[1:]) else None
    )


def span(values: Iterable[float], printed: Callable[[float], str]) -> str:
    """Least and greatest value, one where they print alike.

    Examples
    --------
    >>> span([0.2, 0.1, 0.15], "{:.0%}".format), span([0.2], "{:.0%}".format)
    ('10% to 20%', '20%')
    """
    every = list(values)
    low, high = printed(min(every)), printed(max(every))
    return low if low == high else range_text(low, high)
