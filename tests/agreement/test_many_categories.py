import tracemalloc

import numpy as np
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import (
    fleiss_kappa,
    human_agreement,
    human_agreement_chance,
    human_agreement_corrected,
    krippendorff_alpha,
    pairwise_agreement,
)

MEASURES = (human_agreement, human_agreement_corrected, pairwise_agreement)


def labels(n_items=60, n_names=12, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, n_names, (n_items, 1))
    given = np.where(rng.random((n_items, 4)) < 0.7, truth, rng.integers(0, n_names, (n_items, 4)))
    matrix = np.array([f"name {code}" for code in given.ravel()], dtype=object).reshape(-1, 4)
    matrix[rng.random(matrix.shape) < 0.3] = None
    return matrix


def table_of(matrix, n_declared, weights=None):
    scale = Scale.nominal([f"name {code}" for code in range(n_declared)])
    return RatingTable.from_matrix(matrix, scale=scale, item_weight=weights)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ci", [None, "jackknife", "bootstrap"])
@pytest.mark.parametrize("measure", MEASURES)
def test_names_that_nobody_used_change_nothing(measure, ci, weighted):
    weights = np.arange(60) % 3 if weighted else None

    few = measure(table_of(labels(), 12, weights), ci=ci)
    many = measure(table_of(labels(), 500, weights), ci=ci)
    assert many.value == pytest.approx(few.value)
    assert many.method == few.method
    if ci == "jackknife":
        assert (many.se, many.low) == pytest.approx((few.se, few.low))
    if ci == "bootstrap":  # other groups of items, other draws
        assert many.se == pytest.approx(few.se, rel=0.2)


def test_chance_is_that_of_the_names_in_use():
    few, many = (human_agreement_chance(table_of(labels(), n)) for n in (12, 500))

    assert many.value == pytest.approx(few.value)


def test_one_and_the_same_name_leaves_nothing_beyond_chance():
    table = table_of([["name 1", "name 1"]] * 3, 500)

    assert human_agreement(table).value == 1
    assert human_agreement_corrected(table, ci="jackknife").reason == "no_variation"


@pytest.mark.parametrize("measure", [*MEASURES, krippendorff_alpha])
def test_ten_thousand_names_cost_no_table_of_all_pairs(measure):
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 10_000, (2000, 3))
    table = table_of(np.array([[f"name {x}" for x in row] for row in codes], dtype=object), 10_000)
    tracemalloc.start()

    estimate = measure(table, ci="jackknife")

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert estimate.value == pytest.approx(0, abs=0.01)
    assert peak < 10e6  # distances of all pairs of names that were given would take 160 MB


def test_kappas_of_too_many_names_say_what_to_use_instead():
    with pytest.raises(
        InputError, match=r"has 2,000. Merge categories, or use krippendorff_alpha\(\)"
    ):
        fleiss_kappa(table_of(labels(), 2000))
