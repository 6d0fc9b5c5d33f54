import math

import numpy as np
import pytest
from scipy import stats

from ocrjury import Scale
from ocrjury.findings.measurement.rater_means import mean_over_items

SLIDER = Scale.interval(0, 100)


@pytest.mark.parametrize("value", [0.1, 3.3, 66.7, 87.3])
@pytest.mark.parametrize("n", [2, 3, 7, 11])
def test_equal_ratings_have_no_interval_in_spite_of_rounding(value, n):
    estimate = mean_over_items([value] * n, SLIDER)

    assert math.isnan(estimate.low)
    assert (estimate.se, estimate.reason) == (0, "no_variation")


def test_the_interval_is_that_of_student():
    values = np.array([55.5, 61.2, 70.0, 48.3])

    estimate = mean_over_items(values.tolist(), SLIDER)

    expected = stats.t.interval(0.95, 3, values.mean(), stats.sem(values))
    assert (estimate.low, estimate.high) == pytest.approx(expected)


def test_one_rating_has_no_interval():
    estimate = mean_over_items([55.5], SLIDER)

    assert math.isnan(estimate.low)
    assert estimate.reason == "fewer_than_two_items"


@pytest.mark.parametrize(("kind", "reason"), [("likert", "no_variation"), ("binary", None)])
def test_only_shares_have_an_interval_where_all_ratings_are_1(kind, reason):
    scale = Scale.likert(1, 5) if kind == "likert" else Scale.binary()

    estimate = mean_over_items([1.0] * 40, scale)

    assert estimate.reason == reason
    assert math.isnan(estimate.low) == (reason is not None)
    assert reason or estimate.low == pytest.approx(0.9119, abs=1e-4)  # Clopper and Pearson


def test_items_of_one_page_count_as_one_draw():
    rng, held = np.random.default_rng(20261130), {"by page": 0, "by item": 0}
    page = np.repeat(np.arange(20), 4)
    for _ in range(300):
        values = 50 + 8 * rng.normal(size=20)[page] + 8 * rng.normal(size=80)
        by_page = mean_over_items(values.tolist(), SLIDER, cluster=page.tolist())
        by_item = mean_over_items(values.tolist(), SLIDER)
        held["by page"] += by_page.low <= 50 <= by_page.high
        held["by item"] += by_item.low <= 50 <= by_item.high

    assert held["by page"] / 300 >= 0.92
    assert held["by item"] / 300 < 0.85


def test_zeros_and_ones_are_no_share_on_a_scale_that_goes_on():
    values = [0, 1, 1, 1, 0, 1]

    estimate = mean_over_items(values, Scale.likert(0, 4))

    expected = stats.t.interval(0.95, 5, np.mean(values), stats.sem(values))
    assert (estimate.low, estimate.high) == pytest.approx(expected)
    assert (estimate.few, estimate.warnings) == (False, ())
    assert mean_over_items(values, Scale.binary()).few
