import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import RatingTable, Scale
from ocrjury.truth import dawid_skene, majority_vote, one_coin
from ocrjury.truth.rating_weight import rating_weights, rooted_posterior


def test_rooted_ratings_weigh_together_like_the_root_of_their_number():
    number = np.arange(1, 9)

    weights = rating_weights(number, dependence=1.0)

    assert weights * number == pytest.approx(np.sqrt(number))


def test_without_a_rating_the_weight_is_finite():
    assert rating_weights([0, 3], dependence=1.0)[0] == 1.0


def test_independent_ratings_all_weigh_one():
    assert rating_weights([0, 1, 7], dependence=0.0).tolist() == [1.0, 1.0, 1.0]


@given(st.lists(st.integers(1, 10_000), min_size=2), st.floats(0, 1), st.floats(0, 1))
def test_ratings_weigh_more_together_and_less_the_more_they_depend(number, one, other):
    less, more = sorted((one, other))
    number = np.sort(number)

    together = number * rating_weights(number, dependence=less)

    assert (np.diff(together) >= 0).all()
    assert (
        rating_weights(number, dependence=more) <= rating_weights(number, dependence=less)
    ).all()


@pytest.mark.parametrize(
    ("fit", "rooted"),
    [
        (dawid_skene, True),
        (lambda t: dawid_skene(t, prior="none"), False),
        (lambda t: dawid_skene(t, prior="distance"), False),
        (one_coin, False),
        (majority_vote, False),
    ],
)
def test_probabilities_are_the_posterior_with_the_weights_that_a_truth_names(fit, rooted):
    matrix = np.array([[1, 1, 2], [2, 2, 2], [3, 3, 3], [1, 2, 1], [3, 2, 3], [1, 1, 1]])
    table = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 3))

    truth = fit(table)

    assert truth.rooted is rooted
    if fit is not majority_vote:
        said = np.log(truth.confusion)[np.arange(3), :, matrix - 1].sum(axis=1)
        joint = (truth.class_prior * np.exp(said)) ** rating_weights(3, dependence=truth.dependence)
        assert truth.probabilities == pytest.approx(joint / joint.sum(axis=1, keepdims=True))


def test_rooting_moves_no_label_and_leaves_what_is_certain_alone():
    sure = np.array([[0.6, 0.3, 0.1], [1.0, 0.0, 0.0], [0.2, 0.2, 0.6]])

    rooted = rooted_posterior(sure, [9, 2000, 0])

    assert rooted.argmax(axis=1).tolist() == [0, 0, 2]
    assert rooted[0] == pytest.approx(np.cbrt(sure[0]) / np.cbrt(sure[0]).sum())
    assert rooted[1:] == pytest.approx(sure[1:])


# Their posterior is 0 in floating-point numbers where its root is not.
@pytest.mark.parametrize("number", [40, 900, 1000, 1500, 20_000])
@pytest.mark.parametrize("right", [0.3, 0.8])
def test_confidence_holds_for_any_number_of_ratings(number, right):
    rng = np.random.default_rng(3)
    said = np.where(rng.random(number) < right, 2, rng.integers(1, 6, number))
    others = rng.integers(1, 6, 100)
    frame = pd.DataFrame(
        {
            "item": [0] * number + list(range(1, 101)) * 3,
            "rater": [place % 7 for place in range(number)] + [0] * 100 + [1] * 100 + [2] * 100,
            "rating": [*said, *others, *others, *rng.permutation(others)],
        }
    )
    table = RatingTable.from_long(frame, scale=Scale.likert(1, 5), repeats="keep")

    truth = dawid_skene(table)

    logs = np.log(truth.class_prior)
    for rater, code in zip(table.rater[:number], table.codes[:number], strict=True):
        logs = logs + np.log(truth.confusion[rater, :, code])
    weights = np.exp((logs - logs.max()) * float(number) ** (-truth.dependence / 2))
    assert truth.probabilities[0] == pytest.approx(weights / weights.sum(), abs=1e-9)
