import math

import pytest

from ocrjury import RatingTable, Scale
from ocrjury.agreement import (
    fleiss_kappa,
    gwet_ac,
    icc,
    krippendorff_alpha,
    measure_agreement,
    pairwise_agreement,
)
from ocrjury.statistics import STATISTICS

KEYS = {
    "krippendorff_alpha",
    "fleiss_kappa",
    "mean_pairwise_kappa",
    "mean_pairwise_weighted_kappa",
    "gwet_ac",
    "percent_agreement",
    "exact_agreement",
    "adjacent_agreement",
    "human_agreement",
    "human_agreement_chance",
    "human_agreement_corrected",
    "icc",
    "modal_share",
    "prevalence_index",
}
MEASURED = {key for key, row in STATISTICS.items() if row.function}
MATRIX = [[1, 1, 2], [3, 3, 3], [5, 4, 5], [2, 2, 2], [4, 4, 5], [1, 2, 1]]
ROWS = [[0, 1], [1, 1], [0, 0], [1, 1], [0, 0], [1, 0]]


def mismatched(estimates):
    return {name for name in KEYS if estimates[name].reason == "scale_mismatch"}


def test_a_likert_team_is_the_coefficients_by_themselves():
    table = RatingTable.from_matrix(MATRIX, scale=Scale.likert(1, 5))

    estimates = measure_agreement(table)

    assert set(estimates) >= KEYS
    assert set(estimates) == MEASURED
    assert mismatched(estimates) == {"prevalence_index"}
    assert estimates["krippendorff_alpha"] == krippendorff_alpha(table, ci="jackknife")
    assert estimates["fleiss_kappa"] == fleiss_kappa(table, ci="jackknife")
    assert estimates["gwet_ac"] == gwet_ac(table, ci="jackknife")
    assert estimates["exact_agreement"] == pairwise_agreement(table, ci="jackknife")
    adjacent = pairwise_agreement(table, tolerance=1)
    assert estimates["adjacent_agreement"].value == adjacent.value
    assert estimates["icc"].value == pytest.approx(icc(table).value)
    assert estimates["icc"].low == icc(table, missing="mixed").low


@pytest.mark.parametrize(
    ("scale", "names"),
    [
        (Scale.binary(), {"adjacent_agreement"}),
        (
            Scale.nominal([0, 1]),
            {"adjacent_agreement", "mean_pairwise_weighted_kappa", "icc", "prevalence_index"},
        ),
        (
            Scale.interval(0, 1),
            {
                "adjacent_agreement",
                "fleiss_kappa",
                "mean_pairwise_kappa",
                "mean_pairwise_weighted_kappa",
                "gwet_ac",
                "percent_agreement",
                "modal_share",
                "prevalence_index",
            },
        ),
    ],
)
def test_what_does_not_fit_the_scale_says_so(scale, names):
    estimates = measure_agreement(RatingTable.from_matrix(ROWS, scale=scale))

    assert set(estimates) >= KEYS
    assert set(estimates) == MEASURED
    assert mismatched(estimates) == names


@pytest.mark.parametrize("scale", [Scale.likert(1, 5), Scale.binary(), Scale.interval(0, 9)])
def test_an_empty_table_has_no_numbers(scale):
    for estimate in measure_agreement(RatingTable.from_matrix([], scale=scale)).values():
        assert math.isnan(estimate.value)
        assert estimate.reason in ("no_items", "scale_mismatch")


def test_bootstrap_intervals_depend_on_the_seed_only():
    table = RatingTable.from_matrix(MATRIX, scale=Scale.likert(1, 5))

    first, again, other = (measure_agreement(table, ci="bootstrap", seed=s) for s in (1, 1, 2))

    assert first == again
    assert first["krippendorff_alpha"].se != other["krippendorff_alpha"].se


def test_without_resampling_published_errors_remain():
    table = RatingTable.from_matrix(MATRIX, scale=Scale.likert(1, 5))

    estimates = measure_agreement(table, ci=None)

    assert estimates["fleiss_kappa"] == fleiss_kappa(table)
    assert estimates["krippendorff_alpha"].method.endswith("linearised")
    assert math.isnan(estimates["human_agreement"].se)
    assert estimates["mean_pairwise_kappa"].se > 0
