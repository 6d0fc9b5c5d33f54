"""Truth of an item inferred from the other raters, for every rating.

All raters are treated as equal here, with one confusion matrix, shape (K, K). Because a rating does
not contribute to its own truth, no rater seems right for agreeing with themselves. Expected counts
of a fit lack this property, and with two ratings per item they look alike for all raters.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ocrjury.arrays import Booleans, Floats
from ocrjury.truth.rating_blocks import Block, Places, RatingBlocks, one_by_one, votes

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


def truths_by_others(blocks: RatingBlocks, confusion: Floats) -> Iterator[TruthByOthers]:
    """Yield all ratings in chunks, with the truth of their items according to the other raters."""
    logs = np.log(confusion.T)
    prior = np.log(_overall_shares(blocks))
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
