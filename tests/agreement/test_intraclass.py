import math

import numpy as np
import pytest
from hypothesis import given, settings

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import icc
from tests.strategies import rating_matrices

FORMS = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")
TEN = Scale.likert(1, 10)

# Shrout and Fleiss (1979), table 2: six targets, four judges.
SHROUT_FLEISS = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
]


def table_of(matrix, scale=TEN):
    return RatingTable.from_matrix(matrix, scale=scale)


@pytest.mark.parametrize("missing", ["listwise", "mixed"])
@pytest.mark.parametrize(
    ("form", "value"), [*zip(FORMS, (0.17, 0.29, 0.71, 0.44, 0.62, 0.91), strict=True)]
)
def test_the_published_example_gives_its_six_values(form, value, missing):
    estimate = icc(table_of(SHROUT_FLEISS), form=form, missing=missing)

    assert estimate.value == pytest.approx(value, abs=0.0051)


def test_the_interval_of_the_published_example_is_wide():
    # As psych and pingouin give it.
    estimate = icc(table_of(SHROUT_FLEISS))

    assert (estimate.low, estimate.high) == pytest.approx((0.019, 0.761), abs=1e-3)


def test_items_that_not_everyone_rated_are_counted():
    estimate = icc(table_of([*SHROUT_FLEISS, [5, 5, None, 5]]))

    assert estimate.value == pytest.approx(icc(table_of(SHROUT_FLEISS)).value)
    assert estimate.n_items == 6
    assert estimate.warnings == ("1 item(s) without a rating by every rater were left out.",)


@pytest.mark.parametrize("missing", ["listwise", "mixed"])
@pytest.mark.parametrize("form", FORMS)
def test_equal_ratings_have_no_correlation(form, missing):
    estimate = icc(table_of([[3, 3], [3, 3], [3, 3]]), form=form, missing=missing)

    assert math.isnan(estimate.value)
    assert estimate.reason == "no_variation"


@pytest.mark.parametrize("form", FORMS)
def test_perfect_agreement_is_one_without_doubt(form):
    estimate = icc(table_of([[1, 1], [2, 2], [9, 9]]), form=form)

    assert (estimate.value, estimate.low, estimate.high) == (1, 1, 1)


def test_constant_severity_counts_only_where_it_should():
    table = table_of([[1, 3], [2, 4], [5, 7], [8, 10]])

    assert icc(table, form="ICC(3,1)").value == pytest.approx(1)
    assert icc(table, form="ICC(2,1)").value < 1


def test_names_have_no_variance():
    table = RatingTable.from_matrix([["a", "b"]], scale=Scale.nominal(["a", "b"]))

    assert icc(table).reason == "scale_mismatch"


def test_one_item_is_too_few():
    assert icc(table_of([[3, 4, 3]])).reason == "fewer_than_two_items"


def test_no_item_rated_by_all_leaves_the_mixed_estimate():
    table = table_of([[1, 2, None], [2, None, 3], [None, 9, 8], [5, 5, None], [None, 2, 2]])

    assert icc(table).reason == "no_complete_items"
    assert 0.5 < icc(table, missing="mixed").value < 1


def test_an_unknown_form_names_the_six():
    with pytest.raises(InputError, match=r"ICC\(3,k\); found 'ICC\(4,1\)'"):
        icc(table_of(SHROUT_FLEISS), form="ICC(4,1)")
    with pytest.raises(InputError, match='"listwise" or "mixed"'):
        icc(table_of(SHROUT_FLEISS), missing="drop")


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=30)
@given(matrix=rating_matrices(missing=False))
def test_the_mixed_estimate_is_the_analysis_of_variance_on_complete_data(form, matrix):
    listwise, mixed = (icc(table_of(matrix), form=form, missing=m) for m in ("listwise", "mixed"))

    # The ratio explodes where the variance in the denominator vanishes.
    if abs(listwise.value) < 50 and not math.isnan(mixed.value):
        assert mixed.value == pytest.approx(listwise.value, abs=1e-6)


@settings(max_examples=50)
@given(rating_matrices(missing=False))
def test_a_shift_and_a_stretch_change_nothing(matrix):
    moved = [[3 + 7 * value for value in row] for row in matrix]

    before, after = icc(table_of(matrix)), icc(table_of(moved, Scale.likert(1, 50)))
    assert after.value == pytest.approx(before.value, nan_ok=True, abs=1e-9)
    assert after.low == pytest.approx(before.low, nan_ok=True, abs=1e-6)


def incomplete_team(rng, *, n_items=120, n_raters=6, per_item=2):
    """Draw ratings with variances 1 (item), .25 (rater) and .5 (residual)."""
    full = (
        rng.normal(0, 1, (n_items, 1))
        + rng.normal(0, 0.5, (1, n_raters))
        + rng.normal(0, 0.5**0.5, (n_items, n_raters))
    )
    asked = np.argsort(rng.random((n_items, n_raters)), axis=1) < per_item
    return RatingTable.from_matrix(np.where(asked, full, np.nan), scale=Scale.interval(-9, 9))


@pytest.mark.parametrize(("form", "truth"), [("ICC(2,1)", 1 / 1.75), ("ICC(3,1)", 1 / 1.5)])
def test_incomplete_designs_recover_the_simulated_correlation(form, truth):
    rng = np.random.default_rng(5)

    values = [icc(incomplete_team(rng), form=form, missing="mixed").value for _ in range(60)]

    assert np.mean(values) == pytest.approx(truth, abs=0.03)


def test_opposed_raters_may_exceed_one_in_one_form_and_are_told_so():
    # No variance between items: ICC(2,k) is N by its formula, and no share of anything.
    table = RatingTable.from_matrix([[5, 1], [1, 5]] * 4, scale=Scale.likert(1, 5))

    estimate = icc(table, form="ICC(2,k)")

    assert estimate.value == pytest.approx(8)
    assert math.isnan(estimate.low)
    assert estimate.warnings == (
        "Not a share of variance: the estimated variance of the raters is below 0.",
    )
    assert icc(table, form="ICC(3,1)").warnings == ()


def test_an_error_variance_below_zero_is_taken_as_zero():
    blocks = [[1, 2, None, None]] * 6 + [[None, None, 4, 5]] * 6

    estimate = icc(table_of(blocks), form="ICC(3,k)", missing="mixed")

    assert estimate.value == pytest.approx(1)
    assert estimate.warnings == (
        "The estimate of the error variance was negative and was set to 0.",
    )


@pytest.mark.parametrize("form", FORMS)
def test_the_mixed_estimate_never_exceeds_one(form):
    rng = np.random.default_rng(6)
    for _ in range(40):
        matrix = rng.integers(1, 11, (8, 4)).astype(float)
        matrix[rng.random(matrix.shape) < 0.4] = np.nan
        value = icc(table_of(matrix), form=form, missing="mixed").value
        assert math.isnan(value) or value <= 1 + 1e-12


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "matrix", [[[3, 4, 3]], [[1, None], [3, 4]], [[1, 2, None], [None, None, 3]]]
)
def test_too_few_ratings_leave_nothing_to_estimate(form, matrix):
    estimate = icc(table_of(matrix), form=form, missing="mixed")

    if len(matrix) == 1 or "1," not in form[:6]:
        assert estimate.reason == "fewer_than_two_items"
        assert math.isnan(estimate.value)


@pytest.mark.parametrize("rows", [[0, 1, 2, 3, 4], [4, 2, 0, 3, 1]])
def test_equal_item_means_leave_no_interval_in_any_order(rows):
    ratings = np.array([[1, 2, 3], [3, 1, 2], [2, 3, 1], [3, 2, 1], [1, 3, 2]])[rows]
    estimate = icc(table_of(ratings, Scale.likert(1, 3)), form="ICC(2,1)")

    assert estimate.value < 0
    assert math.isnan(estimate.low)
    assert math.isnan(estimate.high)
