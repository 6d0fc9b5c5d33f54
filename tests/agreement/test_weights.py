"""Named weights against published tables, own ones against what they have to be."""

import numpy as np
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import (
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    pairwise_kappa,
    percent_agreement,
)
from ocrjury.agreement.weights import agreement_weights

COEFFICIENTS = [brennan_prediger, conger_kappa, fleiss_kappa, gwet_ac, percent_agreement]
FIVE = Scale.likert(1, 5)
PANEL = np.array([[1, 2, 2], [5, 4, 5], [3, 3, np.nan], [1, 5, 1], [2, 2, 2], [4, 4, 3]])


def likert(scale=FIVE):
    return RatingTable.from_matrix(PANEL, scale=scale)


# First rows by hand from Gwet (2014), section 3.5, for the categories 1 to 5.
@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("linear", [1, 0.75, 0.5, 0.25, 0]),
        ("quadratic", [1, 1 - 1 / 16, 1 - 4 / 16, 1 - 9 / 16, 0]),
        ("ordinal", [1, 1 - 1 / 10, 1 - 3 / 10, 1 - 6 / 10, 0]),
        ("radical", [1, 0.5, 1 - np.sqrt(0.5), 1 - np.sqrt(0.75), 0]),
        ("ratio", [1, 1 - 1 / 4, 1 - 9 / 16, 1 - 81 / 100, 0]),
        ("circular", [1, 1 - 0.381966, 0, 0, 1 - 0.381966]),
        ("bipolar", [1, 1 - 1 / 7, 1 - 4 / 12, 1 - 9 / 15, 0]),
    ],
)
def test_named_weights_of_five_levels(name, row):
    weights = agreement_weights(np.arange(1, 6), name)

    assert weights[0] == pytest.approx(row, abs=1e-6)
    assert weights == pytest.approx(weights.T)
    assert weights == pytest.approx(weights[::-1, ::-1]) or name == "ratio"


@pytest.mark.parametrize("name", ["linear", "ordinal", "ratio", "circular", "bipolar"])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_a_matrix_counts_as_the_name_that_it_spells(coefficient, name):
    matrix = agreement_weights(np.arange(1, 6), name)

    named, given = (coefficient(likert(), weights=one) for one in (name, matrix))

    assert (given.value, given.se) == pytest.approx((named.value, named.se), nan_ok=True)
    assert f"{name} weights" in named.method
    assert "given weights" in given.method


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_a_matrix_without_partial_agreement_is_no_weighting(coefficient):
    plain = coefficient(likert())

    given = coefficient(likert(), weights=np.eye(5))

    assert (given.value, given.se) == pytest.approx((plain.value, plain.se), nan_ok=True)


def test_names_may_have_a_matrix_though_they_have_no_order():
    names = Scale.nominal(["digit", "letter", "sign"])
    table = RatingTable.from_matrix(
        [["digit", "letter"], ["sign", "sign"], ["letter", "letter"], ["digit", "sign"]],
        scale=names,
    )
    near = np.array([[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]])

    # observed (.5 + 1 + 1 + 0) / 4; both raters' shares (2, 1, 1) / 4 and (0, 2, 2) / 4
    chance = (0.5 * 0.5 * 0.5) + 0.25 * 0.5 + 0.25 * 0.5
    assert cohen_kappa(table, weights=near).value == pytest.approx((0.625 - chance) / (1 - chance))
    assert pairwise_kappa(table, weights=near, min_items=1)["value"][0] == pytest.approx(
        (0.625 - chance) / (1 - chance)
    )


def test_two_categories_agree_in_whole_or_not_at_all():
    pairs = RatingTable.from_matrix([[1, 1], [1, 0], [0, 0], [0, 1]], scale=Scale.binary())

    plain = fleiss_kappa(pairs).value

    for name in ("linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"):
        assert fleiss_kappa(pairs, weights=name).value == pytest.approx(plain), name


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ("cubic", r"weights must be one of .*\"bipolar\", or a matrix; found 'cubic' in fleiss"),
        (np.eye(4), r"needs 5 rows and columns .*found shape \(4, 4\)"),
        ([["a"] * 5] * 5, "or values that are not numbers"),
        (1 - np.eye(5), "found 0 in row 0, column 0.*Give agreement, not distance"),
        (np.triu(np.ones((5, 5))), "found 1 in row 0, column 1, and 0 in row 1, column 0"),
        (np.eye(5) * 2 - 1, "between 0 .* and 1"),
        (np.full((5, 5), np.nan), "found nan in row 0, column 0"),
    ],
)
def test_wrong_weights_are_refused(weights, sentence):
    with pytest.raises(InputError, match=sentence):
        fleiss_kappa(likert(), weights=weights)


def test_a_ratio_needs_a_true_zero():
    with pytest.raises(InputError, match="numbers from a true zero; the scale is"):
        fleiss_kappa(likert(Scale.likert(-1, 5)), weights="ratio")


@pytest.mark.parametrize("name", ["linear", "ordinal", "circular"])
def test_named_weights_need_an_order(name):
    table = RatingTable.from_matrix([["a", "b"], ["a", "a"]], scale=Scale.nominal(["a", "b"]))

    with pytest.raises(InputError, match=f"{name} weights need ordered categories"):
        gwet_ac(table, weights=name)
