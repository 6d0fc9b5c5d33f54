import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.report.distributions import histogram, spearman
from ocrjury.report.pool_scores import wilson_share

RATES = st.lists(st.floats(0, 3), min_size=1, max_size=60)


@given(RATES)
def test_every_value_is_in_some_bin(values):
    shown = histogram(values)

    assert shown.n == len(values)
    assert shown.beyond <= len(values) * 0.05 + 1
    assert len(shown.edges) == len(shown.counts) + 1
    assert shown.edges[-1] >= 0.1


def test_missing_values_are_left_out():
    assert histogram([math.nan, math.inf]) is None
    assert histogram([math.nan, 0.2]).n == 1


@given(st.lists(st.integers(0, 30), min_size=3).filter(lambda values: len(set(values)) > 1))
def test_rank_correlation_ignores_any_rising_change(values):
    rising = [value**3 + 1 for value in values]

    assert spearman(values, rising) == pytest.approx(1.0, abs=1e-6)


def test_rank_correlation_needs_three_pairs_that_vary():
    assert math.isnan(spearman([1, 2], [2, 1]))
    assert math.isnan(spearman([1, 1, 1], [1, 2, 3]))
    assert spearman([1, 2, math.nan, 3], [1, 2, 9, 3]) == pytest.approx(1)


@given(st.integers(1, 500), st.data())
def test_wilsons_interval_holds_the_share(n, data):
    share = wilson_share(data.draw(st.integers(0, n)), n)

    assert -1e-9 <= share.low <= share.value + 1e-9
    assert share.value - 1e-9 <= share.high <= 1 + 1e-9


def test_a_share_of_nothing_is_undefined():
    assert wilson_share(0, 0).reason == "no_items"
