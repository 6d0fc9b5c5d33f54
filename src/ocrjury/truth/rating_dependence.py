"""Probability that the ratings of an item are as informative together as independent ones.

Difficult items mislead several raters at once. Where they are many, a rating is predicted better
from the other ratings of its item if these weigh less than independent ones. If ratings are
independent, the loss of that prediction against the one with full weights is, on average, as large
as the latter expects; the ratio of the two is then 1, and it falls to 0 and below the more ratings
depend on each other.

For the prediction all raters have the typical confusion matrix. Raters who differ change nothing
in that, as long as chance decides who rates what: an answer by anybody to an item of a category is
then an answer of the typical rater. From four ratings of an item the ratio is 1 on all simulated
independent ratings, and -2.4 to 0.6 on others and on public ratings. From three it is not: pairs
determine the typical confusion matrix, and three ratings show hardly anything that pairs do not.
"""

import math

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.truth.rating_blocks import Block, RatingBlocks, votes
from ocrjury.truth.rating_weight import softmax
from ocrjury.truth.typical_errors import Typical

USUAL = 0.1
"""Probability of independence before any evidence: real items differ in difficulty."""
_LEAST_RATINGS = 4
_DEPENDENT, _SPREAD = -0.5, 0.8  # ratio of dependent ratings: mean and standard deviation
_LEAST_ERROR = 0.05
_FLOOR = 1e-12
_CHUNK = 1 << 13  # combinations of ratings processed together
_LARGEST = 52 * math.log(2)  # logarithm of the largest number that is exact


def independence(blocks: RatingBlocks, typical: Typical) -> float:
    """Probability that ratings are independent given the truth, from 0 to 1.

    `USUAL` if they cannot show it: too few ratings per item, or repeated ones by the same rater.
    """
    score = expected = variance = 0.0
    if not blocks.repeated:
        for block in blocks.blocks:
            if block.deepest >= _LEAST_RATINGS:
                sums = _block_sums(block, typical)
                score, expected, variance = score + sums[0], expected + sums[1], variance + sums[2]
    if not expected < 0:
        return USUAL
    error = max(math.sqrt(variance) / -expected, _LEAST_ERROR)
    # A ratio above 1 is chance, or raters who differ more than chance would choose them.
    ratio = min(score / expected, 1.0)
    independent = _log_density(ratio - 1, error)
    dependent = _log_density(ratio - _DEPENDENT, math.hypot(error, _SPREAD))
    odds = math.exp(independent - dependent) * USUAL / (1 - USUAL)
    return odds / (1 + odds)


def _log_density(distance: float, deviation: float) -> float:
    """Logarithm of a normal density at a distance from its mean, up to a constant."""
    return -((distance / deviation) ** 2) / 2 - math.log(deviation)


def _block_sums(block: Block, typical: Typical) -> Floats:
    """Gain of the prediction with lower weights: found, expected if independent, and variance."""
    counts, times = _combinations(block, len(typical.shares))
    logs, prior = np.log(typical.confusion), np.log(typical.shares)
    sums = np.zeros(3)
    for first in range(0, len(counts), _CHUNK):
        some, weight = counts[first : first + _CHUNK], times[first : first + _CHUNK]
        joint = some @ logs.T
        power = 1 / np.sqrt(some.sum(axis=1, keepdims=True) - 1)
        totals, expected = np.zeros((2, len(some)))
        for category, number in enumerate(some.T):
            others = joint - logs[:, category]
            full = softmax(others + prior) @ typical.confusion
            less = softmax(others * power + prior) @ typical.confusion
            gain = np.log(np.maximum(less, _FLOOR) / np.maximum(full, _FLOOR))
            totals += number * gain[:, category]
            expected += number * (full * gain).sum(axis=1)
        # An item's ratings are predicted from each other, so that only items vary independently.
        sums += [weight @ totals, weight @ expected, weight @ (totals - expected) ** 2]
    return sums


def _combinations(block: Block, n_categories: int) -> tuple[Floats, Integers]:
    """Different combinations of ratings, counted by category, shape (n, K), and their items, (n,).

    Items with too few ratings or a known category do not count.
    """
    enough = np.diff(block.ratings.indptr) >= _LEAST_RATINGS
    enough[block.known] = False
    counts = votes(block, n_categories)[enough]
    base = block.deepest + 1
    if n_categories * math.log(base) > _LARGEST:
        return np.unique(counts, axis=0, return_counts=True)
    # Numbers sort far faster than rows.
    number = counts @ base ** np.arange(n_categories, dtype=float)
    _, first, times = np.unique(number, return_index=True, return_counts=True)
    return counts[first], times
