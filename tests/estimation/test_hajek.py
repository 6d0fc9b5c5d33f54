import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from ocrjury import InputError
from ocrjury.estimate import reason_words
from ocrjury.estimation import greg_mean, hajek_mean, mean_sources, pool_quantile, rated_mean
from ocrjury.estimation.linear_estimate import deville_variance

OUTCOMES = st.lists(st.tuples(st.floats(1, 5), st.floats(0.05, 0.95)), min_size=2, max_size=25)


def test_jumbo_weighs_what_jumbo_weighs():
    # Basu (1971): Jumbo, drawn with probability 1 / 4900, must not weigh 4900 times his weight;
    # Hajek's remedy in the discussion of that essay
    assert hajek_mean([10.0], [1 / 4900]).value == pytest.approx(10.0)


def test_equal_probabilities_give_the_textbook_mean_and_its_finite_population_error():
    y = np.array([2.0, 4, 4, 5, 5, 3, 1, 5])

    estimate = hajek_mean(y, np.full(8, 0.4))

    # Cochran (1977), equation 2.20: (1 - n/N) s^2 / n
    assert estimate.value == pytest.approx(y.mean())
    assert estimate.se == pytest.approx(math.sqrt(0.6 * y.var(ddof=1) / 8))
    half = student.ppf(0.975, 7) * estimate.se
    assert (estimate.low, estimate.high) == pytest.approx((y.mean() - half, y.mean() + half))
    assert estimate.n_items == 8
    assert estimate.method == "Hajek"


def test_documents_drawn_more_often_count_less():
    assert hajek_mean([5, 5, 2], [0.1, 0.1, 0.4]).value == pytest.approx((50 + 50 + 5) / 22.5)


def test_the_whole_pool_has_no_sampling_error():
    estimate = hajek_mean([3, 4, 5], [1, 1, 1])

    assert (estimate.low, estimate.value, estimate.high) == pytest.approx((4, 4, 4))
    assert estimate.se == 0


def test_no_documents_give_no_mean():
    estimate = hajek_mean([], [])

    assert not estimate.defined
    assert estimate.reason == "no_items"


def test_one_document_gives_no_interval():
    estimate = hajek_mean([4], [0.5])

    assert estimate.value == 4
    assert math.isnan(estimate.low)
    assert estimate.reason == "fewer_than_two_items"


def test_equal_outcomes_give_no_interval():
    estimate = hajek_mean([4.1] * 9, np.linspace(0.1, 0.9, 9))

    assert estimate.value == pytest.approx(4.1)
    assert math.isnan(estimate.low)
    assert estimate.reason == "no_variation"


def test_a_share_of_all_has_the_interval_of_clopper_and_pearson():
    estimate = hajek_mean([1] * 20, [0.1] * 20)

    # exact: the twentieth root of one half of 5 %
    assert (estimate.value, estimate.high) == (1, 1)
    assert estimate.low == pytest.approx(0.8316, abs=1e-4)
    assert estimate.reason is None


def test_a_share_of_none_mirrors_that_of_all():
    estimate = hajek_mean([0] * 20, [0.1] * 20)

    assert (estimate.value, estimate.low) == (0, 0)
    assert estimate.high == pytest.approx(1 - 0.8316, abs=1e-4)


def test_the_interval_of_a_share_ends_at_one():
    assert hajek_mean([1, 1, 1, 1, 0], [0.1] * 5).high == 1


@given(OUTCOMES, st.floats(-3, 3), st.floats(0.1, 10))
def test_the_mean_moves_and_stretches_with_the_scale(rows, shift, factor):
    y, pi = map(np.array, zip(*rows, strict=True))

    first, second = hajek_mean(y, pi), hajek_mean(shift + factor * y, pi)

    assert second.value == pytest.approx(shift + factor * first.value, abs=1e-6)
    if first.reason is None and second.reason is None:
        assert second.se == pytest.approx(factor * first.se, rel=1e-6, abs=1e-6)


@given(OUTCOMES, st.randoms(use_true_random=False))
def test_the_order_of_documents_does_not_matter(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)

    first, second = (hajek_mean(*zip(*each, strict=True)) for each in (rows, shuffled))

    assert second.value == pytest.approx(first.value)
    assert second.se == pytest.approx(first.se, abs=1e-9, nan_ok=True)


@given(OUTCOMES)
def test_the_mean_lies_between_the_outcomes(rows):
    y, pi = zip(*rows, strict=True)

    assert min(y) - 1e-9 <= hajek_mean(y, pi).value <= max(y) + 1e-9


def test_a_wider_promise_is_a_wider_interval():
    narrow, wide = (hajek_mean([1, 2, 4, 5], [0.2] * 4, confidence=c) for c in (0.8, 0.99))

    assert wide.high - wide.low > narrow.high - narrow.low


@pytest.mark.parametrize("pi", [[0.0, 0.5], [1.1, 0.5], [np.nan, 0.5]])
def test_a_probability_outside_its_range_is_named(pi):
    with pytest.raises(InputError, match=r"above 0 and at most at 1; 1 differ.*at place 0"):
        hajek_mean([1, 2], pi)


def test_a_missing_outcome_is_refused():
    with pytest.raises(InputError, match="finite outcomes; 1 are not, the first at place 1"):
        hajek_mean([1, np.nan], [0.5, 0.5])


def test_lengths_must_agree():
    with pytest.raises(InputError, match=r"one inclusion probability per document; found.*\(2,\)"):
        hajek_mean([1, 2, 3], [0.5, 0.5])


def test_a_confidence_in_per_cent_is_refused():
    with pytest.raises(InputError, match="strictly between 0 and 1; found 95"):
        hajek_mean([1, 2], [0.5, 0.5], confidence=95)


@pytest.mark.parametrize("certain", [1, 7])
def test_one_document_left_to_chance_shows_no_variance(certain):
    pi = [*[1.0] * certain, 0.2]
    scores = np.arange(certain + 1.0)

    mean = hajek_mean(scores, pi)
    share = hajek_mean((scores > 0).astype(float), pi)
    regression = greg_mean(scores, pi, auxiliary=np.sqrt(scores), pool_mean=[1.0])
    level = pool_quantile(scores, pi, share=0.5)

    assert math.isnan(deville_variance(scores, pi))
    assert deville_variance(scores[:-1], pi[:-1]) == 0.0
    for estimate in (mean, share, regression, level):
        assert estimate.reason == "one_by_chance"
        assert math.isnan(estimate.low)
        assert math.isnan(estimate.high)
        assert math.isnan(estimate.se)
    assert reason_words(mean.reason) == "all items but one were certain to be drawn"


def test_ratings_of_one_document_left_to_chance_have_no_sources_of_error():
    items = pd.DataFrame({"doc_id": list("abcd"), "inclusion_probability": [1, 1, 1, 0.2]})
    ratings = pd.DataFrame(
        {"item": [*"abcd"] * 2, "rater": [*"xxxxyyyy"], "rating": [5, 4, 2, 1, 4, 4, 2, 2]}
    )

    estimate = rated_mean(ratings, items=items)

    assert (estimate.reason, math.isnan(estimate.low)) == ("one_by_chance", True)
    assert not mean_sources(ratings, items=items).parts


def test_certain_documents_add_no_variance():
    terms = [0.1, 0.4, 0.2, 5.0]

    assert deville_variance(terms, [0.5, 0.5, 0.5, 1.0]) == pytest.approx(
        deville_variance(terms[:3], [0.5] * 3)
    )
