import numpy as np
import pytest

from ocrjury import InputError
from ocrjury.estimation import plain_mean


def test_the_interval_of_student():
    # Student (1908), Biometrika 6(1), 1-25: additional hours of sleep, D minus L hyoscyamine
    sleep = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]

    estimate = plain_mean(sleep)

    assert estimate.value == pytest.approx(1.58)
    assert estimate.se == pytest.approx(1.23 / 10**0.5, abs=0.001)
    assert (estimate.low, estimate.high) == pytest.approx((0.70, 2.46), abs=0.005)


def test_it_says_that_it_speaks_of_these_items_only():
    assert plain_mean([1, 2]).method == "plain mean, these items only"


@pytest.mark.parametrize(
    ("y", "reason"), [([], "no_items"), ([3], "fewer_than_two_items"), ([3, 3], "no_variation")]
)
def test_an_absent_interval_has_its_reason(y, reason):
    assert plain_mean(y).reason == reason


def test_missing_scores_are_refused():
    with pytest.raises(InputError, match="with 1 that are not finite"):
        plain_mean([1, np.nan])


def test_clusters_that_are_all_alike_keep_their_share():
    half = plain_mean([1, 0, 1, 0], cluster=["a", "a", "b", "b"])

    assert half.value == 0.5
    assert half.low < 0.5 < half.high
    assert plain_mean([1, 1, 1, 1], cluster=["a", "a", "b", "b"]).value == 1
