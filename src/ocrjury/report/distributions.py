"""Counts of ratings for the charts of the report."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from ocrjury.estimate import Estimate
from ocrjury.scales import Scale


@dataclass(frozen=True, slots=True)
class RatingCounts:
    """Ratings per level of the scale on one dimension, as they were given.

    ``low`` is the share of the levels that a chart's title is about (`told_places`), and
    ``low_items`` that of the items whose mean rounds to one of them, both ``weighted`` as the items
    were drawn if that is known; None where nothing is known of single items. ``shares`` are those
    of all levels, ``item_shares`` those of the items by mean; empty: each rating counts alike.
    """

    dimension: str
    counts: tuple[int, ...]
    low: Estimate | None = None
    low_items: Estimate | None = None
    weighted: bool = False
    shares: tuple[float, ...] = ()
    item_shares: tuple[float, ...] = ()

    @property
    def n(self) -> int:
        """Number of ratings."""
        return sum(self.counts)

    @property
    def parts(self) -> tuple[float, ...]:
        """Share of each level, weighted if the weights are known; there are ratings."""
        return self.shares or tuple(n / self.n for n in self.counts)

    @property
    def alone(self) -> Self:
        """The ratings without what they say of others."""
        return type(self)(self.dimension, self.counts)


def told_places(counts: Sequence[float], *, ordered: bool) -> range:
    """Places of the levels that a chart's title is about.

    The lower two of a scale with order (of at most three levels the lowest), else the one that was
    given most often.

    Examples
    --------
    >>> told_places([1, 2, 3, 4], ordered=True), told_places([1, 5, 3], ordered=False)
    (range(0, 2), range(1, 2))
    """
    if ordered:
        return range(2 if len(counts) > 3 else 1)
    most = max(range(len(counts)), key=counts.__getitem__)
    return range(most, most + 1)


def at_levels(values: list[float], scale: Scale) -> tuple[int, ...]:
    """Number of ratings at each level of the scale; none on a continuous scale."""
    if scale.kind == "interval":
        return ()
    return tuple(values.count(level) for level in scale.numbers)
