"""Change from one evaluation to the next, on the same documents where both samples share them.

Symbols: t_k = omega_k e_k is the contribution of document k to an estimate's error, 1 and 2 mark
the earlier and the later evaluation, c_r is the weight of rater r in an estimate.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.estimation.coordination import coordinated_covariance
from ocrjury.estimation.gold import GoldLevel, moved
from ocrjury.estimation.interval import Part, pooled, with_interval
from ocrjury.estimation.linear import deville_covariance, no_items
from ocrjury.estimation.rated import WHOSE, check_options, fit_rated
from ocrjury.estimation.rated_sample import RatedSample
from ocrjury.estimation.rated_warnings import rated_warnings
from ocrjury.estimation.rater_error import (
    ONE_RATER,
    RatedFit,
    Raters,
    gold_level,
    noise_of_difference,
)
from ocrjury.estimation.rating_data import item_ids
from ocrjury.language import phrase


def compare_evaluations(
    before: RatedSample,
    after: RatedSample,
    *,
    raters: Raters = "others",
    coordinated: bool = True,
    confidence: float = 0.95,
) -> Estimate:
    """Change of the pool's mean rating from one evaluation to another.

    Documents in both samples are compared with themselves, and the severity of raters in both
    evaluations cancels, so that the interval is shorter than those of the two means.

    Parameters
    ----------
    before, after
        The two evaluations, of the same pool or of two pools.
    raters, confidence
        As in `rated_mean`.
    coordinated
        Whether both samples were drawn with the same seed, so that a document keeps its random
        number, or its ``cluster`` where documents were drawn together. Independent samples
        share documents by chance only, and gain nothing; nor do documents drawn individually
        compared with documents drawn by page.

    Returns
    -------
    Estimate
        Above 0 where the later mean is higher. ``n_items`` counts documents of either sample,
        ``method`` says how many are in both. Undefined as in `rated_mean`.

    Notes
    -----
    The variance of the draw is V1 + V2 - 2 C, with Deville's form for C: over the documents in both
    samples, sum((1 - max(pi_1k, pi_2k)) (t_1k - m_1) (t_2k - m_2)), because with permanent random
    numbers the joint probability is the smaller of the two. On one and the same sample it is the
    variance of paired differences. In pools under 200 documents, which are drawn systematically, C
    counts by how much more documents are in both than by chance. Contributions of a cluster are
    summed first, and a cluster is in both samples where one of its rated documents is. Raters add
    their variance times sum((c_2r - c_1r)^2), which is 0 if the same raters do the same shares;
    that a rater became stricter in between cannot be detected without gold, which corrects both
    evaluations, or neither where one has too little of it.

    Examples
    --------
    >>> items = pd.DataFrame({"doc_id": list("abcd"), "inclusion_probability": 0.1})
    >>> rated = {"item": list("aabbccdd"), "rater": ["x", "y"] * 4}
    >>> first = RatedSample(pd.DataFrame({**rated, "rating": [5, 4, 3, 3, 1, 2, 5, 4]}), items)
    >>> second = RatedSample(pd.DataFrame({**rated, "rating": [5, 5, 3, 4, 2, 2, 5, 5]}), items)
    >>> change = compare_evaluations(first, second)
    >>> change.value, bool(change.low > 0)
    (0.5, True)
    """
    check_options(raters, confidence)
    first, second = _side(before), _side(after)
    if first is None or second is None:
        return no_items(f"change, {WHOSE[raters]}")
    pair = _Pair((first, second), coordinated=coordinated, drawn_twice=True)
    warnings = tuple(
        phrase("{when}: {warning}", when=when, warning=text)
        for when, side in ((phrase("Before"), first), (phrase("After"), second))
        for text in rated_warnings(side.fit)
    )
    return _estimate(pair, raters=raters, confidence=confidence, warnings=warnings)


def compare_groups(
    sample: RatedSample,
    pool_means: Mapping[object, npt.ArrayLike],
    *,
    group: str,
    unit: str,
    of: tuple[object, object],
    coordinated: bool,
    confidence: float = 0.95,
) -> Estimate:
    """Difference of the means of two groups of one sample, the first less the second.

    Parameters
    ----------
    sample
        Gold, which moves both groups alike, is of no use.
    pool_means, group
        As in `RatedSample.means_by`, whose means these are.
    unit
        Column of the items that names what may be in both groups, such as the page of an output.
    of
        The two groups.
    coordinated
        Whether a unit was drawn for both groups at once.
    """
    fits = sample.fits_by(group, pool_means)
    if fits is None or not set(of) <= set(fits.by_group):
        return no_items(f"difference, {WHOSE['others']}")
    units = sample.items[unit].tolist()
    second, first = (
        _Side([units[row] for row in fit.rows], fit, GoldLevel(), fits.whole)
        for fit in (fits.by_group[name] for name in of)
    )
    pair = _Pair((first, second), coordinated=coordinated)
    return _estimate(pair, raters="others", confidence=confidence)


_OF_MEAN = ("value", "low", "high", "n_items", "gold_corrected")


def trend(
    samples: Mapping[str, RatedSample],
    *,
    raters: Raters = "others",
    coordinated: bool = True,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Means of evaluations, each with its change from the one before.

    Parameters
    ----------
    samples
        The evaluations by name, in the order of time.
    raters, coordinated, confidence
        As in `compare_evaluations`.

    Returns
    -------
    DataFrame
        ``evaluation``, ``value``, ``low``, ``high``, ``n_items``, ``gold_corrected``, and
        ``change``, ``change_low``, ``change_high``, which are ``nan`` for the first one, with
        ``n_both``, the documents rated in both.
    """
    rows = []
    earlier: RatedSample | None = None
    for name, sample in samples.items():
        mean = sample.mean(raters=raters, confidence=confidence)
        change = Estimate(np.nan)
        if earlier is not None:
            change = compare_evaluations(
                earlier, sample, raters=raters, coordinated=coordinated, confidence=confidence
            )
        rows.append(
            {
                "evaluation": name,
                **{key: getattr(mean, key) for key in _OF_MEAN},
                "change": change.value,
                "change_low": change.low,
                "change_high": change.high,
                "n_both": 0 if earlier is None else _in_both(earlier, sample),
            }
        )
        earlier = sample
    return pd.DataFrame(rows)


def _in_both(before: RatedSample, after: RatedSample) -> int:
    """Number of documents with ratings in both samples."""
    rated = (
        {*item_ids(side.items)} & {*side.ratings.loc[side.ratings["rating"].notna(), "item"]}
        for side in (before, after)
    )
    return len(set.intersection(*rated))


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """One evaluation: ids of its rated documents, its fit, and the level of its raters.

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


def _side(sample: RatedSample) -> _Side | None:
    """Fit of an evaluation, None without ratings."""
    data, known = sample.data, sample.known
    if not data.sampled.any():
        return None
    fit = fit_rated(data, known, data.reliable)
    ids = item_ids(sample.items)
    return _Side([ids[row] for row in fit.rows], fit, gold_level(fit), fit)


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two evaluations to compare, or two groups of one, which were drawn once."""

    sides: tuple[_Side, _Side]
    coordinated: bool
    drawn_twice: bool = False

    @cached_property
    def places(self) -> tuple[list[int], list[int]]:
        """Rows of the common documents in the first and in the second sample."""
        before, after = (side.ids for side in self.sides)
        place_of = {name: place for place, name in enumerate(after)}
        first = [place for place, name in enumerate(before) if name in place_of]
        return first, [place_of[before[place]] for place in first]

    def draw_part(self) -> Part:
        """Error of both draws, less twice their covariance."""
        first, second = (side.fit.mean for side in self.sides)
        shared = 0.0
        if self.coordinated:
            of = coordinated_covariance if self.drawn_twice else deville_covariance
            shared = of(first, second, places=self.places)
        variance = first.variance() + second.variance() - 2 * shared
        return Part(max(variance, 0.0), min(first.df, second.df))

    def rater_part(self) -> Part:
        """Error from having these raters, of two panels if none is in both, and not others."""
        between = [side.whole.between for side in self.sides if side.whole.n_raters > 1]
        first, second = self.sides
        apart = first.whole is not second.whole and set(first.raters).isdisjoint(second.raters)
        return pooled(between, independent=apart).times(self.contrast)

    @property
    def contrast(self) -> float:
        """Sum of the squared changes of the raters' weights."""
        before, after = (side.share_of for side in self.sides)
        return sum((after.get(r, 0.0) - before.get(r, 0.0)) ** 2 for r in {**before, **after})


def _estimate(
    pair: _Pair, *, raters: Raters, confidence: float, warnings: tuple[str, ...] = ()
) -> Estimate:
    """Change with the interval of all its sources of error."""
    before, after = pair.sides
    fits = [side.fit for side in pair.sides]
    both = len(pair.places[0])
    # A level taken off one side alone would look like a change.
    known = all(side.level.part is not None for side in pair.sides)
    levels = [side.level if known else GoldLevel() for side in pair.sides]
    values = [fit.mean.value - level.shift for fit, level in zip(fits, levels, strict=True)]
    estimate = Estimate(
        values[1] - values[0],
        n_items=len(before.ids) + len(after.ids) - both,
        n_raters=len({*before.raters, *after.raters}),
        n_ratings=sum(len(side.raters) for side in pair.sides),
        method=f"{fits[1].mean.method}, change, {both} documents in both, {WHOSE[raters]}",
        warnings=warnings,
    )
    noise = noise_of_difference(*zip(fits, levels, strict=True))
    parts = [pair.draw_part(), *noise, *(level.part for level in levels if level.part)]
    if raters == "others" and not known and pair.contrast > 1e-12:
        if max(fit.n_raters for fit in fits) < 2:
            alone = (*warnings, ONE_RATER)
            return replace(estimate, reason="fewer_than_two_raters", warnings=alone)
        parts.append(pair.rater_part())
    # A single draw shows no variation, however large the other sample is.
    draws = min(fit.mean.draws for fit in fits)
    ranged = with_interval(estimate, parts, confidence=confidence, draws=draws)
    return moved(ranged, levels[0].left - levels[1].left)
