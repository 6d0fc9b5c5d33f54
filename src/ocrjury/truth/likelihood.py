"""Probability of the ratings given who errs how, and of the truth given the ratings.

The ratings form a sparse matrix A with a row per item and a column per pair of rater and category.
For a table L of log-probabilities (rater and observed category, true category) the joint
log-probability of an item's ratings with each true category is A @ L, and expected counts are
A.T @ posterior. Both run in blocks of items, so that nothing of size N x K lives between them and
nothing of size N x K x M ever exists.

Dawid and Skene (1979), Applied Statistics 28(1), 20-28, equations 2.3 to 2.5.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Floats, Parameters

Integers = npt.NDArray[np.int64]
ITEMS_PER_BLOCK = 32_768
_TINY = 1e-300  # keeps the logarithm of an impossible answer finite


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Consecutive items: their ratings, and which of them have a known category."""

    rows: slice
    ratings: csr_matrix
    known: Integers
    category: Integers


@dataclass(frozen=True, slots=True, eq=False)
class RatingBlocks:
    """All ratings of N items by M raters on K categories, in blocks of items."""

    blocks: tuple[Block, ...]
    n_items: int
    n_raters: int
    n_categories: int


@dataclass(frozen=True, slots=True, eq=False)
class Expectation:
    """Outcome of one pass over all items.

    Attributes
    ----------
    log_likelihood
        Of the ratings, and of the known categories with them.
    counts
        Expected ratings, shape (M, K, K), indexed rater, true, observed.
    mass
        Expected items per category, shape (K,).
    """

    log_likelihood: float
    counts: Floats
    mass: Floats


def rating_blocks(
    table: RatingTable, gold: Mapping[int, int], *, items_per_block: int = ITEMS_PER_BLOCK
) -> RatingBlocks:
    """Return the ratings of a table in blocks; ``gold`` is {place of item: place of category}."""
    n_items, n_categories = table.n_items, len(table.categories)
    width = table.n_raters * n_categories
    order = np.argsort(table.item, kind="stable")
    index = np.int32 if width < 2**31 else np.int64
    column = (table.rater[order] * n_categories + table.codes[order]).astype(index)
    start = np.zeros(n_items + 1, dtype=np.int64)
    np.cumsum(np.bincount(table.item, minlength=n_items), out=start[1:])
    known = np.array(sorted(gold), dtype=np.int64)
    category = np.array([gold[int(place)] for place in known], dtype=np.int64)
    blocks = []
    for first in range(0, n_items, items_per_block):
        last = min(first + items_per_block, n_items)
        here, stop = int(start[first]), int(start[last])
        matrix = csr_matrix(
            (np.ones(stop - here), column[here:stop], (start[first : last + 1] - here)),
            shape=(last - first, width),
        )
        inside = (known >= first) & (known < last)
        blocks.append(Block(slice(first, last), matrix, known[inside] - first, category[inside]))
    return RatingBlocks(tuple(blocks), n_items, table.n_raters, n_categories)


def expect(blocks: RatingBlocks, parameters: Parameters) -> Expectation:
    """Return log-likelihood and expected counts under the parameters."""
    n_raters, n_categories = blocks.n_raters, blocks.n_categories
    counts = np.zeros((n_raters * n_categories, n_categories))
    mass = np.zeros(n_categories)
    total = 0.0
    for block, posterior, log_likelihood in _posteriors(blocks, parameters):
        counts += block.ratings.T @ posterior
        mass += np.ones(len(posterior)) @ posterior  # faster than a sum over axis 0
        total += log_likelihood
    return Expectation(total, _by_true(counts, blocks), mass)


def posterior(blocks: RatingBlocks, parameters: Parameters) -> tuple[Floats, float]:
    """Return the probabilities of the categories, shape (N, K), and the log-likelihood."""
    probabilities = np.empty((blocks.n_items, blocks.n_categories))
    total = 0.0
    for block, part, log_likelihood in _posteriors(blocks, parameters):
        probabilities[block.rows] = part
        total += log_likelihood
    return probabilities, total


def count_ratings(blocks: RatingBlocks, probabilities: Floats) -> Expectation:
    """Return expected counts under given probabilities, shape (N, K)."""
    counts = np.zeros((blocks.n_raters * blocks.n_categories, blocks.n_categories))
    for block in blocks.blocks:
        counts += block.ratings.T @ probabilities[block.rows]
    return Expectation(np.nan, _by_true(counts, blocks), probabilities.sum(axis=0))


def _posteriors(
    blocks: RatingBlocks, parameters: Parameters
) -> Iterator[tuple[Block, Floats, float]]:
    """Yield each block with the posterior and the log-likelihood of its items."""
    table = np.log(np.maximum(parameters.confusion, _TINY)).transpose(0, 2, 1)
    table = np.ascontiguousarray(table).reshape(-1, blocks.n_categories)
    prior = np.log(np.maximum(parameters.class_prior, _TINY))
    for block in blocks.blocks:
        joint = block.ratings @ table
        joint += prior
        if len(block.known):
            kept = joint[block.known, block.category]
            joint[block.known] = -np.inf
            joint[block.known, block.category] = kept
        log_likelihood = _normalize(joint)
        yield block, joint, log_likelihood


def _normalize(joint: Floats) -> float:
    """Turn joint log-probabilities into posteriors in place; return the log-likelihood.

    Columns are few and rows are many: loops over columns take a quarter of the time of
    reductions over rows.
    """
    largest = joint[:, 0].copy()
    for column in joint.T[1:]:
        np.maximum(largest, column, out=largest)
    joint -= largest[:, None]
    np.exp(joint, out=joint)
    total = joint[:, 0].copy()
    for column in joint.T[1:]:
        total += column
    joint /= total[:, None]
    return float(largest.sum() + np.log(total).sum())


def _by_true(counts: Floats, blocks: RatingBlocks) -> Floats:
    """Return counts indexed rater, true, observed."""
    shape = (blocks.n_raters, blocks.n_categories, blocks.n_categories)
    return np.ascontiguousarray(counts.reshape(shape).transpose(0, 2, 1))
