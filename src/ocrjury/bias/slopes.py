"""Slope of ratings on something that happened in time: for all raters, and for each.

Symbols: x_t is the covariate of rating t, x~ what items and raters leave of it, e_t the residual of
the rating, d_t its distance from colleagues on the same item. The slope of all is
sum(x e) / sum(x~^2), that of the joint model with items and raters (Frisch and Waugh 1933,
Econometrica 1, 387-401). The slope of one rater is sum(x d) / sum(x^2) over the rater's ratings;
the colleagues came to the item at times of their own, which is noise and no bias. A quantity that
items and raters do not share out has x~ = x and e = d.
"""

from dataclasses import dataclass

import numpy as np

from ocrjury.bias.deviations import Interval, Panel, interval
from ocrjury.bias.findings import BiasFinding, Kind, Reason, not_identifiable
from ocrjury.bias.permutation import own_p_values, pooled_p_values
from ocrjury.bias.rater_findings import rater_findings, tested
from ocrjury.bias.submissions import Booleans, Floats, Submissions

_LEAST = 30  # ratings with a covariate
_LEAST_LEFT = 0.1  # share of the covariate's variance that items and raters must leave


@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """A covariate of the ratings, and what it would do if order did not matter.

    Attributes
    ----------
    kind, unit
        Of the findings.
    panel
        The ratings.
    residual
        e, shape (n,).
    distance
        d, shape (n,).
    x
        Covariate, mean 0 within each rater, shape (n,).
    left
        x~, shape (n,).
    there
        Which ratings have a covariate; elsewhere x is 0, shape (n,).
    null_all
        Sum of x e over all ratings in B shuffles, shape (1, B).
    null_each
        Sum of x d over each rater's ratings in B shuffles, shape (M, B).
    """

    kind: Kind
    unit: str
    panel: Panel
    residual: Floats
    distance: Floats
    x: Floats
    left: Floats
    there: Booleans
    null_all: Floats
    null_each: Floats


def slope_findings(submissions: Submissions, slopes: Slopes) -> list[BiasFinding]:
    """Finding for all raters together and one for every rater."""
    panel = slopes.panel
    count = np.bincount(panel.rater[slopes.there], minlength=submissions.n_raters)
    reason = _reason(slopes, int(count.sum()))
    dimension = submissions.dimensions[0] if len(submissions.dimensions) == 1 else None
    if reason is not None:
        return [not_identifiable(slopes.kind, reason, unit=slopes.unit, dimension=dimension)]
    everyone, p_all = _of_all(slopes)
    first = tested(
        slopes.kind,
        slopes.unit,
        (None, dimension),
        found=everyone,
        place=0,
        p=p_all[0],
        size=everyone.value[0],
        point=submissions.point,
    )
    enough = count >= _LEAST
    each, p_each = _of_each(slopes, enough)
    return [
        first,
        *rater_findings(
            submissions,
            slopes.kind,
            slopes.unit,
            dimension=dimension,
            found=each,
            p=p_each,
            size=each.value,
            reasons=[None if one else "too_few_ratings" for one in enough],
        ),
    ]


def _reason(slopes: Slopes, count: int) -> Reason | None:
    """Why no slope can be told, or None."""
    panel = slopes.panel
    if count < _LEAST:
        return "too_few_ratings"
    if not np.abs(slopes.residual).max() > 1e-9 * np.ptp(panel.value):
        return panel.why_flat
    spread = (slopes.x[slopes.there] ** 2).sum()
    if spread <= 0:
        return "no_variation"
    left = (panel.residual_of(slopes.x) ** 2).sum()
    return "same_order" if left < _LEAST_LEFT * spread else None


def _of_all(slopes: Slopes) -> tuple[Interval, Floats]:
    """Slope of all raters, errors clustered by item, and its p-value."""
    left = slopes.left
    information = (left**2).sum()
    total = np.array([slopes.x @ slopes.residual])
    slope = (total - slopes.null_all.mean()) / information
    score = left * (slopes.residual - total[0] / information * left)
    by_item = np.bincount(slopes.panel.item, score)
    error = np.sqrt((by_item**2).sum()) / information
    found = interval(slope, np.array([error]), df=np.count_nonzero(by_item) - 1)
    return found, own_p_values(total, slopes.null_all, tail="both")


def _of_each(slopes: Slopes, enough: Booleans) -> tuple[Interval, Floats]:
    """Slope of each rater and its p-value."""
    panel, n_raters = slopes.panel, len(enough)
    x = np.where(slopes.there, slopes.x, 0.0)
    d = slopes.distance
    information = np.bincount(panel.rater, x**2, n_raters)
    information = np.where(enough & (information > 0), information, np.nan)
    total = np.bincount(panel.rater, x * d, n_raters)
    score = x * (d - (total / information)[panel.rater] * x)
    error = np.sqrt(np.bincount(panel.rater, score**2, n_raters)) / information
    slope = (total - slopes.null_each.mean(axis=1)) / information
    count = np.bincount(panel.rater[slopes.there], minlength=n_raters)
    p = pooled_p_values(np.where(enough, total, np.nan), slopes.null_each, tail="both")
    return interval(slope, error, df=count - 2), p
