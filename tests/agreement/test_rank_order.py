import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.agreement.rank_order import rank_correlation, spearman


def pairs(rng, n, rho):
    """Normal pairs of a correlation."""
    x = rng.normal(size=n)
    return x, rho * x + math.sqrt(1 - rho**2) * rng.normal(size=n)


def test_the_interval_covers():
    truth = 6 / math.pi * math.asin(0.7 / 2)  # Pearson 1907: Spearman's of normal pairs
    held = []
    for seed in range(200):
        x, y = pairs(np.random.default_rng(seed), 60, 0.7)
        found = rank_correlation(x.tolist(), y.tolist(), pages=range(60))
        held.append(found.low <= truth <= found.high)

    assert 0.91 <= np.mean(held) <= 0.985  # standard error .015


def test_items_of_a_page_tell_less_than_items_of_their_own():
    x, y = pairs(np.random.default_rng(1), 40, 0.6)
    x, y = np.repeat(x, 5).tolist(), np.repeat(y, 5).tolist()

    together = rank_correlation(x, y, pages=np.repeat(np.arange(40), 5).tolist())
    apart = rank_correlation(x, y, pages=range(200))

    assert together.value == apart.value
    assert together.high - together.low > 1.5 * (apart.high - apart.low)


def test_what_cannot_be_told_has_a_reason():
    few = rank_correlation([1.0, 2.0, 3.0], [1.0, 3.0, 2.0], pages=range(3))
    flat = rank_correlation([1.0] * 20, list(range(20)), pages=range(20))
    gone = rank_correlation([math.nan] * 20, list(range(20)), pages=range(20))
    same = rank_correlation(list(range(20)), list(range(20)), pages=range(20))

    assert (few.value, few.reason) == (pytest.approx(0.5), "too_few_items")
    assert math.isnan(few.low)
    assert (flat.reason, gone.reason) == ("no_variation", "too_few_items")
    assert (same.value, same.reason) == (pytest.approx(1.0), "perfect_order")
    assert math.isnan(same.low)


def test_exactly_reversed_orders_have_no_interval_for_that_reason():
    x = [float(n) for n in range(30)]

    turned = rank_correlation(x, x[::-1], pages=range(30))

    assert (turned.value, turned.reason) == (pytest.approx(-1.0), "perfect_order")


@given(st.lists(st.integers(0, 30), min_size=3).filter(lambda values: len(set(values)) > 1))
def test_rank_correlation_ignores_any_rising_change(values):
    rising = [value**3 + 1 for value in values]

    assert spearman(values, rising) == pytest.approx(1.0, abs=1e-6)


def test_rank_correlation_needs_three_pairs_that_vary():
    assert math.isnan(spearman([1, 2], [2, 1]))
    assert math.isnan(spearman([1, 1, 1], [1, 2, 3]))
    assert spearman([1, 2, math.nan, 3], [1, 2, 9, 3]) == pytest.approx(1)
