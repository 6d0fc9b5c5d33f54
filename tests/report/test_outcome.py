import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import Estimate
from ocrjury.report.outcome import PrintedTarget, outcome_of, range_beside

MEAN = PrintedTarget(dimension="meaning", value=4.0)
SCORES = st.floats(1, 5)


@pytest.mark.parametrize(
    ("low", "high", "word", "why"),
    [
        (4.0, 4.4, "MET", "above"),
        (3.2, 3.99, "NOT MET", "below"),
        (3.9, 4.1, "NOT SHOWN", "inside"),
        (3.5, 4.0, "NOT SHOWN", "inside"),
        (math.nan, math.nan, "NOT SHOWN", "no_interval"),
    ],
)
def test_the_whole_interval_decides(low, high, word, why):  # one case
    outcome = outcome_of(Estimate(4.0, low, high), MEAN, trusted=True)

    assert (outcome.word, outcome.why) == (word, why)


def test_without_an_estimate_nothing_is_shown():
    outcome = outcome_of(Estimate(math.nan, reason="no_items"), MEAN, trusted=True)

    assert (outcome.word, outcome.why) == ("NOT SHOWN", "undefined")


@given(SCORES, SCORES)
def test_nothing_is_shown_while_agreement_is_in_doubt(a, b):
    estimate = Estimate((a + b) / 2, min(a, b), max(a, b))

    outcome = outcome_of(estimate, MEAN, trusted=False)

    assert (outcome.word, outcome.why) == ("NOT SHOWN", "not_agreed")


@given(SCORES, SCORES, SCORES)
def test_met_and_not_met_exclude_each_other(a, b, goal):
    estimate = Estimate((a + b) / 2, min(a, b), max(a, b))
    target = PrintedTarget(dimension="meaning", value=goal)

    word = outcome_of(estimate, target, trusted=True).word

    assert (word == "MET") == (min(a, b) >= goal)
    assert (word == "NOT MET") == (max(a, b) < goal)


@pytest.mark.parametrize(
    ("low", "high", "printed"),
    [
        (3.9961, 4.2, "3.996 to 4.200"),
        (3.8, 4.0, "3.80 to 4.00"),
        (4.0, 4.2, "4.00 to 4.20"),
        (4 - 1e-12, 4.2, "4.00 to 4.20"),
        (3.1, 3.998, "3.100 to 3.998"),
    ],
)
def test_a_range_shows_on_which_side_of_the_target_its_ends_lie(low, high, printed):
    assert range_beside(outcome_of(Estimate(4.0, low, high), MEAN, trusted=True)) == printed


def test_so_does_that_of_a_share():
    target = PrintedTarget(dimension="meaning", value=0.9, share_at_least=4.0)

    inside = outcome_of(Estimate(0.93, 0.89971, 0.96), target, trusted=True)

    assert range_beside(inside) == "89.97% to 96.00%"
