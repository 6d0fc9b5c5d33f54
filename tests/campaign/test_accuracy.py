import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.campaign.accuracy import Rated, known_values, measure_accuracy
from ocrjury.scales import Scale

LIKERT = Scale.likert(1, 5)
NAMES = Scale.nominal(["a", "b", "c"])
PAIRS = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=40)


@given(PAIRS, st.integers(0, 4))
def test_every_measure_is_what_its_name_says(pairs, tolerance):
    values, known = np.array(pairs).T

    near = measure_accuracy(values.tolist(), known.tolist(), scale=LIKERT, tolerance=tolerance)

    off = values - known
    assert near.n == near.n_gold == len(pairs)
    assert near.share_equal.value == pytest.approx((off == 0).mean())
    assert near.share_within.value == pytest.approx((abs(off) <= tolerance).mean())
    assert near.mean_absolute_error.value == pytest.approx(abs(off).mean())
    assert near.mean_deviation.value == pytest.approx(off.mean())


def test_a_kappa_compares_squared_distances_with_those_of_chance():
    values, known = np.array([1, 2, 3, 4, 5, 5]), np.array([1, 2, 3, 4, 4, 2])

    near = measure_accuracy(values.tolist(), known.tolist(), scale=LIKERT)

    by_chance = ((values[:, None] - known) ** 2).mean()
    assert near.weighted_kappa.value == pytest.approx(
        1 - ((values - known) ** 2).mean() / by_chance
    )


def test_intervals_hold_the_value():
    near = measure_accuracy([4, 5, 3, 5, 2, 4], [5, 5, 3, 4, 4, 4], scale=LIKERT, tolerance=1)

    for measure in ("share_equal", "share_within", "mean_absolute_error", "mean_deviation"):
        estimate = near.of(measure)
        assert estimate.low < estimate.value < estimate.high


def test_copies_of_an_item_add_nothing_to_an_interval():
    values, known = [4, 5, 3, 5, 2, 4] * 5, [5, 5, 3, 4, 4, 4] * 5
    items = list(range(len(values)))
    single = measure_accuracy(values, known, scale=LIKERT, tolerance=1)

    both = measure_accuracy(values * 2, known * 2, scale=LIKERT, tolerance=1, together=items * 2)
    apart = measure_accuracy(values * 2, known * 2, scale=LIKERT, tolerance=1)

    for name in ("share_equal", "mean_absolute_error", "mean_deviation", "weighted_kappa"):
        one, two, four = (near.of(name) for near in (single, both, apart))
        assert two.value == pytest.approx(one.value)
        assert two.high - two.low == pytest.approx(one.high - one.low, rel=0.08)
        assert four.high - four.low < 0.8 * (one.high - one.low)


def test_names_have_no_errors_and_continuous_scales_no_kappa():
    named = measure_accuracy([0, 1, 2], [0, 1, 1], scale=NAMES)
    slid = measure_accuracy([10.0, 20.0], [12.0, 20.0], scale=Scale.interval(0, 100), tolerance=1)

    assert named.share_equal.value == pytest.approx(2 / 3)
    assert {named.of(m).reason for m in ("mean_absolute_error", "mean_deviation")} == {
        "scale_mismatch"
    }
    assert slid.weighted_kappa.reason == "scale_mismatch"
    assert (slid.share_within.value, slid.mean_deviation.value) == (0.5, -1.0)


def test_nothing_compared_is_undefined_with_a_reason():
    nothing = measure_accuracy([], [], scale=LIKERT)

    assert nothing.n == 0
    assert {nothing.of(m).reason for m in ("share_equal", "mean_deviation", "weighted_kappa")} == {
        "no_items"
    }
    assert nothing.to_json()["share_equal"]["value"] is None


def test_a_rating_is_compared_with_the_lower_median_of_the_others():
    ratings = [Rated("a", rater, value) for rater, value in zip("ABCD", (1, 3, 4, 5), strict=True)]

    known = known_values(ratings, {}, scale=LIKERT)

    assert [known["a", rater] for rater in "ABCD"] == [4, 4, 3, 3]


def test_gold_outweighs_everybody():
    ratings = [Rated("a", "A", 5), Rated("a", "B", 5), Rated("b", "A", 1)]

    assert known_values(ratings, {"a": 2.0}, scale=LIKERT) == {("a", "A"): 2.0, ("a", "B"): 2.0}


def test_of_names_the_most_frequent_counts_and_a_tie_says_nothing():
    ratings = [Rated("a", rater, value) for rater, value in zip("ABCD", (0, 0, 1, 2), strict=True)]

    known = known_values(ratings, {}, scale=NAMES)

    assert known == {("a", "C"): 0, ("a", "D"): 0}
