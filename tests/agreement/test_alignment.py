import pandas as pd
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import human_agreement, judge_alignment

FIVE = Scale.likert(1, 5)


def likert(matrix):
    return RatingTable.from_matrix(matrix, scale=FIVE, items=["a", "b", "c"][: len(matrix)])


def test_a_judge_is_as_near_as_the_mean_over_the_humans_of_an_item():
    # Item a: distances .25 and 0; item b: .5 and .25.
    estimate = judge_alignment(likert([[4, 5], [1, 2]]), {"a": 5, "b": 3})

    assert estimate.value == pytest.approx((0.875 + 0.625) / 2)
    assert (estimate.n_items, estimate.n_raters, estimate.n_ratings) == (2, 2, 4)
    assert estimate.low < estimate.value < estimate.high


def test_a_judge_may_score_between_the_levels():
    assert judge_alignment(likert([[4, 5]]), [4.5]).value == pytest.approx(0.875)


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_items_without_a_score_are_left_out(missing):
    table = likert([[4, 4], [1, 2], [3, None]])

    assert judge_alignment(table, [4, missing, 3]).value == 1
    assert judge_alignment(table, {"c": 2}).n_items == 1


def test_a_series_is_read_by_item():
    assert judge_alignment(likert([[4, 4], [1, 1]]), pd.Series({"b": 1, "a": 4})).value == 1


def test_no_score_at_all_is_undefined():
    assert judge_alignment(likert([[4, 4]]), {}).reason == "no_items"


def test_a_judge_of_names_is_right_or_wrong():
    table = RatingTable.from_matrix([["x", "y"], ["y", "y"]], scale=Scale.nominal(["x", "y"]))

    assert judge_alignment(table, ["x", "y"]).value == 0.75


def test_a_copy_of_one_rater_of_two_gains_half_of_the_disagreement():
    table = likert([[4, 5], [1, 3]])

    human = human_agreement(table).value
    assert judge_alignment(table, [4, 1]).value == pytest.approx((1 + human) / 2)


def test_a_score_outside_the_scale_is_named():
    with pytest.raises(InputError, match=r"score 80 of item 'b' lies outside.*likert 1 to 5"):
        judge_alignment(likert([[4, 5], [1, 2]]), [4, 80])


def test_a_list_of_another_length_is_refused():
    with pytest.raises(InputError, match=r"one score per item of the table \(2\); found 3"):
        judge_alignment(likert([[4, 5], [1, 2]]), [1, 2, 3])
