"""How each rater departs from the typical one, as the other raters of the same items show it.

N items, M raters, K categories. For every rating the other ratings of its item give the truth's
probabilities c, shape (K,), and these predict the rating, m = c @ typical. What a rater says beyond
the prediction, the sum of c (outer) (said - m), is a departure or chance. Because a rating has no
part in its own c, nobody seems right for agreeing with themselves; expected counts of a fit do not
have that virtue, and at two ratings per item they look alike for all raters.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import log_ndtr

from ocrjury.truth.class_priors import shares_of_ratings
from ocrjury.truth.confusion_prior import pair_confusion, repeated_pairs
from ocrjury.truth.fitting import Evidence
from ocrjury.truth.labels import Floats, Parameters
from ocrjury.truth.likelihood import Integers, posterior

_CELLS = 1 << 18  # numbers per array and chunk of ratings, so that they stay in the cache
_IMPOSSIBLE = 1e-300  # stands for a probability of 0 in logarithms
_USUAL = 1 / 11  # variance ratio before the ratings are seen, and how far it may be off
_LEAST_VARIANCE = 0.5  # of a cell, in ratings; cells with less weigh no more
_LEFT = 0.2  # share of the typical probability that every answer keeps
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


def measure_departures(evidence: Evidence, base: Floats) -> Departures:
    """Return how raters depart from what the other raters of their items say.

    Where an item's category is known, it replaces the others. ``base`` is the confusion matrix,
    shape (K, K), that stands in where ratings are few.
    """
    table = evidence.table
    size, n_categories = table.n_raters, len(base)
    confusion = pair_confusion(table, evidence.gold, base)
    surplus, chance, same, single = np.zeros((4, size, n_categories, n_categories))
    expected = np.zeros((size, n_categories))
    for raters, truth, said in _seen_by_others(evidence, confusion):
        foreseen = truth @ confusion
        rows = csr_matrix(
            (np.ones(len(raters)), (raters, np.arange(len(raters)))), shape=(size, len(raters))
        )
        surplus += _sum_of_products(rows, truth, said - foreseen)
        chance += _sum_of_products(rows, truth**2, foreseen * (1 - foreseen))
        same += _sum_of_products(rows, truth, truth)
        single += _sum_of_products(rows, truth**2, truth**2)
        expected += rows @ truth
    # Departures move all ratings of a row together: pairs of different ratings vary in common.
    spread = (same**2 - single) @ (confusion * (1 - confusion))
    return Departures(expected, surplus, chance, spread)


def departure_strength(departures: Departures) -> float:
    """Return how many ratings the typical row is worth against a rater's own.

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
    """Return the typical confusion moved to each rater's departures, shape (M, K, K).

    Row by row the mean of a Dirichlet posterior: expected ratings as typical plus the surplus,
    with the typical row worth ``strength`` ratings.
    """
    weight = departures.expected[:, :, None] + max(strength, 1e-9)
    moved = np.maximum(typical + departures.surplus / weight, _LEFT * typical)
    return np.asarray(moved / moved.sum(axis=2, keepdims=True))


def _seen_by_others(
    evidence: Evidence, confusion: Floats
) -> Iterator[tuple[Integers, Floats, Floats]]:
    """Yield chunks of ratings: raters, truth as others see it, and what was said (one-hot).

    Ratings whose item nobody else rated are left out, unless its category is known.
    """
    table = evidence.table
    n_raters, n_categories = table.n_raters, len(table.categories)
    alike = np.broadcast_to(confusion, (n_raters, n_categories, n_categories))
    everyone, _ = posterior(evidence.blocks, Parameters(alike, shares_of_ratings(table)))
    per_item = np.bincount(table.item, minlength=table.n_items)
    known = np.zeros(table.n_items, dtype=bool)
    known[list(evidence.gold)] = True
    pair, by_pair = repeated_pairs(table)
    one_hot, logs = np.eye(n_categories), np.log(confusion.T)
    chunk = max(n_raters, _CELLS // n_categories**2)
    for first in range(0, table.n_ratings, chunk):
        part = slice(first, first + chunk)
        item, said = table.item[part], one_hot[table.codes[part]]
        own = said if pair is None else by_pair[pair[part]]
        seen = (per_item[item] > own.sum(axis=1)) | known[item]
        without = np.log(np.maximum(everyone[item[seen]], _IMPOSSIBLE)) - own[seen] @ logs
        truth = np.exp(without - without.max(axis=1, keepdims=True))
        truth /= truth.sum(axis=1, keepdims=True)
        yield table.rater[part][seen], truth, said[seen]


def _sum_of_products(rows: csr_matrix, left: Floats, right: Floats) -> Floats:
    """Return sums over each rater's ratings of left (outer) right, shape (M, K, K)."""
    n_ratings, n_categories = left.shape
    outer = (left[:, :, None] * right[:, None, :]).reshape(n_ratings, n_categories**2)
    return np.asarray((rows @ outer).reshape(-1, n_categories, n_categories))


def _mean_above_zero(mean: float, deviation: float) -> float:
    """Return the mean of a normal distribution cut off below 0."""
    above = mean / deviation
    log_density = -(above**2 + math.log(2 * math.pi)) / 2
    return mean + deviation * math.exp(log_density - float(log_ndtr(above)))
