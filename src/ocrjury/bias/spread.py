"""Sums over a rater's ratings and over those of colleagues on the same items.

Symbols: y is a rating less its rater's severity, l the mean of the item's other ratings.
"""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from ocrjury.bias.deviations import Panel
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
        """Return the variance of y."""
        return np.maximum(self.yy - self.y**2, 0.0)

    @property
    def colleague_variance(self) -> Floats:
        """Return the variance of l."""
        return np.maximum(self.colleague_square - self.colleague**2, 0.0)

    @property
    def covariance(self) -> Floats:
        """Return the covariance of l and y."""
        return self.colleague_y - self.colleague * self.y

    @property
    def others_variance(self) -> Floats:
        """Return the variance of the others' single ratings on the rater's items."""
        return np.maximum(self.others_square - self.colleague**2, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Ratings with a colleague's beside them, less severities.

    Attributes
    ----------
    panel
        All ratings on one dimension.
    rows
        Those with a colleague's, as places in the panel, shape (n,).
    y
        Rating less severity, shape (n,).
    """

    panel: Panel
    rows: Integers
    y: Floats

    @classmethod
    def of(cls, panel: Panel) -> Self:
        """Return the comparison of a panel."""
        rows = np.flatnonzero(panel.paired)
        severity = panel.fit.severity[panel.rater[rows]]
        return cls(panel, rows, panel.value[rows] - severity)

    @property
    def item(self) -> Integers:
        """Return the item of each rating, shape (n,)."""
        return self.panel.item[self.rows]

    @property
    def rater(self) -> Integers:
        """Return the rater of each rating, shape (n,)."""
        return self.panel.rater[self.rows]

    def moments(self, shuffled: Integers | None = None) -> Moments:
        """Return the moments, of ratings rearranged within items if given."""
        rows = np.arange(len(self.y))[:, None] if shuffled is None else shuffled
        size = self.panel.size[self.rows][:, None]
        # Rearranging within an item leaves its sums as they are.
        total = np.bincount(self.item, self.y)[self.item][:, None]
        square = np.bincount(self.item, self.y**2)[self.item][:, None]
        raters = self.panel.raters[:, self.rows]
        n = np.maximum(raters.sum(axis=1), 1.0)[:, None]
        y = self.y[rows]
        colleague = (total - y) / (size - 1)
        columns = (
            y,
            y**2,
            colleague,
            colleague**2,
            colleague * y,
            (square - y**2) / (size - 1),
        )
        return Moments(n, *(np.asarray(raters @ column) / n for column in columns))
