import numpy as np
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


@pytest.mark.parametrize("missing", [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT])
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


@pytest.mark.parametrize("score", ["4", "four", float("inf"), [4], {}])
def test_a_score_that_is_no_number_of_the_scale_is_refused(score):
    with pytest.raises(InputError, match="of item 'b' lies outside the raters' scale"):
        judge_alignment(likert([[4, 5], [1, 2]]), [4, score])


def test_a_name_that_is_no_category_is_refused():
    table = RatingTable.from_matrix([["x", "y"]], scale=Scale.nominal(["x", "y"]))

    for score in ("z", ["x"]):
        with pytest.raises(InputError, match="lies outside"):
            judge_alignment(table, [score])


def test_two_scores_of_one_item_are_refused():
    with pytest.raises(InputError, match="several of 'a'"):
        judge_alignment(likert([[4, 4]]), pd.Series([4, 5], index=["a", "a"]))


def test_a_sentence_is_no_list_of_scores():
    with pytest.raises(InputError, match="one score per item"):
        judge_alignment(likert([[4, 4], [2, 2]]), "45")


def test_weighted_items_count_several_times():
    matrix, scores, times = [[4, 5], [1, 2], [3, 3]], [5, 1, 4], [1, 3, 2]
    weighted = RatingTable.from_matrix(matrix, scale=FIVE, item_weight=times)
    repeated = RatingTable.from_matrix(
        [row for row, n in zip(matrix, times, strict=True) for _ in range(n)], scale=FIVE
    )
    spread = [score for score, n in zip(scores, times, strict=True) for _ in range(n)]

    expected = judge_alignment(repeated, spread).value
    assert judge_alignment(weighted, scores).value == pytest.approx(expected)


def test_a_list_of_another_length_is_refused():
    with pytest.raises(InputError, match=r"one score per item of the table \(2\); found 3"):
        judge_alignment(likert([[4, 5], [1, 2]]), [1, 2, 3])
