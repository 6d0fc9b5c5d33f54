import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import RatingTable, Scale
from ocrjury.truth.rating_blocks import one_by_one, rating_blocks, votes

ROWS = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 3), st.integers(1, 5)), min_size=1, max_size=40
)


def likert(rows):
    frame = pd.DataFrame(rows, columns=["item", "rater", "rating"])
    return RatingTable.from_long(frame, scale=Scale.likert(1, 5), repeats="keep")


def triples(table, blocks):
    """Ratings as the blocks have them: item, rater and code, sorted."""
    found = []
    for block in blocks.blocks:
        item, rater, code = one_by_one(block, blocks.n_categories)
        found += zip((item + block.rows.start).tolist(), rater.tolist(), code.tolist(), strict=True)
    return sorted(found)


@given(rows=ROWS, items_per_block=st.integers(1, 8))
def test_blocks_hold_all_ratings_in_any_order_of_rows(rows, items_per_block):
    table = likert(rows)

    blocks = rating_blocks(table, {}, items_per_block=items_per_block)

    expected = sorted(
        zip(table.item.tolist(), table.rater.tolist(), table.codes.tolist(), strict=True)
    )
    assert triples(table, blocks) == expected
    assert [block.rows.start for block in blocks.blocks][1:] == [
        block.rows.stop for block in blocks.blocks
    ][:-1]


@given(ROWS)
def test_votes_are_the_counts_of_the_table(rows):
    table = likert(rows)

    blocks = rating_blocks(table, {}, items_per_block=3).blocks

    together = np.vstack([votes(block, 5) for block in blocks])
    assert together.tolist() == table.counts().tolist()
    assert max(block.deepest for block in blocks) == table.counts().sum(axis=1).max()


def test_blocks_end_early_where_items_have_many_ratings(monkeypatch):
    monkeypatch.setattr("ocrjury.truth.rating_blocks.RATINGS_PER_BLOCK", 7)
    table = RatingTable.from_matrix(np.ones((9, 3)), scale=Scale.likert(1, 2))
    deep = RatingTable.from_matrix(np.ones((3, 20)), scale=Scale.likert(1, 2))

    assert [block.rows.stop for block in rating_blocks(table, {}).blocks] == [2, 4, 6, 8, 9]
    assert [block.rows.stop for block in rating_blocks(deep, {}).blocks] == [1, 2, 3]


def test_ones_are_stored_once_for_all_blocks(team):
    blocks = rating_blocks(team(90)[0], {}, items_per_block=30).blocks

    bases = {id(block.ratings.data.base) for block in blocks}
    assert len(bases) == 1
    assert blocks[0].ratings.indices.dtype == np.int32


def test_known_items_are_found_in_their_block():
    table = RatingTable.from_matrix(np.ones((10, 2)), scale=Scale.likert(1, 3))

    first, second = rating_blocks(table, {8: 2, 1: 0, 5: 1}, items_per_block=5).blocks

    assert (first.known.tolist(), first.category.tolist()) == ([1], [0])
    assert (second.known.tolist(), second.category.tolist()) == ([0, 3], [1, 2])


@pytest.mark.parametrize("n_items", [0, 3])
def test_no_ratings_are_no_error(n_items):
    table = RatingTable.from_matrix(np.full((n_items, 2), np.nan), scale=Scale.likert(1, 3))

    blocks = rating_blocks(table, {})

    assert len(blocks.blocks) == min(n_items, 1)
    assert sum(block.ratings.nnz for block in blocks.blocks) == 0
