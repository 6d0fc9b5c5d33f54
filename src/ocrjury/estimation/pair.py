"""Difference of two means, of two evaluations or of two groups of one, with its sources of error.

Symbols: t_k = omega_k e_k is the contribution of document k to an estimate's error, 1 and 2 mark
the first and the second mean, c_r is the weight of rater r in an estimate.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ocrjury.estimate import Estimate
from ocrjury.estimation.coordination import coordinated_covariance
from ocrjury.estimation.gold import GoldLevel, moved
from ocrjury.estimation.headline import WHOSE
from ocrjury.estimation.interval import Part, pooled, with_interval
from ocrjury.estimation.linear_estimate import deville_covariance
from ocrjury.estimation.rater_error import ONE_RATER, RatedFit, Raters, noise_of_difference

_ROUNDING = 1e-12
"""Contrast of the weights of raters who have the same in both means."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One of two means: ids of its rated documents, its fit, and the level of its raters.

    ``whole`` is the fit of all ratings, where the side is only a part of them.
    """

    ids: list[object]
    fit: RatedFit
    level: GoldLevel
    whole: RatedFit

    @property
    def raters(self) -> list[object]:
        """Rater of each rating of its documents; others are of gold items or of other documents."""
        data = self.fit.data
        return [data.raters[place] for place in data.rater[np.isin(data.item, self.fit.rows)]]

    @property
    def share_of(self) -> dict[object, float]:
        """Weight of every rater in the mean, summing to 1."""
        whole = float(self.fit.share.sum())
        return dict(zip(self.fit.data.raters, self.fit.share / whole, strict=True))


@dataclass(frozen=True, eq=False)
class Pair:
    """Two evaluations to compare, or two groups of one, which were drawn once."""

    sides: tuple[Side, Side]
    coordinated: bool
    drawn_twice: bool = False

    @cached_property
    def places(self) -> tuple[list[int], list[int]]:
        """Rows of the common documents in the first and in the second sample."""
        before, after = (side.ids for side in self.sides)
        place_of = {name: place for place, name in enumerate(after)}
        first = [place for place, name in enumerate(before) if name in place_of]
        return first, [place_of[before[place]] for place in first]

    @cached_property
    def levels(self) -> tuple[GoldLevel, GoldLevel]:
        """Level of the raters on both sides; taken off one alone it would look like a change."""
        first, second = (side.level for side in self.sides)
        known = first.part is not None and second.part is not None
        return (first, second) if known else (GoldLevel(), GoldLevel())

    def draw_part(self) -> Part:
        """Error of both draws, less twice their covariance."""
        first, second = (side.fit.mean for side in self.sides)
        shared = 0.0
        if self.coordinated:
            of = coordinated_covariance if self.drawn_twice else deville_covariance
            shared = of(first, second, places=self.places)
        variance = first.variance() + second.variance() - 2 * shared
        return Part(max(variance, 0.0), min(first.df, second.df))

    def rater_parts(self) -> list[Part] | None:
        """Error from having these raters and not others; None if nothing shows how they differ.

        They are two groups of raters if none is in both.
        """
        if self.levels[0].part is not None or self.contrast <= _ROUNDING:
            return []
        first, second = self.sides
        if max(side.fit.n_raters for side in self.sides) < 2:
            return None
        between = [side.whole.between for side in self.sides if side.whole.n_raters > 1]
        apart = first.whole is not second.whole and set(first.raters).isdisjoint(second.raters)
        return [pooled(between, independent=apart).times(self.contrast)]

    @property
    def contrast(self) -> float:
        """Sum of the squared changes of the raters' weights."""
        before, after = (side.share_of for side in self.sides)
        return sum((after.get(r, 0.0) - before.get(r, 0.0)) ** 2 for r in {**before, **after})


def difference_of(
    pair: Pair,
    of_raters: Sequence[Part] | None,
    *,
    raters: Raters,
    confidence: float,
    warnings: tuple[str, ...] = (),
    what: str = "change",
) -> Estimate:
    """Second mean less the first, with the interval of all its sources of error.

    ``what`` the two are called in the method: a ``"change"`` over time, or a ``"difference"``.
    ``of_raters`` are those that come from the choice of the raters, None where nothing shows how
    much raters differ.
    """
    before, after = pair.sides
    fits, levels = [side.fit for side in pair.sides], pair.levels
    both = len(pair.places[0])
    values = [fit.mean.value - level.shift for fit, level in zip(fits, levels, strict=True)]
    estimate = Estimate(
        values[1] - values[0],
        n_items=len(before.ids) + len(after.ids) - both,
        n_raters=len({*before.raters, *after.raters}),
        n_ratings=sum(len(side.raters) for side in pair.sides),
        method=f"{fits[1].mean.method}, {what}, {both} documents in both, {WHOSE[raters]}",
        warnings=warnings,
    )
    if of_raters is None:
        alone = (*warnings, ONE_RATER)
        return replace(estimate, reason="fewer_than_two_raters", warnings=alone)
    noise = noise_of_difference(*zip(fits, levels, strict=True))
    gold = [level.part for level in levels if level.part]
    # A single draw shows no variation, however large the other sample is.
    draws = min(fit.mean.draws for fit in fits)
    parts = [pair.draw_part(), *noise, *gold, *of_raters]
    ranged = with_interval(estimate, parts, confidence=confidence, draws=draws)
    return moved(ranged, levels[0].left - levels[1].left)
