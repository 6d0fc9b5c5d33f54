"""Ratings beside those of the same items' other raters, as they are and shuffled.

Symbols: y is a rating minus its rater's severity, l the mean of the item's other ratings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from scipy import sparse

from ocrjury.arrays import Floats, Integers
from ocrjury.bias.blocks import Blocks
from ocrjury.bias.deviations import FittedRatings
from ocrjury.bias.latent_scores import latent_scores
from ocrjury.bias.shuffled_sums import Summands

_TERMS = 3  # of a comparison


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
class Cells:
    """Ratings of one rater on items with the same number of ratings, C cells in all.

    What a shuffle within items leaves as it is, an item's number of ratings and its sums, is added
    up once; for the rest, three sums over each cell are enough.

    Attributes
    ----------
    cell
        Cell of each rating, shape (n,).
    raters
        1 where a cell is a rater's, shape (M, C).
    n_others
        Ratings of an item besides the rater's, shape (C, 1).
    total, total_square, square
        Sums over the cell of an item's sum of y, of its square, and of its sum of y^2, (C, 1).
    """

    cell: Integers
    raters: sparse.csr_array
    n_others: Floats
    total: Floats
    total_square: Floats
    square: Floats

    @classmethod
    def of(
        cls, rater: Integers, size: Integers, *, total: Floats, square: Floats, n_raters: int
    ) -> Self:
        """Cells of ratings by their raters, and the sizes and sums of their items."""
        longest = int(size.max(initial=0)) + 1
        code, cell = np.unique(rater * longest + size, return_inverse=True)
        owner, sizes = np.divmod(code, longest)
        n_cells = len(code)
        raters = sparse.csr_array(
            (np.ones(n_cells), (owner, np.arange(n_cells))), shape=(n_raters, n_cells)
        )
        sums = (
            np.bincount(cell, part, n_cells).astype(float) for part in (total, total**2, square)
        )
        n_others = (sizes - 1.0)[:, None]
        return cls(cell, raters, n_others, *(each[:, None] for each in sums))


@dataclass(frozen=True, slots=True, eq=False)
class CentredRatings:
    """Ratings of items with at least two ratings, minus severities.

    Attributes
    ----------
    item, rater, draw
        Item and rater of each rating, and number of the draw in which the item came, shape (n,).
    size
        Ratings of its item, shape (n,).
    y
        Rating minus severity, less the mean of all, shape (n,).
    total, square
        Sum of y and of y^2 over its item, shape (n,).
    cells
        Ratings by rater and by the number of ratings of their items.
    n
        Ratings of each rater, at least 1, shape (M,).
    """

    item: Integers
    rater: Integers
    draw: Integers
    size: Integers
    y: Floats
    total: Floats
    square: Floats
    cells: Cells
    n: Floats

    @classmethod
    def of(cls, ratings: FittedRatings) -> Self:
        """Comparison from fitted ratings."""
        rater = ratings.rater[ratings.paired]
        y = ratings.value[ratings.paired] - ratings.fit.severity[rater]
        y -= y.mean() if len(y) else 0.0  # changes no variance, and keeps rounding small
        return cls._of(ratings, y)

    @classmethod
    def latent(cls, ratings: FittedRatings) -> tuple[Self, Floats]:
        """Comparison of `latent_scores`, and the factor by which a rater's slope is too flat, (M,).

        That of a rater is relative to the raters of the same items.
        """
        n_raters, rater = ratings.raters.shape[0], ratings.rater[ratings.paired]
        latent = latent_scores(ratings.value[ratings.paired], rater, n_raters=n_raters)
        comparison = cls._of(ratings, latent.score)
        of_item = np.bincount(comparison.item, latent.kept[rater])[comparison.item]
        usual = np.bincount(rater, of_item / comparison.size, n_raters) / comparison.n
        return comparison, np.where(usual > 0, latent.kept / np.maximum(usual, 1e-12), 1.0)

    @classmethod
    def _of(cls, ratings: FittedRatings, y: Floats) -> Self:
        """Comparison of scores of the paired ratings."""
        rows = np.flatnonzero(ratings.paired)
        item, rater, size = ratings.item[rows], ratings.rater[rows], ratings.size[rows]
        n_raters = ratings.raters.shape[0]
        n = np.maximum(np.bincount(rater, minlength=n_raters), 1.0)
        total = np.bincount(item, y).astype(float)[item]
        square = np.bincount(item, y**2).astype(float)[item]
        cells = Cells.of(rater, size, total=total, square=square, n_raters=n_raters)
        return cls(item, rater, ratings.draw[rows], size, y, total, square, cells, n)

    @property
    def others(self) -> tuple[Floats, Floats]:
        """Mean of the item's other ratings, and of their squares, shape (n,)."""
        n_others = self.size - 1
        return (self.total - self.y) / n_others, (self.square - self.y**2) / n_others

    def moments(self) -> Moments:
        """Moments of the ratings as they are."""
        return self.moments_of(_summands([self]).sums())

    def moments_of(self, sums: Sequence[Floats]) -> Moments:
        """Moments from sums over cells of y, of its square, and of its product with the item's sum.

        The others' mean l is the item's sum less y, over n_others, so the sums of l, of l^2 and of
        l y are linear in these.
        """
        cells, n_others = self.cells, self.cells.n_others
        y, yy, product = sums
        parts = (
            y,
            yy,
            (cells.total - y) / n_others,
            (cells.total_square - 2 * product + yy) / n_others**2,
            (product - yy) / n_others,
            (cells.square - yy) / n_others,
        )
        n = self.n[:, None]
        return Moments(n, *(np.asarray(cells.raters @ part) / n for part in parts))


def shuffled_moments(
    comparisons: Sequence[CentredRatings], *, rng: np.random.Generator
) -> list[Moments]:
    """Moments of ratings shuffled among the raters of each item, shape (M, B), one each.

    Those of a draw are shuffled as one (`ocrjury.bias.blocks`).
    The comparisons are of the same ratings, scored in different ways, and share the shuffles.
    """
    drawn: list[list[Sequence[Floats]]] = [[] for _ in comparisons]
    first = comparisons[0]
    blocks = Blocks.of_items(first.item, first.rater, first.draw)
    for sums in _summands(comparisons).by_block(blocks).shuffled(blocks.group, rng=rng):
        for k, comparison in enumerate(comparisons):
            own = sums[_TERMS * k : _TERMS * (k + 1)]
            drawn[k].append(comparison.moments_of(own)[1:])
    return [
        Moments(
            comparison.n[:, None],
            *(np.concatenate(parts, axis=1) for parts in zip(*blocks, strict=True)),
        )
        for comparison, blocks in zip(comparisons, drawn, strict=True)
    ]


def _summands(comparisons: Sequence[CentredRatings]) -> Summands:
    """Summands of the moments of shuffled ratings: three terms of each comparison."""
    cells = comparisons[0].cells
    y = tuple(comparison.y for comparison in comparisons)
    total = tuple(comparison.total for comparison in comparisons)
    return Summands(y, total, _products, cells.cell, len(cells.n_others))


def _products(*columns: Floats) -> list[Floats]:
    """Ratings, their squares, and their products with the sums of their items, of each comparison.

    First come the ratings of all comparisons, then the sums of all.
    """
    middle = len(columns) // 2
    pairs = zip(columns[:middle], columns[middle:], strict=True)
    return [term for y, total in pairs for term in (y, y**2, total * y)]
