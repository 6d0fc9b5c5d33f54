"""How often the 95 % intervals hold the true value, over simulated evaluations with fixed seeds."""

from functools import partial

import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.agreement import (
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    human_agreement_corrected,
    krippendorff_alpha,
    pairwise_agreement,
    pairwise_kappa,
    percent_agreement,
)
from ocrjury.agreement.intraclass import icc_of_all_ratings
from ocrjury.agreement.mean_kappa import mean_pairwise_kappa

FIVE = Scale.likert(1, 5)


def careful(rng, n_items, n_raters=3):
    """Draw ratings of a good pool by careful raters; a few ratings are missing."""
    truth = rng.choice([1, 2, 3, 4, 5], (n_items, 1), p=(0.05, 0.1, 0.2, 0.35, 0.3))
    ratings = np.clip(np.round(truth + rng.normal(0, 0.65, (n_items, n_raters))), 1, 5)
    missing = rng.random(ratings.shape) < 0.1
    missing[:, :2] = False
    return RatingTable.from_matrix(np.where(missing, np.nan, ratings), scale=FIVE)


@pytest.mark.parametrize(
    ("coefficient", "options"),
    [
        (krippendorff_alpha, {"ci": "jackknife"}),
        (krippendorff_alpha, {"ci": "bootstrap", "resamples": 400}),
        (krippendorff_alpha, {"ci": "jackknife", "level": "nominal"}),
        (krippendorff_alpha, {}),
        (krippendorff_alpha, {"level": "nominal"}),
        (percent_agreement, {}),
        (human_agreement_corrected, {"ci": "jackknife"}),
        (pairwise_agreement, {"ci": "jackknife"}),
        (fleiss_kappa, {}),
        (conger_kappa, {}),
        (gwet_ac, {}),
        (mean_pairwise_kappa, {}),
    ],
)
def test_the_interval_holds_the_true_value_about_as_often_as_it_says(coefficient, options):
    rng = np.random.default_rng(31)
    point = {name: value for name, value in options.items() if name == "level"}
    truth = coefficient(careful(rng, 30_000), **point).value
    held = 0

    for _ in range(250):
        estimate = coefficient(careful(rng, 80), **options)
        held += estimate.low <= truth <= estimate.high

    # 250 runs: a standard error of .014.
    assert 0.91 <= held / 250 <= 0.985


def unlike(rng, n_items):
    """Draw ratings of two of four raters, who are unlike in severity, care and attention."""
    truth = rng.choice([1, 2, 3, 4, 5], (n_items, 1), p=(0.05, 0.1, 0.2, 0.35, 0.3))
    noise = rng.normal((-0.3, 0, 0.1, 0.2), (0.3, 0.5, 0.8, 0.5), (n_items, 4))
    ratings = np.clip(np.round(truth + noise), 1, 5)
    careless = rng.random(n_items) < 0.45
    ratings[careless, 3] = rng.integers(1, 6, int(careless.sum()))
    asked = np.argsort(rng.random((n_items, 4)), axis=1) < 2
    return RatingTable.from_matrix(np.where(asked, ratings, np.nan), scale=FIVE)


def mostly_perfect(rng, n_items):
    """Draw ratings of three raters in a pool of which 85 % is at the best level."""
    truth = rng.choice([1, 2, 3, 4, 5], (n_items, 1), p=(0.02, 0.03, 0.04, 0.06, 0.85))
    return RatingTable.from_matrix(
        np.clip(np.round(truth + rng.normal(0, 0.5, (n_items, 3))), 1, 5), scale=FIVE
    )


def test_kappas_of_few_common_items_are_not_too_sure():
    rng = np.random.default_rng(8)
    large = unlike(rng, 20_000)
    mean = mean_pairwise_kappa(large, weights="quadratic").value
    pairs = pairwise_kappa(large, weights="quadratic").set_index(["rater_a", "rater_b"])["value"]
    held, of_pairs = 0, []

    for _ in range(250):
        table = unlike(rng, 60)
        estimate = mean_pairwise_kappa(table, weights="quadratic")
        held += estimate.low <= mean <= estimate.high
        frame = pairwise_kappa(table, weights="quadratic").dropna(subset=["low"])
        true = pairs.loc[list(zip(frame["rater_a"], frame["rater_b"], strict=True))].to_numpy()
        of_pairs += ((frame["low"] <= true) & (true <= frame["high"])).tolist()

    # The published error, and 1.96 of it, hold the mean in .81 and ten common items in .80.
    assert held / 250 >= 0.9
    assert np.mean(of_pairs) >= 0.87


def test_the_interval_of_an_intraclass_correlation_needs_no_normal_ratings():
    rng = np.random.default_rng(9)
    truth = icc_of_all_ratings(mostly_perfect(rng, 20_000)).value
    held = 0

    for _ in range(250):
        estimate = icc_of_all_ratings(mostly_perfect(rng, 120))
        held += estimate.low <= truth <= estimate.high

    # By F distributions, .7.
    assert held / 250 >= 0.9


def test_the_interval_of_a_share_near_one_reaches_down_far_enough():
    rng = np.random.default_rng(10)
    near = partial(pairwise_agreement, tolerance=1)
    truth = near(mostly_perfect(rng, 40_000)).value
    held = 0

    for _ in range(250):
        estimate = near(mostly_perfect(rng, 120), ci="jackknife")
        held += estimate.low <= truth <= estimate.high

    # By 1.96 standard errors on both sides, .85: the truth is .991.
    assert held / 250 >= 0.92
