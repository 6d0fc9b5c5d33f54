import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import Estimate
from ocrjury.bias.findings import Reason as BiasReason
from ocrjury.estimate import UNDEFINED, Reason, reason_words
from ocrjury.pages.numbers import (
    decimal,
    estimate_text,
    interval_text,
    percent,
    signed,
    value_text,
)

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=32)


@pytest.mark.parametrize("reason", Reason.__args__)
def test_an_undefined_estimate_prints_its_reason_and_no_number(reason):
    said = estimate_text(Estimate(math.nan, reason=reason))

    assert said == f"undefined: {reason_words(reason)}"
    assert "0.0" not in said
    assert "_" not in said


@pytest.mark.parametrize("reason", sorted({*Reason.__args__, *BiasReason.__args__}))
def test_every_reason_that_an_estimate_or_a_finding_can_give_has_words(reason):
    assert reason in UNDEFINED


def test_a_value_without_interval_says_why():
    estimate = Estimate(3.8, reason="fewer_than_two_raters")

    assert estimate_text(estimate) == "3.80 (no interval: fewer than two raters)"
    assert interval_text(Estimate(3.8)) == "no interval"


@given(NUMBERS)
def test_numbers_bear_a_true_minus_and_no_negative_zero(number):
    said = decimal(number)

    assert "-" not in said
    assert said != "−0.00"
    assert said.startswith("−") == (round(number, 2) < 0)


@given(NUMBERS)
def test_a_sign_is_printed_unless_the_number_rounds_to_zero(number):
    assert (signed(number)[0] in "+−") == (decimal(number) != "0.00")


@pytest.mark.parametrize("nothing", [None, math.nan, math.inf])
def test_no_number_is_a_dash(nothing):
    assert {decimal(nothing), percent(nothing), signed(nothing)} == {"—"}


def test_shares_are_printed_as_percent():
    assert value_text(Estimate(0.8153), share=True) == "81.5%"
    assert value_text(Estimate(0.8153), share=True, places=0) == "82%"
