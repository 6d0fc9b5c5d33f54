"""Likelihood of the ratings given the raters' error rates, and posterior of the truth.

The ratings form a sparse matrix A with a row per item and a column per pair of rater and category.
For a table L of log-probabilities (rater and observed category, true category) the log-probability
of an item's ratings under each true category is A @ L, and expected counts are A.T @ posterior.
Both run in blocks of items, so no array of size N x K is kept between them and none of size N x K x
M ever exists.

The products take most of the time, and K - 1 columns are enough: L holds log-odds against a
reference category, the most frequent one, whose counts are what the others leave of the ratings.

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
# Up to so many ratings the reference's counts are added up like the others. As what the others
# leave they are as exact as the largest count, which hides the last steps towards the optimum of a
# small table.
_FEW = 50_000
_HIGHEST = 690.0  # logarithm of the largest odds
_UNDERFLOW = 1e-280  # below it the odds of a known category may have lost digits


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
    """Odds of the other categories against a reference category.

    Attributes
    ----------
    reference, others
        Places of the categories; the others have shape (K - 1,).
    table
        Log-odds by rater and observed category, shape (M * K, K - 1).
    base
        Logarithms for the reference category, shape (M * K,).
    prior
        Class prior, shape (K,).
    """

    reference: int
    others: Integers
    table: Floats
    base: Floats
    prior: Floats

    @classmethod
    def of(cls, class_prior: Floats, logs: Floats) -> Self:
        """Odds of parameters."""
        prior, table = np.maximum(class_prior, _TINY), _table(logs)
        reference = int(prior.argmax())
        others = np.delete(np.arange(len(prior)), reference)
        base = table[:, reference].copy()
        odds = np.empty((len(table), len(others)))
        # Columns are few and rows are many, here and below: a loop over columns is the quicker one.
        for column, category in enumerate(others):
            np.subtract(table[:, category], base, out=odds[:, column])
        return cls(reference, others, odds, base, prior)

    @property
    def all_columns(self) -> Floats:
        """Log-odds with those of the reference category, which are 0, shape (M * K, K)."""
        return np.insert(self.table, self.reference, 0.0, axis=1)


class _Weights(NamedTuple):
    """A block's items: posteriors divided by class priors, (n, K - 1) and of the reference, (n,).

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
    odds = _Odds.of(parameters.class_prior, logs)
    others, reference = odds.others, odds.reference
    rest = np.zeros_like(odds.table)
    own = np.zeros(len(rest))
    mass = np.zeros(blocks.n_categories)
    total = float(blocks.n_in_cell @ odds.base)
    few = blocks.n_in_cell.sum() <= _FEW
    for weights in _weights(blocks, odds):
        product = weights.block.ratings.T @ weights.others
        rest += product
        if few:
            own += weights.block.ratings.T @ weights.reference
        if count_items:
            mass[others] += _items(weights, product)
        total += weights.log_likelihood
    # The class prior is a factor of all weights of a category: cheaper here than per item.
    counts, left = np.empty((len(own), blocks.n_categories)), blocks.n_in_cell.copy()
    for column, category in enumerate(others):
        expected = rest[:, column] * odds.prior[category]
        counts[:, category] = expected
        left -= expected
    # Rounding may leave a little less than nothing.
    counts[:, reference] = own * odds.prior[reference] if few else np.maximum(left, 0.0)
    mass *= odds.prior
    if count_items:
        mass[reference] = blocks.n_items - mass.sum()
    return Expectation(total, by_true(counts, blocks), mass)


def _items(weights: _Weights, product: Floats) -> Floats:
    """Sum of the weights over items, shape (K - 1,), from ratings where that is shorter."""
    depth = weights.block.deepest
    if depth and weights.block.ratings.nnz == depth * len(weights.others):
        return np.asarray(product.sum(axis=0) / depth)
    ones = np.ones(len(weights.others))  # a product is quicker than a sum over axis 0
    return np.asarray(ones @ weights.others)


def posterior(blocks: RatingBlocks, parameters: Parameters) -> tuple[Floats, float]:
    """Probabilities of the categories, shape (N, K), and the log-likelihood."""
    probabilities = np.empty((blocks.n_items, blocks.n_categories))
    odds = _Odds.of(parameters.class_prior, log_of(parameters.confusion))
    total = float(blocks.n_in_cell @ odds.base)
    for weights in _weights(blocks, odds):
        block, shares = weights.block, probabilities[weights.block.rows]
        shares[:, odds.others] = weights.others
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
    prior, own = odds.prior[odds.others], odds.prior[odds.reference]
    # Above it, odds may have been cut off.
    limit = math.exp(_HIGHEST) * prior.min(initial=1.0) / 2
    for block in blocks.blocks:
        weights = block.ratings @ odds.table
        if block.deepest * -_LOG_TINY > _HIGHEST:
            np.minimum(weights, _HIGHEST, out=weights)
        np.exp(weights, out=weights)
        total = weights @ prior
        total += own
        lost = total > limit
        if len(block.known):
            _keep_known(block, odds, weights, total=total)
            lost |= total < _UNDERFLOW
        rare = np.flatnonzero(lost)
        total[rare] = 1.0
        log_likelihood = float(np.log(total).sum())
        np.divide(1.0, total, out=total)
        for column in range(weights.shape[1]):
            weights[:, column] *= total
        if len(block.known):
            total[block.known[block.category != odds.reference]] = 0.0
        if len(rare):
            every, added = _rare_weights(block, rare, odds)
            weights[rare], total[rare] = every[:, odds.others], every[:, odds.reference]
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


def _rare_weights(block: Block, rare: Integers, odds: _Odds) -> tuple[Floats, float]:
    """Weights, (n, K), and log-likelihood of items whose odds are too long for plain numbers."""
    joint = _joint(block, rare, table=odds.all_columns, prior=odds.prior)
    largest = joint.max(axis=1, keepdims=True)
    shares = np.exp(joint - largest)
    total = shares.sum(axis=1, keepdims=True)
    return shares / total / odds.prior, float((largest + np.log(total)).sum())


def _joint(block: Block, items: Integers, *, table: Floats, prior: Floats) -> Floats:
    """Log of the joint probability, `joint_logs`, from a table of logarithms."""
    joint = np.asarray(block.ratings[items] @ table) + np.log(prior)
    _, rows, known = np.intersect1d(items, block.known, return_indices=True)
    for row, category in zip(rows, block.category[known], strict=True):
        kept = joint[row, category]
        joint[row] = -np.inf
        joint[row, category] = kept
    return joint
