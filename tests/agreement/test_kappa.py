import math

import numpy as np
import pytest
from hypothesis import given, settings

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import cohen_kappa, conger_kappa, fleiss_kappa
from ocrjury.agreement.chance import item_agreement
from ocrjury.agreement.kappa import fleiss_chance
from ocrjury.agreement.patterns import collapse
from tests.strategies import rating_matrices

FIVE = Scale.likert(1, 5)

# Fleiss (1971) by way of the reference text: 10 items, 14 raters, 5 categories.
FLEISS_COUNTS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def likert(matrix, **options):
    return RatingTable.from_matrix(matrix, scale=FIVE, **options)


def binary(both_yes, only_a, only_b, *, both_no):
    pairs = [[1, 1]] * both_yes + [[1, 0]] * only_a + [[0, 1]] * only_b + [[0, 0]] * both_no
    return RatingTable.from_matrix(pairs, scale=Scale.binary())


def fleiss_example():
    rows = [np.repeat(range(1, 6), counts).tolist() for counts in FLEISS_COUNTS]
    return likert(rows)


def test_the_reference_example_of_cohen_gives_its_value():
    # Reference text on agreement: P_o .7, P_e .5, kappa .4.
    assert cohen_kappa(binary(20, 5, 10, both_no=15)).value == pytest.approx(0.4)


def test_the_reference_example_of_fleiss_gives_its_steps():
    # Reference text on agreement: p_1 .143, P_2 .253, mean P .378, P_e .213, kappa .210.
    table = fleiss_example()
    shares = table.counts().sum(axis=0) / table.n_ratings
    second = collapse(likert([np.repeat(range(1, 6), FLEISS_COUNTS[1]).tolist()]))
    patterns = collapse(table)
    each = item_agreement(patterns, np.eye(5))

    assert shares[0] == pytest.approx(0.143, abs=5e-4)
    assert item_agreement(second, np.eye(5))[0] == pytest.approx(0.253, abs=5e-4)
    assert patterns.frequency @ each / 10 == pytest.approx(0.378, abs=5e-4)
    assert fleiss_chance(np.eye(5)).expected(shares[None])[0] == pytest.approx(0.213, abs=5e-4)
    assert fleiss_kappa(table).value == pytest.approx(0.210, abs=5e-4)


def test_the_estimate_says_what_it_rests_on():
    kappa = cohen_kappa(likert([[1, 1], [2, 3], [4, None], [5, 5]]))

    assert (kappa.n_items, kappa.n_raters, kappa.n_ratings) == (3, 2, 6)
    assert kappa.method == "Cohen's kappa"
    assert kappa.low < kappa.value < kappa.high <= 1


def test_opposite_raters_are_below_chance():
    assert fleiss_kappa(likert([[1, 5], [5, 1]])).value == -1


@pytest.mark.parametrize("coefficient", [cohen_kappa, conger_kappa, fleiss_kappa])
def test_equal_ratings_leave_kappa_undefined(coefficient):
    estimate = coefficient(likert([[3, 3], [3, 3]]))

    assert math.isnan(estimate.value)
    assert math.isnan(estimate.low)
    assert estimate.reason == "no_variation"


@pytest.mark.parametrize("ci", [None, "jackknife"])
@pytest.mark.parametrize("coefficient", [conger_kappa, fleiss_kappa])
def test_one_item_has_a_value_but_no_interval(coefficient, ci):
    estimate = coefficient(likert([[3, 4]]), ci=ci)

    assert estimate.value <= 0
    assert math.isnan(estimate.se)
    assert estimate.reason == "fewer_than_two_items"


@pytest.mark.parametrize("ci", [None, "jackknife", "bootstrap"])
def test_a_rater_with_one_category_gives_a_kappa_of_zero_without_an_interval(ci):
    estimate = cohen_kappa(likert([[5, 1], [5, 2], [5, 5], [5, 4]]), ci=ci)

    assert estimate.value == pytest.approx(0)
    assert math.isnan(estimate.se)
    assert math.isnan(estimate.low)
    assert "whatever the other rater did" in estimate.warnings[0]


def test_a_single_varying_item_has_no_jackknife_interval():
    estimate = fleiss_kappa(likert([[5, 5]] * 9 + [[5, 4]]), ci="jackknife")

    assert estimate.value == pytest.approx(-1 / 19)
    assert math.isnan(estimate.se)
    assert estimate.reason == "items_alike"
    assert "without one of the items" in estimate.warnings[0]


def test_three_raters_name_the_remedy():
    with pytest.raises(InputError, match=r"found 3\. Use pairwise_kappa\(\).*fleiss_kappa\(\)"):
        cohen_kappa(likert([[1, 1, 2]]))


def test_a_third_column_without_ratings_is_no_rater():
    assert cohen_kappa(likert([[1, 1, None], [2, 2, None]])).value == 1


def test_misspelt_weights_name_the_choices():
    with pytest.raises(InputError, match=r'"none", "linear", .* or a matrix; found \'square\''):
        fleiss_kappa(likert([[1, 1]]), weights="square")


def test_weights_on_names_without_an_order_are_refused():
    table = RatingTable.from_matrix([["a", "b"]], scale=Scale.nominal(["a", "b"]))

    with pytest.raises(InputError, match="need ordered categories"):
        conger_kappa(table, weights="linear")


def test_a_continuous_scale_has_no_kappa():
    table = RatingTable.from_matrix([[0.1, 0.2]], scale=Scale.interval(0, 1))

    with pytest.raises(InputError, match="Use krippendorff_alpha"):
        fleiss_kappa(table)


def test_repeated_ratings_are_refused():
    import pandas as pd

    frame = pd.DataFrame({"item": [1, 1, 1], "rater": ["a", "a", "b"], "rating": [1, 2, 1]})
    table = RatingTable.from_long(frame, scale=FIVE, repeats="keep")

    with pytest.raises(InputError, match="at most one rating per item and rater"):
        fleiss_kappa(table)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ci": "boot"}, "jackknife"),
        ({"confidence": 95}, "between 0 and 1"),
        ({"ci": "bootstrap", "resamples": 1}, "2 or more"),
    ],
)
def test_an_unknown_interval_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        fleiss_kappa(likert([[1, 1], [2, 2]]), **options)


@settings(max_examples=50)
@given(rating_matrices(raters=2, missing=False))
def test_two_complete_raters_make_conger_and_cohen_equal(matrix):
    cohen, conger = cohen_kappa(likert(matrix)), conger_kappa(likert(matrix))

    assert conger.value == pytest.approx(cohen.value, nan_ok=True, abs=1e-12)


@settings(max_examples=50)
@given(rating_matrices())
def test_a_narrower_confidence_gives_a_narrower_interval(matrix):
    table = likert(matrix)
    wide, narrow = fleiss_kappa(table), fleiss_kappa(table, confidence=0.5)

    assert narrow.value == pytest.approx(wide.value, nan_ok=True)
    if wide.se > 0:
        assert wide.low <= narrow.low <= narrow.value <= narrow.high <= wide.high
