import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.estimation import hajek_mean, response_probabilities


def test_rated_items_stand_for_the_others_of_their_stratum():
    pi = response_probabilities(
        [0.2, 0.4, 0.5, 0.5], responded=[True, False, True, True], stratum=list("aabb")
    )

    # stratum a has weights 5 and 2.5, of which 5 were rated
    assert pi == pytest.approx([0.2 * 5 / 7.5, 0.5, 0.5])


@given(st.integers(1, 40), st.integers(0, 10**6))
def test_the_weights_of_strata_with_a_rating_stay_what_they_were(n, seed):
    rng = np.random.default_rng(seed)
    pi, stratum = rng.uniform(0.05, 1, n), rng.integers(0, 3, n)
    responded = rng.random(n) < 0.7

    found = response_probabilities(pi, responded=responded, stratum=stratum)

    for one in np.unique(stratum[responded]):
        inside = stratum == one
        answered = (1 / found)[stratum[responded] == one].sum()
        assert answered == pytest.approx((1 / pi[inside]).sum())


def test_with_all_rated_nothing_changes():
    assert response_probabilities([0.2, 0.7], responded=[True, True]).tolist() == [0.2, 0.7]


def test_it_takes_the_bias_of_selective_silence_away():
    rng = np.random.default_rng(1)
    hard = rng.random(4000) < 0.3
    y = np.where(hard, 2.0, 5.0)
    responded = rng.random(4000) < np.where(hard, 0.4, 0.9)

    pi = response_probabilities(np.full(4000, 0.1), responded=responded, stratum=hard)

    assert y[responded].mean() > y.mean() + 0.3
    assert hajek_mean(y[responded], pi).value == pytest.approx(y.mean())


def test_missing_strata_are_one_of_their_own():
    pi = response_probabilities(
        [0.5, 0.5, 0.5], responded=[True, False, True], stratum=["a", None, None]
    )

    assert pi.tolist() == [0.5, 0.25]


@pytest.mark.parametrize(
    ("responded", "message"),
    [([True], "one true or false and one stratum per item"), ([1, 0], "of int64")],
)
def test_what_does_not_fit_is_named(responded, message):
    with pytest.raises(InputError, match=message):
        response_probabilities([0.5, 0.5], responded=responded)


def test_probabilities_must_be_some():
    with pytest.raises(InputError, match="above 0 and at most at 1"):
        response_probabilities([0.0, 0.5], responded=[True, True])
