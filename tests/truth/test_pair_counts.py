import numpy as np
import pandas as pd
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.truth.rating_blocks import (
    known_counts,
    leave_one_out_counts,
    rating_blocks,
    unsettled_pairs,
)


def loop(table):
    """Each rating against the shares of the other raters' ratings of the item."""
    matrix = np.zeros((len(table.categories),) * 2)
    for item, rater, code in zip(table.item, table.rater, table.codes, strict=True):
        others = table.codes[(table.item == item) & (table.rater != rater)]
        for other in others:
            matrix[other, code] += 1 / len(others)
    return matrix


def test_ratings_are_compared_with_those_of_other_raters_only(team):
    table, _ = team(50)

    assert leave_one_out_counts(rating_blocks(table, {})) == pytest.approx(loop(table))


def test_a_raters_own_repeats_are_left_out(anaesthetists):
    found = leave_one_out_counts(rating_blocks(anaesthetists, {}))

    assert found == pytest.approx(loop(anaesthetists))


def test_a_known_category_replaces_the_others():
    table = RatingTable.from_matrix([[0, 1, 1]], scale=Scale.binary())

    assert leave_one_out_counts(rating_blocks(table, {0: 0})).tolist() == [[1, 2], [0, 0]]


def test_lonely_ratings_do_not_count():
    frame = pd.DataFrame({"item": [1, 1, 2], "rater": ["a", "a", "b"], "rating": [0, 1, 1]})
    table = RatingTable.from_long(frame, scale=Scale.binary(), repeats="keep")

    assert leave_one_out_counts(rating_blocks(table, {})).sum() == 0


def test_known_items_are_left_out_of_the_pairs_with_and_without_repeats(anaesthetists):
    gold = {0: 1, 7: 0, 30: 3}
    rest = np.isin(anaesthetists.item, list(gold), invert=True)
    blocks = rating_blocks(anaesthetists, gold)

    known = np.zeros((4, 4))
    for item, code in zip(anaesthetists.item[~rest], anaesthetists.codes[~rest], strict=True):
        known[gold[item], code] += 1

    assert known_counts(blocks) == pytest.approx(known)
    assert unsettled_pairs(blocks).sum() == pytest.approx(rest.sum())


@pytest.mark.parametrize("items_per_block", [1, 3, 1000])
def test_the_size_of_blocks_has_no_influence(anaesthetists, team, items_per_block):
    for table in (anaesthetists, team(50)[0]):
        whole = leave_one_out_counts(rating_blocks(table, {2: 1}))
        parts = leave_one_out_counts(rating_blocks(table, {2: 1}, items_per_block=items_per_block))

        assert parts == pytest.approx(whole, abs=1e-9)
