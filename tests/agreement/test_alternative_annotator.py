"""The alternative annotator test against the paper's steps, one item at a time, and its edges."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import xlogy
from scipy.stats import binom, false_discovery_control
from scipy.stats import t as student

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import judge_replacement

FIVE = Scale.likert(1, 5)
NAMES = Scale.nominal(["x", "y", "z"])


def team(seed, *, items=80, raters=4, noise=0.7, absent=0.0):
    """Ratings of raters around a common truth, and that truth."""
    rng = np.random.default_rng(seed)
    truth = rng.choice([1, 2, 3, 4, 5], items, p=[0.1, 0.1, 0.2, 0.3, 0.3])
    ratings = np.clip(np.round(truth[:, None] + noise * rng.normal(size=(items, raters))), 1, 5)
    ratings[rng.random(ratings.shape) < absent] = np.nan
    return ratings, truth, rng


def score_test(difference, allowance):
    """P value by Tango (1998) in place of the paper's t test; the likelihood is searched."""
    n = len(difference)
    first, second = (int((difference == sign).sum()) for sign in (1, -1))

    def likelihood(p):
        cells = (p, p - allowance, 1 - 2 * p + allowance)
        counts = (first, second, n - first - second)
        return -sum(xlogy(k, cell) for k, cell in zip(counts, cells, strict=True))

    ends = (allowance, (1 + allowance) / 2)
    p = minimize_scalar(likelihood, bounds=ends, method="bounded", options={"xatol": 1e-12}).x
    error = math.sqrt((2 * p - allowance - allowance**2) / n)
    return student.cdf((difference.mean() - allowance) / error, n - 1)


def by_hand(ratings, scores, *, ordered, allowance, error):
    """The paper's procedure with loops, but for the t test: wins, p values, winning rate."""
    wins, p_values = [], []
    for rater in range(ratings.shape[1]):
        judge, human = [], []
        for row, score in zip(ratings, scores, strict=True):
            others = [v for place, v in enumerate(row) if place != rater and not math.isnan(v)]
            if math.isnan(row[rater]) or not others or math.isnan(score):
                continue
            near = [
                -math.sqrt(np.mean([(one - v) ** 2 for v in others]))
                if ordered
                else np.mean([one == v for v in others])
                for one in (score, row[rater])
            ]
            judge.append(near[0] >= near[1])
            human.append(near[1] >= near[0])
        if len(judge) >= 30:
            difference = np.subtract(human, judge, dtype=float)
            p_values.append(score_test(difference, allowance))
            wins.append((np.mean(judge), np.mean(human)))
    adjusted = false_discovery_control(p_values, method="by")
    return wins, p_values, (adjusted <= error).mean()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ordered", [True, False])
def test_it_is_the_paper_s_procedure(seed, ordered):
    ratings, truth, rng = team(seed, absent=0.3)
    scores = np.clip(np.round(truth + (0.2 + 0.2 * seed) * rng.normal(size=80)), 1, 5)
    if not ordered:
        ratings, scores = np.where(np.isnan(ratings), np.nan, ratings % 3), scores % 3
    scores[:5] = np.nan
    scale = FIVE if ordered else NAMES
    known = [None if math.isnan(s) else s if ordered else "xyz"[int(s)] for s in scores]
    cells = [
        [None if math.isnan(v) else v if ordered else "xyz"[int(v)] for v in row] for row in ratings
    ]

    test = judge_replacement(RatingTable.from_matrix(cells, scale=scale), known, allowance=0.15)

    wins, p_values, rate = by_hand(ratings, scores, ordered=ordered, allowance=0.15, error=0.05)
    found = np.array([(seat.judge_wins, seat.rater_wins) for seat in test.seats])
    assert found == pytest.approx(np.array(wins))
    assert [s.p_value for s in test.seats] == pytest.approx(p_values, rel=1e-5)
    assert test.winning_rate == rate
    assert test.advantage == pytest.approx(np.mean(wins, axis=0)[0])
    assert test.passes == (rate >= 0.5)


def test_a_judge_that_knows_the_truth_passes_and_one_that_guesses_does_not():
    ratings, truth, rng = team(1)
    table = RatingTable.from_matrix(ratings, scale=FIVE)

    assert judge_replacement(table, truth.tolist()).passes is True
    assert judge_replacement(table, rng.choice([1, 2, 3, 4, 5], 80).tolist()).winning_rate == 0


def test_a_copy_of_a_rater_always_ties_with_that_rater():
    ratings, _, _ = team(2)

    test = judge_replacement(RatingTable.from_matrix(ratings, scale=FIVE), ratings[:, 0].tolist())

    copied = test.seats[0]
    assert (copied.judge_wins, copied.rater_wins) == (1, 1)
    # No difference in 80 items: as rare as .9^80 at the allowance.
    assert 0 < copied.p_value < 0.005
    assert copied.replaceable


@pytest.mark.parametrize("n", [30, 60, 100])
def test_a_judge_at_the_allowance_seldom_passes_where_it_seldom_differs(n):
    # The judge errs on a tenth of the items, the raters never do: as much as is allowed.
    truth = np.resize([1.0, 3.0, 5.0], n)
    table = RatingTable.from_matrix(np.column_stack([truth] * 2), scale=FIVE)
    wrong = 0.0

    for errors in range(n // 8):
        scores = np.where(np.arange(n) < errors, 6 - truth + (truth == 3), truth)
        seat = judge_replacement(table, scores.tolist()).seats[0]
        wrong += binom.pmf(errors, n, 0.1) * (seat.p_value <= 0.05)

    assert wrong < 0.07  # .184, .137 and .117 by the paper's t test


def test_items_of_one_page_alone_compare_nobody():
    ratings, truth, _ = team(6)
    table = replace(
        RatingTable.from_matrix(ratings, scale=FIVE), cluster=np.zeros(80, dtype=np.int64)
    )

    test = judge_replacement(table, truth.tolist())

    assert (test.seats, test.reason) == ((), "too_few_common_items")


def test_items_of_unequal_weight_prove_no_more_than_as_many_equal_ones():
    truth = np.resize([1.0, 3.0, 5.0], 60)
    weight = np.where(np.arange(60) < 10, 20.0, 1.0)

    def p_value(item_weight):
        table = RatingTable.from_matrix(
            np.column_stack([truth] * 2), scale=FIVE, item_weight=item_weight
        )
        return judge_replacement(table, truth.tolist()).seats[0].p_value

    assert p_value(None) < 0.01
    assert p_value(weight) > 0.05  # 15 equal items would tell as much


def test_weights_of_items_are_those_of_repeated_items_in_the_shares():
    ratings, truth, _ = team(3)
    weight = np.where(np.arange(80) < 40, 2.0, 1.0)
    twice = np.vstack([ratings, ratings[:40]])

    def shares(matrix, scores, weights):
        table = RatingTable.from_matrix(matrix, scale=FIVE, item_weight=weights)
        seats = judge_replacement(table, scores).seats
        return np.array([(seat.judge_wins, seat.rater_wins) for seat in seats])

    scores = truth.tolist()
    weighted = shares(ratings, scores, weight)
    assert weighted == pytest.approx(shares(twice, scores + scores[:40], np.ones(120)))


def test_two_ratings_of_an_item_are_enough_with_a_warning():
    ratings, truth, _ = team(4, raters=2)

    test = judge_replacement(RatingTable.from_matrix(ratings, scale=FIVE), truth.tolist())

    assert len(test.seats) == 2
    assert test.warnings[0].startswith("Most items have two ratings")


def test_items_that_are_too_alike_are_said_to_tell_nothing():
    ratings = np.full((80, 3), 5.0)
    ratings[::10] = 4
    table = RatingTable.from_matrix(ratings, scale=FIVE)

    test = judge_replacement(table, ratings[:, 0].tolist(), allowance=0.2)

    assert test.passes
    (warning,) = test.warnings
    assert warning.startswith("A judge that says 5 of every item would pass too")
    names = RatingTable.from_matrix(np.where(ratings > 4, "x", "z").tolist(), scale=NAMES)
    assert "says x of every" in judge_replacement(names, ["x"] * 80, allowance=0.2).warnings[0]


def test_raters_with_too_few_items_are_left_out_by_name():
    ratings, truth, _ = team(5)
    ratings[25:, 3] = np.nan

    test = judge_replacement(
        RatingTable.from_matrix(ratings, scale=FIVE, raters=["a", "b", "c", "d"]), truth.tolist()
    )

    assert [seat.rater for seat in test.seats] == ["a", "b", "c"]
    assert test.left_out == ("d",)


@pytest.mark.parametrize(
    ("matrix", "scores", "reason"),
    [
        ([[3, 4]] * 29, [3] * 29, "too_few_common_items"),
        ([[3, 4]] * 40, [None] * 40, "no_items"),
        ([[3]] * 40, [3] * 40, "fewer_than_two_raters"),
        ([[3, None], [None, 4]] * 40, [3] * 80, "too_few_common_items"),
    ],
)
def test_what_cannot_be_told_has_a_reason(matrix, scores, reason):
    test = judge_replacement(RatingTable.from_matrix(matrix, scale=FIVE), scores)

    assert (test.reason, test.passes) == (reason, None)
    assert math.isnan(test.winning_rate)
    assert math.isnan(test.advantage)


@pytest.mark.parametrize("options", [{"allowance": 0}, {"allowance": 1.5}, {"error": 0}])
def test_shares_outside_their_range_are_named(options):
    (name, value), *_ = options.items()
    table = RatingTable.from_matrix([[3, 4]] * 40, scale=FIVE)

    with pytest.raises(InputError, match=f"judge_replacement: {name} must be .* found {value}"):
        judge_replacement(table, [3] * 40, **options)
    with pytest.raises(InputError, match="judge_replacement needs one score per item"):
        judge_replacement(table, [3])


@given(st.integers(0, 10_000), st.sampled_from([0.1, 0.2]))
def test_turning_the_scale_round_and_a_larger_allowance_never_harm(seed, allowance):
    ratings, truth, _ = team(seed, items=40, raters=3, noise=1.0)
    scores = [min(5, max(1, value + seed % 3 - 1)) for value in truth.tolist()]

    test = judge_replacement(RatingTable.from_matrix(ratings, scale=FIVE), scores)

    turned = judge_replacement(
        RatingTable.from_matrix(6 - ratings, scale=FIVE), [6 - score for score in scores]
    )
    assert [seat.p_value for seat in turned.seats] == pytest.approx(
        [seat.p_value for seat in test.seats]
    )
    larger = judge_replacement(
        RatingTable.from_matrix(ratings, scale=FIVE), scores, allowance=allowance + 0.1
    )
    assert larger.winning_rate >= test.winning_rate
    assert all(seat.judge_wins + seat.rater_wins >= 1 for seat in test.seats)
