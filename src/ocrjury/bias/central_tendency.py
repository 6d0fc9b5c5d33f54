"""Central tendency and extremity: a rater spreads items less, or more, than colleagues do.

Symbols: s_r is the slope of a rater's ratings on the mean of colleagues' on the same items. Errors
of that mean flatten it for everybody, so it is divided by the slope that shuffled ratings have.
"""

import numpy as np

from ocrjury.bias.deviations import Panel, interval
from ocrjury.bias.evidence import Evidence
from ocrjury.bias.findings import SLOPE_RATIO, BiasFinding, Reason
from ocrjury.bias.permutation import pooled_p_values
from ocrjury.bias.rater_findings import rater_findings
from ocrjury.bias.spread import Moments, Spread
from ocrjury.bias.submissions import Floats, Submissions

_LEAST = 30  # items shared with a colleague
_LEAST_SLOPE = 0.1  # below which colleagues say nothing of an item


def find_central_tendency(evidence: Evidence, _: np.random.Generator) -> list[BiasFinding]:
    """One finding for every rater and dimension.

    Notes
    -----
    Null: ratings less severities shuffled among the raters of each item. The statistic is the
    slope's distance from its mean under the null over its standard error, so that a rater who
    scatters is not taken for one who compresses the scale.
    """
    each = (_of_dimension(evidence.submissions, spread) for spread in evidence.spreads)
    return [finding for findings in each for finding in findings]


def _of_dimension(submissions: Submissions, spread: Spread) -> list[BiasFinding]:
    """One finding for every rater on one dimension."""
    panel = spread.panel
    null, null_error = _slopes(spread.null)
    slope, error = (column[:, 0] for column in _slopes(spread.moments))
    usual = null.mean(axis=1)
    reasons = [_reason(panel, place, usual) for place in range(submissions.n_raters)]
    told = np.array([reason is None for reason in reasons])
    observed = np.where(told, (slope - usual) / error, np.nan)
    p = pooled_p_values(observed, (null - usual[:, None]) / null_error, tail="both")
    safe = np.where(told, usual, np.nan)
    found = interval(slope / safe, error / safe, df=panel.common - 2)
    return rater_findings(
        submissions,
        "central_tendency",
        SLOPE_RATIO,
        dimension=panel.dimension,
        found=found,
        p=p,
        size=found.value - 1,
        reasons=reasons,
    )


def _reason(panel: Panel, place: int, usual: Floats) -> Reason | None:
    """Why a rater's slope cannot be told, or None."""
    if panel.common[place] < _LEAST:
        return "too_few_common_items" if panel.common[place] else "no_pairable_items"
    if usual[place] >= _LEAST_SLOPE:
        return None
    return "no_agreement" if np.ptp(panel.value) > 0 else "no_variation"


def _slopes(moments: Moments) -> tuple[Floats, Floats]:
    """Slopes on the mean of colleagues and their standard errors, shape (M, b)."""
    spread = np.maximum(moments.colleague_variance, 1e-12)
    slope = moments.covariance / spread
    rest = np.maximum(moments.own_variance - slope * moments.covariance, 0.0)
    floor = 1e-4 * (moments.own_variance + moments.others_variance) + 1e-12
    return slope, np.sqrt((rest + floor) / spread / np.maximum(moments.n - 2, 1))
