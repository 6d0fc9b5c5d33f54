import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from scipy.stats import t as student

from ocrjury import Estimate
from ocrjury.estimation import greg_mean, plain_mean
from ocrjury.estimation.interval import (
    Part,
    few_cases,
    is_share,
    joint_df,
    logit_moved,
    pooled,
    t_quantile,
    with_interval,
    within_scale,
)


def test_two_sources_of_error_have_satterthwaites_degrees_of_freedom():
    found = with_interval(
        Estimate(3.0, n_items=40), [Part(0.04, 30), Part(0.09, 5)], confidence=0.95
    )

    # Satterthwaite (1946): (v1 + v2)^2 / (v1^2 / f1 + v2^2 / f2)
    df = 0.13**2 / (0.04**2 / 30 + 0.09**2 / 5)
    half = student.ppf(0.975, df) * math.sqrt(0.13)
    assert (found.low, found.high) == pytest.approx((3 - half, 3 + half))
    assert found.se == pytest.approx(math.sqrt(0.13))


def test_the_interval_of_a_rare_share_reaches_further_up_than_down():
    found = with_interval(
        Estimate(0.05, n_items=400), [Part(0.015**2, 399)], confidence=0.95, share_of=300
    )

    assert found.low > 0
    assert found.high - 0.05 > 1.3 * (0.05 - found.low)


def test_a_share_at_the_end_has_the_interval_of_clopper_and_pearson():
    found = with_interval(Estimate(0.0, n_items=50), [Part(0.0, 49)], confidence=0.95, share_of=50)

    exact = binomtest(0, 50).proportion_ci(0.95)
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))


def test_a_share_that_regression_pushes_below_zero_still_has_an_upper_end():
    found = with_interval(
        Estimate(-0.004, n_items=100), [Part(0.002**2, 90)], confidence=0.95, share_of=80
    )

    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(binomtest(0, 80).proportion_ci(0.95).high)


def test_the_whole_pool_leaves_no_doubt_about_a_share():
    found = with_interval(
        Estimate(1.0, n_items=9), [Part(0.0, 8)], confidence=0.95, census=True, share_of=9
    )

    assert (found.low, found.value, found.high) == (1, 1, 1)


@given(st.floats(-0.2, 1.2), st.floats(1e-6, 0.3), st.floats(2, 1000))
def test_a_share_and_its_interval_lie_between_zero_and_one(value, se, n):
    found = with_interval(
        Estimate(value, n_items=60), [Part(se**2, 50)], confidence=0.95, share_of=n
    )

    assert 0 <= found.low <= found.value <= found.high <= 1


@given(st.floats(0.001, 0.999), st.floats(-3, 3))
def test_a_moved_share_moves_back_mirrored(share, step):
    assert logit_moved(1 - share, -step) == pytest.approx(1 - logit_moved(share, step), abs=1e-9)


def test_ten_cases_are_enough():
    assert few_cases([1.0] * 10 + [0.0] * 90) == ()
    assert few_cases([1.0] * 91 + [0.0] * 9)[0].startswith("Too few cases: 9 of 100 items")


def test_zeros_and_ones_are_a_share():
    assert is_share([0, 1, 1.0])
    assert not is_share([0, 0.5])


def test_the_interval_of_a_mean_does_not_leave_the_scale():
    wide = Estimate(4.5, low=3.1, high=5.9, se=0.5)

    found = within_scale(wide, low=1, high=5)

    assert (found.value, found.low, found.high, found.se) == (4.5, 3.1, 5, 0.5)


def test_a_value_that_gold_carried_over_the_end_keeps_its_interval_up_to_itself():
    corrected = Estimate(5.1, low=4.8, high=5.4, gold_corrected=True)

    found = within_scale(corrected, low=1, high=5)

    assert (found.value, found.low, found.high) == (5.1, 4.8, 5.1)


@pytest.mark.parametrize("end", [1, 5])
@pytest.mark.parametrize("half", [0.05, 0.5])
def test_a_mean_that_a_regression_predicts_beyond_the_scale_is_moved_to_its_end(end, half):
    beyond = end + math.copysign(0.1, end - 3)

    found = within_scale(Estimate(beyond, beyond - half, beyond + half), low=1, high=5)

    assert found.value == end
    assert (found.low, found.high) == pytest.approx(
        sorted([end, end - math.copysign(half, end - 3)])
    )


def test_a_mean_without_gold_stays_on_the_scale_whatever_the_slopes_say():
    rng = np.random.default_rng(3)
    cer = rng.uniform(0.1, 0.4, 40)
    score = np.clip(np.round(5.4 - 2 * cer + rng.normal(0, 0.3, 40)), 1, 5)
    mean = greg_mean(score, np.full(40, 0.01), auxiliary=cer, pool_mean=[0.0])

    found = within_scale(mean, low=1, high=5)

    assert mean.value > 5
    assert found.low < found.value == found.high == 5


def test_what_has_no_interval_gets_none():
    found = within_scale(Estimate(4.0, reason="fewer_than_two_items"), low=1, high=5)

    assert math.isnan(found.low)
    assert math.isnan(found.high)


def test_few_raters_count_with_what_was_measured_of_them():
    documents = Part(1.0, 199)
    t_5, t_199 = student.ppf(0.975, [5, 199])

    # the same variance is less certain where more noise was taken off it
    certain, uncertain = (t_quantile([documents, Part(1.0, 5, m)], 0.95) for m in (1.0, 1.5))
    assert certain == pytest.approx((t_5 + t_199) / 2)
    assert uncertain == pytest.approx(0.75 * t_5 + 0.25 * t_199)
    # nothing is left, but it is not known to be nothing
    assert t_quantile([documents, Part(0.0, 5, 0.5)], 0.95) == pytest.approx((t_5 + t_199) / 2)
    assert t_quantile([documents, Part(0.0, 5, 9.0)], 0.95) == pytest.approx(t_5)
    assert t_quantile([Part(1.0, 5, 1.0)], 0.95) == pytest.approx(t_5)


@given(
    st.floats(0, 10), st.integers(1, 500), st.floats(0, 10), st.integers(1, 50), st.floats(0, 10)
)
def test_the_degrees_of_freedom_have_the_quantile(documents, df, raters, df_raters, noise):
    parts = [Part(documents, df), Part(raters, df_raters, raters + noise)]
    if documents + raters == 0:
        assert math.isnan(joint_df(parts))
        return

    found = joint_df(parts)

    assert student.ppf(0.975, found) == pytest.approx(t_quantile(parts, 0.95), rel=1e-6)
    assert min(df, df_raters) * (1 - 1e-6) <= found <= max(df, df_raters) * (1 + 1e-6)


def test_a_variance_measured_twice_counts_with_its_degrees_of_freedom():
    parts = [Part(1.0, 5, 2.0), Part(4.0, 1, 5.0)]
    both, apart = (pooled(parts, independent=known) for known in (False, True))

    assert (both.variance, both.df, both.measured) == pytest.approx((1.5, 5, 2.5))
    assert (apart.variance, apart.df, apart.measured) == pytest.approx((1.5, 6, 2.5))
    assert both.times(2).measured == pytest.approx(5)


def test_noise_of_many_raters_does_not_make_up_for_few_documents():
    documents = Part(1.0, 3)

    assert t_quantile([documents, Part(0.0, 100, measured=0.9)], 0.95) >= t_quantile(
        [documents], 0.95
    )


@pytest.mark.parametrize(("value", "ends"), [(1.0, (1, 5)), (1.0, (0, 4)), (0.0, (0, 100))])
def test_equal_ratings_of_0_or_1_are_no_share_on_a_longer_scale(value, ends):
    mean = within_scale(plain_mean([value] * 40), low=ends[0], high=ends[1])

    assert (mean.value, mean.reason) == (value, "no_variation")
    assert math.isnan(mean.low)
    assert math.isnan(mean.high)
    assert (mean.warnings, mean.few) == ((), False)


def test_equal_ratings_of_a_binary_scale_are_a_share():
    mean = within_scale(plain_mean([1.0] * 40), low=0, high=1)

    assert mean.low == pytest.approx(0.025 ** (1 / 40))  # Clopper and Pearson
    assert mean.high == 1
    assert mean.few
