"""Where the search for parameters begins: shares of ratings, or an earlier truth."""

from typing import NamedTuple

import numpy as np

from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Floats, Truth, scale_categories
from ocrjury.truth.likelihood import Expectation, by_true
from ocrjury.truth.rating_blocks import Block, Integers, RatingBlocks, votes


class Earlier(NamedTuple):
    """An earlier truth: its probabilities, and each item's row in them, -1 where it has none."""

    probabilities: Floats
    row: Integers


def earlier_truth(t: RatingTable, truth: Truth) -> Earlier:
    """Return what an earlier truth says about the items of a table."""
    if not np.array_equal(truth.categories, scale_categories(t)):
        raise InputError(
            f"warm_start has the categories {truth.categories.tolist()}, the table "
            f"{scale_categories(t).tolist()}. Start from a truth on the same scale."
        )
    place = {item: row for row, item in enumerate(truth.items)}
    rows = np.array([place.get(item, -1) for item in t.items], dtype=np.int64)
    return Earlier(truth.probabilities, rows)


def starting_counts(blocks: RatingBlocks, earlier: Earlier | None = None) -> Expectation:
    """Expected counts if the truth is what the ratings of each item say on average.

    Items without ratings may be anything; where there is an earlier truth or a known category, it
    replaces the ratings. There is no likelihood yet.
    """
    n_categories = blocks.n_categories
    counts = np.zeros((blocks.n_raters * n_categories, n_categories))
    mass = np.zeros(n_categories)
    for block in blocks.blocks:
        shares = _shares(block, n_categories)
        if earlier is not None:
            row = earlier.row[block.rows]
            shares[row >= 0] = earlier.probabilities[row[row >= 0]]
        shares[block.known] = np.eye(n_categories)[block.category]
        counts += block.ratings.T @ shares
        mass += np.ones(len(shares)) @ shares
    return Expectation(np.nan, by_true(counts, blocks), mass)


def _shares(block: Block, n_categories: int) -> Floats:
    """Shares of an item's ratings, shape (n, K); even without any."""
    counts = votes(block, n_categories)
    total = counts @ np.ones(n_categories)
    counts[total == 0] = 1.0
    return np.asarray(counts / np.where(total == 0, n_categories, total)[:, None])
