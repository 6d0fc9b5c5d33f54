"""Levels that raters gave where colleagues gave others."""

import math
from dataclasses import dataclass

from ocrjury.findings.record import Measured, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion(Record):
    """One rater's levels beside those of colleagues on the same items.

    ``counts[i][j]`` pairs of ratings in which the rater gave level i and a colleague level j, in
    the order of the scale. ``apart`` is the share of the pairs with two different levels, with its
    interval over items.
    """

    rater: str
    counts: tuple[tuple[int, ...], ...]
    apart: Measured

    @property
    def n(self) -> int:
        """Number of pairs."""
        return sum(map(sum, self.counts))

    @property
    def differing(self) -> float:
        """Share of the pairs with two different levels."""
        same = sum(row[place] for place, row in enumerate(self.counts))
        return 1 - same / self.n if self.n else math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelPair(Record):
    """The levels of two raters on the items that both rated.

    ``counts[i][j]`` items to which rater a gave level i and rater b level j, in the order of the
    scale; ``same`` is the share with the same level.
    """

    rater_a: str
    rater_b: str
    counts: tuple[tuple[int, ...], ...]
    same: Measured

    @property
    def n(self) -> int:
        """Number of shared items."""
        return sum(map(sum, self.counts))

    @property
    def most(self) -> tuple[int, int] | None:
        """Two levels that meet most often though they differ, None if none do.

        Among equals those farthest apart, then the lowest of rater a.
        """
        cells = {
            (i, j): count
            for i, row in enumerate(self.counts)
            for j, count in enumerate(row)
            if i != j and count
        }
        return max(cells, key=lambda at: (cells[at], abs(at[0] - at[1]), -at[0]), default=None)
