"""Intermediate results that several tests for bias share, each computed once."""

from functools import cached_property

import numpy as np

from ocrjury.bias.deviations import FittedRatings, fit_ratings
from ocrjury.bias.spread import Spread
from ocrjury.bias.submissions import Submissions


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
