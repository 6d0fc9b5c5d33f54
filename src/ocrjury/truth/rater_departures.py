"""How each rater departs from the typical one, as the other raters of the same items show it.

N items, M raters, K categories. For every rating the other ratings of its item give the truth's
probabilities c, shape (K,), and these predict the rating, m = c @ typical. What a rater says beyond
the prediction, the sum of c (outer) (said - m), is a departure or chance.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import log_ndtr

from ocrjury.truth.confusion_prior import pair_confusion
from ocrjury.truth.labels import Floats
from ocrjury.truth.likelihood import by_true
from ocrjury.truth.other_raters import seen_by_others
from ocrjury.truth.rating_blocks import Places, RatingBlocks

_USUAL = 1 / 11  # variance ratio before the ratings are seen, and how far it may be off
_LEAST_VARIANCE = 0.5  # of a cell, in ratings; cells with less weigh no more
_LEFT = 0.1  # share of the typical probability that every answer keeps
_STRONGEST = 500.0


@dataclass(frozen=True, slots=True, eq=False)
class Departures:
    """What M raters say beyond the prediction of the others, by true and observed category.

    Attributes
    ----------
    expected
        Ratings by (expected) true category, shape (M, K).
    surplus
        Ratings beyond the prediction, shape (M, K, K); rows sum to 0.
    chance
        Variance of the surplus if raters are alike, shape (M, K, K).
    spread
        What raters of strength 0 would add to the variance, shape (M, K, K).
    """

    expected: Floats
    surplus: Floats
    chance: Floats
    spread: Floats


def measure_departures(blocks: RatingBlocks, base: Floats) -> Departures:
    """How raters depart from what the other raters of their items say.

    Where an item's category is known, it replaces the others. ``base`` is the confusion matrix,
    shape (K, K), that stands in where ratings are few.
    """
    n_raters, n_categories = blocks.n_raters, blocks.n_categories
    confusion = pair_confusion(blocks, base)
    noise = confusion * (1 - confusion)
    said = np.zeros((n_raters * n_categories, n_categories))
    same, chance, single = np.zeros((3, n_raters, n_categories, n_categories))
    for column, truth in seen_by_others(blocks, confusion):
        said += _sums_by(column, n_raters * n_categories, right=truth)
        rater = column // n_categories
        squares, foreseen = truth**2, truth @ confusion
        variances = np.hstack([foreseen * (1 - foreseen), squares @ noise])
        for true in range(n_categories):
            same[:, true] += _sums_by(rater, n_raters, truth[:, true], right=truth)
            both = _sums_by(rater, n_raters, squares[:, true], right=variances)
            chance[:, true] += both[:, :n_categories]
            single[:, true] += both[:, n_categories:]
    # Departures move all ratings of a row together: pairs of different ratings vary in common.
    return Departures(
        expected=same.sum(axis=2),
        surplus=by_true(said, blocks) - same @ confusion,
        chance=chance,
        spread=same**2 @ noise - single,
    )


def departure_strength(departures: Departures) -> float:
    """How many ratings the typical row is worth against a rater's own.

    Rows of raters have Dirichlet priors of strength s, so that their variance is 1 / (1 + s) of
    the largest possible. That ratio is estimated by moments: surplus squared less chance, over
    spread, cells weighing by their chance variance; no raters' truth has to be known. It may come
    out below 0, and at two ratings per item it is rough. So it is combined with the belief that it
    is 1/11 (ten ratings) give or take as much and not negative, and the mean of what is then
    believed is returned: raters are never taken for exactly alike. At most 500.
    """
    total = np.maximum(departures.expected.sum(axis=0), 1e-9)
    # The typical rater was taken from these raters themselves, in proportion to their ratings.
    free = (1 - departures.expected / total)[:, :, None]
    chance = free * departures.chance
    weight = 1 / np.maximum(departures.chance, _LEAST_VARIANCE)
    above = float((weight * (departures.surplus**2 - chance)).sum())
    unit = float((weight * free * departures.spread).sum())
    # A square of variance v has variance 2 v**2; cells of a row vary in common, hence twice that.
    noise = 4 * float(((weight * chance) ** 2).sum())
    known = unit**2 / noise if noise > 0 else 0.0
    told = unit * above / noise if noise > 0 else 0.0
    variance = 1 / (known + _USUAL**-2)
    ratio = _mean_above_zero(variance * (told + 1 / _USUAL), math.sqrt(variance))
    return min(max(1 / ratio - 1, 0.0), _STRONGEST)


def rater_confusions(typical: Floats, departures: Departures, strength: float) -> Floats:
    """Typical confusion moved to each rater's departures, shape (M, K, K).

    Row by row the mean of a Dirichlet posterior: expected ratings as typical plus the surplus,
    with the typical row worth ``strength`` ratings.
    """
    weight = departures.expected[:, :, None] + max(strength, 1e-9)
    moved = np.maximum(typical + departures.surplus / weight, _LEFT * typical)
    return np.asarray(moved / moved.sum(axis=2, keepdims=True))


def _sums_by(
    place: Places, n_places: int, weight: Floats | None = None, *, right: Floats
) -> Floats:
    """Sums of the rows of ``right``, shape (n, L), that belong to each place, (n_places, L).

    Rows count ``weight`` times, once unless given.
    """
    each = np.arange(len(place) + 1, dtype=place.dtype)
    data = np.ones(len(place)) if weight is None else np.ascontiguousarray(weight)
    # A product with a sparse matrix adds rows up far quicker than ``np.add.at``.
    return np.asarray(csr_matrix((data, place, each), shape=(len(place), n_places)).T @ right)


def _mean_above_zero(mean: float, deviation: float) -> float:
    """Mean of a normal distribution cut off below 0."""
    above = mean / deviation
    log_density = -(above**2 + math.log(2 * math.pi)) / 2
    return mean + deviation * math.exp(log_density - float(log_ndtr(above)))
