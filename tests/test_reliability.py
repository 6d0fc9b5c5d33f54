import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.errors import InputError
from ocrjury.reliability import expected_calibration_error, reliability_curve

CASES = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30)


def test_a_curve_by_hand():
    curve = reliability_curve([0.55, 0.65, 0.95, 1.0], [True, False, True, True], bins=2)

    assert curve.to_dict("records") == [
        {"low": 0.5, "high": 1.0, "n": 4, "confidence": pytest.approx(0.7875), "accuracy": 0.75}
    ]


def test_an_error_by_hand():
    error = expected_calibration_error([0.9, 0.9, 0.6, 0.6], [True, False, True, True])

    assert float(error) == pytest.approx((2 * 0.4 + 2 * 0.4) / 4)
    assert error.n_items == 4


@given(CASES)
def test_every_case_is_in_one_bin_within_its_bounds(cases):
    curve = reliability_curve(*zip(*cases, strict=True))

    assert curve["n"].sum() == len(cases)
    assert (curve["confidence"] >= curve["low"] - 1e-8).all()
    assert (curve["confidence"] <= curve["high"] + 1e-8).all()


@given(CASES)
def test_the_error_is_a_share(cases):
    assert 0 <= float(expected_calibration_error(*zip(*cases, strict=True))) <= 1


def test_an_honest_forecaster_has_no_error():
    rng = np.random.default_rng(0)
    stated = rng.random(50_000)

    assert float(expected_calibration_error(stated, rng.random(50_000) < stated)) < 0.01


def test_no_cases_have_no_error_to_speak_of():
    error = expected_calibration_error([], [])

    assert (error.defined, error.reason) == (False, "no_items")


@pytest.mark.parametrize(
    ("confidence", "correct", "message"),
    [
        ([0.5], [True, False], r"equal length; found the shapes \(1,\) and \(2,\)"),
        ([50.0], [True], "found 50 at place 1. Divide percentages by 100"),
        ([float("nan")], [True], "confidence must be between 0 and 1"),
        ([0.5], [2], "correct must be true or false"),
    ],
)
def test_data_that_cannot_be_meant_are_refused(confidence, correct, message):
    with pytest.raises(InputError, match=message):
        reliability_curve(confidence, correct)


def test_there_must_be_a_bin():
    with pytest.raises(InputError, match="bins must be at least 1"):
        reliability_curve([0.5], [True], bins=0)
