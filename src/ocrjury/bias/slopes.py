"""Slope of ratings on a covariate that changes over time: for all raters, and for each.

Symbols: x_t is the covariate of rating t, x~ its residual after item and rater effects, e_t the
residual of the rating, d_t its distance from colleagues on the same item. The slope of all raters
is sum(x e) / sum(x~^2), that of the joint model with items and raters (Frisch and Waugh 1933,
Econometrica 1, 387-401). The slope of one rater is sum(x d) / sum(x^2) over the rater's ratings;
the colleagues rated the item at other times, which adds noise but no bias. A quantity without item
and rater effects has x~ = x and e = d.
"""

from dataclasses import dataclass

import numpy as np

from ocrjury.arrays import Booleans, Floats
from ocrjury.bias.deviations import (
    FittedRatings,
    Interval,
    count_terms,
    interval,
    squares_by_rater,
    too_few_ratings,
)
from ocrjury.bias.findings import BiasFinding, Kind, Reason, not_identifiable
from ocrjury.bias.permutation import own_p_values, pooled_p_values
from ocrjury.bias.rater_findings import joint_findings
from ocrjury.bias.submissions import Submissions

_LEAST = 30  # ratings with a covariate
_LEAST_LEFT = 0.1  # smallest share of the covariate's variance left after items and raters


@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """A covariate of the ratings, and its products with shuffled order.

    Attributes
    ----------
    kind, unit
        Kind and unit of the findings.
    ratings
        The ratings.
    residual
        e, shape (n,).
    distance
        d, shape (n,).
    x
        Covariate, mean 0 within each rater, shape (n,).
    left
        x~, shape (n,).
    present
        Which ratings have a covariate; elsewhere x is 0, shape (n,).
    null_all
        Sum of x e over all ratings in B shuffles, shape (1, B).
    null_each
        Sum of x d over each rater's ratings in B shuffles, shape (M, B).
    """

    kind: Kind
    unit: str
    ratings: FittedRatings
    residual: Floats
    distance: Floats
    x: Floats
    left: Floats
    present: Booleans
    null_all: Floats
    null_each: Floats


def slope_findings(submissions: Submissions, slopes: Slopes) -> list[BiasFinding]:
    """Findings on a slope, for all raters together and for every rater."""
    ratings, present = slopes.ratings, slopes.present
    reason = _reason(slopes, int(np.count_nonzero(present)))
    dimension = submissions.dimensions[0] if len(submissions.dimensions) == 1 else None
    if reason is not None:
        return [not_identifiable(slopes.kind, reason, unit=slopes.unit, dimension=dimension)]
    rater, draw = ratings.rater[present], ratings.draw[present]
    reasons = too_few_ratings(rater, draw, n_raters=submissions.n_raters, least=_LEAST)
    return joint_findings(
        submissions,
        slopes.kind,
        slopes.unit,
        dimension=dimension,
        overall=_of_all(slopes),
        each=_of_each(slopes, np.array([why is None for why in reasons])),
        reasons=reasons,
    )


def _reason(slopes: Slopes, count: int) -> Reason | None:
    """Reason why no slope can be tested, or None."""
    ratings = slopes.ratings
    if count < _LEAST:
        return "too_few_ratings"
    if not np.abs(slopes.residual).max() > 1e-9 * np.ptp(ratings.value):
        return ratings.why_flat
    spread = (slopes.x[slopes.present] ** 2).sum()
    if spread <= 0:
        return "no_variation"
    left = (ratings.residual_of(slopes.x) ** 2).sum()
    return "same_order" if left < _LEAST_LEFT * spread else None


def _of_all(slopes: Slopes) -> tuple[Interval, Floats]:
    """Slope over all raters, with errors clustered by draw, and its p-value."""
    left = slopes.left
    information = (left**2).sum()
    total = np.array([slopes.x @ slopes.residual])
    slope = (total - slopes.null_all.mean()) / information
    score = left * (slopes.residual - total[0] / information * left)
    by_draw = np.bincount(slopes.ratings.draw, score)
    error = np.sqrt((by_draw**2).sum()) / information
    effect = interval(slope, np.array([error]), df=count_terms(by_draw) - 1)
    return effect, own_p_values(total, slopes.null_all, tail="both")


def _of_each(slopes: Slopes, enough: Booleans) -> tuple[Interval, Floats]:
    """Slope of each rater and its p-value."""
    ratings, n_raters = slopes.ratings, len(enough)
    x = np.where(slopes.present, slopes.x, 0.0)
    d = slopes.distance
    information = np.bincount(ratings.rater, x**2, n_raters)
    information = np.where(enough & (information > 0), information, np.nan)
    total = np.bincount(ratings.rater, x * d, n_raters)
    score = x * (d - (total / information)[ratings.rater] * x)
    squares, _ = squares_by_rater(score, rater=ratings.rater, draw=ratings.draw, n_raters=n_raters)
    error = np.sqrt(squares) / information
    slope = (total - slopes.null_each.mean(axis=1)) / information
    present = slopes.present
    _, count = squares_by_rater(
        score[present], rater=ratings.rater[present], draw=ratings.draw[present], n_raters=n_raters
    )
    p = pooled_p_values(np.where(enough, total, np.nan), slopes.null_each, tail="both")
    return interval(slope, error, df=count - 2), p
