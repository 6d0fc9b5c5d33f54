import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.estimation import pool_quantile

OUTCOMES = st.lists(st.tuples(st.floats(1, 5), st.floats(0.05, 0.95)), min_size=2, max_size=30)


def test_equal_probabilities_give_the_median_of_the_sample():
    estimate = pool_quantile([1.0, 2, 3, 4, 5], [0.1] * 5)

    assert estimate.value == 3
    assert estimate.method == "Hajek, quantile at 0.5"


def test_weights_decide_what_half_of_the_pool_is():
    # the one document drawn with probability .05 stands for twenty, the others for two each
    assert pool_quantile([1.0, 4, 4, 5, 5], [0.05, 0.5, 0.5, 0.5, 0.5]).value == 1


def test_three_of_four_reach_the_upper_quartile():
    assert pool_quantile([1.0, 2, 3, 4], [0.1] * 4, share=0.75).value == 3


@given(OUTCOMES, st.floats(0.05, 0.95))
def test_the_quantile_is_an_outcome_within_its_interval(rows, share):
    y, pi = zip(*rows, strict=True)

    estimate = pool_quantile(y, pi, share=share)

    assert estimate.value in y
    if estimate.reason is None:
        assert estimate.low <= estimate.value <= estimate.high


@given(OUTCOMES, st.randoms(use_true_random=False))
def test_the_order_of_documents_does_not_matter(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)

    first, second = (pool_quantile(*zip(*each, strict=True)) for each in (rows, shuffled))

    assert (first.value, first.low, first.high) == (second.value, second.low, second.high) or (
        first.reason == second.reason == "no_variation"
    )


@pytest.mark.parametrize("share", [0.25, 0.5, 0.9])
def test_the_interval_holds_the_pools_quantile(share):
    rng = np.random.default_rng(1)
    pool = rng.lognormal(size=4000)
    pi = 200 * np.sqrt(pool) / np.sqrt(pool).sum()
    truth = np.quantile(pool, share, method="inverted_cdf")

    hits = []
    for _ in range(300):
        drawn = np.flatnonzero(rng.random(4000) < pi)
        estimate = pool_quantile(pool[drawn], pi[drawn], share=share)
        hits.append(estimate.low <= truth <= estimate.high)

    # 300 samples: 95 % comes out between 92 and 98 % in 98 of 100
    assert 0.915 <= np.mean(hits) <= 0.99


def test_auxiliaries_shorten_the_interval():
    rng = np.random.default_rng(2)
    x = rng.normal(size=200)
    y = 3 + x + 0.1 * rng.normal(size=200)

    plain = pool_quantile(y, [0.1] * 200)
    sharp = pool_quantile(y, [0.1] * 200, auxiliary=x, pool_mean=[0.0])

    assert sharp.high - sharp.low < plain.high - plain.low
    assert sharp.method == "GREG, quantile at 0.5"


def test_few_documents_beyond_the_quantile_are_warned_of():
    estimate = pool_quantile(np.arange(50.0), [0.1] * 50, share=0.95)

    assert estimate.warnings[0].startswith("Too few cases: about 2.5 items' worth")


def test_a_pool_drawn_as_a_whole_leaves_its_quantile_no_range():
    found = pool_quantile([1, 2, 3, 4, 5, 5, 4, 3, 2, 1], [1.0] * 10)

    assert (found.value, found.low, found.high, found.se) == (3, 3, 3, 0)
    assert not found.few
    assert not found.warnings


def test_edges_have_their_reasons():
    assert pool_quantile([], []).reason == "no_items"
    alone = pool_quantile([4.0], [0.5])
    assert (alone.value, alone.reason) == (4, "fewer_than_two_items")
    equal = pool_quantile([4.0] * 5, [0.5] * 5)
    assert (equal.value, equal.reason) == (4, "no_variation")
    assert math.isnan(equal.low)


@pytest.mark.parametrize("share", [0, 1, 50])
def test_a_share_outside_zero_to_one_is_refused(share):
    with pytest.raises(InputError, match="share must lie strictly between 0 and 1"):
        pool_quantile([1.0, 2], [0.5, 0.5], share=share)
