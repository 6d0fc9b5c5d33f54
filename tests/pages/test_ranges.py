import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import Estimate
from ocrjury.pages.numbers import bounded, within
from ocrjury.statistics import STATISTICS

NUMBERS = st.floats(-9, 9)


@given(value=NUMBERS, ends=st.tuples(NUMBERS, NUMBERS).map(sorted))
def test_an_interval_ends_within_the_range_and_holds_its_value(value, ends):
    low, high = min(ends[0], value), max(ends[1], value)

    cut = within(Estimate(value, low, high), 0, 1)

    assert cut.low <= value <= cut.high
    assert low <= cut.low
    assert cut.high <= high
    if 0 <= value <= 1:
        assert 0 <= cut.low <= cut.high <= 1


@pytest.mark.parametrize("key", STATISTICS)
def test_an_interval_ends_where_its_statistic_ends(key):
    cut = bounded(key, Estimate(0.5, -5.853, 1.4))

    row = STATISTICS[key]
    assert (cut.low, cut.high) == (max(row.low, -5.853), min(row.high, 1.4))


def test_how_far_below_chance_agreement_lies_has_no_end():
    estimate = Estimate(-1.2, -2.8, 0.4)

    assert bounded("human_agreement_corrected", estimate) == estimate


def test_without_an_interval_nothing_is_cut():
    estimate = Estimate(0.5, reason="fewer_than_two_items")

    assert bounded("icc", estimate) is estimate
    assert math.isnan(within(Estimate(math.nan), 0, 1).value)
