"""Departure of each rater from the typical one, measured by the other raters of the same items.

N items, M raters, K categories. For every rating the other ratings of its item give the truth's
probabilities c, shape (K,), and these predict the rating, m = c @ typical. The surplus
over the prediction, the sum of c (outer) (rating - m), is due to a departure or to chance.

For c all raters are treated as equal, with one confusion matrix, shape (K, K). Because a rating
does not contribute to its own truth, no rater seems right for agreeing with themselves. Expected
counts of a fit lack this property, and with two ratings per item they look alike for all raters.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import log_ndtr

from ocrjury.arrays import Booleans, Floats
from ocrjury.truth.confusion_prior import pair_confusion
from ocrjury.truth.likelihood import by_true
from ocrjury.truth.rating_blocks import Block, Places, RatingBlocks, one_by_one, votes

_USUAL = 1 / 11  # prior mean of the variance ratio, and its prior standard deviation
_LEAST_VARIANCE = 0.5  # of a cell, in ratings; cells with less variance get no more weight
_LEFT = 0.1  # share of the typical probability that every answer retains
_STRONGEST = 500.0
_CHUNK = 1 << 15  # ratings processed together, so that they stay in the cache
_PER_RATER = 8  # but at least this many per rater, because sums are kept for each


class TruthByOthers(NamedTuple):
    """Some ratings: their columns in the matrix, shape (n,), and their truths, shape (n, K).

    All probabilities are 0 if nobody else rated the item and its category is not known.
    """

    column: Places
    truth: Floats


class _Others(NamedTuple):
    """Ratings of a block: item, log-probability of the rater's own, and whether others exist."""

    item: Places
    own: Floats
    seen: Booleans


def truths_by_others(
    blocks: RatingBlocks, confusion: Floats, *, shares: Floats | None = None
) -> Iterator[TruthByOthers]:
    """Yield all ratings in chunks, with the truth of their items according to the other raters.

    ``shares`` is the class prior, shape (K,), by default the shares of all ratings.
    """
    logs = np.log(confusion.T)
    prior = np.log(_overall_shares(blocks) if shares is None else shares)
    at_once = max(_CHUNK, _PER_RATER * blocks.n_raters)
    for block in blocks.blocks:
        others = _others(block, blocks, logs)
        joint = votes(block, blocks.n_categories) @ logs + prior
        for first in range(0, len(others.item), at_once):
            part = slice(first, first + at_once)
            item = others.item[part]
            truth = _normalized(joint[item] - others.own[part])
            _settle(truth, item, block)
            truth[~others.seen[part]] = 0.0
            yield TruthByOthers(block.ratings.indices[part], truth)


def _overall_shares(blocks: RatingBlocks) -> Floats:
    """Shares of all ratings, shape (K,), with one pseudo-rating per category."""
    counts = np.ones(blocks.n_categories)
    for block in blocks.blocks:
        counts += votes(block, blocks.n_categories).sum(axis=0)
    return np.asarray(counts / counts.sum())


def _others(block: Block, blocks: RatingBlocks, logs: Floats) -> _Others:
    """Contribution of a rater's own ratings to an item, and whether there are other ratings."""
    item, rater, code = one_by_one(block, blocks.n_categories)
    own, n_own = logs[code], np.ones(len(code))
    if blocks.repeated:
        _, pair = np.unique(item.astype(np.int64) * blocks.n_raters + rater, return_inverse=True)
        own = np.column_stack([np.bincount(pair, weights=column)[pair] for column in own.T])
        n_own = np.bincount(pair)[pair].astype(float)
    known = np.zeros(block.ratings.shape[0], dtype=bool)
    known[block.known] = True
    return _Others(item, own, (np.diff(block.ratings.indptr)[item] > n_own) | known[item])


def _normalized(logs: Floats) -> Floats:
    """Probabilities from log-probabilities, in place, by loops over the few columns."""
    largest = logs[:, 0].copy()
    for category in range(1, logs.shape[1]):
        np.maximum(largest, logs[:, category], out=largest)
    logs -= largest[:, None]
    np.exp(logs, out=logs)
    logs /= (logs @ np.ones(logs.shape[1]))[:, None]
    return logs


def _settle(truth: Floats, item: Places, block: Block) -> None:
    """Replace the truth by the known category of the item, in place."""
    if not len(block.known):
        return
    category = np.full(block.ratings.shape[0], -1)
    category[block.known] = block.category
    known = np.flatnonzero(category[item] >= 0)
    truth[known] = 0.0
    truth[known, category[item[known]]] = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Departures:
    """Ratings of M raters beyond the prediction of the others, by true and observed category.

    Attributes
    ----------
    expected
        Expected number of ratings by true category, shape (M, K).
    surplus
        Ratings beyond the prediction, shape (M, K, K); rows sum to 0.
    chance
        Variance of the surplus if all raters are equal, shape (M, K, K).
    spread
        Variance that raters of strength 0 would add, shape (M, K, K).
    """

    expected: Floats
    surplus: Floats
    chance: Floats
    spread: Floats


@dataclass(frozen=True, slots=True, eq=False)
class DepartureSums:
    """Sums over the ratings of M raters and the truths of their items by the other raters.

    Attributes
    ----------
    observed
        Ratings by true and observed category, shape (M, K, K).
    together
        Products of the probabilities of two true categories, shape (M, K, K).
    chance, spread
        As in `Departures`.
    """

    observed: Floats
    together: Floats
    chance: Floats
    spread: Floats


def compare_raters(
    blocks: RatingBlocks, confusion: Floats, *, shares: Floats | None = None
) -> DepartureSums:
    """Comparison of all raters with the others, who all have one confusion matrix, shape (K, K).

    An item's known category replaces the other raters; ``shares`` as in `truths_by_others`.
    """
    n_raters, n_categories = blocks.n_raters, blocks.n_categories
    noise = confusion * (1 - confusion)
    observed = np.zeros((n_raters * n_categories, n_categories))
    together, chance, own_spread = np.zeros((3, n_raters, n_categories, n_categories))
    for column, truth in truths_by_others(blocks, confusion, shares=shares):
        observed += _sums_by(column, n_raters * n_categories, right=truth)
        rater = column // n_categories
        squares, predicted = truth**2, truth @ confusion
        variances = np.hstack([predicted * (1 - predicted), squares @ noise])
        for true in range(n_categories):
            together[:, true] += _sums_by(rater, n_raters, truth[:, true], right=truth)
            sums = _sums_by(rater, n_raters, squares[:, true], right=variances)
            chance[:, true] += sums[:, :n_categories]
            own_spread[:, true] += sums[:, n_categories:]
    # Departures move all ratings of a row together: pairs of different ratings vary in common.
    spread = together**2 @ noise - own_spread
    return DepartureSums(by_true(observed, blocks), together, chance, spread)


def departures_from(comparison: DepartureSums, confusion: Floats) -> Departures:
    """Departures from confusion matrices, shape (K, K) for all raters or (M, K, K)."""
    return Departures(
        expected=comparison.together.sum(axis=2),
        surplus=comparison.observed - comparison.together @ confusion,
        chance=comparison.chance,
        spread=comparison.spread,
    )


def measure_departures(blocks: RatingBlocks, base: Floats) -> Departures:
    """Departures of the raters from the other raters of their items.

    An item's known category replaces the other raters. ``base`` is the confusion matrix, shape (K,
    K), that regularises the typical rater where ratings are few.
    """
    typical = pair_confusion(blocks, base)
    return departures_from(compare_raters(blocks, typical), typical)


def departure_strength(departures: Departures) -> float:
    """Number of ratings that the typical row is worth against a rater's own.

    Rows of raters have Dirichlet priors of strength s, so that their variance is 1 / (1 + s) of the
    largest possible. That ratio is estimated by moments: surplus squared minus chance, over spread,
    cells weighted by the inverse of their chance variance; no true error rates are needed. The
    estimate may be negative, and with two ratings per item it is imprecise. It is therefore
    combined with a normal prior of mean and standard deviation 1/11 (ten ratings), cut off below 0,
    and the posterior mean is taken: raters are never treated as exactly equal. At most 500.
    """
    total = np.maximum(departures.expected.sum(axis=0), 1e-9)
    # The typical rater was estimated from these raters, in proportion to their ratings.
    free = (1 - departures.expected / total)[:, :, None]
    chance = free * departures.chance
    weight = 1 / np.maximum(departures.chance, _LEAST_VARIANCE)
    above = float((weight * (departures.surplus**2 - chance)).sum())
    unit = float((weight * free * departures.spread).sum())
    # A square of variance v has variance 2 v**2; cells of a row are correlated, hence twice that.
    noise = 4 * float(((weight * chance) ** 2).sum())
    information = unit**2 / noise if noise > 0 else 0.0
    information_sum = unit * above / noise if noise > 0 else 0.0
    variance = 1 / (information + _USUAL**-2)
    ratio = _mean_above_zero(variance * (information_sum + 1 / _USUAL), math.sqrt(variance))
    return min(max(1 / ratio - 1, 0.0), _STRONGEST)


def rater_confusions(typical: Floats, departures: Departures, strength: float) -> Floats:
    """Typical confusion shifted by each rater's departures, shape (M, K, K).

    Each row is the mean of a Dirichlet posterior: the expected ratings of a typical rater plus the
    surplus, with the typical row worth ``strength`` ratings. ``typical`` has the shape (K, K), or
    (M, K, K) if the departures are from one matrix per rater.
    """
    weight = departures.expected[:, :, None] + max(strength, 1e-9)
    moved = np.maximum(typical + departures.surplus / weight, _LEFT * typical)
    return np.asarray(moved / moved.sum(axis=2, keepdims=True))


def _sums_by(
    place: Places, n_places: int, weight: Floats | None = None, *, right: Floats
) -> Floats:
    """Sums of the rows of ``right``, shape (n, L), that belong to each place, (n_places, L).

    Rows are multiplied by ``weight``, 1 by default.
    """
    each = np.arange(len(place) + 1, dtype=place.dtype)
    data = np.ones(len(place)) if weight is None else np.ascontiguousarray(weight)
    # A product with a sparse matrix sums rows far faster than ``np.add.at``.
    return np.asarray(csr_matrix((data, place, each), shape=(len(place), n_places)).T @ right)


def _mean_above_zero(mean: float, deviation: float) -> float:
    """Mean of a normal distribution truncated below 0."""
    above = mean / deviation
    log_density = -(above**2 + math.log(2 * math.pi)) / 2
    return mean + deviation * math.exp(log_density - float(log_ndtr(above)))
