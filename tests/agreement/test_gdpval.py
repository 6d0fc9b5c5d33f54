import math

import numpy as np
import pytest
from hypothesis import given, settings

from ocrjury import RatingTable, Scale
from ocrjury.agreement import (
    fleiss_kappa,
    human_agreement,
    human_agreement_chance,
    human_agreement_corrected,
    krippendorff_alpha,
    measure_agreement,
)
from tests.strategies import rating_matrices

FIVE, BINARY = Scale.likert(1, 5), Scale.binary()


def likert(matrix, **options):
    return RatingTable.from_matrix(matrix, scale=FIVE, **options)


def binary(matrix):
    return RatingTable.from_matrix(matrix, scale=BINARY)


# The eight scenarios of the human agreement specification (reference text), in its order.


def test_perfect_likert_agreement_is_one():
    assert human_agreement(likert([[4, 4, 4], [2, 2, 2]])).value == 1


def test_opposite_likert_ratings_are_zero():
    assert human_agreement(likert([[1, 5], [5, 1]])).value == 0


def test_adjacent_likert_ratings_are_three_quarters():
    assert human_agreement(likert([[3, 4], [2, 3]])).value == pytest.approx(0.75)


def test_perfect_binary_agreement_is_one():
    assert human_agreement(binary([[1, 1], [0, 0]])).value == 1


def test_complete_binary_disagreement_is_zero():
    assert human_agreement(binary([[1, 0], [0, 1]])).value == 0


def test_three_raters_reach_the_value_computed_by_hand():
    assert human_agreement(likert([[3, 4, 5], [1, 1, 2]])).value == pytest.approx(0.75)


def test_dimensions_are_independent():
    perfect, opposite = likert([[3, 3], [4, 4]]), likert([[1, 5], [5, 1]])

    by_dimension = {"q_1": measure_agreement(perfect), "q_2": measure_agreement(opposite)}

    assert by_dimension["q_1"]["human_agreement"].value == 1
    assert by_dimension["q_2"]["human_agreement"].value == 0


def test_items_with_one_rater_are_left_out():
    estimate = human_agreement(likert([[1, None], [3, 4], [None, 5]]))

    assert estimate.value == pytest.approx(0.75)
    assert (estimate.n_items, estimate.n_ratings) == (1, 2)


# The other worked examples and edge cases of the same specification.


def test_binary_ratings_of_three_agree_by_a_third():
    assert human_agreement(binary([[1, 1, 0], [0, 0, 1]])).value == pytest.approx(1 / 3)


def test_four_raters_make_six_pairs():
    # Distances 0, .25, .5, .25, .5, .25 over six pairs.
    assert human_agreement(likert([[3, 3, 4, 5]])).value == pytest.approx(1 - 1.75 / 6)


def test_a_single_rating_has_no_agreement():
    estimate = human_agreement(likert([[4]]))

    assert math.isnan(estimate.value)
    assert estimate.reason == "fewer_than_two_raters"


def test_the_scale_is_declared_and_never_guessed():
    # All ratings are 0 or 1, yet the scale goes up to 10.
    table = RatingTable.from_matrix([[0, 1]], scale=Scale.likert(0, 10))

    assert human_agreement(table).value == pytest.approx(0.9)


def test_names_agree_or_do_not():
    names = Scale.nominal(["title", "body", "foot"])
    table = RatingTable.from_matrix([["title", "foot"], ["body", "body"]], scale=names)

    assert human_agreement(table).value == 0.5


def test_equal_ratings_agree_by_chance_as_well():
    table = likert([[5, 5], [5, 5]])

    assert human_agreement(table).value == human_agreement_chance(table).value == 1
    assert human_agreement_corrected(table).reason == "no_variation"


def test_random_raters_reach_the_chance_level():
    # Independent raters with the marginals of good OCR: .778 (agreement that means nothing).
    p = np.array([0.02, 0.03, 0.10, 0.35, 0.50])
    expected = 1 - (p @ (np.abs(np.subtract.outer(range(5), range(5))) / 4) @ p)
    ratings = np.random.default_rng(1).choice([1, 2, 3, 4, 5], (4000, 3), p=p)
    table = likert(ratings.tolist())

    assert expected == pytest.approx(0.778, abs=5e-4)
    assert human_agreement_chance(table).value == pytest.approx(expected, abs=0.01)
    assert human_agreement(table).value == pytest.approx(expected, abs=0.01)
    assert human_agreement_corrected(table).value == pytest.approx(0, abs=0.03)


@settings(max_examples=50)
@given(rating_matrices())
def test_the_corrected_value_is_linearly_weighted_fleiss(matrix):
    table = likert(matrix)
    ours, fleiss = human_agreement_corrected(table), fleiss_kappa(table, weights="linear")

    assert ours.value == pytest.approx(fleiss.value, nan_ok=True, abs=1e-9)


@settings(max_examples=50)
@given(rating_matrices())
def test_the_corrected_value_follows_from_the_raw_one_and_chance(matrix):
    table = likert(matrix)
    raw, chance = human_agreement(table).value, human_agreement_chance(table).value
    corrected = human_agreement_corrected(table).value

    if not math.isnan(corrected):
        assert corrected == pytest.approx((raw - chance) / (1 - chance), abs=1e-9)


@pytest.mark.parametrize("ci", ["jackknife", "bootstrap"])
@pytest.mark.parametrize("function", [human_agreement, human_agreement_corrected])
@settings(max_examples=30)
@given(matrix=rating_matrices())
def test_a_continuous_scale_with_five_values_is_a_likert_scale(function, ci, matrix):
    continuous = RatingTable.from_matrix(matrix, scale=Scale.interval(1, 5))
    stepped = function(likert(matrix), ci="jackknife")

    estimate = function(continuous, ci=ci, resamples=20)

    assert estimate.value == pytest.approx(stepped.value, nan_ok=True, abs=1e-9)
    if ci == "jackknife":
        assert estimate.se == pytest.approx(stepped.se, nan_ok=True, abs=1e-9)
    assert human_agreement_chance(continuous).value == pytest.approx(
        human_agreement_chance(likert(matrix)).value, abs=1e-9
    )


def test_a_continuous_scale_of_many_values_has_what_its_noise_gives():
    rng = np.random.default_rng(2)
    truth = rng.uniform(20, 80, (5000, 1))
    ratings = np.clip(truth + rng.normal(0, 8, (5000, 3)), 0, 100)
    table = RatingTable.from_matrix(ratings, scale=Scale.interval(0, 100))

    estimates = measure_agreement(table)

    assert estimates["human_agreement"].value == pytest.approx(
        1 - 8 * 2 / math.pi**0.5 / 100, abs=0.005
    )
    assert 0 < estimates["human_agreement_corrected"].se < 0.02
    assert estimates["krippendorff_alpha"].value == pytest.approx(
        krippendorff_alpha(table, level="interval").value
    )
