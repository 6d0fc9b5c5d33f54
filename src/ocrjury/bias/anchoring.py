"""Anchoring: a rating is pulled towards the rating that the rater gave just before."""

from collections.abc import Callable

import numpy as np

from ocrjury.bias.deviations import Panel, purge, within_raters
from ocrjury.bias.evidence import Evidence
from ocrjury.bias.findings import POINTS_PER_POINT, BiasFinding, not_identifiable
from ocrjury.bias.permutation import null_draws
from ocrjury.bias.previous import follows_another
from ocrjury.bias.slopes import Slopes, slope_findings
from ocrjury.bias.submissions import Booleans, Floats, Integers


def find_anchoring(evidence: Evidence, rng: np.random.Generator) -> list[BiasFinding]:
    """Finding for all raters together and one for every rater.

    Notes
    -----
    Each rater's drift over sessions is taken out first. Null: the order of submissions shuffled
    within sessions. Its mean is subtracted, because a rating's own error makes the slope on the
    one before negative on average (Nickell 1981, Econometrica 49, 1417-1426).
    """
    submissions, panel = evidence.submissions, evidence.overall
    if not submissions.ordered:
        return [not_identifiable("anchoring", "no_order", unit=POINTS_PER_POINT)]
    position = submissions.position()
    residual = purge(panel, [position])
    anchor = within_raters(panel, [position])
    sequence = submissions.sequence()
    follows = follows_another(submissions, sequence)
    distance = panel.from_colleagues(residual)
    x, there = np.zeros(len(anchor)), np.zeros(len(anchor), dtype=bool)
    x[sequence[follows]] = anchor[np.roll(sequence, 1)[follows]]
    there[sequence[follows]] = True
    null = null_draws(
        _products(panel, sequence, follows, anchor=anchor, residual=residual, distance=distance),
        submissions.session[sequence],
        rng=rng,
    )
    slopes = Slopes(
        "anchoring",
        POINTS_PER_POINT,
        panel,
        residual=residual,
        distance=distance,
        x=x,
        left=panel.residual_of(x),
        there=there & panel.paired,
        null_all=null[:1],
        null_each=null[1:],
    )
    return slope_findings(submissions, slopes)


def _products(
    panel: Panel,
    sequence: Integers,
    follows: Booleans,
    *,
    anchor: Floats,
    residual: Floats,
    distance: Floats,
) -> Callable[[Integers], Floats]:
    """Return what gives the sum of x e, then each rater's sum of x d, of shuffled sequences."""
    x, e, d = anchor[sequence], residual[sequence], distance[sequence]
    raters = panel.raters[:, sequence]  # shuffled within sessions, places keep their raters

    def products(rows: Integers) -> Floats:
        before = np.roll(x[rows], 1, axis=0) * follows[:, None]
        everyone = (before * e[rows]).sum(axis=0, keepdims=True)
        return np.concatenate([everyone, np.asarray(raters @ (before * d[rows]))])

    return products
