"""Sums over a rater's ratings and over those of colleagues on the same items.

Symbols: y is a rating less its rater's severity, l the mean of the item's other ratings.
"""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from scipy import sparse

from ocrjury.bias.deviations import Panel
from ocrjury.bias.permutation import null_draws
from ocrjury.bias.submissions import Floats, Integers


class Moments(NamedTuple):
    """Means over each rater's n ratings, all of shape (M, b)."""

    n: Floats
    y: Floats
    yy: Floats
    colleague: Floats
    colleague_square: Floats
    colleague_y: Floats
    others_square: Floats

    @property
    def own_variance(self) -> Floats:
        """Variance of y."""
        return np.maximum(self.yy - self.y**2, 0.0)

    @property
    def colleague_variance(self) -> Floats:
        """Variance of l."""
        return np.maximum(self.colleague_square - self.colleague**2, 0.0)

    @property
    def covariance(self) -> Floats:
        """Covariance of l and y."""
        return self.colleague_y - self.colleague * self.y

    @property
    def others_variance(self) -> Floats:
        """Variance of the others' single ratings on the rater's items."""
        return np.maximum(self.others_square - self.colleague**2, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Ratings with a colleague's beside them, less severities.

    Attributes
    ----------
    item, rater
        Of each rating, shape (n,).
    size
        Ratings of its item, shape (n,).
    y
        Rating less severity, shape (n,).
    total, square
        Sum of y and of y^2 over its item, shape (n,).
    raters
        1 where a rating is of a rater, shape (M, n).
    n
        Ratings of each rater, at least 1, shape (M,).
    """

    item: Integers
    rater: Integers
    size: Integers
    y: Floats
    total: Floats
    square: Floats
    raters: sparse.csr_array
    n: Floats

    @classmethod
    def of(cls, panel: Panel) -> Self:
        """Comparison of a panel."""
        rows = np.flatnonzero(panel.paired)
        item, rater, size = panel.item[rows], panel.rater[rows], panel.size[rows]
        y = panel.value[rows] - panel.fit.severity[rater]
        raters = panel.raters[:, rows]
        n = np.maximum(raters.sum(axis=1), 1.0)
        total = np.bincount(item, y).astype(float)[item]
        square = np.bincount(item, y**2).astype(float)[item]
        return cls(item, rater, size, y, total, square, raters, n)

    @property
    def others(self) -> tuple[Floats, Floats]:
        """Mean of the item's other ratings, and of their squares, shape (n,)."""
        rest = self.size - 1
        return (self.total - self.y) / rest, (self.square - self.y**2) / rest

    def moments(self, shuffled: Integers | None = None) -> Moments:
        """Moments, of ratings rearranged within items if given."""
        rows = np.arange(len(self.y))[:, None] if shuffled is None else shuffled
        y, rest = self.y[rows], self.size[:, None] - 1
        # Rearranging within an item leaves its sums as they are.
        colleague = (self.total[:, None] - y) / rest
        squares = y**2
        columns = (
            y,
            squares,
            colleague,
            colleague**2,
            colleague * y,
            (self.square[:, None] - squares) / rest,
        )
        n = self.n[:, None]
        return Moments(n, *(np.asarray(self.raters @ column) / n for column in columns))

    def shuffled_moments(self, rng: np.random.Generator) -> Moments:
        """Moments of ratings shuffled among the raters of each item, shape (M, B)."""
        draws = null_draws(lambda rows: np.concatenate(self.moments(rows)[1:]), self.item, rng=rng)
        return Moments(self.n[:, None], *draws.reshape(len(Moments._fields) - 1, len(self.n), -1))


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """How each rater spreads the items of one dimension, and would if raters were alike.

    Attributes
    ----------
    panel
        The ratings.
    comparison
        Those with a colleague's beside them.
    moments, null
        Of the comparison, and of its shuffles.
    """

    panel: Panel
    comparison: Comparison
    moments: Moments
    null: Moments

    @classmethod
    def of(cls, panel: Panel, *, rng: np.random.Generator) -> Self:
        """Spread on one dimension."""
        comparison = Comparison.of(panel)
        return cls(panel, comparison, comparison.moments(), comparison.shuffled_moments(rng))
