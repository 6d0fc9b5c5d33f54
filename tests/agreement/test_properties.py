"""What the definitions promise, over random tables; see also `tests.test_common`."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from ocrjury import RatingTable, Scale
from ocrjury.agreement import (
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    human_agreement,
    human_agreement_corrected,
    icc,
    krippendorff_alpha,
    measure_agreement,
    pairwise_agreement,
    pairwise_kappa,
    percent_agreement,
)
from ocrjury.agreement.marginals import modal_share, prevalence_index
from tests.strategies import rating_matrices, wide_teams
from tests.test_common import COEFFICIENTS, RESAMPLED, TWO_RATERS, stable

FIVE = Scale.likert(1, 5)
some = settings(max_examples=settings().max_examples * 5 // 8)
few = settings(max_examples=settings().max_examples * 3 // 10)


def likert(matrix, top=5, **options):
    return RatingTable.from_matrix(matrix, scale=Scale.likert(1, top), **options)


def long(matrix, scale=FIVE):
    rows = [
        (f"d{i}", f"R{r}", value)
        for i, row in enumerate(matrix)
        for r, value in enumerate(row)
        if value is not None
    ]
    return RatingTable.from_long(
        pd.DataFrame(rows, columns=["item", "rater", "rating"]), scale=scale
    )


@few
@given(matrix=rating_matrices())
def test_a_frame_gives_the_numbers_of_its_matrix(matrix):
    tables = [(likert(m), long(m)) for m in (matrix, [row[:2] for row in matrix])]
    for name, coefficient in COEFFICIENTS.items():
        dense, frame = (coefficient(table) for table in tables[name in TWO_RATERS])

        if stable(name, matrix):
            for field in ("value", "se", "low", "high"):
                assert getattr(frame, field) == pytest.approx(
                    getattr(dense, field), nan_ok=True, rel=1e-6, abs=1e-9
                ), name
        assert (frame.n_items, frame.n_ratings, frame.reason) == (
            dense.n_items,
            dense.n_ratings,
            dense.reason,
        ), name


@few
@given(team=wide_teams())
def test_fifty_raters_with_gaps_give_the_same_by_every_path(team):
    dense = likert(team)
    rows = [[None if math.isnan(value) else int(value) for value in row] for row in team]
    frame = long(rows)

    ours, theirs = measure_agreement(dense), measure_agreement(frame)
    for name, one in ours.items():
        if abs(one.value) < 20 or math.isnan(one.value):
            assert theirs[name].value == pytest.approx(one.value, nan_ok=True, abs=1e-9), name


@some
@given(rating_matrices(), st.integers(2, 9))
def test_ratio_alpha_ignores_a_stretch(matrix, stretch):
    wide = Scale.interval(0, 50)
    longer = [[None if v is None else stretch * v for v in row] for row in matrix]

    before, after = (
        krippendorff_alpha(RatingTable.from_matrix(m, scale=wide), level="ratio").value
        for m in (matrix, longer)
    )
    assert after == pytest.approx(before, nan_ok=True, abs=1e-9)


@some
@given(matrix=rating_matrices())
def test_items_with_one_rating_change_nothing(matrix):
    alone = [*matrix, [4] + [None] * (len(matrix[0]) - 1)]

    for coefficient in (krippendorff_alpha, percent_agreement, human_agreement, pairwise_agreement):
        before, after = coefficient(likert(matrix)), coefficient(likert(alone))
        assert after.value == pytest.approx(before.value, nan_ok=True, abs=1e-12), coefficient


@pytest.mark.parametrize("coefficient", [fleiss_kappa, gwet_ac])
def test_items_with_one_rating_count_for_the_prevalence_of_gwet(coefficient):
    matrix = [[1, 1], [2, 2], [1, 2]]

    assert coefficient(likert(matrix)).value != coefficient(likert([*matrix, [5, None]])).value


@some
@given(matrix=rating_matrices(low=0, high=1, raters=2))
def test_on_two_categories_weights_change_nothing(matrix):
    table = RatingTable.from_matrix(matrix, scale=Scale.binary())
    for coefficient in (cohen_kappa, conger_kappa, fleiss_kappa, gwet_ac):
        values = [coefficient(table, weights=w).value for w in ("none", "linear", "quadratic")]

        assert values == pytest.approx([values[0]] * 3, nan_ok=True, abs=1e-12), coefficient


@some
@given(rating_matrices())
def test_linear_weights_forgive_at_most_what_quadratic_ones_do(matrix):
    table = likert(matrix)
    linear, quadratic = (percent_agreement(table, weights=w).value for w in ("linear", "quadratic"))

    assert linear <= quadratic + 1e-12


def test_quadratic_kappa_tends_to_the_intraclass_correlation():
    # Fleiss and Cohen (1973), Educational and Psychological Measurement 33(3), 613-619.
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 6, (400, 1))
    ratings = np.clip(truth + rng.choice([-1, 0, 0, 1, 2], (400, 2)), 1, 5)

    gaps = [
        abs(cohen_kappa(table, weights="quadratic").value - icc(table).value)
        for table in (likert(ratings[:25]), likert(ratings))
    ]
    assert gaps[1] < gaps[0] < 0.02
    assert gaps[1] < 2 / 400


KEEPING = {
    "alpha, nominal": lambda t: krippendorff_alpha(t, level="nominal"),
    "alpha, ordinal": lambda t: krippendorff_alpha(t, level="ordinal"),
    "alpha, interval": lambda t: krippendorff_alpha(t, level="interval"),
    "fleiss": fleiss_kappa,
    "fleiss, quadratic": lambda t: fleiss_kappa(t, weights="quadratic"),
    "conger, linear": lambda t: conger_kappa(t, weights="linear"),
    "corrected A^HH": human_agreement_corrected,
    "percent": percent_agreement,
    "icc": icc,
}


@some
@given(matrix=rating_matrices())
def test_a_declared_category_that_nobody_used_changes_no_kappa_and_no_alpha(matrix):
    for name, coefficient in KEEPING.items():
        narrow, wide = coefficient(likert(matrix)), coefficient(likert(matrix, top=7))

        if math.isnan(narrow.value) or abs(narrow.value) < 20:
            assert wide.value == pytest.approx(narrow.value, nan_ok=True, abs=1e-9), name


def test_a_longer_scale_brings_ratings_nearer_in_a_hh():
    assert human_agreement(likert([[1, 3]], top=5)).value == pytest.approx(0.5)
    assert human_agreement(likert([[1, 3]], top=9)).value == pytest.approx(0.75)


@some
@given(matrix=rating_matrices(), data=st.data())
def test_an_item_of_weight_two_counts_as_two_items_in_alpha(matrix, data):
    # Weights are scaled to mean 1, so that the small-sample factor n / (n - 1) keeps its n.
    weights = data.draw(st.lists(st.integers(1, 3), min_size=len(matrix), max_size=len(matrix)))
    repeated = [row for row, times in zip(matrix, weights, strict=True) for _ in range(times)]
    weighted = likert(matrix, item_weight=weights)
    counts = likert(repeated)
    n = counts.n_ratings * len(matrix) / sum(weights)
    m = counts.n_ratings

    for level in ("nominal", "ordinal", "interval", "ratio"):
        ours, theirs = (krippendorff_alpha(one, level=level).value for one in (weighted, counts))
        expected = 1 - (1 - theirs) * (m / (m - 1)) * ((n - 1) / n)
        assert ours == pytest.approx(expected, nan_ok=True, abs=1e-9), level


@some
@given(matrix=rating_matrices(low=0, high=1), data=st.data())
def test_weighted_marginals_count_items_several_times(matrix, data):
    weights = data.draw(st.lists(st.integers(1, 3), min_size=len(matrix), max_size=len(matrix)))
    repeated = [row for row, times in zip(matrix, weights, strict=True) for _ in range(times)]
    binary = Scale.binary()

    weighted = RatingTable.from_matrix(matrix, scale=binary, item_weight=weights)
    plain = RatingTable.from_matrix(repeated, scale=binary)
    for share in (modal_share, prevalence_index):
        assert share(weighted).value == pytest.approx(share(plain).value)


@pytest.mark.parametrize(
    "coefficient",
    [
        krippendorff_alpha,
        conger_kappa,
        fleiss_kappa,
        gwet_ac,
        brennan_prediger,
        human_agreement_corrected,
        icc,
    ],
)
def test_independent_raters_agree_by_nothing_beyond_chance(coefficient):
    uniform = np.random.default_rng(8).integers(1, 6, (3000, 4))

    assert coefficient(likert(uniform)).value == pytest.approx(0, abs=0.03)


@few
@given(matrix=rating_matrices())
def test_a_jackknife_interval_holds_its_value(matrix):
    for name in RESAMPLED:
        rated = [row[:2] for row in matrix] if name in TWO_RATERS else matrix
        estimate = COEFFICIENTS[name](likert(rated), ci="jackknife")

        if estimate.se > 0:
            assert estimate.low <= estimate.value <= estimate.high, name


def test_bootstrap_samples_without_a_value_are_counted():
    # One item in twelve differs: many resamples have no variation.
    estimate = fleiss_kappa(likert([[3, 3]] * 11 + [[3, 4]]), ci="bootstrap", resamples=200)

    lost = [warning for warning in estimate.warnings if "resamples had no value" in warning]
    assert len(lost) == 1
    assert int(lost[0].split()[0]) > 20
    assert estimate.reason == "no_variation"  # of the interval: too many were lost
    assert math.isnan(estimate.low)
    assert estimate.value == pytest.approx(-1 / 23)


def test_two_items_that_are_constants_alone_have_no_jackknife_interval():
    # One item alone has an alpha of 0 whatever its ratings are: both replicates say 0.
    estimate = krippendorff_alpha(likert([[3, 4], [2, 4]]), ci="jackknife")

    assert estimate.value < 0
    assert math.isnan(estimate.se)
    assert estimate.reason == "items_alike"


def exact_interval(cases, n):
    found = binomtest(cases, n).proportion_ci(method="exact")
    return found.low, found.high


@pytest.mark.parametrize("share", [pairwise_agreement, percent_agreement, human_agreement])
@pytest.mark.parametrize("ci", ["jackknife", "bootstrap"])
def test_a_share_of_all_has_the_interval_of_clopper_and_pearson(share, ci):
    estimate = share(likert([[1 + n % 5] * 2 for n in range(12)]), ci=ci)

    assert (estimate.value, estimate.se, estimate.reason) == (1, 0, None)
    assert (estimate.low, estimate.high) == pytest.approx(exact_interval(12, 12))


def test_a_share_of_none_too():
    estimate = pairwise_agreement(likert([[1, 2], [4, 3], [5, 1]]), ci="jackknife")

    assert estimate.value == 0
    assert (estimate.low, estimate.high) == pytest.approx(exact_interval(0, 3))


@pytest.mark.parametrize("share", [pairwise_agreement, percent_agreement, human_agreement])
@pytest.mark.parametrize(
    ("weight", "page", "effective"),
    [
        ([1, 1, 1, 1, 6, 6], None, 16**2 / 76),
        (None, [0, 0, 0, 0, 1, 2], 6**2 / 18),
        ([1, 1, 1, 1, 6, 6], [0, 0, 1, 1, 2, 3], 16**2 / 80),
    ],
)
def test_a_share_of_all_with_unequal_weights_counts_as_many_draws_as_they_tell(
    share, weight, page, effective
):
    table = likert([[1 + n % 5] * 2 for n in range(6)], item_weight=weight)
    drawn = replace(table, cluster=None if page is None else np.array(page))

    estimate = share(drawn, ci="jackknife")

    assert estimate.value == 1
    assert estimate.low == pytest.approx(0.025 ** (1 / effective))


def test_an_item_with_many_pairs_counts_as_often_in_the_interval_of_a_share_of_pairs():
    table = likert([[1, 1, None, None], [2, 2, None, None], [3, 3, 3, 3]])

    estimate = pairwise_agreement(table, ci="jackknife")

    assert estimate.value == 1
    assert estimate.low == pytest.approx(0.025 ** (38 / 8**2))  # 1, 1 and 6 pairs
    assert human_agreement(table, ci="jackknife").low == pytest.approx(0.025 ** (1 / 3))


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_raters_who_never_differ_agree_by_1_in_spite_of_rounding(weights):
    rng = np.random.default_rng(5)
    for _ in range(50):
        same = rng.integers(1, 6, rng.integers(6, 60))
        (pair,) = pairwise_kappa(
            likert([[level, level] for level in same.tolist()]), weights=weights
        ).to_dict("records")

        assert (pair["value"], pair["reason"]) == (1, "no_disagreement")
        assert math.isnan(pair["low"])
