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

    weights = rating_weights(number, dependence=1.0, bounded=False)

    assert weights * number == pytest.approx(np.sqrt(number))


def test_bounded_ratings_never_weigh_like_three_and_three_of_them_like_the_root():
    number = np.array([1, 3, 10, 10**9])

    together = number * rating_weights(number, dependence=1.0, bounded=True)

    # 10 / (1 + 9 r) with r = .366
    assert together == pytest.approx([1, np.sqrt(3), 2.3287, 1 + np.sqrt(3)], abs=1e-4)


@pytest.mark.parametrize("bounded", [False, True])
def test_without_a_rating_the_weight_is_finite(bounded):
    assert rating_weights([0, 3], dependence=1.0, bounded=bounded)[0] == 1.0


@pytest.mark.parametrize("bounded", [False, True])
def test_independent_ratings_all_weigh_one(bounded):
    weights = rating_weights([0, 1, 7], dependence=0.0, bounded=bounded)

    assert weights.tolist() == [1.0, 1.0, 1.0]


@given(
    st.lists(st.integers(1, 10_000), min_size=2), st.floats(0, 1), st.floats(0, 1), st.booleans()
)
def test_ratings_weigh_more_together_and_less_the_more_they_depend(number, one, other, bounded):
    number = np.sort(number)

    less, more = (
        rating_weights(number, dependence=dependence, bounded=bounded)
        for dependence in sorted((one, other))
    )

    assert (np.diff(number * less) >= 0).all()
    assert (more <= less).all()


@pytest.mark.parametrize(
    ("fit", "rooted"),
    [
        (dawid_skene, True),
        (lambda t: dawid_skene(t, prior="none"), False),
        (lambda t: dawid_skene(t, prior="diagonal"), False),
        (one_coin, False),
        (majority_vote, False),
    ],
)
@pytest.mark.parametrize("scale", [Scale.likert(1, 3), Scale.nominal([1, 2, 3])], ids=str)
def test_probabilities_are_the_posterior_with_the_weights_that_a_truth_names(fit, rooted, scale):
    matrix = np.tile([[1, 1, 2], [2, 2, 2], [3, 3, 3], [1, 2, 1], [3, 2, 3], [1, 1, 1]], 2)
    table = RatingTable.from_matrix(matrix, scale=scale)

    truth = fit(table)

    assert truth.rooted is rooted
    if fit is not majority_vote:
        said = np.log(truth.confusion)[np.arange(6), :, matrix - 1].sum(axis=1)
        weight = rating_weights(6, dependence=truth.dependence, bounded=truth.bounded)
        joint = (truth.class_prior * np.exp(said)) ** weight
        assert truth.probabilities == pytest.approx(joint / joint.sum(axis=1, keepdims=True))


@pytest.mark.parametrize(
    ("scale", "prior", "bounded"),
    [
        (Scale.nominal([1, 2]), "kinds", False),
        (Scale.nominal([1, 2, 3]), "kinds", True),
        (Scale.likert(1, 3), "kinds", False),
        (Scale.nominal([1, 2, 3]), "hierarchical", False),
    ],
    ids=str,
)
def test_what_ratings_tell_is_bounded_on_three_or_more_names(scale, prior, bounded):
    table = RatingTable.from_matrix([[1, 1, 2], [2, 2, 2], [1, 2, 1]], scale=scale)

    assert dawid_skene(table, prior=prior).bounded is bounded


def hard_names(seed, n_items=300):
    """Ten ratings on four names; two in five items look like several of them, to everybody."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 4, n_items)
    seen = np.eye(4)[true] * 0.85 + 0.0375
    hard = rng.random(n_items) < 0.4
    seen[hard] = 0.25 * seen[hard] + 0.75 * rng.dirichlet(np.full(4, 0.7), hard.sum())
    said = (rng.random((n_items, 10, 1)) > seen.cumsum(axis=1)[:, None]).sum(axis=2)
    names = np.array(list("abcd"))
    scale = Scale.nominal(names.tolist())
    return RatingTable.from_matrix(names[np.minimum(said, 3)].tolist(), scale=scale), true


def test_ten_raters_who_are_misled_together_are_believed_less_than_the_root_of_ten():
    loss, over = np.zeros(2), np.zeros(2)
    for seed in range(3):
        table, true = hard_names(seed)
        for place, prior in enumerate(("kinds", "hierarchical")):
            truth = dawid_skene(table, prior=prior)
            squares = (truth.probabilities - np.eye(4)[true]) ** 2
            right = truth.probabilities.argmax(axis=1) == true
            loss[place] += squares.sum(axis=1).mean() / 3
            over[place] += (truth.confidence.mean() - right.mean()) / 3

    assert loss[0] < loss[1] - 0.02
    assert 0 < over[0] < over[1] - 0.03


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
