import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import krippendorff_alpha
from tests.strategies import rating_matrices

FIVE = Scale.likert(1, 5)
LEVELS = ("nominal", "ordinal", "interval", "ratio")
N = None

# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section C: 4 raters, 12 units.
BY_RATER = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]


def likert(matrix, **options):
    return RatingTable.from_matrix(matrix, scale=FIVE, **options)


def four_by_twelve(scale=FIVE):
    return RatingTable.from_matrix(list(zip(*BY_RATER, strict=True)), scale=scale)


@pytest.mark.parametrize(
    ("level", "value"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
@pytest.mark.parametrize("scale", [FIVE, Scale.interval(0, 10)])
def test_the_published_example_gives_its_four_values(level, value, scale):
    estimate = krippendorff_alpha(four_by_twelve(scale), level=level)

    assert estimate.value == pytest.approx(value, abs=5e-4)
    assert estimate.n_items == 11  # the last unit has one rating
    assert estimate.n_ratings == 40


@pytest.mark.parametrize(
    ("scale", "level"),
    [
        (FIVE, "ordinal"),
        (Scale.binary(), "nominal"),
        (Scale.nominal([0, 1]), "nominal"),
        (Scale.interval(0, 5), "interval"),
    ],
)
def test_the_scale_names_the_level(scale, level):
    table = RatingTable.from_matrix([[1, 1], [1, 0]] if scale != FIVE else [[1, 1]], scale=scale)

    assert krippendorff_alpha(table).method == f"Krippendorff's alpha, {level}, linearised"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("scale", [FIVE, Scale.interval(0, 5)])
def test_equal_values_leave_alpha_undefined(level, scale):
    table = RatingTable.from_matrix([[3, 3], [3, 3], [4, None]], scale=scale)

    assert krippendorff_alpha(table, level=level).reason == "no_variation"


def test_equal_fractions_leave_alpha_undefined_in_spite_of_rounding():
    table = RatingTable.from_matrix(
        [[0.1, 0.1, 0.1]] * 7, scale=Scale.interval(0, 1), item_weight=[0.1, 0.2, 0.3, 0.7, 1, 2, 3]
    )

    assert krippendorff_alpha(table).reason == "no_variation"


def test_perfect_agreement_with_variation_is_one():
    table = likert([[1, 1], [2, 2], [5, 5], [4, 4]])

    estimate = krippendorff_alpha(table, ci="jackknife")

    assert (estimate.value, estimate.se) == (1, 0)
    assert math.isnan(estimate.low)
    assert estimate.reason == "no_disagreement"


@pytest.mark.parametrize("ci", ["jackknife", "bootstrap"])
@pytest.mark.parametrize("scale", [FIVE, Scale.interval(0, 10)])
@pytest.mark.parametrize("level", LEVELS)
def test_an_interval_holds_the_value_and_repeats_itself(ci, scale, level):
    table = four_by_twelve(scale)

    estimate = krippendorff_alpha(table, level=level, ci=ci, resamples=300)

    assert estimate.low < estimate.value < estimate.high <= 1
    assert estimate == krippendorff_alpha(table, level=level, ci=ci, resamples=300)
    assert ci in estimate.method


@pytest.mark.parametrize("level", LEVELS)
def test_continuous_scales_and_categories_share_their_jackknife(level):
    continuous = krippendorff_alpha(
        four_by_twelve(Scale.interval(0, 10)), level=level, ci="jackknife"
    )
    stepped = krippendorff_alpha(four_by_twelve(), level=level, ci="jackknife")

    assert continuous.se == pytest.approx(stepped.se, rel=1e-9)


def test_a_misspelt_level_names_the_choices():
    with pytest.raises(InputError, match="found 'ordnal'"):
        krippendorff_alpha(four_by_twelve(), level="ordnal")


def test_names_have_no_other_level_than_nominal():
    table = RatingTable.from_matrix([["a", "b"]], scale=Scale.nominal(["a", "b"]))

    with pytest.raises(InputError, match="needs an order"):
        krippendorff_alpha(table, level="ordinal")


def test_a_ratio_needs_values_from_zero_upwards():
    table = RatingTable.from_matrix([[-1, 2], [1, 2]], scale=Scale.interval(-5, 5))

    with pytest.raises(InputError, match="found -1"):
        krippendorff_alpha(table, level="ratio")


@settings(max_examples=50)
@given(rating_matrices(low=0, high=1))
def test_on_two_categories_all_distances_are_the_same(matrix):
    table = RatingTable.from_matrix(matrix, scale=Scale.binary())
    nominal = krippendorff_alpha(table, level="nominal").value

    for level in ("ordinal", "interval"):
        assert krippendorff_alpha(table, level=level).value == pytest.approx(nominal, nan_ok=True)


@settings(max_examples=50)
@given(rating_matrices(), st.integers(0, 20), st.integers(1, 5))
def test_interval_alpha_ignores_a_shift_and_a_stretch(matrix, shift, stretch):
    moved = [[None if v is None else shift + stretch * v for v in row] for row in matrix]
    wide = Scale.interval(0, 50)

    before = krippendorff_alpha(RatingTable.from_matrix(matrix, scale=wide)).value
    after = krippendorff_alpha(RatingTable.from_matrix(moved, scale=wide)).value
    assert after == pytest.approx(before, nan_ok=True, abs=1e-9)


@settings(max_examples=50)
@given(rating_matrices())
def test_ordinal_alpha_sees_ranks_only(matrix):
    curved = [[None if v is None else v**2 for v in row] for row in matrix]
    wide = RatingTable.from_matrix(curved, scale=Scale.likert(1, 25))

    before = krippendorff_alpha(likert(matrix)).value
    assert krippendorff_alpha(wide).value == pytest.approx(before, nan_ok=True, abs=1e-9)


@settings(max_examples=50)
@given(rating_matrices())
def test_items_with_one_rating_change_nothing(matrix):
    alone = [*matrix, [4] + [None] * (len(matrix[0]) - 1)]

    before = krippendorff_alpha(likert(matrix), ci="jackknife")
    after = krippendorff_alpha(likert(alone), ci="jackknife")
    assert after.value == pytest.approx(before.value, nan_ok=True)
    assert after.se == pytest.approx(before.se, nan_ok=True)


@settings(max_examples=50)
@given(rating_matrices(), st.integers(2, 4))
def test_repeating_the_items_leaves_the_small_sample_part_only(matrix, times):
    # D_o stays, D_e loses its factor n / (n - 1).
    once, more = likert(matrix), likert(matrix * times)
    n = once.n_ratings

    before, after = krippendorff_alpha(once).value, krippendorff_alpha(more).value
    expected = 1 - (n * times - 1) / (times * (n - 1)) * (1 - before)
    assert after == pytest.approx(expected, nan_ok=True, abs=1e-9)


@pytest.mark.oracle
@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=30)
@given(matrix=rating_matrices())
def test_continuous_scales_equal_fast_krippendorff(level, matrix):
    import krippendorff as peer

    table = RatingTable.from_matrix(matrix, scale=Scale.interval(1, 5))
    ours = krippendorff_alpha(table, level=level).value
    if not math.isnan(ours):
        values = np.array(matrix, dtype=float).T
        theirs = peer.alpha(values, level_of_measurement=level, value_domain=[1, 2, 3, 4, 5])
        assert ours == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("level", ["nominal", "ratio"])
@pytest.mark.parametrize("weighted", [False, True])
def test_leaving_out_items_of_a_continuous_scale_equals_computing_anew(level, weighted):
    rng = np.random.default_rng(4)
    values = np.round(np.clip(rng.uniform(0, 60, (25, 1)) + rng.normal(0, 2, (25, 4)), 0, 60))
    values[rng.random(values.shape) < 0.2] = np.nan
    weights = rng.integers(1, 4, 25).astype(float) if weighted else np.ones(25)

    def alpha(keep, ci=None):
        table = RatingTable.from_matrix(
            values[keep], scale=Scale.interval(0, 60), item_weight=weights[keep]
        )
        return krippendorff_alpha(table, level=level, ci=ci)

    every = np.arange(25)
    paired = [item for item in every if np.isfinite(values[item]).sum() >= 2]
    if not weighted:  # weights are scaled anew to mean 1, which moves the small-sample part
        replicates = np.array([alpha(np.delete(every, item)).value for item in paired])
        n = len(paired)
        by_hand = np.sqrt((n - 1) / n * ((replicates - replicates.mean()) ** 2).sum())
        assert alpha(every, "jackknife").se == pytest.approx(by_hand)
    whole = RatingTable.from_matrix(values, scale=Scale.likert(0, 60), item_weight=weights)
    levels = krippendorff_alpha(whole, level=level, ci="jackknife")
    assert alpha(every, "jackknife").se == pytest.approx(levels.se)


def test_a_ratio_alpha_of_many_values_holds_no_table_of_all_their_distances():
    rng = np.random.default_rng(5)
    values = np.clip(rng.uniform(0, 100, (3000, 1)) + rng.normal(0, 5, (3000, 3)), 0, 100)
    table = RatingTable.from_matrix(values, scale=Scale.interval(0, 100))
    tracemalloc.start()

    estimate = krippendorff_alpha(table, level="ratio", ci="jackknife")

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 0 < estimate.se < 0.1
    assert peak < 200e6  # 8,583 values have distances of 590 MB
