import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError, RatingTable, Scale
from ocrjury.truth import majority_vote, mean_rating, median_rating

MATRICES = st.lists(
    st.lists(st.sampled_from([1, 2, 3, 4, 5, None]), min_size=4, max_size=4), min_size=1, max_size=6
)


def likert(matrix):
    return RatingTable.from_matrix(matrix, scale=Scale.likert(1, 5))


@pytest.mark.parametrize(
    ("ratings", "label", "tied"),
    [
        ([4, 4, 5, None, None], 4, False),
        ([2, 4, None, None, None], 2, True),
        ([1, 3, 5, None, None], 3, True),
        ([1, 1, 5, 5, 3], 1, True),
        ([5, 5, 1, None, None], 5, False),
    ],
)
def test_ties_go_to_the_median_and_then_to_the_lower_one(ratings, label, tied):
    truth = majority_vote(likert([ratings]))

    assert (truth.label.tolist(), truth.tied.tolist()) == ([label], [tied])


@given(MATRICES)
def test_the_mean_is_that_of_the_ratings(matrix):
    truth = mean_rating(likert(matrix))

    for row, mean, label in zip(matrix, truth.mean, truth.label, strict=True):
        given_ratings = [value for value in row if value is not None]
        if given_ratings:
            assert mean == pytest.approx(np.mean(given_ratings))
            assert abs(label - mean) <= 0.5 + 1e-9


@given(MATRICES)
def test_the_median_is_the_lower_median_of_the_ratings(matrix):
    truth = median_rating(likert(matrix))

    for row, median in zip(matrix, truth.median, strict=True):
        given_ratings = sorted(value for value in row if value is not None)
        if given_ratings:
            assert median == given_ratings[(len(given_ratings) - 1) // 2]
    assert truth.label.tolist() == truth.median.tolist()


def test_a_mean_halfway_is_a_tie_for_the_lower_category():
    truth = mean_rating(likert([[3, 4], [3, 3]]))

    assert truth.label.tolist() == [3, 3]
    assert truth.tied.tolist() == [True, False]


def test_a_median_of_two_is_a_tie():
    assert median_rating(likert([[1, 5, None], [1, 1, 5]])).tied.tolist() == [True, False]


@pytest.mark.parametrize("method", [majority_vote, mean_rating, median_rating])
def test_an_item_without_ratings_has_the_shares_of_all(method):
    truth = method(likert([[1, 1, 5, 1], [None] * 4]))

    assert truth.probabilities[1].tolist() == [0.75, 0, 0, 0, 0.25]
    assert "1 of 2 items have no rating" in truth.warnings[0]


@pytest.mark.parametrize("method", [majority_vote, mean_rating, median_rating])
def test_counting_has_no_likelihood_and_describes_raters(method):
    truth = method(likert([[1, 1, 2], [3, 3, 3], [5, 5, 4]]))

    assert np.isnan(truth.log_likelihood)
    assert (truth.n_iter, truth.converged, len(truth.objective)) == (0, True, 0)
    assert truth.confusion.sum(axis=2) == pytest.approx(1)
    assert truth.rater_accuracy[0] > truth.rater_accuracy[2]


@pytest.mark.parametrize("method", [majority_vote, mean_rating, median_rating])
def test_an_empty_table_has_an_empty_truth(method):
    assert method(likert(np.zeros((0, 2)))).label.tolist() == []


def test_names_have_a_majority_but_no_mean_and_no_median():
    table = RatingTable.from_matrix([["b", "b", "a"]], scale=Scale.nominal(["a", "b"]))

    truth = majority_vote(table)

    assert truth.label.tolist() == ["b"]
    assert np.isnan([truth.mean[0], truth.median[0], truth.rater_bias[0]]).all()
    for method in (mean_rating, median_rating):
        with pytest.raises(InputError, match=r"needs numbers in order.*nominal a, b"):
            method(table)


def test_a_continuous_scale_has_a_mean_and_a_median_but_no_majority():
    table = RatingTable.from_matrix([[10.0, 20.0, 60.0]], scale=Scale.interval(0, 100))

    assert mean_rating(table).mean.tolist() == [pytest.approx(30)]
    assert median_rating(table).median.tolist() == [20.0]
    with pytest.raises(InputError, match="majority_vote needs categories"):
        majority_vote(table)


@pytest.mark.parametrize(
    ("ratings", "label", "tied"),
    [
        (["form", "letter", "bill"], "letter", True),
        (["form", "bill", "bill", "form", "memo"], "bill", True),
        (["memo", "form", "memo"], "memo", False),
    ],
)
def test_among_names_a_tie_goes_to_the_first_declared(ratings, label, tied):
    scale = Scale.nominal(["letter", "bill", "form", "memo"])

    truth = majority_vote(RatingTable.from_matrix([ratings], scale=scale))

    assert (truth.label.tolist(), truth.tied.tolist()) == ([label], [tied])


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=8), st.permutations("abcd"))
def test_a_tie_among_names_is_broken_by_nothing_but_their_order(ratings, declared):
    truth = majority_vote(RatingTable.from_matrix([ratings], scale=Scale.nominal(list(declared))))

    most = max(map(ratings.count, declared))
    assert truth.label[0] == next(name for name in declared if ratings.count(name) == most)
