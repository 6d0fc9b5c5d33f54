import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import RatingTable, Scale
from ocrjury.agreement import (
    brennan_prediger,
    gwet_ac,
    human_agreement,
    percent_agreement,
    prevalence,
)
from tests.strategies import rating_matrices

FIVE = Scale.likert(1, 5)


def likert(matrix):
    return RatingTable.from_matrix(matrix, scale=FIVE)


@pytest.mark.parametrize("coefficient", [gwet_ac, brennan_prediger, percent_agreement])
def test_equal_ratings_agree_fully(coefficient):
    estimate = coefficient(likert([[3, 3], [3, 3]]))

    assert estimate.value == 1
    assert estimate.se == 0


@pytest.mark.parametrize("coefficient", [gwet_ac, brennan_prediger])
def test_a_scale_of_one_category_has_no_chance_level(coefficient):
    table = RatingTable.from_matrix([["a", "a"]], scale=Scale.nominal(["a"]))

    assert coefficient(table).reason == "fewer_than_two_categories"
    assert percent_agreement(table).value == 1


def test_an_unused_category_lowers_chance():
    # Both divide chance among the declared categories.
    narrow = RatingTable.from_matrix([[1, 1], [1, 2]], scale=Scale.likert(1, 2))
    wide = likert([[1, 1], [1, 2]])

    assert gwet_ac(wide).value > gwet_ac(narrow).value
    assert brennan_prediger(wide).value > brennan_prediger(narrow).value


def test_items_count_the_same_in_percent_agreement():
    # Three pairs on the first item, one on the second.
    assert percent_agreement(likert([[1, 1, 2], [3, 3, None]])).value == pytest.approx(2 / 3)


def test_the_published_error_of_percent_agreement_is_that_of_a_mean():
    table = likert([[1, 1], [2, 3], [4, 4]])

    assert percent_agreement(table).se == pytest.approx(1 / 3)
    assert percent_agreement(table, ci="jackknife").se == pytest.approx(1 / 3)
    assert percent_agreement(likert([[1, 1]])).reason == "fewer_than_two_items"


@settings(max_examples=50)
@given(rating_matrices(), st.sampled_from(["none", "linear", "quadratic"]))
def test_the_error_of_percent_agreement_is_its_jackknife(matrix, weights):
    published, jackknife = (
        percent_agreement(likert(matrix), weights=weights, ci=ci) for ci in (None, "jackknife")
    )

    assert published.se == pytest.approx(jackknife.se, nan_ok=True, abs=1e-9)
    assert published.reason == jackknife.reason


@settings(max_examples=50)
@given(rating_matrices())
def test_linear_percent_agreement_is_human_agreement(matrix):
    table = likert(matrix)

    expected = human_agreement(table).value
    assert percent_agreement(table, weights="linear").value == pytest.approx(expected)


@settings(max_examples=50)
@given(rating_matrices(low=0, high=1, raters=2))
def test_brennan_prediger_of_two_binary_raters_is_pabak(matrix):
    table = RatingTable.from_matrix(matrix, scale=Scale.binary())

    assert brennan_prediger(table).value == pytest.approx(prevalence(table).pabak)
