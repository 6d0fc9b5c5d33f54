"""Contribution of the raters to the error of an estimate.

Symbols: omega_k the final weight of item k, m_k its ratings, M raters, b_r the severity of rater r,
c_r the weight of b_r in the estimate.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.estimation.interval import Part
from ocrjury.estimation.linear import LinearMean
from ocrjury.estimation.rating_data import RatingData
from ocrjury.rater_model import AdditiveFit

ONE_RATER = (
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

    @property
    def effective_raters(self) -> float:
        """Number of equally weighted raters with the same precision."""
        return float(self.share.sum()) ** 2 / float(self.share @ self.share)

    @property
    def n_raters(self) -> int:
        """M, those who rated sampled items."""
        return int((self.direct != 0).sum())


def noise_part(fit: RatedFit) -> Part:
    """Noise of ratings that the draw's variance does not hold.

    That is what its finite population correction took off, and the error of the severities where
    the correction moved weight between raters. Without a residual variance (one rating per item)
    the item means' own residuals stand for it, which is too much rather than too little.
    """
    additive, weight = fit.additive, fit.mean.weight
    if not np.isfinite(additive.residual_variance):
        return Part(float((weight**2 * fit.mean.pi) @ fit.mean.residual**2), fit.mean.df)
    moved = additive.contrast_variance(fit.direct - fit.share)
    return Part(float((weight**2 * fit.mean.pi) @ item_noise(fit)) + moved, max(additive.df, 1))


def item_noise(fit: RatedFit) -> Floats:
    """Noise variance of each rated item's mean, shape (n,)."""
    item, rater = (column[fit.data.sampled] for column in (fit.data.item, fit.data.rater))
    of_rating = fit.within**2 * fit.additive.residual_variance / fit.additive.weight[rater]
    return np.bincount(item, of_rating, len(fit.data.pi))[fit.rows].astype(float)


def rater_component(fit: RatedFit) -> Part:
    """Variance between raters, with its degrees of freedom."""
    variance = fit.additive.rater_variance
    if not np.isfinite(variance):
        variance = _between_raters(fit)
    return Part(variance, max(fit.effective_raters - 1, 1.0))


def rater_part(fit: RatedFit, component: Part | None = None) -> Part:
    """Error of having these raters and not others: their variance times sum(c^2).

    ``component`` is that of a larger fit, of which this one is a part.
    """
    between = rater_component(fit) if component is None else component
    return Part(between.variance * float(fit.share @ fit.share), between.df)


def _between_raters(fit: RatedFit) -> float:
    """Rater variance where no two raters share an item: one-way, on residuals."""
    data, rated = fit.data, fit.data.sampled
    residual = np.full(len(data.pi), np.nan)
    residual[fit.rows] = fit.mean.residual
    rater, e = data.rater[rated], residual[data.item[rated]]
    count = np.bincount(rater, minlength=data.n_raters)
    mean = np.bincount(rater, e, data.n_raters) / np.maximum(count, 1)
    there = count > 0
    within = e - mean[rater]
    df = len(e) - int(there.sum())
    noise = float(within @ within) / df if df > 0 else 0.0
    return max(0.0, float(mean[there].var(ddof=1) - (noise / count[there]).mean()))
