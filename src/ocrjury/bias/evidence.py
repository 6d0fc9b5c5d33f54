"""Intermediate results that several tests for bias share, each computed once."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from ocrjury.arrays import Floats
from ocrjury.bias.comparison import CentredRatings, Moments, shuffled_moments
from ocrjury.bias.deviations import FittedRatings, fit_ratings
from ocrjury.bias.submissions import Submissions


class LatentSpread(NamedTuple):
    """Moments of `latent_scores` and of their shuffles.

    ``flatter``, shape (M,), is how much flatter a rater's slope is because of severity alone.
    """

    moments: Moments
    null: Moments
    flatter: Floats


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
        comparison = CentredRatings.of(ratings)
        of_scores, flatter = CentredRatings.latent(ratings)
        null, null_of_scores = shuffled_moments([comparison, of_scores], rng=rng)
        latent = LatentSpread(of_scores.moments(), null_of_scores, flatter)
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
