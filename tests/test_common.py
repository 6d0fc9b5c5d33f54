"""Properties that coefficients share, over all of them, and a check that none is forgotten."""

import math
from functools import partial
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import InputError, RatingTable, Scale, agreement, truth
from ocrjury.estimate import Reason
from ocrjury.statistics import STATISTICS
from tests.strategies import rating_matrices

FIVE = Scale.likert(1, 5)
NAMES = ["title", "body", "foot", "seal", "none"]


def judge_of_threes(table, **options):
    return agreement.judge_alignment(table, [3] * table.n_items, **options)


def prevalence_index(table):
    return agreement.measure_agreement(table)["prevalence_index"]


# Each has a test file of its own: they count pairs of raters, or describe the ratings.
ELSEWHERE = {
    *("mean_pairwise_kappa", "mean_pairwise_weighted_kappa", "adjacent_agreement"),
    *("icc_of_all_ratings", "modal_share", "prevalence_index"),
}
BY_FUNCTION = {row.function.rpartition(".")[2]: row for row in STATISTICS.values() if row.function}
# Every public coefficient with its options; one name may come several times.
COEFFICIENTS = {
    **{name: getattr(agreement, name) for name in sorted(BY_FUNCTION.keys() - ELSEWHERE)},
    "cohen_kappa": agreement.cohen_kappa,
    "cohen_kappa, quadratic": partial(agreement.cohen_kappa, weights="quadratic"),
    "conger_kappa": agreement.conger_kappa,
    "conger_kappa, linear": partial(agreement.conger_kappa, weights="linear"),
    "fleiss_kappa, quadratic": partial(agreement.fleiss_kappa, weights="quadratic"),
    "gwet_ac, linear": partial(agreement.gwet_ac, weights="linear"),
    "brennan_prediger": agreement.brennan_prediger,
    "brennan_prediger, linear": partial(agreement.brennan_prediger, weights="linear"),
    "percent_agreement, quadratic": partial(agreement.percent_agreement, weights="quadratic"),
    "krippendorff_alpha, nominal": partial(agreement.krippendorff_alpha, level="nominal"),
    "krippendorff_alpha, interval": partial(agreement.krippendorff_alpha, level="interval"),
    "krippendorff_alpha, ratio": partial(agreement.krippendorff_alpha, level="ratio"),
    "icc": agreement.icc,
    "icc, one-way": partial(agreement.icc, form="ICC(1,k)"),
    "icc, mixed": partial(agreement.icc, missing="mixed"),
    "pairwise_agreement, adjacent": partial(agreement.pairwise_agreement, tolerance=1),
    "judge_alignment": judge_of_threes,
}
NOT_COEFFICIENTS = {
    "Prevalence",
    "Replacement",
    "SeatComparison",
    "judge_replacement",
    "ProblemPattern",
    "Suggestion",
    "find_disagreements",
    "find_problem_patterns",
    "agreement_difference",  # of two tables
    "gain_without_raters",  # a difference of two alphas
    "mean_distribution",
    "measure_agreement",
    "measure_counts",  # all of them in one
    "pairwise_kappa",  # a frame of cohen_kappa
    "prevalence",  # a record
    "suggest_improvements",
}
NOMINAL = [
    "cohen_kappa",
    "conger_kappa",
    "fleiss_kappa",
    "gwet_ac",
    "brennan_prediger",
    "percent_agreement",
    "krippendorff_alpha, nominal",
    "human_agreement",
    "human_agreement_chance",
    "human_agreement_corrected",
    "pairwise_agreement",
]
# Its value is the same when every item comes twice: nothing in it counts items or ratings.
FREE_OF_N = sorted(
    name for name in COEFFICIENTS if not name.startswith(("krippendorff_alpha", "icc"))
)
# They describe raters in a fixed order of columns, or two raters only.
TWO_RATERS = [name for name in COEFFICIENTS if name.startswith("cohen_kappa")]
WEIGHTED = sorted(set(COEFFICIENTS) - {name for name in COEFFICIENTS if name.startswith("icc")})
BOUNDED_BELOW = sorted(
    name
    for name in COEFFICIENTS
    if name.startswith(("percent", "human_agreement", "pairwise"))
    and not name.endswith("corrected")
)

# Each table is drawn once and measured by all of them: to draw one takes longer than to measure it.
few = settings(max_examples=settings().max_examples * 3 // 8)


def measure(name, matrix, scale=FIVE, **options):
    if name in TWO_RATERS:
        matrix = [row[:2] for row in matrix]
    return COEFFICIENTS[name](RatingTable.from_matrix(matrix, scale=scale, **options))


def numbers(estimate):
    """An estimate's numbers, to be compared by `same`, rounding aside."""
    return [estimate.value, estimate.se, estimate.low, estimate.high]


def same(one, other):
    """Whether two estimates have the same numbers, rounding aside, and the same reason."""
    near = pytest.approx(numbers(one), nan_ok=True, rel=1e-6, abs=1e-7)
    return numbers(other) == near and one.reason == other.reason


def stable(name, matrix):
    """Whether a ratio's denominator is far enough from 0 to be compared."""
    value = measure(name, matrix).value
    return math.isnan(value) or abs(value) < 20


def test_no_public_coefficient_is_forgotten():
    registered = {name.split(",")[0] for name in COEFFICIENTS}

    assert registered | NOT_COEFFICIENTS >= set(agreement.__all__)
    assert registered - BY_FUNCTION.keys() <= set(agreement.__all__)
    assert not registered & NOT_COEFFICIENTS


@few
@given(matrix=rating_matrices(), data=st.data())
def test_the_order_of_items_does_not_matter(matrix, data):
    shuffled = data.draw(st.permutations(matrix))
    for name in COEFFICIENTS:
        if stable(name, matrix):
            assert same(measure(name, matrix), measure(name, shuffled)), name


@few
@given(matrix=rating_matrices(), data=st.data())
def test_the_order_of_raters_does_not_matter(matrix, data):
    order = data.draw(st.permutations(range(len(matrix[0]))))
    for name in COEFFICIENTS:
        if stable(name, matrix):
            places = order if name not in TWO_RATERS else [r for r in order if r < 2]
            turned = [[row[r] for r in places] for row in matrix]
            assert same(measure(name, matrix), measure(name, turned)), name


@few
@given(matrix=rating_matrices(), data=st.data())
def test_the_names_of_nominal_categories_do_not_matter(matrix, data):
    labels = data.draw(st.permutations(NAMES))
    renamed = [[None if v is None else labels[v - 1] for v in row] for row in matrix]
    numbered = [[None if v is None else NAMES[v - 1] for v in row] for row in matrix]
    scale = Scale.nominal(NAMES)

    for name in NOMINAL:
        assert same(measure(name, numbered, scale), measure(name, renamed, scale)), name


@few
@given(matrix=rating_matrices())
def test_no_value_exceeds_one_and_without_a_value_there_is_a_reason(matrix):
    for name in COEFFICIENTS:
        estimate = measure(name, matrix)

        assert estimate.defined or estimate.reason is not None, name
        assert estimate.method, name
        if stable(name, matrix) or not name.startswith("icc"):
            assert math.isnan(estimate.value) or estimate.value <= 1 + 1e-9, name
            assert math.isnan(estimate.high) or estimate.high <= 1 + 1e-9, name
        if name in BOUNDED_BELOW:
            assert estimate.value >= 0, name


@few
@given(matrix=rating_matrices())
def test_every_item_twice_gives_the_same_value(matrix):
    for name in FREE_OF_N:
        once, twice = measure(name, matrix), measure(name, matrix * 2)

        assert twice.value == pytest.approx(once.value, nan_ok=True, abs=1e-9), name


@pytest.mark.parametrize(
    "name", sorted(set(COEFFICIENTS) - {"judge_alignment", "human_agreement_chance"})
)
def test_perfect_agreement_with_variation_is_one(name):
    assert measure(name, [[k, k, k] for k in (1, 2, 3, 4, 5)]).value == pytest.approx(1)


@few
@given(matrix=rating_matrices())
def test_items_that_nobody_rated_change_nothing(matrix):
    empty = [None] * len(matrix[0])
    for name in COEFFICIENTS:
        if stable(name, matrix):
            assert same(measure(name, matrix), measure(name, [empty, *matrix, empty])), name


@few
@given(matrix=rating_matrices(), weight=st.floats(0.01, 100))
def test_constant_inclusion_weights_change_nothing(matrix, weight):
    weights = [weight] * len(matrix)
    for name in WEIGHTED:
        if stable(name, matrix):
            assert same(measure(name, matrix), measure(name, matrix, item_weight=weights)), name


@few
@given(matrix=rating_matrices(), data=st.data())
def test_an_item_of_weight_two_counts_as_two_items(matrix, data):
    weights = data.draw(st.lists(st.integers(1, 3), min_size=len(matrix), max_size=len(matrix)))
    repeated = [row for row, times in zip(matrix, weights, strict=True) for _ in range(times)]

    for name in sorted(set(WEIGHTED) & set(FREE_OF_N)):
        weighted, counted = measure(name, matrix, item_weight=weights), measure(name, repeated)
        assert weighted.value == pytest.approx(counted.value, nan_ok=True, abs=1e-9), name


@few
@given(matrix=rating_matrices())
def test_an_item_of_weight_zero_is_not_there(matrix):
    weights = [1.0] * len(matrix) + [0.0]
    extra = [*matrix, [1, 5] + [None] * (len(matrix[0]) - 2)]

    for name in WEIGHTED:
        if stable(name, matrix):
            assert same(measure(name, matrix), measure(name, extra, item_weight=weights)), name


RESAMPLED = [
    name
    for name, one in COEFFICIENTS.items()
    if not name.startswith(("icc", "judge", "human_agreement_chance"))
]


@pytest.mark.parametrize("name", RESAMPLED)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_jackknife_leaves_out_one_item_at_a_time(name, weighted):
    rng = np.random.default_rng(11)
    truth = rng.integers(1, 6, (30, 1))
    ratings = np.clip(truth + rng.choice([-1, 0, 0, 1], (30, 3)), 1, 5).astype(float)
    ratings[rng.random(ratings.shape) < 0.1] = np.nan
    ratings = ratings[(~np.isnan(ratings[:, :2])).all(axis=1)]
    weights = np.where(weighted, rng.choice([0.5, 1, 4], len(ratings)), 1.0)
    weights /= weights.mean()

    def value(rows):
        matrix = ratings[rows, :2] if name in TWO_RATERS else ratings[rows]
        table = RatingTable.from_matrix(matrix, scale=FIVE, item_weight=weights[rows])
        return COEFFICIENTS[name](table, ci="jackknife")

    n = len(ratings)
    left_out = np.array([value(np.delete(np.arange(n), item)).value for item in range(n)])
    expected = math.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum())
    # Without an item the others' weights are scaled anew, which alpha notices a little.
    close = 0.03 if weighted and name.startswith("krippendorff") else 1e-6
    assert value(np.arange(n)).se == pytest.approx(expected, rel=close)


@pytest.mark.parametrize("name", RESAMPLED)
def test_jackknife_bootstrap_and_published_errors_are_close(name):
    rng = np.random.default_rng(12)
    truth = rng.integers(1, 6, (300, 1))
    ratings = np.clip(truth + rng.choice([-1, 0, 0, 0, 1, 2], (300, 3)), 1, 5)
    matrix = ratings[:, :2] if name in TWO_RATERS else ratings
    table = RatingTable.from_matrix(matrix, scale=FIVE)

    published, jackknife, bootstrap = (
        COEFFICIENTS[name](table, ci=ci, resamples=600) for ci in (None, "jackknife", "bootstrap")
    )

    assert bootstrap.se == pytest.approx(jackknife.se, rel=0.12)
    if not math.isnan(published.se):
        assert published.se == pytest.approx(jackknife.se, rel=0.02)


# Tables without an answer, by the reason that every coefficient gives.
NO_PAIRS = {
    "no_items": [],
    "no_items ": [[None, None], [None, None]],
    "fewer_than_two_raters": [[1, None], [4, None], [5, None]],
    "no_pairable_items": [[1, None], [None, 2], [3, None]],
}


def is_one_by_definition(name):
    """Whether it is 1 where all ratings are equal.

    Nothing is corrected for chance, or chance depends on the declared categories alone. AC is 1
    because no item was hard.
    """
    key = name.partition(",")[0]
    row = BY_FUNCTION.get(key) or STATISTICS[key]
    return "no_variation" not in row.undefined


def with_every_interval(name, matrix):
    """Yield the coefficient with each kind of interval that it takes."""
    matrix = [row[:2] for row in matrix] if name in TWO_RATERS else matrix
    kinds = [None, "jackknife", "bootstrap"] if name in RESAMPLED else [None]
    for ci in kinds:
        options = {"ci": ci, "resamples": 20} if name in RESAMPLED else {}
        yield COEFFICIENTS[name](RatingTable.from_matrix(matrix, scale=FIVE), **options)


@pytest.mark.parametrize("reason", NO_PAIRS)
@pytest.mark.parametrize("name", sorted(set(COEFFICIENTS) - {"judge_alignment"}))
def test_without_pairs_no_coefficient_has_a_number(name, reason):
    for one in with_every_interval(name, NO_PAIRS[reason]):
        assert all(math.isnan(number) for number in (one.value, one.low, one.high, one.se))
        assert one.reason == reason.strip()


@pytest.mark.parametrize("name", sorted(set(COEFFICIENTS) - {"judge_alignment"}))
def test_equal_ratings_say_nothing_about_agreement_beyond_chance(name):
    for estimate in with_every_interval(name, [[4, 4, 4]] * 6):
        if is_one_by_definition(name):
            assert estimate.value == pytest.approx(1)
        else:
            assert math.isnan(estimate.value)
            assert estimate.reason == "no_variation"


@pytest.mark.parametrize("name", RESAMPLED)
def test_one_item_has_no_interval(name):
    for estimate in with_every_interval(name, [[4, 5, 4]]):
        assert math.isnan(estimate.se)
        assert math.isnan(estimate.low)


@pytest.mark.parametrize("matrix", [*NO_PAIRS.values(), [[4, 4, 4]] * 6])
def test_frames_and_records_of_data_without_an_answer_hold_no_numbers(matrix):
    table = RatingTable.from_matrix(matrix, scale=FIVE)
    binary = [[value and 1 for value in row[:2]] for row in matrix]

    assert agreement.pairwise_kappa(table, min_items=1)["value"].isna().all()
    for name, estimate in agreement.measure_agreement(table).items():
        known = estimate.value == pytest.approx(1) and len(matrix) == 6
        assert known or estimate.reason is not None, name
    record = agreement.prevalence(RatingTable.from_matrix(binary, scale=Scale.binary()))
    assert (record.reason is not None) == math.isnan(record.pabak)


REASONS = {
    "no_items": lambda: measure("fleiss_kappa", []),
    "fewer_than_two_raters": lambda: measure("gwet_ac", [[1, None]]),
    "no_pairable_items": lambda: measure("krippendorff_alpha", [[1, None], [None, 2]]),
    "no_variation": lambda: measure("conger_kappa", [[2, 2], [2, 2]]),
    "fewer_than_two_items": lambda: measure("icc", [[1, 2]]),
    "fewer_than_two_categories": lambda: measure("gwet_ac", [["a", "a"]], Scale.nominal(["a"])),
    "no_complete_items": lambda: measure("icc", [[1, 2, None], [None, 2, 3]]),
    "too_few_common_items": lambda: agreement.measure_agreement(
        RatingTable.from_matrix([[1, 2]] * 4, scale=FIVE)
    )["mean_pairwise_kappa"],
    "scale_mismatch": lambda: measure("icc", [["title", "body"]], Scale.nominal(NAMES)),
}
OF_INTERVALS = {
    "no_disagreement": lambda: measure("krippendorff_alpha", [[1, 1], [2, 2], [3, 3]]),
    "items_alike": lambda: measure("brennan_prediger", [[1, 2]] * 4),
}
"""Reasons why a value has no interval."""


def test_every_reason_can_be_reached_and_has_words():
    from ocrjury.estimate import UNDEFINED

    assert {*REASONS, *OF_INTERVALS} == set(get_args(Reason)) <= set(UNDEFINED)
    for reason, make in OF_INTERVALS.items():
        assert (make().reason, make().defined) == (reason, True)
        assert math.isnan(make().low)
    for reason, make in REASONS.items():
        estimate = make()
        assert estimate.reason == reason
        assert math.isnan(estimate.value)


# They compare one rater with another, and not only ratings with ratings.
COMPARE_RATERS = {
    name
    for name in COEFFICIENTS
    if name.startswith(("cohen_kappa", "conger_kappa")) or name in {"icc", "icc, mixed"}
}


@few
@given(matrix=rating_matrices())
def test_counts_give_the_numbers_of_the_ratings_they_count(matrix):
    ratings = RatingTable.from_matrix(matrix, scale=FIVE)
    counts = RatingTable.from_counts(ratings.counts(), scale=FIVE)

    for name, coefficient in COEFFICIENTS.items():
        if name in COMPARE_RATERS:
            with pytest.raises(InputError, match="do not say who rated"):
                coefficient(counts)
        elif stable(name, matrix) and not name.startswith("icc"):
            assert same(coefficient(ratings), coefficient(counts)), name


@pytest.mark.parametrize(
    "function",
    [
        agreement.measure_agreement,
        agreement.pairwise_kappa,
        agreement.prevalence,
        agreement.gain_without_raters,
        agreement.find_problem_patterns,
        truth.majority_vote,
        truth.dawid_skene,
        truth.one_coin,
    ],
)
def test_what_compares_raters_refuses_counts(function):
    with pytest.raises(InputError, match="do not say who rated"):
        function(RatingTable.from_counts([[1, 1], [2, 0]], scale=Scale.binary()))
