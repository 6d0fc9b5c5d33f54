"""Order effects: within a session ratings drift, or raters become less careful.

Symbols: x_t is the position of submission t in its session, from -.5 to .5; d_t its distance from
colleagues on the same item, a_t the absolute value of that distance.
"""

import numpy as np

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.bias.evidence import BiasEvidence
from ocrjury.bias.findings import (
    DISTANCE_PER_SESSION,
    POINTS_PER_SESSION,
    BiasFinding,
    not_identifiable,
)
from ocrjury.bias.slopes import Slopes, slope_findings
from ocrjury.bias.submissions import Submissions

_SHORTEST = 10  # submissions of a session


def find_order(evidence: BiasEvidence, rng: np.random.Generator) -> list[BiasFinding]:
    """Findings on drift and then on care, each for all raters together and for every rater.

    The effect is the change from the first to the last submission of a session: of the rating in
    ``"points per session"``, and of its distance from colleagues in ``"points of distance per
    session"``. Sessions of fewer than 10 submissions do not count.

    Notes
    -----
    Null: places shuffled within sessions, neighbours of one draw as one (`ocrjury.bias.blocks`). A
    distance also contains the colleagues' errors, which
    occurred at other places in their sessions: they weaken the change but do not imitate one.
    """
    submissions, ratings = evidence.submissions, evidence.overall
    if not submissions.ordered:
        return [not_identifiable("order", "no_order", unit=POINTS_PER_SESSION)]
    x, in_long_session = submissions.position(least=_SHORTEST), _counted(submissions)
    residual, d = ratings.fit.residual, ratings.deviation()
    a, has_distance = distances(evidence)
    a = _within_sessions(submissions, a, has_distance & in_long_session)
    null = _null(evidence, distance=a, x=x, rng=rng)
    drift = Slopes(
        "order",
        POINTS_PER_SESSION,
        ratings,
        residual=residual,
        distance=d,
        x=x,
        left=ratings.residual_of(x),
        present=ratings.paired & in_long_session,
        null_all=null[:1],
        null_each=null[2 : 2 + submissions.n_raters],
    )
    used = has_distance & in_long_session
    x_near = np.where(used, x, 0.0)
    care = Slopes(
        "order",
        DISTANCE_PER_SESSION,
        ratings,
        residual=a,
        distance=a,
        x=x_near,
        left=x_near,
        present=used,
        null_all=null[1:2],
        null_each=null[2 + submissions.n_raters :],
    )
    return [*slope_findings(submissions, drift), *slope_findings(submissions, care)]


def _null(
    evidence: BiasEvidence, *, distance: Floats, x: Floats, rng: np.random.Generator
) -> Floats:
    """Products with shuffled places: drift and care of all raters, then drift and care of each."""
    ratings = evidence.overall
    residual, deviation = ratings.fit.residual, ratings.deviation()

    def products(rows: Integers) -> Floats:
        shuffled = x[rows]
        parts = [residual[None, :] @ shuffled, distance[None, :] @ shuffled]
        parts += [ratings.raters @ (shuffled * target[:, None]) for target in (deviation, distance)]
        return np.concatenate([np.asarray(part) for part in parts])

    return evidence.submissions.neighbours().null_draws(products, rng=rng)


def distances(evidence: BiasEvidence) -> tuple[Floats, Booleans]:
    """Each submission's mean distance from colleagues, and where there is one (n,).

    Severities and each dimension's mean distance are removed.
    """
    n = len(evidence.submissions.item)
    total, count = np.zeros(n), np.zeros(n)
    for ratings in evidence.by_dimension:
        distance = np.abs(ratings.deviation()[ratings.paired])
        rows = ratings.rows[ratings.paired]
        total[rows] += distance - distance.mean() if len(distance) else 0.0
        count[rows] += 1
    return total / np.maximum(count, 1), count > 0


def _within_sessions(submissions: Submissions, value: Floats, present: Booleans) -> Floats:
    """Values minus their session's mean, 0 where absent (n,)."""
    session = submissions.session[present]
    count = np.maximum(np.bincount(session), 1)
    mean = np.bincount(session, value[present]) / count
    centred = np.zeros(len(value))
    centred[present] = value[present] - mean[session]
    return centred


def _counted(submissions: Submissions) -> Booleans:
    """Mask of the submissions in a session that is long enough."""
    placed = submissions.place >= 0
    size = np.bincount(submissions.session[placed], minlength=1)
    return np.asarray(placed & (size[np.maximum(submissions.session, 0)] >= _SHORTEST))
