"""Ratings as sparse matrices, a block of items each. N items, M raters, n ratings, K categories."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from ocrjury.arrays import Floats, Integers
from ocrjury.ratings import RatingTable

Places = npt.NDArray[np.signedinteger[Any]]
ITEMS_PER_BLOCK = 65_536
RATINGS_PER_BLOCK = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Consecutive items: their ratings, and their known categories.

    Attributes
    ----------
    rows
        Places of the items.
    ratings
        1 for each rating; row: item, column: rater times K plus observed category.
    known, category
        Places of items with a known category, from 0 in each block, and those categories.
    deepest
        Largest number of ratings of one item.
    """

    rows: slice
    ratings: csr_matrix
    known: Integers
    category: Integers
    deepest: int


@dataclass(frozen=True, slots=True, eq=False)
class RatingBlocks:
    """All ratings, in blocks of items.

    ``n_in_cell`` counts the ratings of each rater and observed category, shape (M * K,);
    ``repeated`` is as in the table.
    """

    blocks: tuple[Block, ...]
    n_in_cell: Floats
    n_items: int
    n_raters: int
    n_categories: int
    repeated: bool

    @property
    def n_ratings(self) -> int:
        """Number of ratings."""
        return int(self.n_in_cell.sum())


class Columns(NamedTuple):
    """Ratings of a block: place of item in the block, rater, and category, (n,) each."""

    item: Places
    rater: Places
    code: Places


def rating_blocks(
    table: RatingTable, gold: Mapping[int, int], *, items_per_block: int = ITEMS_PER_BLOCK
) -> RatingBlocks:
    """Ratings of a table in blocks; ``gold`` is {place of item: place of category}."""
    table.refuse_anonymous("truth inference")
    n_categories = len(table.categories)
    start = np.zeros(table.n_items + 1, dtype=np.int64)
    np.cumsum(np.bincount(table.item, minlength=table.n_items), out=start[1:])
    bounds = _bounds(start, items_per_block)
    column = _columns_by_item(table)
    known = np.array(sorted(gold), dtype=np.int64)
    category = np.array([gold[int(place)] for place in known], dtype=np.int64)
    ones = np.ones(int(np.diff(start[bounds]).max(initial=0)))  # one array for all blocks
    blocks = []
    for first, last in pairwise(bounds):
        begin, stop = int(start[first]), int(start[last])
        ends = (start[first : last + 1] - begin).astype(column.dtype)
        matrix = csr_matrix(
            (ones[: stop - begin], column[begin:stop], ends),
            shape=(last - first, table.n_raters * n_categories),
        )
        inside = (known >= first) & (known < last)
        blocks.append(
            Block(
                slice(first, last),
                matrix,
                known[inside] - first,
                category[inside],
                int(np.diff(ends).max(initial=0)),
            )
        )
    in_cell = np.bincount(column, minlength=table.n_raters * n_categories).astype(float)
    return RatingBlocks(
        tuple(blocks), in_cell, table.n_items, table.n_raters, n_categories, table.repeated
    )


def one_by_one(block: Block, n_categories: int) -> Columns:
    """Ratings of a block in the order of its matrix."""
    depth = np.diff(block.ratings.indptr)
    item = np.repeat(np.arange(len(depth), dtype=depth.dtype), depth)
    rater, code = np.divmod(block.ratings.indices, n_categories)
    return Columns(item, rater, code)


def votes(block: Block, n_categories: int) -> Floats:
    """Number of ratings of each category on the items of a block, shape (n, K)."""
    item, _, code = one_by_one(block, n_categories)
    n_items = block.ratings.shape[0]
    counts = np.bincount(item * n_categories + code, minlength=n_items * n_categories)
    return counts.reshape(n_items, n_categories).astype(float)


def _bounds(start: Integers, items_per_block: int) -> list[int]:
    """Boundaries of blocks with a limited number of items and ratings, from 0 to N."""
    n_items = len(start) - 1
    bounds = [0]
    while bounds[-1] < n_items:
        first = bounds[-1]
        full = int(np.searchsorted(start, start[first] + RATINGS_PER_BLOCK, side="right")) - 1
        bounds.append(min(max(full, first + 1), first + items_per_block, n_items))
    return bounds


def _columns_by_item(table: RatingTable) -> Places:
    """Column of each rating in the matrix, in the order of items, shape (n,)."""
    width = table.n_raters * len(table.categories)
    small = max(width, table.n_ratings) < np.iinfo(np.int32).max
    column: Places = table.rater.astype(np.int32 if small else np.int64)
    np.multiply(column, len(table.categories), out=column)
    np.add(column, table.codes, out=column, casting="same_kind")
    if not (table.item[1:] < table.item[:-1]).any():
        return column
    # Transposing a sparse matrix is a counting sort, faster than a sort by comparison.
    each = np.arange(table.n_ratings + 1, dtype=column.dtype)
    by_rating = csr_matrix(
        (column, table.item.astype(column.dtype), each), shape=(table.n_ratings, table.n_items)
    )
    return np.asarray(by_rating.tocsc().data)


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
