"""Order: as a session lasts, ratings drift, and raters get less careful, as people tire or warm up.

Symbols: x_t is how far into its session submission t came, from -.5 to .5; d_t its distance from
colleagues on the same item, a_t that distance without its sign.
"""

import numpy as np

from ocrjury.bias.evidence import Evidence
from ocrjury.bias.findings import (
    DISTANCE_PER_SESSION,
    POINTS_PER_SESSION,
    BiasFinding,
    not_identifiable,
)
from ocrjury.bias.permutation import null_draws
from ocrjury.bias.slopes import Slopes, slope_findings
from ocrjury.bias.submissions import Booleans, Floats, Integers, Submissions

_SHORTEST = 10  # submissions of a session


def find_order(evidence: Evidence, rng: np.random.Generator) -> list[BiasFinding]:
    """Findings on drift and then on care, each for all raters together and for every rater.

    The effect is the change from the first to the last submission of a session: of the rating in
    ``"points per session"``, and of its distance from colleagues in ``"points of distance per
    session"``. Sessions of fewer than 10 submissions do not count.

    Notes
    -----
    Null: places shuffled within sessions. A distance holds the colleagues' errors too, which came
    at places of their own: they hide part of the change and feign none.
    """
    submissions, panel = evidence.submissions, evidence.overall
    if not submissions.ordered:
        return [not_identifiable("order", "no_order", unit=POINTS_PER_SESSION)]
    x, counted = submissions.position(least=_SHORTEST), _counted(submissions)
    residual, d = panel.fit.residual, panel.deviation()
    a, near = distances(evidence)
    a = _within_sessions(submissions, a, near & counted)
    null = _null(evidence, distance=a, x=x, rng=rng)
    drift = Slopes(
        "order",
        POINTS_PER_SESSION,
        panel,
        residual=residual,
        distance=d,
        x=x,
        left=panel.residual_of(x),
        there=panel.paired & counted,
        null_all=null[:1],
        null_each=null[2 : 2 + submissions.n_raters],
    )
    there = near & counted
    x_near = np.where(there, x, 0.0)
    care = Slopes(
        "order",
        DISTANCE_PER_SESSION,
        panel,
        residual=a,
        distance=a,
        x=x_near,
        left=x_near,
        there=there,
        null_all=null[1:2],
        null_each=null[2 + submissions.n_raters :],
    )
    return [*slope_findings(submissions, drift), *slope_findings(submissions, care)]


def _null(evidence: Evidence, *, distance: Floats, x: Floats, rng: np.random.Generator) -> Floats:
    """Products with shuffled places: drift and care of all, then drift and care of each."""
    panel = evidence.overall
    residual, deviation = panel.fit.residual, panel.deviation()

    def products(rows: Integers) -> Floats:
        shuffled = x[rows]
        parts = [residual[None, :] @ shuffled, distance[None, :] @ shuffled]
        parts += [panel.raters @ (shuffled * one[:, None]) for one in (deviation, distance)]
        return np.concatenate([np.asarray(part) for part in parts])

    return null_draws(products, evidence.submissions.session, rng=rng)


def distances(evidence: Evidence) -> tuple[Floats, Booleans]:
    """Each submission's mean distance from colleagues, and where there is one (n,).

    Severities are taken out, and each dimension's mean distance.
    """
    n = len(evidence.submissions.item)
    total, count = np.zeros(n), np.zeros(n)
    for panel in evidence.panels:
        distance = np.abs(panel.deviation()[panel.paired])
        rows = panel.rows[panel.paired]
        total[rows] += distance - distance.mean() if len(distance) else 0.0
        count[rows] += 1
    return total / np.maximum(count, 1), count > 0


def _within_sessions(submissions: Submissions, value: Floats, there: Booleans) -> Floats:
    """Values less their session's mean, 0 where there is none (n,)."""
    session = submissions.session[there]
    count = np.maximum(np.bincount(session), 1)
    mean = np.bincount(session, value[there]) / count
    centred = np.zeros(len(value))
    centred[there] = value[there] - mean[session]
    return centred


def _counted(submissions: Submissions) -> Booleans:
    """Which submissions belong to a session that is long enough."""
    placed = submissions.place >= 0
    size = np.bincount(submissions.session[placed], minlength=1)
    return np.asarray(placed & (size[np.maximum(submissions.session, 0)] >= _SHORTEST))
