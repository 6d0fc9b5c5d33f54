"""Range restriction: a rater uses less of the scale than colleagues on the same items.

Symbols: v_r is the variance of a rater's ratings, o_r that of the others' on the same items, both
after severities.
"""

import numpy as np

from ocrjury.arrays import Floats
from ocrjury.bias.deviations import FittedRatings, Interval
from ocrjury.bias.evidence import Comparison, Evidence, Moments, Spread
from ocrjury.bias.findings import SPREAD_RATIO, BiasFinding, Reason
from ocrjury.bias.permutation import pooled_p_values
from ocrjury.bias.rater_findings import rater_findings
from ocrjury.bias.straight_lining import find_straight_lining
from ocrjury.bias.submissions import Submissions

_LEAST = 20  # items shared with a colleague


def find_range_restriction(evidence: Evidence, rng: np.random.Generator) -> list[BiasFinding]:
    """One finding for every rater and dimension, and one on straight-lining per rater.

    Notes
    -----
    Null: ratings minus severities shuffled among the raters of each item. The statistic is
    (v - o) / (v + o), the hyperbolic tangent of the log ratio of standard deviations, which stays
    finite when a rater never varies, minus its median over raters: one erratic colleague must not
    make everybody else look restricted. Lower tail.
    """
    submissions = evidence.submissions
    findings = [
        finding for spread in evidence.spreads for finding in _of_dimension(submissions, spread)
    ]
    return [*findings, *find_straight_lining(submissions, rng)]


def _of_dimension(submissions: Submissions, spread: Spread) -> list[BiasFinding]:
    """One finding for every rater on one dimension."""
    ratings, moments = spread.ratings, spread.moments
    reasons = _reasons(ratings, moments)
    testable = np.array([reason is None for reason in reasons])
    observed = np.where(testable, _contrasts(moments)[:, 0], np.nan)
    p = pooled_p_values(observed, _contrasts(spread.null), tail="lower")
    effects = _ratios(spread.comparison, moments)
    return rater_findings(
        submissions,
        "range_restriction",
        SPREAD_RATIO,
        dimension=ratings.dimension,
        effects=effects,
        p=p,
        size=np.minimum(effects.value - 1, 0.0),
        reasons=reasons,
    )


def _contrasts(moments: Moments) -> Floats:
    """Contrast (v - o) / (v + o) minus its median over raters, shape (M, b); 0 without variance."""
    own, others = moments.own_variance, moments.others_variance
    total = own + others
    contrast = np.where(total > 1e-12, (own - others) / np.maximum(total, 1e-12), 0.0)
    return np.asarray(contrast - np.median(contrast, axis=0), dtype=float)


def _ratios(comparison: Comparison, moments: Moments) -> Interval:
    """Ratios of standard deviations, with intervals on the log scale.

    A rater who never varies has the ratio 0 and no interval.
    """
    n, own, others = (
        column[:, 0] for column in (moments.n, moments.own_variance, moments.others_variance)
    )
    extent = 1e-12 * (1 + np.abs(comparison.y).max(initial=0.0) ** 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(others > extent, np.sqrt(own / others), np.nan)
        ratio = np.where(own > extent, ratio, np.where(others > extent, 0.0, np.nan))
        reach = 1.96 * _log_errors(comparison, moments) / np.sqrt(n)
        varies = own > extent
        low = np.where(varies, ratio * np.exp(-reach), np.nan)
        high = np.where(varies, ratio * np.exp(reach), np.nan)
    return Interval(ratio, low, high)


def _log_errors(comparison: Comparison, moments: Moments) -> Floats:
    """Standard deviation of one item's influence on the log ratio, shape (M,)."""
    rater = comparison.rater
    centre = moments.colleague[rater, 0]
    mean, square = comparison.others
    others = square - 2 * centre * mean + centre**2
    own = (comparison.y - moments.y[rater, 0]) ** 2
    influence = (
        own / moments.own_variance[rater, 0] - others / moments.others_variance[rater, 0]
    ) / 2
    squares = np.bincount(rater, influence**2, len(moments.n))
    return np.asarray(np.sqrt(squares / moments.n[:, 0]), dtype=float)


def _reasons(ratings: FittedRatings, moments: Moments) -> list[Reason | None]:
    """Reason why the range of each rater cannot be compared, or None."""
    reasons: list[Reason | None] = []
    varies = (moments.own_variance + moments.others_variance)[:, 0] > 1e-12
    for place, shared in enumerate(ratings.common):
        if shared < _LEAST:
            reasons.append("too_few_common_items" if shared else "no_pairable_items")
        else:
            reasons.append(None if varies[place] else "no_variation")
    return reasons
