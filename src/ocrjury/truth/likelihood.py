"""Likelihood of the ratings given the raters' error rates, and posterior of the truth.

The ratings form a sparse matrix A with a row per item and a column per pair of rater and category.
For a table L of log-probabilities (rater and observed category, true category) the log-probability
of an item's ratings under each true category is A @ L, and expected counts are A.T @ posterior.
Both run in blocks of items, so no array of size N x K is kept between them and none of size N x K x
M ever exists.

Where ratings are many the products take most of the time, and K - 1 columns are enough: L then
holds log-odds against a reference category, the most frequent one, whose counts are what the others
leave of the ratings.

Dawid and Skene (1979), Applied Statistics 28(1), 20-28, equations 2.3 to 2.5.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from ocrjury.arrays import Floats, Integers
from ocrjury.truth.labels import Parameters
from ocrjury.truth.rating_blocks import Block, RatingBlocks

# Floor of the probability of an answer. Exponentials below 1e-308 take twenty times as long; with
# this floor up to five ratings of an item stay above that, and more are cut off there.
_TINY = 1e-60
_LOG_TINY = math.log(_TINY)
# From so many ratings on, and so many for each rater and observed category, there is a reference.
# Its counts, as what the others leave, are only as exact as the largest count: that hides the last
# steps towards the optimum of a small table.
_MANY, _MANY_IN_CELL = 50_000, 30
_LOWEST, _HIGHEST = -700.0, 690.0  # logarithms of weights
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


@dataclass(frozen=True, slots=True, eq=False)
class _Odds:
    """Log-probabilities of the ratings, less those under a reference category if there is one.

    Attributes
    ----------
    reference, others
        Place of the reference category or None, and of all others, shape (J,).
    table
        By rater and observed category, shape (M * K, J).
    base
        Logarithms for the reference category, shape (M * K,); 0 without one.
    prior
        Class prior, shape (K,).
    """

    reference: int | None
    others: Integers
    table: Floats
    base: Floats
    prior: Floats

    @classmethod
    def of(cls, blocks: RatingBlocks, class_prior: Floats, logs: Floats) -> Self:
        """Odds of parameters."""
        prior, table, every = (
            np.maximum(class_prior, _TINY),
            _table(logs),
            np.arange(len(class_prior)),
        )
        if blocks.n_ratings < max(_MANY, _MANY_IN_CELL * len(table)):
            return cls(None, every, table, np.zeros(len(table)), prior)
        reference = int(prior.argmax())
        base = table[:, reference].copy()
        odds = np.empty((len(table), len(prior) - 1))
        others = np.delete(every, reference)
        # Columns are few and rows are many, here and below: a loop over columns is the quicker one.
        for column, category in enumerate(others):
            np.subtract(table[:, category], base, out=odds[:, column])
        return cls(reference, others, odds, base, prior)

    @property
    def own(self) -> float:
        """Class prior of the reference category, 0 without one."""
        return 0.0 if self.reference is None else float(self.prior[self.reference])

    @property
    def every(self) -> Floats:
        """Table with a column for the reference category, shape (M * K, K)."""
        return self.table if self.reference is None else np.insert(self.table, self.reference, 0, 1)


class _Weights(NamedTuple):
    """A block's items: posteriors divided by class priors, (n, J) and of the reference, (n,).

    ``log_likelihood`` is that of the items less `_Odds.base` of their ratings.
    """

    block: Block
    others: Floats
    reference: Floats
    log_likelihood: float


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
    logs = log_of(parameters.confusion) if log_confusion is None else log_confusion
    odds = _Odds.of(blocks, parameters.class_prior, logs)
    expected = np.zeros_like(odds.table)
    mass = np.zeros(blocks.n_categories)
    total = float(blocks.n_in_cell @ odds.base)
    for weights in _weights(blocks, odds):
        product = weights.block.ratings.T @ weights.others
        expected += product
        if count_items:
            mass[odds.others] += _items(weights, product)
        total += weights.log_likelihood
    # The class prior is a factor of all weights of a category: cheaper here than per item.
    expected *= odds.prior[odds.others]
    mass *= odds.prior
    if odds.reference is not None:
        expected = _with_reference(expected, odds, n_in_cell=blocks.n_in_cell)
        mass[odds.reference] = blocks.n_items - mass.sum() if count_items else 0.0
    return Expectation(total, by_true(expected, blocks), mass)


def _with_reference(expected: Floats, odds: _Odds, *, n_in_cell: Floats) -> Floats:
    """Expected counts with what they leave for the reference category, shape (M * K, K)."""
    counts, left = np.empty((len(expected), len(odds.prior))), n_in_cell.copy()
    for column, category in enumerate(odds.others):
        counts[:, category] = expected[:, column]
        left -= expected[:, column]
    # Rounding may leave a little less than nothing.
    counts[:, odds.reference] = np.maximum(left, 0.0)
    return counts


def _items(weights: _Weights, product: Floats) -> Floats:
    """Sum of the weights over items, shape (J,), from their sums by cell where those are fewer."""
    depth, n_items = weights.block.deepest, len(weights.others)
    if weights.block.ratings.nnz == depth * n_items and len(product) < n_items:
        return np.asarray(np.ones(len(product)) @ product / depth)
    return np.asarray(np.ones(n_items) @ weights.others)  # quicker than a sum over axis 0


def posterior(blocks: RatingBlocks, parameters: Parameters) -> tuple[Floats, float]:
    """Probabilities of the categories, shape (N, K), and the log-likelihood."""
    probabilities = np.empty((blocks.n_items, blocks.n_categories))
    odds = _Odds.of(blocks, parameters.class_prior, log_of(parameters.confusion))
    total = float(blocks.n_in_cell @ odds.base)
    for weights in _weights(blocks, odds):
        block, shares = weights.block, probabilities[weights.block.rows]
        shares[:, odds.others] = weights.others
        if odds.reference is not None:
            shares[:, odds.reference] = weights.reference
        shares *= odds.prior
        shares[block.known] = 0.0  # exactly, without rounding error
        shares[block.known, block.category] = 1.0
        total += weights.log_likelihood
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


def _weights(blocks: RatingBlocks, odds: _Odds) -> Iterator[_Weights]:
    """Yield the weights of each block; a weight times the class prior is the posterior."""
    prior = odds.prior[odds.others]
    overflow = math.exp(_HIGHEST) * prior.min(initial=1.0) / 2
    for block in blocks.blocks:
        weights = block.ratings @ odds.table
        if block.deepest * _LOG_TINY < -_HIGHEST:
            np.clip(weights, _LOWEST, _HIGHEST, out=weights)
        np.exp(weights, out=weights)
        total = weights @ prior
        if odds.own:
            total += odds.own
        if len(block.known):
            _keep_known(block, odds, weights, total=total)
        # Where numbers were too large or too small, the item is computed again in logarithms.
        rare = np.flatnonzero((total < _UNDERFLOW) | (total > overflow))
        total[rare] = 1.0
        log_likelihood = float(np.log(total).sum())
        np.divide(1.0, total, out=total)
        for column in range(weights.shape[1]):
            weights[:, column] *= total
        if len(rare):
            weights[rare], total[rare], added = _rare_weights(block, rare, odds)
            log_likelihood += added
        yield _Weights(block, weights, total, log_likelihood)


def _keep_known(block: Block, odds: _Odds, weights: Floats, *, total: Floats) -> None:
    """Leave items of a known category nothing but that category, in place."""
    column = np.full(len(odds.prior), -1)
    column[odds.others] = np.arange(len(odds.others))
    place, rows = column[block.category], block.known
    weighed = np.flatnonzero(place >= 0)
    kept = weights[rows[weighed], place[weighed]]
    weights[rows] = 0.0
    weights[rows[weighed], place[weighed]] = kept
    total[rows] = odds.prior[block.category]
    total[rows[weighed]] *= kept


def _table(logs: Floats) -> Floats:
    """Logarithms of shape (M, K, K) rearranged by rater and observed category, shape (M * K, K)."""
    # No copy: counts, parameters and their logarithms already have this memory layout.
    return np.ascontiguousarray(logs.transpose(0, 2, 1)).reshape(-1, logs.shape[2])


def _rare_weights(block: Block, rare: Integers, odds: _Odds) -> tuple[Floats, Floats, float]:
    """Weights, (n, J) and (n,), and log-likelihood of items, computed in logarithms."""
    joint = _joint(block, rare, table=odds.every, prior=odds.prior)
    largest = joint.max(axis=1, keepdims=True)
    shares = np.exp(joint - largest)
    total = shares.sum(axis=1, keepdims=True)
    weights = shares / total / odds.prior
    reference = weights[:, odds.reference or 0]
    return weights[:, odds.others], reference, float((largest + np.log(total)).sum())


def _joint(block: Block, items: Integers, *, table: Floats, prior: Floats) -> Floats:
    """Log of the joint probability, `joint_logs`, from a table of logarithms."""
    joint = np.asarray(block.ratings[items] @ table) + np.log(prior)
    _, rows, known = np.intersect1d(items, block.known, return_indices=True)
    for row, category in zip(rows, block.category[known], strict=True):
        kept = joint[row, category]
        joint[row] = -np.inf
        joint[row, category] = kept
    return joint
