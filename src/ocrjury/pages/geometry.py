"""Positions of values on a chart."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import east_asian_width

from ocrjury.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Axis:
    """A straight line from value ``low`` at place ``start`` to value ``high`` at place ``stop``."""

    low: float
    high: float
    start: float
    stop: float

    def at(self, value: float) -> float:
        """Place of a value; values beyond an end are drawn at that end.

        Examples
        --------
        >>> Axis(1, 5, 0, 100).at(3), Axis(1, 5, 0, 100).at(9)
        (50.0, 100.0)
        """
        inside = min(max(value, self.low), self.high)
        share = (inside - self.low) / (self.high - self.low)
        return round(self.start + share * (self.stop - self.start), 2)

    def width(self, amount: float) -> float:
        """Length of an amount, never negative."""
        share = amount / (self.high - self.low)
        return round(abs(share * (self.stop - self.start)), 2)

    @property
    def ticks(self) -> list[float]:
        """Three to seven round values within the axis.

        Examples
        --------
        >>> Axis(1, 5, 0, 1).ticks, Axis(3.31, 4.42, 0, 1).ticks
        ([1.0, 2.0, 3.0, 4.0, 5.0], [3.5, 3.75, 4.0, 4.25])
        """
        raw = (self.high - self.low) / 5
        # The smallest of 1, 2, 2.5, 5 times a power of ten that is at least as large.
        power: float = 10.0 ** math.floor(math.log10(raw))
        step = next(n * power for n in (1, 2, 2.5, 5, 10) if n * power >= raw - 1e-12)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [round(place * step, 10) for place in range(first, last + 1)]


def axis(low: float, high: float, *, start: float, stop: float) -> Axis:
    """An axis; one of no length is widened, so that a single value has a place."""
    if not (math.isfinite(low) and math.isfinite(high)):
        low, high = 0.0, 1.0
    if high <= low:
        low, high = low - 0.5, low + 0.5
    return Axis(low, high, start, stop)


def line_width(text: str, size: float) -> float:
    """Width of a line of text, rather too wide than too narrow.

    Examples
    --------
    >>> line_width("3.80", 10), line_width("항목", 10)
    (23.2, 20.0)
    """
    wide = sum(east_asian_width(sign) in "WFA" for sign in text)
    return round(size * (wide + 0.58 * (len(text) - wide)), 1)


def axis_ends(
    estimates: Iterable[Estimate], *marks: float, step: float, low: float, high: float
) -> tuple[float, float]:
    """Ends of an axis in whole steps: the estimates with their ranges and the marks, in bounds."""
    numbers = [n for row in estimates for n in (row.value, row.low, row.high) if math.isfinite(n)]
    numbers += marks
    if not numbers:
        return low, high
    first = math.floor(min(numbers) / step - 0.1) * step
    last = math.ceil(max(numbers) / step + 0.1) * step
    return max(first, low), min(last, high)
