"""Central tendency and extremity: a rater spreads items less, or more, than colleagues do.

Symbols: s_r is the slope of a rater's ratings on the mean of colleagues' on the same items. Errors
of that mean flatten every slope, so s_r is divided by the slope of shuffled ratings.
"""

import numpy as np

from ocrjury.arrays import Booleans, Floats
from ocrjury.bias.blocks import is_clustered
from ocrjury.bias.comparison import CentredRatings, Moments
from ocrjury.bias.deviations import FittedRatings, Interval, interval, squares_by_rater
from ocrjury.bias.evidence import BiasEvidence, Spread
from ocrjury.bias.findings import SLOPE_RATIO, BiasFinding, Reason
from ocrjury.bias.permutation import pooled_p_values
from ocrjury.bias.rater_findings import rater_findings
from ocrjury.bias.submissions import Submissions

_LEAST = 30  # items shared with a colleague
_LEAST_RATERS = 3
_LEAST_SLOPE = 0.1  # below this, colleagues' ratings carry no information about an item


def find_central_tendency(evidence: BiasEvidence, _: np.random.Generator) -> list[BiasFinding]:
    """One finding for every rater and dimension.

    Notes
    -----
    Null: ratings less severities shuffled among the raters of each item. The statistic is the
    slope's distance from its mean under the null divided by its standard error, so that an erratic
    rater is not mistaken for one who compresses the scale. The test is made twice, of ratings and
    of `ocrjury.bias.latent_scores.latent_scores`, and the larger p-value counts: a lenient rater,
    whose ratings the end of the scale cuts off, spreads items less in points without any other
    bias.

    Of two raters nobody can say whether one compresses the scale or the other errs more, because a
    colleague who errs flattens the slope.
    """
    return [
        finding
        for spread in evidence.spreads
        for finding in _of_dimension(evidence.submissions, spread)
    ]


def _of_dimension(submissions: Submissions, spread: Spread) -> list[BiasFinding]:
    """One finding for every rater on one dimension."""
    ratings = spread.ratings
    null, _ = _slopes(spread.null)
    slope, error = (column[:, 0] for column in _slopes(spread.moments))
    usual = null.mean(axis=1)
    flat: Reason = "no_agreement" if np.ptp(ratings.value) > 0 else "no_variation"
    reasons = [
        few or (alone if level >= _LEAST_SLOPE else flat)
        for few, alone, level in zip(ratings.too_few(_LEAST), _pairs(ratings), usual, strict=True)
    ]
    testable = np.array([reason is None for reason in reasons])
    p = _p_values(testable, spread.moments, spread.null)
    latent = spread.latent
    p = np.maximum(p, _p_values(testable, latent.moments, latent.null, flatter=latent.flatter))
    safe = np.where(testable, usual, np.nan)
    effects = interval(slope / safe, error / safe, df=ratings.common - 2)
    if is_clustered(spread.comparison.item, spread.comparison.draw):
        effects = _by_draw(spread.comparison, spread.moments, slope, usual=safe)
    return rater_findings(
        submissions,
        "central_tendency",
        SLOPE_RATIO,
        dimension=ratings.dimension,
        effects=effects,
        p=p,
        size=effects.value - 1,
        reasons=reasons,
    )


def _pairs(ratings: FittedRatings) -> list[Reason | None]:
    """Reason why each rater has no more than one colleague, also by way of others, or None."""
    group = ratings.fit.group
    size = np.bincount(group[ratings.common > 0], minlength=group.max(initial=0) + 1)
    return [None if n >= _LEAST_RATERS else "fewer_than_three_raters" for n in size[group]]


def _p_values(
    testable: Booleans, moments: Moments, null: Moments, *, flatter: Floats | float = 1.0
) -> Floats:
    """P-values of slopes that are flatter by a factor even without the bias."""
    slope, error = (column[:, 0] / flatter for column in _slopes(moments))
    by_chance, chance_error = _slopes(null)
    usual = by_chance.mean(axis=1)
    observed = np.where(testable, (slope - usual) / error, np.nan)
    return pooled_p_values(observed, (by_chance - usual[:, None]) / chance_error, tail="both")


def _by_draw(
    comparison: CentredRatings, moments: Moments, slope: Floats, *, usual: Floats
) -> Interval:
    """Ratios of slopes with errors clustered by draw."""
    rater, n_raters = comparison.rater, len(slope)
    colleague = comparison.others[0] - moments.colleague[rater, 0]
    left = comparison.y - moments.y[rater, 0] - slope[rater] * colleague
    squares, count = squares_by_rater(
        colleague * left, rater=rater, draw=comparison.draw, n_raters=n_raters
    )
    spread = moments.n[:, 0] * np.maximum(moments.colleague_variance[:, 0], 1e-12)
    error = np.sqrt(squares * count / np.maximum(count - 1, 1)) / spread
    return interval(slope / usual, error / usual, df=count - 2)


def _slopes(moments: Moments) -> tuple[Floats, Floats]:
    """Slopes on the mean of colleagues and their standard errors, shape (M, b)."""
    spread = np.maximum(moments.colleague_variance, 1e-12)
    slope = moments.covariance / spread
    residual = np.maximum(moments.own_variance - slope * moments.covariance, 0.0)
    floor = 1e-4 * (moments.own_variance + moments.others_variance) + 1e-12
    return slope, np.sqrt((residual + floor) / spread / np.maximum(moments.n - 2, 1))
