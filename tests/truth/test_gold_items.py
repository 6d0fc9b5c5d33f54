import numpy as np
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.truth import dawid_skene, majority_vote, mean_rating, with_known
from ocrjury.truth.gold_items import place_gold


def likert(matrix):
    return RatingTable.from_matrix(matrix, scale=Scale.likert(1, 5))


def test_known_items_are_certain_and_marked():
    table = likert([[1, 2], [3, 3], [4, 5]])

    truth = with_known(majority_vote(table), {0: 2, 2: 1})

    assert truth.label.tolist() == truth.median.tolist() == truth.mean.tolist() == [2, 3, 1]
    assert truth.probabilities[0].tolist() == [0, 1, 0, 0, 0]
    assert truth.tied.tolist() == [False, False, False]
    assert truth.known.tolist() == [True, False, True]


def test_what_was_known_before_stays_known():
    once = with_known(majority_vote(likert([[1, 2], [3, 3]])), {0: 2})

    assert with_known(once, {1: 3}).known.tolist() == [True, True]
    assert with_known(once, {}) is once


def test_the_truth_given_is_left_as_it_was():
    truth = majority_vote(likert([[1, 2]]))

    with_known(truth, {0: 5})

    assert truth.label.tolist() == [1]
    assert truth.known is None


def test_models_mark_what_they_were_told():
    truth = dawid_skene(likert([[1, 2], [3, 3]]), gold={1: 3})

    assert truth.known.tolist() == [False, True]


def test_names_have_neither_mean_nor_median():
    table = RatingTable.from_matrix([["a", "b"]], scale=Scale.nominal(["a", "b"]))

    truth = with_known(majority_vote(table), {0: "b"})

    assert truth.label.tolist() == ["b"]
    assert np.isnan([truth.mean[0], truth.median[0]]).all()


def test_on_a_continuous_scale_any_number_can_be_known():
    table = RatingTable.from_matrix([[10.0, 20.0], [30.0, 50.0]], scale=Scale.interval(0, 100))

    truth = with_known(mean_rating(table), {0: 17.25})

    assert truth.label.tolist() == [17.25, 30]
    assert truth.mean.tolist() == [17.25, 40]
    assert truth.probabilities[0].tolist() == [0, 1, 0, 0]


def test_places_of_unknown_items_are_left_out_on_every_scale():
    assert place_gold({"x": 2, "y": 1}, ("y",), np.array([1, 2])) == {0: 0}
    assert place_gold({"x": 0.2, "y": 0.9}, ("y",), np.array([0.0, 1.0])) == {0: 1}


def test_a_rating_outside_the_scale_is_refused():
    with pytest.raises(InputError, match="the first is item 0 with 9"):
        with_known(majority_vote(likert([[1, 2]])), {0: 9})


@pytest.mark.parametrize("rating", [float("nan"), float("inf"), None, "half"])
def test_what_is_known_on_a_continuous_scale_is_a_number(rating):
    truth = mean_rating(RatingTable.from_matrix([[0.2, 0.4]], scale=Scale.interval(0, 1)))

    with pytest.raises(InputError, match=r"gold item 0 has the rating .*, which is not a number"):
        with_known(truth, {0: rating})
