"""Contribution of the raters to the error of an estimate.

Symbols: omega_k the final weight of item k, m_k its ratings, M raters, b_r the severity of rater r,
c_r the weight of b_r in the estimate.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.estimate import Estimate
from ocrjury.estimation.gold import (
    LEAST_TO_CORRECT,
    GoldLevel,
    level_of_mean,
    level_of_share,
    moved,
)
from ocrjury.estimation.interval import Part, as_share, with_interval
from ocrjury.estimation.linear_estimate import LinearMean
from ocrjury.estimation.rating_data import RatingData
from ocrjury.language import phrase
from ocrjury.rater_model import AdditiveFit

Raters = Literal["others", "these"]
Source = Literal["documents", "ratings", "raters", "gold", "tastes"]
"""Choice of documents, noise of ratings, choice of raters, what gold leaves open of them, or what
these raters mind in a group of documents."""
ONE_RATER = phrase(
    "All ratings are by one rater, so nothing shows how much raters differ: there is no interval "
    "for other raters, only one for this rater alone."
)


@dataclass(frozen=True)
class RatedFit:
    """A weighted mean of item means, with the ratings behind it.

    Attributes
    ----------
    data, additive
        The ratings, and their additive fit.
    rows
        Indices of the rated items among those sampled, shape (n,).
    y
        Mean rating of each, corrected for the severity of its raters, shape (n,).
    mean
        The weighted mean over those items.
    """

    data: RatingData
    additive: AdditiveFit
    rows: Integers
    y: Floats
    mean: LinearMean

    @cached_property
    def item_means(self) -> Floats:
        """Plain mean rating of each rated item, shape (n,)."""
        rated = self.data.sampled
        item, n = self.data.item[rated], len(self.data.pi)
        means = np.bincount(item, self.data.value[rated], n)[self.rows]
        return np.asarray(means / np.bincount(item, minlength=n)[self.rows], dtype=float)

    @cached_property
    def within(self) -> Floats:
        """Weight of each rating of a sampled item within its item's mean."""
        rated = self.data.sampled
        weight = self.additive.weight[self.data.rater[rated]]
        total = np.bincount(self.data.item[rated], weight, len(self.data.pi))
        return np.asarray(weight / total[self.data.item[rated]], dtype=float)

    @cached_property
    def direct(self) -> Floats:
        """Weight of each rater's own ratings in the estimate, shape (M,)."""
        rated = self.data.sampled
        omega = np.zeros(len(self.data.pi))
        omega[self.rows] = self.mean.weight
        weight = omega[self.data.item[rated]] * self.within
        return np.bincount(self.data.rater[rated], weight, self.data.n_raters).astype(float)

    @cached_property
    def share(self) -> Floats:
        """C, shape (M,).

        Correcting for severities spreads the weight of a connected group over its raters, by
        their weights.
        """
        weight, group = self.additive.weight, self.additive.group
        whole = np.bincount(group, self.direct) / np.bincount(group, weight)
        return np.asarray(weight * whole[group], dtype=float)

    @cached_property
    def between(self) -> Part:
        """Variance between raters, with its degrees of freedom."""
        variance, measured = self.additive.rater_variance, self.additive.severity_variance
        if not np.isfinite(variance):
            variance, measured = _between_raters(self)
        effective_raters = float(self.share.sum()) ** 2 / float(self.share @ self.share)
        return Part(variance, max(effective_raters - 1, 1.0), measured)

    @property
    def n_raters(self) -> int:
        """M, those who rated sampled items."""
        return int((self.direct != 0).sum())


Levelled = tuple[RatedFit, GoldLevel]
"""A mean, and the level of its raters."""


def noise_part(fit: RatedFit, level: GoldLevel) -> Part:
    """Noise of ratings that the draw's variance does not hold.

    That is what its finite population correction took off, and the error of the severities where
    the correction moved weight between raters. Without a residual variance (one rating per item)
    the item means' own residuals stand for it, which is too much rather than too little.
    """
    if not np.isfinite(fit.additive.residual_variance):
        return Part(noise_of_items(fit), fit.mean.df)
    return _with_severities(fit, noise_of_items(fit), _moved_weight(fit, level))


def noise_of_difference(first: Levelled, second: Levelled) -> list[Part]:
    """`noise_part` of the difference of two means, whose severities may be of one and the same fit.

    Then an error of a severity is in both means: where a rater gave most ratings of one and few of
    the other, it moves them apart.
    """
    additive = first[0].additive
    if second[0].additive is not additive or not np.isfinite(additive.residual_variance):
        return [noise_part(*first), noise_part(*second)]
    noise = noise_of_items(first[0]) + noise_of_items(second[0])
    return [_with_severities(first[0], noise, _moved_weight(*second) - _moved_weight(*first))]


def _moved_weight(fit: RatedFit, level: GoldLevel) -> Floats:
    """Weight that the correction for severities moved to each rater, shape (M,).

    With gold it is moved from the raters of gold items: where one of them rated more of these than
    others did, an error of that severity is in the level.
    """
    return fit.direct - (fit.share if level.by_rater is None else level.by_rater)


def noise_of_items(fit: RatedFit) -> float:
    """Noise of the item means that the finite population correction took off.

    More items do not lessen it: it is that of all documents, rated once as these were.
    """
    known = np.isfinite(fit.additive.residual_variance)
    noise = item_noise(fit) if known else fit.mean.residual**2
    return float((fit.mean.weight**2 * fit.mean.pi) @ noise)


def _with_severities(fit: RatedFit, noise: float, moved: Floats) -> Part:
    """Noise with the error of the severities, by which weight was moved between raters."""
    return Part(noise + fit.additive.contrast_variance(moved), max(fit.additive.df, 1))


def item_noise(fit: RatedFit) -> Floats:
    """Noise variance of each rated item's mean, shape (n,)."""
    item, rater = (column[fit.data.sampled] for column in (fit.data.item, fit.data.rater))
    of_rating = fit.within**2 * fit.additive.residual_variance / fit.additive.weight[rater]
    return np.bincount(item, of_rating, len(fit.data.pi))[fit.rows].astype(float)


def gold_level(fit: RatedFit) -> GoldLevel:
    """Level of the raters against gold.

    Relative severities are known from all ratings; gold is only needed for the raters' level D,
    the mean over G gold items of their severity-corrected deviation. Where all gold items have the
    same deviation, as where no rating is wrong, the noise of ratings is the variance of a mean.

    A share that would leave 0 to 1 is not corrected: raters then deviate more on gold than they can
    on the pool.
    """
    data, additive = fit.data, fit.additive
    if data.gold is None:
        return GoldLevel()
    is_gold = np.isfinite(data.gold[data.item])
    item = data.item[is_gold]
    deviation = (data.value - additive.severity[data.rater])[is_gold] - data.gold[item]
    weight = additive.weight[data.rater[is_gold]]
    total = np.bincount(item, weight, data.n_items)
    means = np.bincount(item, weight * deviation, data.n_items)[total > 0] / total[total > 0]
    if len(means) < LEAST_TO_CORRECT:
        sentence = phrase(
            "Gold items with ratings: {n}; the level of the raters needs at least {least}, so "
            "gold was not used.",
            n=len(means),
            least=LEAST_TO_CORRECT,
        )
        return GoldLevel(warnings=(sentence,))
    by_rater = np.bincount(data.rater[is_gold], weight / total[item], data.n_raters) / len(means)
    if data.shares:
        return replace(level_of_share(means), by_rater=by_rater).of_share(fit.mean.value)
    between = np.nan_to_num(additive.rater_variance) / max(data.n_raters, 1)
    noise = additive.residual_variance / total[total > 0]
    level = level_of_mean(means, noise=float(noise.mean()), prior=float(between))
    return replace(level, by_rater=by_rater)


def rated_interval(
    estimate: Estimate,
    fit: RatedFit,
    *,
    level: GoldLevel,
    raters: Raters,
    share: bool,
    confidence: float,
    whole: RatedFit | None = None,
    tastes: Part | None = None,
) -> Estimate:
    """Estimate with the interval of all its sources of error.

    They are the draw, the noise of ratings, and the level by gold or, for other raters, their
    variance times sum(c^2). ``whole`` is a larger fit, of which ``fit`` is a part, and ``tastes``
    the error from raters who are stricter there alone.
    """
    parts = error_parts(fit, level=level, raters=raters, whole=whole, tastes=tastes)
    if parts is None:
        alone = as_share(estimate) if share else estimate
        warnings = (*estimate.warnings, ONE_RATER)
        return replace(alone, reason="fewer_than_two_raters", warnings=warnings)
    ranged = with_interval(
        estimate,
        list(parts.values()),
        confidence=confidence,
        share_of=fit.mean.effective_n if share else None,
        draws=fit.mean.draws,
    )
    return moved(ranged, -level.left)


def error_parts(
    fit: RatedFit,
    *,
    level: GoldLevel,
    raters: Raters,
    whole: RatedFit | None = None,
    tastes: Part | None = None,
) -> dict[Source, Part] | None:
    """Sources of error of an estimate; None where nothing shows how much raters differ."""
    everybody = fit if whole is None else whole
    parts: dict[Source, Part] = {
        "documents": Part(fit.mean.variance(), fit.mean.df),
        "ratings": noise_part(fit, level),
    }
    if level.part is not None:
        parts["gold"] = level.part
    elif raters == "others" and everybody.n_raters < 2:
        return None
    elif raters == "others":
        parts["raters"] = everybody.between.times(float(fit.share @ fit.share))
    if tastes is not None and (raters == "others" or level.part is not None):
        parts["tastes"] = tastes
    return parts


def left_by_rater(fit: RatedFit) -> tuple[Floats, Floats]:
    """Mean residual of each rater's items, and its noise variance, shape (M,); nan without items.

    It tells raters apart where no two of them share an item.
    """
    data, rated = fit.data, fit.data.sampled & np.isin(fit.data.item, fit.rows)
    residual = np.full(len(data.pi), np.nan)
    residual[fit.rows] = fit.mean.residual
    rater, e = data.rater[rated], residual[data.item[rated]]
    count = np.bincount(rater, minlength=data.n_raters)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(rater, e, data.n_raters) / count
        within = e - mean[rater]
        df = len(e) - int((count > 0).sum())
        noise = (float(within @ within) / df if df > 0 else 0.0) / count
    return mean, np.where(count > 0, noise, np.nan)


def _between_raters(fit: RatedFit) -> tuple[float, float]:
    """Rater variance where no two raters share an item, and with noise: one-way, on residuals."""
    mean, noise = left_by_rater(fit)
    active = np.isfinite(mean)
    measured = float(mean[active].var(ddof=1))
    return max(0.0, measured - float(noise[active].mean())), measured
