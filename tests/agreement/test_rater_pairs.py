import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import cohen_kappa, pairwise_agreement, pairwise_kappa
from ocrjury.agreement.mean_kappa import mean_pairwise_kappa
from tests.strategies import rating_matrices

FIVE = Scale.likert(1, 5)


def likert(matrix, **options):
    return RatingTable.from_matrix(matrix, scale=FIVE, **options)


def team(*, n_items=60, n_raters=4, seed=0, missing=0.2):
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, (n_items, 1))
    ratings = np.clip(truth + rng.choice([-1, 0, 0, 0, 1], (n_items, n_raters)), 1, 5).astype(float)
    ratings[rng.random(ratings.shape) < missing] = np.nan
    return ratings


def test_pairs_count_the_same_in_pairwise_agreement():
    # One of three pairs on the first item, one of one on the second.
    table = likert([[1, 1, 2], [3, 3, None]])

    assert pairwise_agreement(table).value == pytest.approx(2 / 4)
    assert pairwise_agreement(table, tolerance=1).value == 1


@pytest.mark.parametrize("scale", [FIVE, Scale.interval(1, 5)])
@pytest.mark.parametrize("tolerance", [0, 1, 2])
@settings(max_examples=30)
@given(matrix=rating_matrices())
def test_a_share_is_that_of_all_pairs_listed_one_by_one(scale, tolerance, matrix):
    pairs = [
        abs(a - b) <= tolerance
        for row in matrix
        for i, a in enumerate(row)
        for b in row[:i]
        if a is not None and b is not None
    ]
    estimate = pairwise_agreement(RatingTable.from_matrix(matrix, scale=scale), tolerance=tolerance)

    assert estimate.value == pytest.approx(np.mean(pairs))


def test_a_continuous_tolerance_is_not_undone_by_rounding():
    table = RatingTable.from_matrix([[0.1, 0.3]], scale=Scale.interval(0, 1))

    assert pairwise_agreement(table, tolerance=0.2).value == 1


def test_equal_ratings_agree_fully():
    assert pairwise_agreement(likert([[3, 3], [3, 3]])).value == 1


def test_a_tolerance_needs_an_order_and_no_sign():
    names = RatingTable.from_matrix([["a", "b"]], scale=Scale.nominal(["a", "b"]))

    with pytest.raises(InputError, match="Use tolerance=0"):
        pairwise_agreement(names, tolerance=1)
    with pytest.raises(InputError, match="found -1"):
        pairwise_agreement(likert([[1, 2]]), tolerance=-1)
    assert pairwise_agreement(names).value == 0


def test_every_pair_of_raters_has_the_kappa_of_its_own_table():
    ratings = team()
    names = ["R01", "R02", "R03", "R04"]
    frame = pairwise_kappa(likert(ratings, raters=names), weights="linear")

    assert list(frame.columns) == [
        "rater_a", "rater_b", "n_items", "value", "se", "low", "high", "reason",
    ]  # fmt: skip
    assert len(frame) == 6
    for row in frame.itertuples():
        two = ratings[:, [names.index(row.rater_a), names.index(row.rater_b)]]
        alone = cohen_kappa(likert(two), weights="linear", ci="jackknife")
        assert row.n_items == alone.n_items
        assert row.value == pytest.approx(alone.value)
        assert (row.se, row.low, row.high) == pytest.approx(
            (alone.se, alone.low, alone.high), rel=0.01
        )
        assert row.reason is None


def test_the_kappas_of_all_pairs_are_summed_up():
    frame = pairwise_kappa(likert(team()))

    assert frame.attrs == {
        "n_pairs": 6,
        "mean": pytest.approx(np.mean(frame["value"])),
        "sd": pytest.approx(np.std(frame["value"], ddof=1)),
        "min": frame["value"].min(),
        "max": frame["value"].max(),
        "median": pytest.approx(np.median(frame["value"])),
    }


def test_one_pair_has_no_spread_and_none_has_no_mean():
    one = pairwise_kappa(likert(team(n_raters=2))).attrs
    none = pairwise_kappa(likert([[1, 2]])).attrs

    assert (one["n_pairs"], one["mean"]) == (1, one["max"])
    assert math.isnan(one["sd"])
    assert none["n_pairs"] == 0
    assert all(math.isnan(none[name]) for name in ("mean", "sd", "min", "max", "median"))


@pytest.mark.parametrize("weights", ["none", "quadratic"])
def test_inclusion_weights_count_items_several_times(weights):
    ratings = team(n_items=40)
    times = np.random.default_rng(4).integers(1, 4, len(ratings))

    weighted = pairwise_kappa(likert(ratings, item_weight=times), weights=weights)
    repeated = pairwise_kappa(likert(np.repeat(ratings, times, axis=0)), weights=weights)

    assert weighted["value"].tolist() == pytest.approx(repeated["value"].tolist())
    assert mean_pairwise_kappa(likert(ratings, item_weight=times), weights=weights).value == (
        pytest.approx(repeated["value"].mean())
    )


def test_pairs_without_an_answer_say_why():
    few = [[1, 2, None]] * 4 + [[None, 5, 5]] * 5
    frame = pairwise_kappa(likert(few)).set_index(["rater_a", "rater_b"])

    assert frame["reason"].to_dict() == {
        (0, 1): "too_few_common_items",
        (0, 2): "too_few_common_items",
        (1, 2): "no_variation",
    }
    assert frame["value"].isna().all()
    assert frame["n_items"].tolist() == [4, 0, 5]


def test_the_least_number_of_common_items_can_be_chosen():
    table = likert([[1, 1], [2, 2], [3, 4]])

    assert pairwise_kappa(table, min_items=3)["value"].notna().all()


def test_no_raters_give_an_empty_frame():
    frame = pairwise_kappa(likert([]))

    assert isinstance(frame, pd.DataFrame)
    assert frame.empty


def test_the_mean_is_over_pairs_with_a_kappa():
    ratings = team()
    frame = pairwise_kappa(likert(ratings))

    estimate = mean_pairwise_kappa(likert(ratings))

    assert estimate.value == pytest.approx(frame["value"].mean())


def test_the_error_of_the_mean_is_that_of_leaving_out_items():
    ratings = team(n_items=200)
    n = len(ratings)
    left_out = [
        mean_pairwise_kappa(likert(np.delete(ratings, item, axis=0))).value for item in range(n)
    ]

    jackknife = math.sqrt((n - 1) / n * ((left_out - np.mean(left_out)) ** 2).sum())
    assert mean_pairwise_kappa(likert(ratings)).se == pytest.approx(jackknife, rel=0.03)


def test_two_raters_have_the_error_of_cohen():
    table = likert(team(n_raters=2, missing=0))

    ours, cohen = mean_pairwise_kappa(table), cohen_kappa(table, ci="jackknife")
    assert ours.value == pytest.approx(cohen.value)
    assert (ours.se, ours.low) == pytest.approx((cohen.se, cohen.low), rel=0.01)


@pytest.mark.parametrize(
    ("matrix", "reason"),
    [
        ([[1, 2]] * 4, "too_few_common_items"),
        ([[1, 1]] * 5, "no_variation"),
        ([[1, None], [None, 2]], "no_pairable_items"),
    ],
)
def test_a_mean_without_pairs_says_why(matrix, reason):
    assert mean_pairwise_kappa(likert(matrix)).reason == reason


def test_raters_who_never_differ_have_no_interval_though_one_item_makes_all_kappas():
    table = likert([[5, 5, 5]] * 59 + [[4, 4, 4]])

    mean, pairs = mean_pairwise_kappa(table), pairwise_kappa(table)

    assert (mean.value, mean.se, mean.reason) == (1.0, 0.0, "no_disagreement")
    assert math.isnan(mean.low)
    assert pairs["se"].tolist() == [0.0] * 3
    # One pair that differs, about the item without which its kappa would be 0, has an error again.
    apart = mean_pairwise_kappa(likert([[5, 5, 5]] * 59 + [[4, 4, 3]]))
    assert apart.low < 0 < apart.value < 1


def test_a_pair_without_a_common_item_has_too_few_however_few_are_asked_for():
    table = RatingTable.from_matrix([[1, None], [None, 2]], scale=Scale.likert(1, 5))

    assert pairwise_kappa(table, min_items=0)["reason"].tolist() == ["too_few_common_items"]


def test_the_error_of_the_mean_does_not_depend_on_the_way_to_it(monkeypatch):
    matrix = team(n_items=70, n_raters=9, missing=0.3)
    few = {"ocrjury.agreement.mean_kappa._ITEMS": 16, "ocrjury.agreement.rows._MOST": 1}
    for name, value in few.items():
        monkeypatch.setattr(name, value)

    errors = []
    for quick in (1e-9, 1e9):  # pair by pair, by products
        monkeypatch.setattr("ocrjury.agreement.mean_kappa._QUICK", quick)
        errors.append(mean_pairwise_kappa(likert(matrix)).se)

    assert errors[0] == pytest.approx(errors[1], rel=1e-12)
    assert errors[0] > 0
