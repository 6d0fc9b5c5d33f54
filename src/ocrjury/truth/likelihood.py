"""Likelihood of the ratings given the raters' error rates, and posterior of the truth.

The ratings form a sparse matrix A with a row per item and a column per pair of rater and category.
For a table L of log-probabilities (rater and observed category, true category) the log-probability
of an item's ratings under each true category is A @ L, and expected counts are A.T @ posterior.
Both run in blocks of items, so no array of size N x K is kept between them and none of size N x K x
M ever exists.

Dawid and Skene (1979), Applied Statistics 28(1), 20-28, equations 2.3 to 2.5.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.truth.labels import Parameters
from ocrjury.truth.rating_blocks import Block, RatingBlocks

# Floor of the probability of an answer. Exponentials below 1e-308 take twenty times as long; with
# this floor up to five ratings of an item stay above that, and more are cut off there.
_TINY = 1e-60
_LOG_TINY = math.log(_TINY)
_LOWEST = -700.0  # logarithm of the smallest weight
_UNDERFLOW = 1e-280  # below it a sum of weights may have lost terms that matter


@dataclass(frozen=True, slots=True, eq=False)
class Expectation:
    """Result of one pass over all items.

    Attributes
    ----------
    log_likelihood
        Log-likelihood of the ratings and the known categories.
    counts
        Expected ratings, shape (M, K, K), indexed rater, true, observed.
    mass
        Expected items per category, shape (K,).
    """

    log_likelihood: float
    counts: Floats
    mass: Floats


def expect(
    blocks: RatingBlocks,
    parameters: Parameters,
    *,
    log_confusion: Floats | None = None,
    count_items: bool = True,
) -> Expectation:
    """Log-likelihood and expected counts under the parameters.

    ``log_confusion`` is `log_of` of their confusion, if already computed; without ``count_items``
    the ``mass`` is 0.
    """
    counts = np.zeros((blocks.n_raters * blocks.n_categories, blocks.n_categories))
    mass = np.zeros(blocks.n_categories)
    total = 0.0
    logs = log_of(parameters.confusion) if log_confusion is None else log_confusion
    for block, weights, log_likelihood in _weights(blocks, parameters.class_prior, logs):
        counts += block.ratings.T @ weights
        if count_items:
            mass += np.ones(len(weights)) @ weights  # faster than a sum over axis 0
        total += log_likelihood
    # The class prior is a factor of all weights of a category: cheaper here than per item.
    prior = np.maximum(parameters.class_prior, _TINY)
    counts *= prior
    return Expectation(total, by_true(counts, blocks), mass * prior)


def posterior(blocks: RatingBlocks, parameters: Parameters) -> tuple[Floats, float]:
    """Probabilities of the categories, shape (N, K), and the log-likelihood."""
    probabilities = np.empty((blocks.n_items, blocks.n_categories))
    total = 0.0
    prior = np.maximum(parameters.class_prior, _TINY)
    for block, weights, log_likelihood in _weights(
        blocks, parameters.class_prior, log_of(parameters.confusion)
    ):
        shares = probabilities[block.rows]
        np.multiply(weights, prior, out=shares)
        shares[block.known, block.category] = 1.0  # exactly, without rounding error
        total += log_likelihood
    return probabilities, total


def joint_logs(block: Block, items: Integers, parameters: Parameters) -> Floats:
    """Log of the joint probability of each category and the ratings, for some items, shape (n, K).

    ``items`` are places in the block. Logarithms are defined where the probabilities all underflow.
    """
    table = _table(log_of(parameters.confusion))
    return _joint(block, items, table=table, prior=np.maximum(parameters.class_prior, _TINY))


def count_ratings(blocks: RatingBlocks, probabilities: Floats) -> Expectation:
    """Expected counts under given probabilities, shape (N, K)."""
    counts = np.zeros((blocks.n_raters * blocks.n_categories, blocks.n_categories))
    for block in blocks.blocks:
        counts += block.ratings.T @ probabilities[block.rows]
    return Expectation(np.nan, by_true(counts, blocks), probabilities.sum(axis=0))


def log_of(confusion: Floats) -> Floats:
    """Logarithms of probabilities, finite where a probability is 0."""
    return np.asarray(np.log(np.maximum(confusion, _TINY)))


def by_true(counts: Floats, blocks: RatingBlocks) -> Floats:
    """Counts of shape (M * K, K) as a view indexed rater, true, observed."""
    shape = (blocks.n_raters, blocks.n_categories, blocks.n_categories)
    return counts.reshape(shape).transpose(0, 2, 1)


def _weights(
    blocks: RatingBlocks, class_prior: Floats, logs: Floats
) -> Iterator[tuple[Block, Floats, float]]:
    """Yield each block with the weights and the log-likelihood of its items.

    A weight, shape (n, K), times the class prior is the posterior probability.
    """
    table = _table(logs)
    prior = np.maximum(class_prior, _TINY)
    for block in blocks.blocks:
        weights = block.ratings @ table
        # Logarithms of probabilities are never positive, so nothing overflows; where everything
        # underflows, the item is computed again in logarithms.
        if block.deepest * _LOG_TINY < _LOWEST:
            np.maximum(weights, _LOWEST, out=weights)
        np.exp(weights, out=weights)
        if len(block.known):
            kept = weights[block.known, block.category]
            weights[block.known] = 0.0
            weights[block.known, block.category] = kept
        total = weights @ prior
        rare = np.flatnonzero(total < _UNDERFLOW)
        total[rare] = 1.0
        log_likelihood = float(np.log(total).sum())
        np.divide(1.0, total, out=total)
        # Columns are few and rows are many: a loop over columns beats one over rows.
        for category in range(blocks.n_categories):
            weights[:, category] *= total
        if len(rare):
            weights[rare], added = _rare_weights(block, rare, table=table, prior=prior)
            log_likelihood += added
        yield block, weights, log_likelihood


def _table(logs: Floats) -> Floats:
    """Logarithms of shape (M, K, K) rearranged by rater and observed category, shape (M * K, K)."""
    # No copy: counts, parameters and their logarithms already have this memory layout.
    return np.ascontiguousarray(logs.transpose(0, 2, 1)).reshape(-1, logs.shape[2])


def _rare_weights(
    block: Block, rare: Integers, *, table: Floats, prior: Floats
) -> tuple[Floats, float]:
    """Weights and log-likelihood of items whose ratings are almost impossible."""
    joint = _joint(block, rare, table=table, prior=prior)
    largest = joint.max(axis=1, keepdims=True)
    shares = np.exp(joint - largest)
    total = shares.sum(axis=1, keepdims=True)
    return shares / total / prior, float((largest + np.log(total)).sum())


def _joint(block: Block, items: Integers, *, table: Floats, prior: Floats) -> Floats:
    """Log of the joint probability, `joint_logs`, from a table of logarithms."""
    joint = np.asarray(block.ratings[items] @ table) + np.log(prior)
    _, rows, known = np.intersect1d(items, block.known, return_indices=True)
    for row, category in zip(rows, block.category[known], strict=True):
        kept = joint[row, category]
        joint[row] = -np.inf
        joint[row, category] = kept
    return joint
