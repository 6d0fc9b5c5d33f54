"""Whether the ratings of an item are as informative together as independent ones would be.

Difficult items mislead several raters at once. Where they are many, a rating is predicted better
from the other ratings of its item if these weigh less than independent ones. If ratings are
independent, the loss of that prediction against the one with full weights is, on average, as large
as the latter expects; the ratio of the two is then 1, and it falls to 0 and below the more ratings
depend on each other. From eight ratings per item the ratio tells public ratings (-3.1 to 0.6) from
simulated independent ones (0.9 to 1.9); from five it does not.
"""

import math

import numpy as np

from ocrjury.arrays import Booleans, Floats
from ocrjury.truth.labels import Parameters
from ocrjury.truth.likelihood import log_of
from ocrjury.truth.rating_blocks import Block, RatingBlocks, one_by_one
from ocrjury.truth.rating_weight import softmax

_LEAST_OTHERS = 7
_INDEPENDENT = 0.75  # least ratio of independent ratings, less its standard error
_FLOOR = 1e-12
_CHUNK = 1 << 15  # ratings processed together


def independent(blocks: RatingBlocks, parameters: Parameters) -> bool:
    """Whether the ratings show that they are independent given the truth.

    False if they cannot show it: too few ratings per item, or repeated ones by the same rater.
    """
    if blocks.repeated:
        return False
    found = expected = variance = 0.0
    for block in blocks.blocks:
        if block.deepest > _LEAST_OTHERS:
            sums = _block_sums(block, parameters)
            found, expected, variance = found + sums[0], expected + sums[1], variance + sums[2]
    if not expected < 0:
        return False
    return bool((found + math.sqrt(variance)) / expected > _INDEPENDENT)


def _block_sums(block: Block, parameters: Parameters) -> Floats:
    """Gain of the prediction with lower weights: found, expected if independent, and variance."""
    n_categories = parameters.confusion.shape[1]
    logs = log_of(parameters.confusion)
    item, rater, code = one_by_one(block, n_categories)
    number = np.diff(block.ratings.indptr)
    enough = np.flatnonzero(_many(block)[item])
    table = logs.transpose(0, 2, 1).reshape(-1, n_categories)
    joint = np.asarray(block.ratings @ table)
    prior = np.log(np.maximum(parameters.class_prior, _FLOOR))
    sums = np.zeros(3)
    for first in range(0, len(enough), _CHUNK):
        rows = enough[first : first + _CHUNK]
        others = joint[item[rows]] - logs[rater[rows], :, code[rows]]
        weight = 1 / np.sqrt(number[item[rows]] - 1)
        confusion = parameters.confusion[rater[rows]]
        full = np.einsum("nt,nto->no", softmax(others + prior), confusion)
        less = np.einsum("nt,nto->no", softmax(others * weight[:, None] + prior), confusion)
        gain = np.log(np.maximum(less, _FLOOR) / np.maximum(full, _FLOOR))
        mean = (full * gain).sum(axis=1)
        sums[0] += gain[np.arange(len(rows)), code[rows]].sum()
        sums[1] += mean.sum()
        sums[2] += np.maximum((full * gain**2).sum(axis=1) - mean**2, 0.0).sum()
    return sums


def _many(block: Block) -> Booleans:
    """Whether each item has enough ratings and no known category, shape (n,)."""
    many = np.diff(block.ratings.indptr) > _LEAST_OTHERS
    many[block.known] = False
    return np.asarray(many)
