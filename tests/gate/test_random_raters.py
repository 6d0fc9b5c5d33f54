"""Raters who do not look at the items must never pass, however good the pool is."""

import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.agreement import krippendorff_alpha, measure_agreement
from ocrjury.gate import GatePolicy, judge

OCR_LIKE = (0.02, 0.03, 0.10, 0.35, 0.50)


def random_table(rng, n_items, n_raters=3):
    ratings = rng.choice([1, 2, 3, 4, 5], (n_items, n_raters), p=OCR_LIKE)
    return RatingTable.from_matrix(ratings, scale=Scale.likert(1, 5))


@pytest.mark.parametrize("policy", ["default", "strict"])
def test_random_raters_never_pass_a_policy_on_alpha(policy):
    rng = np.random.default_rng(20261120)
    decisions = []

    for n_items in (50, 100, 385) * 70:
        alpha = krippendorff_alpha(random_table(rng, n_items), ci="jackknife")
        estimates = {"krippendorff_alpha": alpha}
        decisions.append(judge({"d": estimates}, GatePolicy.preset(policy)).decision)

    assert set(decisions) == {"FAIL"}


def test_random_raters_reach_the_raw_shares_but_not_the_corrected_one():
    # What the GDPval conditions alone would accept, and what the third one refuses.
    rng = np.random.default_rng(7)
    decisions, raw = [], []

    for _ in range(60):
        estimates = measure_agreement(random_table(rng, 100))
        verdict = judge({"d": estimates}, GatePolicy.preset("gdpval"))
        decisions.append(verdict.decision)
        raw.append(
            estimates["adjacent_agreement"].value >= 0.75
            and estimates["human_agreement"].value >= 0.75
        )

    assert np.mean(raw) > 0.8
    assert np.mean([decision == "PASS" for decision in decisions]) <= 0.10  # 5 % by design


def test_good_raters_pass_the_default_policy():
    rng = np.random.default_rng(3)
    passed = 0

    for _ in range(40):
        truth = rng.choice([1, 2, 3, 4, 5], (200, 1), p=(0.05, 0.1, 0.2, 0.35, 0.3))
        ratings = np.clip(np.round(truth + rng.normal(0, 0.5, (200, 3))), 1, 5)
        table = RatingTable.from_matrix(ratings, scale=Scale.likert(1, 5))
        alpha = krippendorff_alpha(table, ci="jackknife")
        passed += judge({"d": {"krippendorff_alpha": alpha}}, GatePolicy()).decision == "PASS"

    assert passed >= 38


@pytest.mark.parametrize(("raters", "noise"), [(3, 0.7016), (2, 0.7016)])
def test_a_team_at_the_floor_passes_about_one_time_in_twenty(raters, noise):
    # Noise at which alpha over very many items is .667; benchmarks/gate.py runs more of these.
    rng = np.random.default_rng(6)
    passed = 0

    for _ in range(600):
        truth = rng.choice([1, 2, 3, 4, 5], (100, 1), p=(0.05, 0.1, 0.2, 0.35, 0.3))
        ratings = np.clip(np.round(truth + rng.normal(0, noise, (100, raters))), 1, 5)
        alpha = krippendorff_alpha(
            RatingTable.from_matrix(ratings, scale=Scale.likert(1, 5)), ci="jackknife"
        )
        passed += judge({"d": {"krippendorff_alpha": alpha}}, GatePolicy()).decision == "PASS"

    assert 0.02 <= passed / 600 <= 0.07  # a standard error of .009
