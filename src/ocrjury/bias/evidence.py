"""Intermediate results that several tests for bias share, each computed once.

Symbols of the spread: y is a rating minus its rater's severity, l the mean of the item's other
ratings.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from scipy import sparse

from ocrjury.arrays import Floats, Integers
from ocrjury.bias.deviations import FittedRatings, fit_ratings
from ocrjury.bias.permutation import null_draws
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
class Comparison:
    """Ratings of items with at least two ratings, minus severities.

    Attributes
    ----------
    item, rater
        Item and rater of each rating, shape (n,).
    size
        Ratings of its item, shape (n,).
    y
        Rating minus severity, shape (n,).
    total, square
        Sum of y and of y^2 over its item, shape (n,).
    raters
        1 where a rating is by a rater, shape (M, n).
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
    def of(cls, ratings: FittedRatings) -> Self:
        """Comparison from fitted ratings."""
        rows = np.flatnonzero(ratings.paired)
        item, rater, size = ratings.item[rows], ratings.rater[rows], ratings.size[rows]
        y = ratings.value[rows] - ratings.fit.severity[rater]
        raters = ratings.raters[:, rows]
        n = np.maximum(raters.sum(axis=1), 1.0)
        total = np.bincount(item, y).astype(float)[item]
        square = np.bincount(item, y**2).astype(float)[item]
        return cls(item, rater, size, y, total, square, raters, n)

    @property
    def others(self) -> tuple[Floats, Floats]:
        """Mean of the item's other ratings, and of their squares, shape (n,)."""
        n_others = self.size - 1
        return (self.total - self.y) / n_others, (self.square - self.y**2) / n_others

    def moments(self, shuffled: Integers | None = None) -> Moments:
        """Moments, of shuffled ratings if a shuffle within items is given."""
        rows = np.arange(len(self.y))[:, None] if shuffled is None else shuffled
        y, n_others = self.y[rows], self.size[:, None] - 1
        # Shuffling within an item does not change its sums.
        colleague = (self.total[:, None] - y) / n_others
        squares = y**2
        columns = (
            y,
            squares,
            colleague,
            colleague**2,
            colleague * y,
            (self.square[:, None] - squares) / n_others,
        )
        n = self.n[:, None]
        return Moments(n, *(np.asarray(self.raters @ column) / n for column in columns))

    def shuffled_moments(self, rng: np.random.Generator) -> Moments:
        """Moments of ratings shuffled among the raters of each item, shape (M, B)."""
        draws = null_draws(lambda rows: np.concatenate(self.moments(rows)[1:]), self.item, rng=rng)
        return Moments(self.n[:, None], *draws.reshape(len(Moments._fields) - 1, len(self.n), -1))


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
    """

    ratings: FittedRatings
    comparison: Comparison
    moments: Moments
    null: Moments

    @classmethod
    def of(cls, ratings: FittedRatings, *, rng: np.random.Generator) -> Self:
        """Spread on one dimension."""
        comparison = Comparison.of(ratings)
        return cls(ratings, comparison, comparison.moments(), comparison.shuffled_moments(rng))


class Evidence:
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
