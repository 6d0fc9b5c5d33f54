"""What several tests for bias look at, each made once."""

from functools import cached_property

import numpy as np

from ocrjury.bias.deviations import Panel, panel_of
from ocrjury.bias.spread import Spread
from ocrjury.bias.submissions import Submissions


class Evidence:
    """Submissions, their additive fits, and how raters spread items.

    Parameters
    ----------
    submissions
        The ratings.
    rng
        Shuffles ratings for the spreads.
    """

    def __init__(self, submissions: Submissions, *, rng: np.random.Generator) -> None:
        self.submissions = submissions
        self._rng = rng

    @cached_property
    def overall(self) -> Panel:
        """Panel of mean ratings over dimensions."""
        return panel_of(self.submissions, self.submissions.overall())

    @cached_property
    def panels(self) -> tuple[Panel, ...]:
        """Panel of every dimension."""
        submissions = self.submissions
        columns = zip(submissions.dimensions, submissions.value.T, strict=True)
        return tuple(panel_of(submissions, value, name) for name, value in columns)

    @cached_property
    def spreads(self) -> tuple[Spread, ...]:
        """Spread of every dimension."""
        return tuple(Spread.of(panel, rng=self._rng) for panel in self.panels)
