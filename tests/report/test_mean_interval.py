import math

import numpy as np
import pytest
from scipy import stats

from ocrjury import Scale
from ocrjury.report.mean_interval import mean_over_items

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
    assert estimate.reason is None
