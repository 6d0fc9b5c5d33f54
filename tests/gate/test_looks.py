"""The error of a gate that looks more than once."""

from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from ocrjury import Estimate, InputError
from ocrjury.gate import GatePolicy, judge
from ocrjury.gate.looks import look_confidence, spent

POLICY = GatePolicy.preset("default")
z_of = NormalDist().inv_cdf


def confidences(items, *, looks, confidence=0.95):
    return [
        look_confidence(confidence, looks=looks, look=k, items=items[:k])
        for k in range(1, len(items) + 1)
    ]


def passing(items, bounds):
    """The chance of each look to be the first that raters at the floor pass."""
    n = np.array(items, float)
    together = np.sqrt(np.minimum.outer(n, n) / np.maximum.outer(n, n))
    below = [
        multivariate_normal(cov=together[:k, :k], seed=1, abseps=2e-6).cdf(bounds[:k])
        for k in range(1, len(items) + 1)
    ]
    return -np.diff([1.0, *below])


def test_two_looks_of_pocock():
    # Jennison and Turnbull (2000), table 2.1: two looks, 5 % on both sides, the bound 2.178 at each
    first = 1 - NormalDist().cdf(2.178)

    assert passing([100, 200], [2.178, 2.178]).sum() == pytest.approx(0.025, abs=5e-5)
    assert spent(1, first) == pytest.approx(first)


def test_one_look_needs_what_the_policy_says():
    assert look_confidence(0.95, looks=1, look=1) == 0.95
    assert look_confidence(0.95, looks=1, look=1, items=[200]) == 0.95


@pytest.mark.parametrize(
    "items", [[200, 277], [200, 201], [50, 2000], [100, 150, 200], [60, 90, 300, 310, 500]]
)
def test_each_look_spends_its_part_of_the_error(items):
    looks = len(items)

    found = passing(items, [z_of(confidence) for confidence in confidences(items, looks=looks)])

    expected = np.diff([spent(k / looks, 0.05) for k in range(looks + 1)])
    assert found == pytest.approx(expected, abs=2e-5)
    assert found.sum() == pytest.approx(0.05, abs=2e-5)


def test_raters_at_the_floor_pass_once_in_twenty():
    rng = np.random.default_rng(5)
    items = [200, 277, 350, 430, 500]
    steps = np.diff([0, *items])
    sums = np.cumsum(rng.normal(0, np.sqrt(steps), (200_000, 5)), axis=1)
    scores = sums / np.sqrt(items)

    bounds = [z_of(confidence) for confidence in confidences(items, looks=5)]

    assert (scores > bounds).any(axis=1).mean() == pytest.approx(0.05, abs=0.0015)
    assert (scores > z_of(0.95)).any(axis=1).mean() > 0.09


def test_the_first_of_two_looks_loses_little():
    assert look_confidence(0.95, looks=2, look=1, items=[200]) == pytest.approx(0.956, abs=5e-4)


def test_without_numbers_of_items_a_look_needs_more():
    together = look_confidence(0.95, looks=2, look=2, items=[200, 277])
    alone = look_confidence(0.95, looks=2, look=2)

    assert alone == pytest.approx(1 - 0.05 + spent(0.5, 0.05))
    assert alone > together


def test_a_look_without_a_new_item_needs_what_the_one_before_it_needed():
    assert confidences([200, 200], looks=3)[1] == confidences([200], looks=3)[0]


@given(
    st.lists(st.integers(1, 400), min_size=1, max_size=4),
    st.floats(0.6, 0.99),
    st.integers(0, 2),
)
def test_no_look_needs_less_than_one_alone(more, confidence, left):
    items = np.cumsum(more).tolist()

    found = confidences(items, looks=len(items) + left, confidence=confidence)

    assert all(confidence - 1e-9 <= one < 1 for one in found)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"looks": 2, "look": 3}, "look 3 is not one of the 2 that were planned"),
        ({"looks": 2, "look": 0}, "look 0 is not one of the 2"),
        ({"looks": 2, "look": 2, "items": [200]}, r"at 2 looks, .* found \[200\]"),
        ({"looks": 2, "look": 2, "items": [200, 199]}, r"at least that before it; found \[200"),
        ({"looks": 2, "look": 2, "items": [0, 10]}, "each at least 1"),
    ],
)
def test_a_look_that_cannot_be_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        look_confidence(0.95, **options)


def test_a_policy_looks_at_least_once():
    with pytest.raises(InputError, match="looks at least once; found 0 looks"):
        GatePolicy(looks=0)


def test_the_gate_asks_more_of_the_second_look():
    alpha = Estimate(0.722, se=0.03, n_items=277)  # bounds .6681, .6659, .6537
    twice = replace(POLICY, looks=2)

    one, first, second, alone = (
        judge({"meaning": {"krippendorff_alpha": alpha}}, policy, **look)
        for policy, look in (
            (POLICY, {}),
            (twice, {}),
            (twice, {"look": 2, "items_before": {"meaning": [200]}}),
            (twice, {"look": 2}),
        )
    )

    assert [one.decision, first.decision] == ["PASS", "INCONCLUSIVE"]
    assert [second.decision, alone.decision] == ["INCONCLUSIVE", "INCONCLUSIVE"]
    assert "one-sided 95% lower bound" in one.reasons[0]
    assert "one-sided 95.6% lower bound" in first.reasons[0]
    assert "one-sided 97.9% lower bound" in second.reasons[0]
    assert "one-sided 99.4% lower bound" in alone.reasons[0]


def test_the_gate_refuses_a_look_that_its_policy_does_not_plan():
    alpha = {"meaning": {"krippendorff_alpha": Estimate(0.9, se=0.02, n_items=200)}}

    with pytest.raises(InputError, match="look 2 is not one of the 1 that were planned"):
        judge(alpha, POLICY, look=2)
