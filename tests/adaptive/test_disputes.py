import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.adaptive import disputed_items
from ocrjury.truth import majority_vote

AGREED, SPLIT, FULL, MIXED, LONELY = (
    [3, 3, None, None],
    [1, 5, None, None],
    [1, 5, 1, 5],
    [1, 5, 5, None],
    [4, None, None, None],
)


def disputed(matrices, *, target_confidence=0.9, cap=4):
    tables = {
        name: RatingTable.from_matrix(matrix, scale=Scale.likert(1, 5))
        for name, matrix in matrices.items()
    }
    truths = {name: majority_vote(table) for name, table in tables.items()}
    return disputed_items(truths, tables, target_confidence=target_confidence, cap=cap)


def test_contradicted_items_and_full_ones_are_disputed():
    assert disputed({"meaning": [AGREED, SPLIT, FULL, MIXED, LONELY]}) == [1, 2]


def test_an_item_below_the_cap_with_some_agreement_can_still_be_asked_about():
    assert disputed({"meaning": [MIXED]}, cap=4) == []
    assert disputed({"meaning": [MIXED]}, cap=3) == [0]


def test_a_sure_item_is_not_disputed_at_the_cap():
    assert disputed({"meaning": [MIXED]}, cap=3, target_confidence=0.6) == []


def test_one_dimension_suffices_and_an_item_comes_once():
    matrices = {"meaning": [AGREED, SPLIT, SPLIT], "layout": [SPLIT, SPLIT, AGREED]}

    assert sorted(disputed(matrices)) == [0, 1, 2]


def test_an_item_must_be_unsure_and_stuck_on_the_same_dimension():
    unsure_here = [[5, 5, 5, 5, 5, 5, 5, 5, 1]]
    full_but_sure = [[3] * 9]

    assert disputed({"a": unsure_here, "b": full_but_sure}, cap=10) == []


def test_truths_and_tables_must_name_the_same_dimensions():
    table = RatingTable.from_matrix([[1, 2]], scale=Scale.likert(1, 5))

    with pytest.raises(InputError, match="same dimensions"):
        disputed_items({"a": majority_vote(table)}, {}, target_confidence=0.9, cap=4)
