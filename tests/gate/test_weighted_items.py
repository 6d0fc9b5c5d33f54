"""Items drawn because they look wrong count by the inverse of their inclusion probability."""

import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.agreement import krippendorff_alpha, measure_agreement
from ocrjury.gate import GatePolicy, judge

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

    plain, weighted = (judge({"d": measure_agreement(one)}, GatePolicy()) for one in tables)

    assert plain.reasons == weighted.reasons
