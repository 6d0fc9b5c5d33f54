"""Range restriction: a rater uses less of the scale than colleagues on the same items.

Symbols: v_r is the variance of a rater's ratings, o_r that of the others' on the same items, both
less severities.
"""

import numpy as np

from ocrjury.bias.deviations import Interval, Panel
from ocrjury.bias.evidence import Evidence
from ocrjury.bias.findings import SPREAD_RATIO, BiasFinding, Reason
from ocrjury.bias.permutation import pooled_p_values
from ocrjury.bias.rater_findings import rater_findings
from ocrjury.bias.spread import Comparison, Moments, Spread
from ocrjury.bias.straight_lining import find_straight_lining
from ocrjury.bias.submissions import Floats, Submissions

_LEAST = 20  # items shared with a colleague


def find_range_restriction(evidence: Evidence, rng: np.random.Generator) -> list[BiasFinding]:
    """One finding for every rater and dimension, and one on straight-lining per rater.

    Notes
    -----
    Null: ratings less severities shuffled among the raters of each item. The statistic is
    (v - o) / (v + o), the hyperbolic tangent of the log ratio of standard deviations, which stays
    finite when a rater never varies, less the median of the panel: one colleague who scatters
    must not make everybody else look restricted. Lower tail.
    """
    submissions = evidence.submissions
    each = (_of_dimension(submissions, spread) for spread in evidence.spreads)
    spreads = [finding for findings in each for finding in findings]
    return [*spreads, *find_straight_lining(submissions, rng)]


def _of_dimension(submissions: Submissions, spread: Spread) -> list[BiasFinding]:
    """One finding for every rater on one dimension."""
    panel, moments = spread.panel, spread.moments
    reasons = _reasons(panel, moments)
    told = np.array([reason is None for reason in reasons])
    observed = np.where(told, _contrasts(moments)[:, 0], np.nan)
    p = pooled_p_values(observed, _contrasts(spread.null), tail="lower")
    found = _ratios(spread.comparison, moments)
    return rater_findings(
        submissions,
        "range_restriction",
        SPREAD_RATIO,
        dimension=panel.dimension,
        found=found,
        p=p,
        size=np.minimum(found.value - 1, 0.0),
        reasons=reasons,
    )


def _contrasts(moments: Moments) -> Floats:
    """Return (v - o) / (v + o) less the panel's median, shape (M, b); 0 where nothing varies."""
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
        sure = own > extent
        low = np.where(sure, ratio * np.exp(-reach), np.nan)
        high = np.where(sure, ratio * np.exp(reach), np.nan)
    return Interval(ratio, low, high)


def _log_errors(comparison: Comparison, moments: Moments) -> Floats:
    """Standard deviation of what one item adds to the log ratio, shape (M,)."""
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


def _reasons(panel: Panel, moments: Moments) -> list[Reason | None]:
    """For every rater why the range cannot be compared, or None."""
    reasons: list[Reason | None] = []
    varies = (moments.own_variance + moments.others_variance)[:, 0] > 1e-12
    for place, shared in enumerate(panel.common):
        if shared < _LEAST:
            reasons.append("too_few_common_items" if shared else "no_pairable_items")
        else:
            reasons.append(None if varies[place] else "no_variation")
    return reasons
