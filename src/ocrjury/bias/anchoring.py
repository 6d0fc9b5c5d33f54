"""Anchoring: a rating is pulled towards the rating that the rater gave just before."""

import numpy as np

from ocrjury.bias.deviations import Panel, panel_of, purge, within_raters
from ocrjury.bias.findings import POINTS_PER_POINT, BiasFinding, not_identifiable
from ocrjury.bias.permutation import null_draws
from ocrjury.bias.previous import follows_another
from ocrjury.bias.slopes import Slopes, slope_findings
from ocrjury.bias.submissions import Booleans, Floats, Integers, Submissions


def find_anchoring(submissions: Submissions, rng: np.random.Generator) -> list[BiasFinding]:
    """Return a finding for all raters together and one for every rater.

    Notes
    -----
    Each rater's drift over sessions is taken out first. Null: the order of submissions shuffled
    within sessions. Its mean is subtracted, because a rating's own error makes the slope on the
    one before negative on average (Nickell 1981, Econometrica 49, 1417-1426).
    """
    if not submissions.ordered:
        return [not_identifiable("anchoring", "no_order", unit=POINTS_PER_POINT)]
    panel = panel_of(submissions, submissions.overall())
    position = submissions.position()
    residual = purge(panel, [position])
    anchor = within_raters(panel, [position])
    sequence = submissions.sequence()
    follows = follows_another(submissions, sequence)
    x, there = np.zeros(len(anchor)), np.zeros(len(anchor), dtype=bool)
    x[sequence[follows]] = anchor[np.roll(sequence, 1)[follows]]
    there[sequence[follows]] = True
    there &= panel.paired
    null = null_draws(
        lambda rows: _products(panel, residual, anchor, slots=sequence[rows], follows=follows),
        submissions.session[sequence],
        rng=rng,
    )
    slopes = Slopes("anchoring", POINTS_PER_POINT, panel, residual, x, there, null[:1], null[1:])
    return slope_findings(submissions, slopes)


def _products(
    panel: Panel, residual: Floats, anchor: Floats, *, slots: Integers, follows: Booleans
) -> Floats:
    """Return the sum of x e, then each rater's sum of x d, if ratings came in these slots.

    Parameters
    ----------
    slots
        Ratings in the order of b shuffled sequences, shape (n', b).
    """
    before = np.roll(anchor[slots], 1, axis=0) * follows[:, None]
    raters = panel.raters[:, slots[:, 0]]  # the same in every column: shuffled within sessions
    distance = panel.from_colleagues(residual)
    everyone = (before * residual[slots]).sum(axis=0, keepdims=True)
    return np.concatenate([everyone, np.asarray(raters @ (before * distance[slots]))])
