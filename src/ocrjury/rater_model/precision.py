"""Error variance of each rater, and an additive fit with less weight on erratic raters.

Symbols: v_r is the error variance of rater r; among the m_i ratings of an item, raters r and s
differ by z_irs after severities, and E(z^2) = v_r + v_s.
"""

import numpy as np
import numpy.typing as npt

from ocrjury.arrays import Floats, Integers
from ocrjury.rater_model.additive_model import AdditiveFit, fit_additive
from ocrjury.rater_model.tolerance import TOLERANCE

# Prior evidence, in pairs of ratings, that every rater is as precise as the average one.
_PRIOR_PAIRS = 5.0
_LEAST_VARIANCE = 0.05
_ROUNDS = 12
# Binary ratings on disputed items per rater that distinguish a careless rater from chance: with 3
# for each of six equal raters every second fit would down-weight one, with 10 one in eighty.
_DISPUTED = 10


def fit_reliable(
    item: npt.ArrayLike,
    rater: npt.ArrayLike,
    value: npt.ArrayLike,
    *,
    n_items: int | None = None,
    n_raters: int | None = None,
) -> AdditiveFit:
    """Additive fit with less weight on raters who scatter far more than the others.

    A rater whose error variance is at most 2.5 times the median has full weight, so ordinary
    differences give the same result as `fit_additive`. Beyond that the weight is the square of the
    ratio of that limit to the variance: random answers both scatter and pull towards the middle of
    the scale, each in proportion to their number.

    Binary ratings carry less information: only items on which raters differ contribute. With fewer
    than ten ratings per rater on such items, all raters have full weight.

    Parameters
    ----------
    item, rater, value, n_items, n_raters
        As in `fit_additive`.
    """
    fit = fit_additive(item, rater, value, n_items=n_items, n_raters=n_raters)
    if not _can_distinguish(item, value, n_raters=len(fit.severity)):
        return fit
    for _ in range(3):
        weight = _weights(error_variances(item, rater, value, fit=fit))
        if (weight == fit.weight).all():
            break
        fit = fit_additive(
            item, rater, value, n_items=n_items, n_raters=n_raters, rater_weight=weight
        )
        if (weight == 1).all():
            break
    return fit


def _can_distinguish(item: npt.ArrayLike, value: npt.ArrayLike, *, n_raters: int) -> bool:
    """Return whether there are enough ratings to distinguish an erratic rater from chance."""
    y = np.asarray(value, dtype=float)
    if not ((y == 0) | (y == 1)).all():
        return True
    place = np.asarray(item, dtype=np.int64)
    yes, count = np.bincount(place, y), np.bincount(place)
    disputed = float(count[(yes > 0) & (yes < count)].sum())
    return disputed >= _DISPUTED * max(n_raters, 1)


def error_variances(
    item: npt.ArrayLike, rater: npt.ArrayLike, value: npt.ArrayLike, *, fit: AdditiveFit
) -> Floats:
    """Error variance of each rater, shape (M,), from pairs of ratings of one item.

    Parameters
    ----------
    item, rater, value
        As in `fit_additive`, shape (n,).
    fit
        Their additive fit, for the severities.

    Notes
    -----
    Grubbs (1948, JASA 43, 243-264) on incomplete designs: non-negative least squares of squared
    differences on the two raters' variances, each weighted by the inverse of its variance,
    with a weak prior of equal variances. The prior decides where the design cannot separate two
    raters, for example if there are only two, and protects raters with few ratings from chance.
    """
    r, y = np.asarray(rater, dtype=np.int64), np.asarray(value, dtype=float)
    from scipy.optimize import nnls  # noqa: PLC0415  # takes 0.1 s to import, rarely needed

    first, second, square, weight = _pairs(
        np.asarray(item, dtype=np.int64), r, y - fit.severity[r], n_raters=len(fit.severity)
    )
    n_raters = len(fit.severity)
    average = float(weight @ square / weight.sum()) / 2 if len(square) else 0.0
    # If raters never differ, only rounding errors remain, which must not rank them.
    if average <= 1e-12 * max(1.0, float(np.ptp(y)) ** 2 if len(y) else 0.0):
        return np.ones(n_raters)
    rows = np.arange(len(square))
    design = np.zeros((len(square) + n_raters, n_raters))
    design[rows, first] = 1.0
    design[rows, second] = 1.0
    design[len(square) + np.arange(n_raters), np.arange(n_raters)] = 2.0
    target = np.concatenate([square, np.full(n_raters, 2 * average)])
    evidence = np.sqrt(np.concatenate([weight, np.full(n_raters, _PRIOR_PAIRS)]))
    variance = np.full(n_raters, average)
    for _ in range(_ROUNDS):
        scale = evidence / (design @ variance)
        solution = nnls(design * scale[:, None], target * scale)[0]
        # Half a step: full steps oscillate between two raters who differ equally from a third.
        variance = (variance + np.maximum(solution, _LEAST_VARIANCE * average)) / 2
    return variance


def _pairs(
    item: Integers, rater: Integers, value: Floats, *, n_raters: int
) -> tuple[Integers, Integers, Floats, Floats]:
    """Places, mean squared difference and its weight for each pair of raters with common items.

    A pair on an item with m ratings has weight 1 / (m - 1), so every rating counts once.
    """
    order = np.argsort(item, kind="stable")
    item, rater, value = item[order], rater[order], value[order]
    count = np.bincount(item).astype(np.int64)
    low, high = _within(count)
    a, b = np.minimum(rater[low], rater[high]), np.maximum(rater[low], rater[high])
    weight = 1.0 / (count[item[low]] - 1).astype(float)
    squares = weight * (value[low] - value[high]) ** 2
    different = a != b
    pair, place = np.unique((a * n_raters + b)[different], return_inverse=True)
    total_weight = np.bincount(place, weight[different], len(pair)).astype(float)
    mean = np.bincount(place, squares[different], len(pair)) / total_weight
    first, second = np.divmod(pair.astype(np.int64), n_raters)
    return first, second, mean, total_weight


def _within(count: Integers) -> tuple[Integers, Integers]:
    """Places of all pairs of ratings of the same item, the earlier one first."""
    place = np.arange(int(count.sum()))
    later = np.repeat(count.cumsum(), count) - place - 1
    low = np.repeat(place, later)
    step = np.arange(int(later.sum())) - np.repeat(later.cumsum() - later, later) + 1
    return low, low + step


def _weights(variance: Floats) -> Floats:
    """Weight of each rater from the error variances."""
    allowed = TOLERANCE * float(np.median(variance)) if len(variance) else 0.0
    return np.minimum(1.0, allowed / variance) ** 2
