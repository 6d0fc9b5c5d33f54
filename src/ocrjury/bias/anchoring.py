"""Anchoring: a rating is pulled towards the rating that the rater gave just before."""

from collections.abc import Callable

import numpy as np

from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.bias.deviations import FittedRatings, purge, within_raters
from ocrjury.bias.evidence import BiasEvidence
from ocrjury.bias.findings import POINTS_PER_POINT, BiasFinding, not_identifiable
from ocrjury.bias.slopes import Slopes, slope_findings


def find_anchoring(evidence: BiasEvidence, rng: np.random.Generator) -> list[BiasFinding]:
    """Findings on anchoring, for all raters together and for every rater.

    Notes
    -----
    Each rater's drift over sessions is removed first, and only a rating of another draw counts as
    the previous one. Null: the order of submissions shuffled within sessions, neighbours of one
    draw as one (`ocrjury.bias.blocks`). The mean of the null is subtracted, because a rating's own
    error makes the slope on the previous rating negative on average (Nickell 1981, Econometrica 49,
    1417-1426).
    """
    submissions = evidence.submissions
    if not submissions.ordered:
        return [not_identifiable("anchoring", "no_order", unit=POINTS_PER_POINT)]
    ratings = evidence.overall
    position = submissions.position()
    residual = purge(ratings, [position])
    anchor = within_raters(ratings, [position])
    sequence = submissions.sequence()
    follows = submissions.follows(sequence, apart=True)
    distance = ratings.from_colleagues(residual)
    x, has_previous = submissions.previous(anchor, apart=True)
    products = _products(
        ratings, sequence, follows, anchor=anchor, residual=residual, distance=distance
    )
    null = submissions.neighbours(sequence).null_draws(products, rng=rng)
    slopes = Slopes(
        "anchoring",
        POINTS_PER_POINT,
        ratings,
        residual=residual,
        distance=distance,
        x=x,
        left=ratings.residual_of(x),
        present=has_previous & ratings.paired,
        null_all=null[:1],
        null_each=null[1:],
    )
    return slope_findings(submissions, slopes)


def _products(
    ratings: FittedRatings,
    sequence: Integers,
    follows: Booleans,
    *,
    anchor: Floats,
    residual: Floats,
    distance: Floats,
) -> Callable[[Integers], Floats]:
    """Function from shuffled sequences to the sum of x e, then each rater's sum of x d."""
    x, e, d = anchor[sequence], residual[sequence], distance[sequence]
    raters = ratings.raters[:, sequence]  # shuffling within sessions keeps the raters

    def products(rows: Integers) -> Floats:
        before = np.roll(x[rows], 1, axis=0) * follows[:, None]
        all_raters = (before * e[rows]).sum(axis=0, keepdims=True)
        return np.concatenate([all_raters, np.asarray(raters @ (before * d[rows]))])

    return products
