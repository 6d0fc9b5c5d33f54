import math

import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import prevalence
from ocrjury.agreement.marginals import modal_share, prevalence_index


def binary(both_yes, only_a, only_b, *, both_no):
    pairs = [[1, 1]] * both_yes + [[1, 0]] * only_a + [[0, 1]] * only_b + [[0, 0]] * both_no
    return RatingTable.from_matrix(pairs, scale=Scale.binary())


def test_the_paradox_of_feinstein_and_cicchetti_shows_in_the_indices():
    # Feinstein and Cicchetti (1990), tables 1 and 2: the same agreement of 85 %.
    balanced, skewed = (
        prevalence(binary(40, 9, 6, both_no=45)),
        prevalence(binary(80, 10, 5, both_no=5)),
    )

    assert (balanced.pabak, skewed.pabak) == pytest.approx((0.7, 0.7))
    assert balanced.prevalence_index == pytest.approx(0.05)
    assert skewed.prevalence_index == pytest.approx(0.75)
    assert skewed.positive_agreement == pytest.approx(0.914, abs=5e-4)
    assert skewed.negative_agreement == pytest.approx(0.4)


def test_a_category_that_nobody_used_has_no_agreement():
    indices = prevalence(binary(10, 0, 0, both_no=0))

    assert indices.positive_agreement == 1
    assert math.isnan(indices.negative_agreement)
    assert indices.n_items == 10


def test_indices_without_items_say_why():
    assert prevalence(RatingTable.from_matrix([], scale=Scale.binary())).reason == "no_items"


def test_only_two_raters_on_a_binary_scale_have_indices():
    with pytest.raises(InputError, match="describes a binary scale; found likert 1 to 5"):
        prevalence(RatingTable.from_matrix([[1, 2]], scale=Scale.likert(1, 5)))
    with pytest.raises(InputError, match="exactly two raters; found 3"):
        prevalence(RatingTable.from_matrix([[1, 0, 1]], scale=Scale.binary()))


def test_the_modal_share_counts_items_and_not_ratings():
    table = RatingTable.from_matrix([[5, 5, 5], [1, 2, None]], scale=Scale.likert(1, 5))

    assert modal_share(table).value == pytest.approx(0.5)


def test_the_prevalence_index_of_a_team_is_that_of_two_raters():
    table = binary(80, 10, 5, both_no=5)

    assert prevalence_index(table).value == pytest.approx(prevalence(table).prevalence_index)
    likert = RatingTable.from_matrix([[1, 2]], scale=Scale.likert(1, 5))
    assert prevalence_index(likert).reason == "scale_mismatch"
