"""Severity: a rater rates lower or higher than colleagues on the same items.

Symbols: b_r is the severity of rater r, L the Laplacian of the raters' graph, so that
b = L^+ (sums of each rater's ratings less their item means).
"""

import numpy as np
from scipy import sparse

from ocrjury.bias.deviations import Interval, Panel, interval
from ocrjury.bias.evidence import Evidence
from ocrjury.bias.findings import POINTS, BiasFinding, Reason
from ocrjury.bias.permutation import null_draws, pooled_p_values
from ocrjury.bias.rater_findings import rater_findings
from ocrjury.bias.submissions import Floats, Integers, Submissions

_LEAST = 20  # items shared with a colleague
_FUDGE = 0.01  # share of the common variance that keeps tiny variances from deciding


def find_severity(evidence: Evidence, rng: np.random.Generator) -> list[BiasFinding]:
    """One finding for every rater and dimension.

    Notes
    -----
    Null: ratings shuffled among the raters of each item. The statistic is the severity over the
    spread of the rater's own deviations, so that a rater who scatters is not taken for a strict
    one. The interval is that of least squares with errors clustered by item.
    """
    each = (_of_dimension(evidence.submissions, panel, rng) for panel in evidence.panels)
    return [finding for findings in each for finding in findings]


def _of_dimension(
    submissions: Submissions, panel: Panel, rng: np.random.Generator
) -> list[BiasFinding]:
    """One finding for every rater on one dimension."""
    inverse = np.linalg.pinv(panel.fit.laplacian.toarray(), hermitian=True)
    found = _intervals(panel, inverse)
    observed = _statistics(panel, inverse, np.arange(len(panel.value))[:, None])[:, 0]
    null = null_draws(lambda rows: _statistics(panel, inverse, rows), panel.item, rng=rng)
    reasons = _reasons(panel)
    told = np.array([reason is None for reason in reasons])
    p = pooled_p_values(np.where(told, observed, np.nan), null, tail="both")
    return rater_findings(
        submissions,
        "severity",
        POINTS,
        dimension=panel.dimension,
        found=found,
        p=p,
        size=found.value,
        reasons=reasons,
    )


def _statistics(panel: Panel, inverse: Floats, rows: Integers) -> Floats:
    """Studentised severities of rearranged ratings, shape (M, b)."""
    mean = np.bincount(panel.item, panel.value)[panel.item] / panel.size
    centred = (panel.value - mean)[rows]
    total = panel.raters @ centred
    count = np.maximum(panel.common, 1)[:, None]
    spread = (panel.raters @ centred**2 - total**2 / count) / count
    common = centred.var() + 1e-12 * (1 + panel.value.var())
    error = np.sqrt((np.maximum(spread, 0.0) + _FUDGE * common) / count)
    return np.asarray((inverse @ total) / error, dtype=float)


def _intervals(panel: Panel, inverse: Floats) -> Interval:
    """Severities with intervals from errors clustered by item."""
    n_items = len(np.unique(panel.item))
    by_item = sparse.csr_array((panel.fit.residual, (panel.rater, panel.item)))
    by_item.resize(len(inverse), by_item.shape[1])
    meat = (by_item @ by_item.T).toarray() * n_items / max(n_items - 1, 1)
    error = np.sqrt(np.clip(np.diag(inverse @ meat @ inverse), 0.0, None))
    return interval(panel.fit.severity, error, df=panel.common - 1)


def _reasons(panel: Panel) -> list[Reason | None]:
    """For every rater why the severity cannot be told, or None."""
    common = panel.common
    groups = np.unique(panel.fit.group[common > 0])
    reasons: list[Reason | None] = []
    for shared in common:
        if not common.any() or shared == 0:
            reasons.append("no_pairable_items")
        elif len(groups) > 1:
            reasons.append("not_connected")
        else:
            reasons.append("too_few_common_items" if shared < _LEAST else None)
    return reasons
