"""Order: ratings drift while a session lasts, as people tire or warm up."""

import numpy as np

from ocrjury.bias.deviations import panel_of
from ocrjury.bias.findings import POINTS_PER_SESSION, BiasFinding, not_identifiable
from ocrjury.bias.permutation import null_draws
from ocrjury.bias.slopes import Slopes, slope_findings
from ocrjury.bias.submissions import Booleans, Floats, Integers, Submissions

_SHORTEST = 10  # submissions of a session


def find_order(submissions: Submissions, rng: np.random.Generator) -> list[BiasFinding]:
    """Return a finding for all raters together and one for every rater.

    The effect is the change from the first to the last submission of a session. Sessions of fewer
    than 10 submissions do not count.

    Notes
    -----
    Null: places shuffled within sessions.
    """
    if not submissions.ordered:
        return [not_identifiable("order", "no_order", unit=POINTS_PER_SESSION)]
    panel = panel_of(submissions, submissions.overall())
    x = submissions.position(least=_SHORTEST)
    residual = panel.fit.residual
    distance = panel.deviation()

    def products(rows: Integers) -> Floats:
        shuffled = x[rows]
        everyone = residual[None, :] @ shuffled
        return np.concatenate([everyone, np.asarray(panel.raters @ (shuffled * distance[:, None]))])

    null = null_draws(products, submissions.session, rng=rng)
    there = panel.paired & _counted(submissions)
    slopes = Slopes("order", POINTS_PER_SESSION, panel, residual, x, there, null[:1], null[1:])
    return slope_findings(submissions, slopes)


def _counted(submissions: Submissions) -> Booleans:
    """Return which submissions belong to a session that is long enough."""
    placed = submissions.place >= 0
    size = np.bincount(submissions.session[placed], minlength=1)
    return np.asarray(placed & (size[np.maximum(submissions.session, 0)] >= _SHORTEST))
