import numpy as np
import pytest
from hypothesis import given, settings

from ocrjury import RatingTable, Scale
from ocrjury.agreement import fleiss_kappa, krippendorff_alpha
from ocrjury.agreement.patterns import collapse, usable, why_undefined
from tests.strategies import rating_matrices

FIVE = Scale.likert(1, 5)


def likert(matrix, **options):
    return RatingTable.from_matrix(matrix, scale=FIVE, **options)


def test_items_with_the_same_counts_become_one_pattern():
    patterns = collapse(likert([[1, 2], [2, 1], [1, 2], [3, 3], [4, None], [None, None]]))

    rows = {
        tuple(row): times for row, times in zip(patterns.counts, patterns.frequency, strict=True)
    }
    assert rows == {(1, 1, 0, 0, 0): 3, (0, 0, 2, 0, 0): 1, (0, 0, 0, 1, 0): 1}
    assert patterns.only_pairable().frequency.sum() == 4


def test_items_with_different_weights_stay_apart():
    patterns = collapse(likert([[1, 2], [2, 1], [1, 2]], item_weight=[1, 1, 4]))

    assert sorted(patterns.frequency) == [1, 2]
    assert patterns.frequency @ patterns.weight == pytest.approx(3)


@settings(max_examples=50)
@given(rating_matrices())
def test_the_patterns_hold_all_ratings(matrix):
    table = likert(matrix)
    patterns = collapse(table)

    assert np.array_equal(patterns.frequency @ patterns.counts, table.counts().sum(axis=0))
    assert patterns.frequency.sum() == len(matrix)


@settings(max_examples=50)
@given(rating_matrices())
def test_many_categories_are_not_merged_and_give_the_same_numbers(matrix):
    # 4 ** 60 counts do not fit into one number; with weights rows are not looked for either.
    weights = [1.0] * len(matrix)
    wide = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 60), item_weight=weights)

    assert collapse(wide).frequency.tolist() == [1] * len(matrix)
    assert fleiss_kappa(wide).value == pytest.approx(
        fleiss_kappa(likert(matrix)).value, nan_ok=True
    )
    ours, narrow = (krippendorff_alpha(table, ci="jackknife") for table in (wide, likert(matrix)))
    assert (ours.value, ours.se) == pytest.approx((narrow.value, narrow.se), nan_ok=True)


def test_many_patterns_are_sorted_instead_of_counted(monkeypatch):
    table = likert([[1, 2], [2, 1], [5, 5]], item_weight=[1, 2, 2])
    counted = collapse(table)
    monkeypatch.setattr("ocrjury.agreement.patterns._SMALL", 0)

    sorted_ = collapse(table)

    assert np.array_equal(sorted_.counts, counted.counts)
    assert np.array_equal(sorted_.weight, counted.weight)


def test_items_of_weight_zero_lose_their_ratings():
    table = usable(likert([[1, 2], [3, 3]], item_weight=[0, 1]), "anything")

    assert table.n_ratings == 2
    assert table.n_items == 2


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        ([], "no_items"),
        ([[None, None]], "no_items"),
        ([[1, None], [2, None]], "fewer_than_two_raters"),
        ([[1, None], [None, 2]], "no_pairable_items"),
        ([[1, 2]], None),
    ],
)
def test_the_first_reason_that_holds_is_given(matrix, reason):
    assert why_undefined(likert(matrix)) == reason
