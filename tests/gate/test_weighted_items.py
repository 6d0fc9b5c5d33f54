"""Items drawn because they look wrong count by the inverse of their inclusion probability."""

import numpy as np
import pytest

from ocrjury import Estimate, RatingTable, Scale
from ocrjury.agreement import krippendorff_alpha, measure_agreement
from ocrjury.gate import Condition, GatePolicy, judge
from ocrjury.gate.conditions import _with_bounds
from ocrjury.gate.reading import Reading

BINARY = Scale.binary()


def rate(rng, wrong):
    """Three raters who err on 5 % of the items."""
    truth = ~wrong[:, None]
    return np.where(rng.random((len(wrong), 3)) < 0.05, ~truth, truth).astype(int)


def sample(rng, *, favour, pool=5000, n=300):
    """Ratings of a sample in which wrong items, one in ten, are drawn more often; and weights."""
    wrong = rng.random(pool) < 0.1
    risk = np.where(wrong, favour, 1.0)
    probabilities = n * risk / risk.sum()
    drawn = rng.random(pool) < probabilities
    return rate(rng, wrong[drawn]), 1 / probabilities[drawn]


def test_wrong_items_drawn_on_purpose_open_the_gate_only_without_weights():
    rng = np.random.default_rng(5)
    pool = RatingTable.from_matrix(rate(rng, rng.random(100_000) < 0.1), scale=BINARY)
    plain, weighted, passed = [], [], {"plain": 0, "weighted": 0}

    for _ in range(20):
        ratings, weight = sample(rng, favour=5.0)
        for name, alphas, item_weight in (("plain", plain, None), ("weighted", weighted, weight)):
            table = RatingTable.from_matrix(ratings, scale=BINARY, item_weight=item_weight)
            estimates = measure_agreement(table)
            alphas.append(estimates["krippendorff_alpha"].value)
            passed[name] += judge({"d": estimates}, GatePolicy()).decision == "PASS"

    truth = krippendorff_alpha(pool).value
    assert truth < 0.667 < np.mean(plain)
    assert np.mean(weighted) == pytest.approx(truth, abs=0.04)
    assert passed["plain"] >= 18
    assert passed["weighted"] <= 1


def test_equal_probabilities_leave_the_verdict_as_it_is():
    ratings, weight = sample(np.random.default_rng(6), favour=1.0)
    tables = [
        RatingTable.from_matrix(ratings, scale=BINARY, item_weight=one) for one in (None, weight)
    ]

    plain, weighted = (judge({"d": measure_agreement(table)}, GatePolicy()) for table in tables)

    assert plain.reasons == weighted.reasons


def agreeing(n, *, heavy=0, times=1.0):
    """Gate's view of raters who never differ on n items, some of which weigh more."""
    truth = np.resize([0, 0, 0, 0, 1], n)[:, None]
    weight = np.where(np.arange(n) < heavy, times, 1.0) if heavy else None
    table = RatingTable.from_matrix(truth.repeat(3, axis=1), scale=BINARY, item_weight=weight)
    return measure_agreement(table)


def test_perfect_agreement_proves_as_much_as_so_many_draws_of_equal_weight():
    # 10 of 60 draws weigh 8 times as much: (10 * 8 + 50)^2 / (10 * 64 + 50) = 24.5 (Kish).
    unequal = agreeing(60, heavy=10, times=8.0)
    alpha = unequal["krippendorff_alpha"]
    policy = GatePolicy(min_items=20)

    verdict = judge({"d": unequal}, policy)

    assert (alpha.value, alpha.se) == (1.0, 0.0)
    assert alpha.effective_draws == pytest.approx(130**2 / 690)
    assert Estimate.from_json(alpha.to_json()) == alpha
    by_n = [lower_of(agreeing(n)) for n in (24, 25, 60)]
    assert by_n[0] < lower_of(unequal) < by_n[1] < by_n[2] - 0.1
    assert verdict.decision == judge({"d": agreeing(24)}, policy).decision


def test_unequal_weights_need_as_many_more_items_to_prove_perfect_agreement():
    policy = GatePolicy(conditions=(Condition(("krippendorff_alpha",), 0.9),), min_items=20)

    equal = judge({"d": agreeing(60)}, policy).needed_items
    unequal = judge({"d": agreeing(60, heavy=10, times=8.0)}, policy).needed_items

    assert (60 + unequal) / (60 + equal) == pytest.approx(60 * 690 / 130**2, abs=0.05)


def lower_of(estimates):
    """Lower bound of alpha at 95 %."""
    alpha = estimates["krippendorff_alpha"]
    reading = Reading("d", "krippendorff_alpha", alpha, floor=0.667, enough=True)
    return _with_bounds(reading, estimates, 0.95).lower
