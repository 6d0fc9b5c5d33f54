"""Error rates of each rater as a mixture of a few kinds of raters.

M raters, K categories. With a hundred ratings or fewer, a rater's K x K error rates cannot be told
cell by cell, but how careful, careless, strict or lenient they are can: these few numbers apply to
all categories. They are the weights of a mixture of kinds, each with one confusion matrix, and
minimise the squared distance between a rater's answers and those that the kinds would give to the
items as the other raters see them; squares are divided by the answers' shares, so that half their
sum approximates a log-likelihood. The sums of `ocrjury.truth.rater_departures` suffice for that.
"""

import numpy as np

from ocrjury.arrays import Floats
from ocrjury.truth.rater_departures import DepartureSums

CARELESS = 1
"""Place of the careless kind."""
_EXACT = 0.98  # share of right answers of the exact kind, beyond those of a typical rater
_RARE = 0.02  # least share by which squares are divided
_STRENGTH = 7.0  # ratings that the weights of all raters are worth for one rater
_TYPICAL, _OTHER = 2.0, 0.2  # pseudo-ratings of the kinds in the weights of all raters
_START = 0.9  # weight of the typical kind at the start
_STEPS = 30  # accelerated by momentum (Nesterov 1983, Doklady AN SSSR 269(3), 543-547)
_QUICK = np.float32  # takes half the time, and the steps end long before it is too coarse
_LEFT = 0.1  # share of its probability that every answer keeps where matrices are centred


def kind_confusions(typical: Floats, shares: Floats, *, ordered: bool) -> Floats:
    """Confusion matrix of each kind, shape (D, K, K), the typical one first.

    Then: careless raters, who answer by the shares of all ratings, shape (K,); nearly exact ones;
    careful ones, whose likelier answers are still more likely; on an ordered scale of more than two
    categories lenient and strict ones, a step above and below the typical.

    Examples
    --------
    >>> typical = np.array([[0.8, 0.2], [0.2, 0.8]])
    >>> kinds = kind_confusions(typical, np.array([0.5, 0.5]), ordered=False)
    >>> kinds[:, 0, 0].round(3).tolist()
    [0.8, 0.5, 0.996, 0.941]
    """
    n_categories = len(typical)
    careless = np.tile(shares, (n_categories, 1))
    exact = _EXACT * np.eye(n_categories) + (1 - _EXACT) * typical
    careful = typical**2 / (typical**2).sum(axis=1, keepdims=True)
    kinds = [typical, careless, exact, careful]
    if ordered and n_categories > 2:
        place = np.arange(n_categories)
        for step in (1, -1):
            moved = np.eye(n_categories)[np.clip(place + step, 0, n_categories - 1)]
            kinds.append(typical @ moved)
    return np.array(kinds)


def kind_weights(comparison: DepartureSums, kinds: Floats, shares: Floats) -> Floats:
    """Weight of each kind in each rater, shape (M, D); rows sum to 1.

    The weights of all raters together are the prior of each.
    """
    target, products = _normal_equations(comparison, kinds, 1 / np.maximum(shares, _RARE))
    n_ratings = comparison.observed.sum(axis=(1, 2)).astype(_QUICK)
    overall = np.full(len(kinds), (1 - _START) / (len(kinds) - 1), _QUICK)
    overall[0] = _START
    pseudo = np.full(len(kinds), _OTHER, _QUICK)
    pseudo[0] += _TYPICAL
    weights = ahead = np.repeat(overall[:, None], len(n_ratings), axis=1)
    for step in range(_STEPS):
        # At the optimum target and product are equal for every kind that has a weight.
        product = np.einsum("dem,em->dm", products, ahead)
        ratio = target / np.maximum(product, 1e-9)
        moved = ahead * ratio * np.sqrt(ratio)  # a power below 2 lengthens steps that converge
        ratings = moved * (n_ratings / np.maximum(moved.sum(axis=0), 1e-12))
        overall = ratings.sum(axis=1) + pseudo
        overall /= overall.sum()
        before, weights = weights, ratings + _STRENGTH * overall[:, None]
        weights /= n_ratings + _STRENGTH
        momentum = _QUICK(step / (step + 3))
        ahead = np.maximum(weights + momentum * (weights - before), weights / 10)
    return np.ascontiguousarray(weights.T, float)


def _normal_equations(
    comparison: DepartureSums, kinds: Floats, factor: Floats
) -> tuple[Floats, Floats]:
    """Sides of the normal equations of the weights, shapes (D, M) and (D, D, M)."""
    n_kinds, n_raters, n_cells = len(kinds), len(comparison.observed), kinds[0].size
    divided = kinds * factor
    target = divided.reshape(n_kinds, n_cells) @ comparison.observed.reshape(n_raters, n_cells).T
    pairs = np.einsum("dto,euo->detu", divided, kinds).reshape(n_kinds**2, n_cells)
    products = pairs @ comparison.together.reshape(n_raters, n_cells).T
    return target.astype(_QUICK), products.astype(_QUICK).reshape(n_kinds, n_kinds, n_raters)


def mixed_confusions(weights: Floats, kinds: Floats) -> Floats:
    """Confusion matrix of each rater, shape (M, K, K)."""
    return np.asarray(np.tensordot(weights, kinds, axes=1))


def centred_confusions(mixed: Floats, typical: Floats, expected: Floats) -> Floats:
    """Confusion matrices moved so that their mean lies halfway to the typical one, (M, K, K).

    The typical matrix and the mean of the mixtures estimate the same thing, the mean rater: one
    from pairs of ratings, the other from ratings beside the truth by the other raters. Where items
    differ in difficulty they err in opposite directions, so both count alike.

    Parameters
    ----------
    mixed
        Mixtures of kinds, shape (M, K, K).
    typical
        Shape (K, K).
    expected
        Expected number of ratings by true category, shape (M, K).

    Examples
    --------
    >>> typical, mixed = np.array([[0.8, 0.2], [0.2, 0.8]]), np.array([[[0.6, 0.4], [0.4, 0.6]]])
    >>> centred_confusions(mixed, typical, np.array([[5.0, 5.0]])).round(3).tolist()
    [[[0.7, 0.3], [0.3, 0.7]]]
    """
    total = expected.sum(axis=0)[:, None]
    sums = np.einsum("mk,mkl->kl", expected, mixed)
    mean = np.divide(sums, total, out=typical.copy(), where=total > 0)
    moved = np.maximum(mixed + (typical - mean) / 2, _LEFT * mixed)
    return np.asarray(moved / moved.sum(axis=2, keepdims=True))
