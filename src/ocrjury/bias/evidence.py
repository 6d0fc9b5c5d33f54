"""Intermediate results that several tests for bias share, each computed once.

Symbols of the spread: y is a rating minus its rater's severity, l the mean of the item's other
ratings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from scipy import sparse

from ocrjury.arrays import Floats, Integers
from ocrjury.bias.deviations import FittedRatings, fit_ratings
from ocrjury.bias.latent import latent_scores
from ocrjury.bias.shuffled_sums import Summands
from ocrjury.bias.submissions import Submissions


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
    def is_clustered(self) -> bool:
        """Whether several items came in one draw."""
        n_draws, n_items = (
            np.count_nonzero(np.bincount(place)) for place in (self.draw, self.item)
        )
        return bool(n_draws < n_items)

    @property
    def others(self) -> tuple[Floats, Floats]:
        """Mean of the item's other ratings, and of their squares, shape (n,)."""
        n_others = self.size - 1
        return (self.total - self.y) / n_others, (self.square - self.y**2) / n_others

    def moments(self, shuffled: Integers | None = None) -> Moments:
        """Moments, of shuffled ratings if a shuffle within items is given."""
        return self._moments(self._summands().sums(shuffled))

    def _summands(self) -> Summands:
        """What the moments of shuffled ratings are computed from."""
        cells = self.cells
        return Summands(self.y, (self.total,), _products, cells.cell, len(cells.n_others))

    def _moments(self, sums: Sequence[Floats]) -> Moments:
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

    def shuffled_moments(self, rng: np.random.Generator) -> Moments:
        """Moments of ratings shuffled among the raters of each item, shape (M, B)."""
        blocks = self._summands().shuffled(self.item, rng=rng)
        moments = [self._moments(sums)[1:] for sums in blocks]
        columns = (np.concatenate(parts, axis=1) for parts in zip(*moments, strict=True))
        return Moments(self.n[:, None], *columns)


def _products(y: Floats, total: Floats) -> tuple[Floats, Floats, Floats]:
    """Ratings, their squares, and their products with the sums of their items."""
    return y, y**2, total * y


class LatentSpread(NamedTuple):
    """Moments of `latent_scores` and of their shuffles.

    ``flatter``, shape (M,), is how much flatter a rater's slope is because of severity alone.
    """

    moments: Moments
    null: Moments
    flatter: Floats

    @classmethod
    def of(cls, ratings: FittedRatings, *, rng: np.random.Generator) -> Self:
        """Moments on one dimension."""
        comparison, flatter = CentredRatings.latent(ratings)
        return cls(comparison.moments(), comparison.shuffled_moments(rng), flatter)


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Spread of each rater's ratings on one dimension, observed and under the null hypothesis.

    Attributes
    ----------
    ratings
        The ratings.
    comparison
        Ratings of items with at least two ratings.
    moments, null
        Moments of the comparison, and of its shuffles.
    latent
        The same of `latent_scores`.
    """

    ratings: FittedRatings
    comparison: CentredRatings
    moments: Moments
    null: Moments
    latent: LatentSpread

    @classmethod
    def of(cls, ratings: FittedRatings, *, rng: np.random.Generator) -> Self:
        """Spread on one dimension."""
        (of_latent,) = rng.spawn(1)
        comparison = CentredRatings.of(ratings)
        null = comparison.shuffled_moments(rng)
        latent = LatentSpread.of(ratings, rng=of_latent)
        return cls(ratings, comparison, comparison.moments(), null, latent)


class BiasEvidence:
    """Submissions, their additive fits, and the spread of each rater's ratings.

    Parameters
    ----------
    submissions
        The ratings.
    rng
        Generator for the shuffles behind the spreads.
    """

    def __init__(self, submissions: Submissions, *, rng: np.random.Generator) -> None:
        self.submissions = submissions
        self._rng = rng

    @cached_property
    def overall(self) -> FittedRatings:
        """Fit of the mean ratings over dimensions."""
        return fit_ratings(self.submissions, self.submissions.overall())

    @cached_property
    def by_dimension(self) -> tuple[FittedRatings, ...]:
        """Fit of every dimension."""
        submissions = self.submissions
        columns = zip(submissions.dimensions, submissions.value.T, strict=True)
        return tuple(fit_ratings(submissions, value, name) for name, value in columns)

    @cached_property
    def spreads(self) -> tuple[Spread, ...]:
        """Spread of each rater's ratings, for every dimension."""
        return tuple(Spread.of(ratings, rng=self._rng) for ratings in self.by_dimension)
