"""How often the 95 % intervals hold the true value, over simulated evaluations with fixed seeds."""

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
    percent_agreement,
)
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
