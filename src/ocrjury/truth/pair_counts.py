"""Categories that pairs of raters give to the same item, over all pairs of raters."""

import numpy as np

from ocrjury.arrays import Floats
from ocrjury.truth.rating_blocks import Block, RatingBlocks, one_by_one, votes


def leave_one_out_counts(blocks: RatingBlocks) -> Floats:
    """Number of ratings by the others' category (rows) and the rater's (columns), shape (K, K).

    The shares of the *other* ratings of the item (or its known category) stand in for the truth. If
    the rating itself were not left out, raters would seem to agree with the truth even where they
    agree with nobody.
    """
    return unsettled_pairs(blocks) + known_counts(blocks)


def unsettled_pairs(blocks: RatingBlocks) -> Floats:
    """Leave-one-out counts of the items without a known category, shape (K, K)."""
    matrix = np.zeros((blocks.n_categories, blocks.n_categories))
    for block in blocks.blocks:
        counts = votes(block, blocks.n_categories)
        counts[block.known] = 0.0
        matrix += _repeated(block, counts) if blocks.repeated else _unrepeated(counts)
    return matrix


def known_counts(blocks: RatingBlocks) -> Floats:
    """Ratings of items with a known category by known and observed category, (K, K)."""
    matrix = np.zeros((blocks.n_categories, blocks.n_categories))
    for block in blocks.blocks:
        known = np.eye(blocks.n_categories)[block.category]
        matrix += known.T @ votes(block, blocks.n_categories)[block.known]
    return matrix


def _unrepeated(counts: Floats) -> Floats:
    """Leave-one-out counts from ratings per item and category, (n, K), one per rater."""
    total = counts @ np.ones(counts.shape[1])
    share = np.divide(1.0, total - 1, out=np.zeros_like(total), where=total > 1)
    # All ordered pairs of two different ratings.
    return np.asarray(counts.T @ (counts * share[:, None]) - np.diag(share @ counts))


def _repeated(block: Block, counts: Floats) -> Floats:
    """Leave-one-out counts where raters rated an item repeatedly: all of them are left out."""
    n_categories = counts.shape[1]
    item, rater, code = one_by_one(block, n_categories)
    width = block.ratings.shape[1]
    pairs, pair = np.unique(item.astype(np.int64) * width + rater, return_inverse=True)
    own = np.bincount(pair * n_categories + code, minlength=len(pairs) * n_categories)
    given = own.reshape(-1, n_categories).astype(float)
    others = np.maximum(counts[pairs // width] - given, 0.0)  # known items have no counts
    total = np.maximum(others.sum(axis=1, keepdims=True), 1)
    return np.asarray((others / total).T @ given)
