"""Severity: a rater rates lower or higher than colleagues on the same items.

Symbols: b_r is the severity of rater r, L the Laplacian of the raters' graph, so that
b = L^+ (sums of each rater's ratings minus their item means).
"""

from collections.abc import Callable, Sequence

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.bias.blocks import Blocks, is_clustered
from ocrjury.bias.deviations import FittedRatings, interval, t_p_values
from ocrjury.bias.evidence import BiasEvidence
from ocrjury.bias.findings import POINTS, BiasFinding, Reason
from ocrjury.bias.permutation import pooled_p_values
from ocrjury.bias.rater_findings import rater_findings
from ocrjury.bias.shuffled_sums import Summands
from ocrjury.bias.submissions import Submissions
from ocrjury.rater_model import pseudo_inverse
from ocrjury.rater_model.severity import severity_errors, shared_draws

_LEAST = 20  # items shared with a colleague
_STABILISER = 0.01  # share of the pooled variance added, so that tiny variances do not dominate


def find_severity(evidence: BiasEvidence, rng: np.random.Generator) -> list[BiasFinding]:
    """One finding for every rater and dimension.

    Notes
    -----
    Null: ratings shuffled among the raters of each item, those of a draw as one
    (`ocrjury.bias.blocks`). The statistic is the severity divided by
    the spread of the rater's own deviations, so that an erratic rater is not mistaken for a strict
    one. The interval is that of `ocrjury.rater_model.rater_severities`. Where items were drawn
    together, a p-value is not below that of the interval: a draw whose items went to unlike sets of
    raters is shuffled in parts, which makes chance look smaller than it is.
    """
    return [
        finding
        for ratings in evidence.by_dimension
        for finding in _of_dimension(evidence.submissions, ratings, rng)
    ]


def _of_dimension(
    submissions: Submissions, ratings: FittedRatings, rng: np.random.Generator
) -> list[BiasFinding]:
    """One finding for every rater on one dimension."""
    inverse = pseudo_inverse(ratings.fit.laplacian, ratings.fit.group)
    effects = _severities(ratings)
    mean = np.bincount(ratings.item, ratings.value)[ratings.item] / ratings.size
    centred = ratings.value - mean
    statistic = _statistic(ratings, inverse, level=float(centred.var()))
    summands = Summands((centred,), (), _with_square, ratings.rater, len(inverse))
    observed = statistic(summands.sums())[:, 0]
    blocks = Blocks.of_items(ratings.item, ratings.rater, ratings.draw)
    shuffled = summands.by_block(blocks).shuffled(blocks.group, rng=rng)
    null = np.concatenate([statistic(sums) for sums in shuffled], axis=1)
    alike = not np.abs(centred).max(initial=0.0) > 1e-9 * np.abs(ratings.value).max(initial=0.0)
    reasons = _reasons(ratings, alike=alike)
    testable = np.array([reason is None for reason in reasons])
    p = pooled_p_values(np.where(testable, observed, np.nan), null, tail="both")
    if is_clustered(ratings.item, ratings.draw):
        p = np.where(testable, np.fmax(p, t_p_values(*effects, tail="both")), np.nan)
    return rater_findings(
        submissions,
        "severity",
        POINTS,
        dimension=ratings.dimension,
        effects=interval(*effects),
        p=p,
        size=ratings.fit.severity,
        reasons=reasons,
    )


def _with_square(values: Floats) -> tuple[Floats, Floats]:
    """Values and their squares."""
    return values, values**2


def _statistic(
    ratings: FittedRatings, inverse: Floats, *, level: float
) -> Callable[[Sequence[Floats]], Floats]:
    """Function from each rater's sums of deviations and squares to studentised severities (M, b).

    ``level`` is the variance of all deviations.
    """
    count = np.maximum(ratings.common, 1)[:, None]
    common = level + 1e-12 * (1 + ratings.value.var())

    def statistic(sums: Sequence[Floats]) -> Floats:
        total, square = sums
        spread = (square - total**2 / count) / count
        error = np.sqrt((np.maximum(spread, 0.0) + _STABILISER * common) / count)
        return np.asarray((inverse @ total) / error, dtype=float)

    return statistic


def _severities(ratings: FittedRatings) -> tuple[Floats, Floats, Integers]:
    """Severities, their standard errors and degrees of freedom, (M,) each."""
    item, rater, draw = ratings.item, ratings.rater, ratings.draw
    severity = ratings.fit.severity
    error = severity_errors(ratings.fit, item, rater, draw=draw)
    return severity, error, shared_draws(item, rater, draw, n_raters=len(severity)) - 1


def _reasons(ratings: FittedRatings, *, alike: bool) -> list[Reason | None]:
    """Reason why the severity of each rater cannot be tested, or None.

    Where raters never differ, their ratings do not show how far they could.
    """
    reasons = ratings.too_few(_LEAST)
    if alike:
        reasons = [few or ratings.why_flat for few in reasons]
    if len(np.unique(ratings.fit.group[ratings.common > 0])) < 2:
        return reasons
    return [few if few == "no_pairable_items" else "not_connected" for few in reasons]
