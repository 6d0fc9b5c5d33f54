import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.adaptive.information import (
    count_outcomes,
    expected_confidence,
    expected_rise,
    information_gain,
    repeated_outcomes,
    weakened,
)


@st.composite
def beliefs(draw):
    """Probabilities of an item's categories and a rater's confusion matrix."""
    n_categories = draw(st.integers(2, 4))
    rows = st.lists(st.floats(0, 1), min_size=n_categories, max_size=n_categories)
    numbers = np.array([draw(rows) for _ in range(n_categories + 1)]) + 1e-3
    shares = numbers / numbers.sum(axis=1, keepdims=True)
    return shares[:1], shares[1:]


def fall_of_doubt(shares, confusion, times):
    """Expected fall of the doubt about the label over all sequences of ratings, by Bayes' rule."""

    def bits(p):
        return -sum(x * np.log2(x) for x in (p, 1 - p) if x > 0)

    label = shares.argmax()
    expected = 0.0
    for said in itertools.product(range(len(confusion)), repeat=times):
        joint = shares * confusion[:, said].prod(axis=1)
        if joint.sum() > 0:
            expected += joint.sum() * bits(joint[label] / joint.sum())
    return bits(shares[label]) - expected


@given(beliefs(), st.integers(1, 3))
def test_the_gain_is_the_expected_fall_of_doubt_about_the_label(case, times):
    shares, confusion = case

    gain = information_gain(shares, repeated_outcomes(confusion, times))

    assert gain[0] == pytest.approx(fall_of_doubt(shares[0], confusion, times), abs=1e-9)


@given(beliefs())
def test_more_ratings_never_tell_less(case):
    shares, confusion = case
    gains = [information_gain(shares, repeated_outcomes(confusion, n))[0] for n in (1, 2, 3, 4)]

    assert (np.diff([0.0, *gains]) >= -1e-9).all()


@given(beliefs())
def test_expected_confidence_never_falls(case):
    shares, confusion = case

    expected = expected_confidence(shares, confusion)[0]

    assert shares.max() - 1e-9 <= expected <= 1 + 1e-9


def test_a_perfect_rater_tells_all_and_a_constant_one_nothing():
    shares = np.array([[0.5, 0.5, 0, 0]])
    constant = np.tile([1.0, 0, 0, 0], (4, 1))

    assert information_gain(shares, np.eye(4)).tolist() == [1.0]
    assert information_gain(shares, constant).tolist() == [0.0]


def test_on_two_categories_it_is_the_information_about_the_category():
    shares, confusion = np.array([0.7, 0.3]), np.array([[0.9, 0.1], [0.2, 0.8]])
    joint = shares[:, None] * confusion
    mutual = (joint * np.log2(joint / np.outer(shares, joint.sum(axis=0)))).sum()

    assert information_gain(shares[None], confusion)[0] == pytest.approx(mutual)


def test_doubt_between_two_categories_weighs_more_than_a_label_with_two_rare_rivals():
    split, near = [0.0, 0.5, 0.5], [0.25, 0.5, 0.25]
    confusion = np.array([[0.8, 0.2, 0.0], [0.1, 0.8, 0.1], [0.0, 0.2, 0.8]])

    gain = information_gain(np.array([split, near]), confusion)

    assert gain[0] > gain[1]


@pytest.mark.parametrize("times", [1, 2, 5])
def test_outcomes_of_several_ratings_are_all_there(times):
    outcomes = repeated_outcomes(np.full((3, 3), 1 / 3), times)

    assert outcomes.shape == (3, count_outcomes(3, times))
    assert outcomes.sum(axis=1) == pytest.approx(1)


@given(beliefs())
def test_a_rating_that_cannot_change_the_label_raises_nothing(belief):
    shares, confusion = belief

    rise = expected_rise(shares, confusion)[0]

    after = shares[0][:, None] * confusion
    changes = (after.argmax(axis=0) != shares[0].argmax()) & (after.max(axis=0) > 0)
    assert rise >= 0
    if not changes.any():
        assert rise == pytest.approx(0, abs=1e-9)


def test_a_rating_that_tells_all_raises_certainty_to_one():
    shares = np.array([[0.5, 0.3, 0.2], [1.0, 0.0, 0.0]])

    assert expected_rise(shares, np.eye(3)) == pytest.approx([0.5, 0.0])


def prior_of(confusion):
    """Even shares of the categories."""
    return np.full(len(confusion), 1 / len(confusion))


@given(beliefs(), st.floats(0.05, 2))
def test_a_weakened_rater_still_says_something(case, weight):
    _, confusion = case

    answers = weakened(confusion, weight, class_prior=prior_of(confusion))

    assert answers.sum(axis=1) == pytest.approx(np.ones(len(confusion)))
    assert (answers >= 0).all()


@given(beliefs())
def test_a_rating_of_weight_one_is_as_it_was(case):
    _, confusion = case

    assert weakened(confusion, 1.0, class_prior=prior_of(confusion)) == pytest.approx(confusion)


@given(st.floats(0.5, 0.99), st.floats(0.5, 0.99), st.floats(0.1, 1), st.floats(0.1, 1))
def test_the_less_a_rating_weighs_the_less_it_tells(share, right, one, other):
    shares = np.array([[share, 1 - share]])
    confusion = np.array([[right, 1 - right], [1 - right, right]])

    told = [
        information_gain(shares, weakened(confusion, weight, class_prior=np.full(2, 0.5)))[0]
        for weight in sorted((one, other))
    ]

    assert told[0] <= told[1] + 1e-12


def test_who_says_the_same_of_everything_tells_nothing_at_any_weight():
    """An answer that is rare whatever the category stays rare."""
    useless = np.array([[0.99, 0.01], [0.99, 0.01]])

    answers = weakened(useless, 0.4, class_prior=np.array([0.3, 0.7]))

    assert answers == pytest.approx(useless)


def test_answers_that_never_come_stay_impossible():
    certain = np.eye(3)

    assert weakened(certain, 0.5, class_prior=np.array([1.0, 0.0, 0.0])) == pytest.approx(certain)
    never = np.array([[1.0, 0.0], [1.0, 0.0]])
    assert weakened(never, 1.5, class_prior=np.full(2, 0.5)) == pytest.approx(never)
