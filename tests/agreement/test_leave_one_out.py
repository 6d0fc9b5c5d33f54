import math

import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.agreement import gain_without_raters, krippendorff_alpha

FIVE = Scale.likert(1, 5)
NAMES = ["R01", "R02", "R03", "R04"]


def panel(*, careless=None, seed=0, n_items=150):
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, (n_items, 1))
    ratings = np.clip(truth + rng.choice([-1, 0, 0, 0, 1], (n_items, 4)), 1, 5).astype(float)
    if careless is not None:
        ratings[:, careless] = rng.integers(1, 6, n_items)
    ratings[rng.random(ratings.shape) < 0.4] = np.nan
    return ratings


@pytest.mark.parametrize("scale", [FIVE, Scale.interval(1, 5), Scale.nominal([1, 2, 3, 4, 5])])
def test_the_gain_is_the_difference_of_two_alphas(scale):
    ratings = panel()
    gain = gain_without_raters(RatingTable.from_matrix(ratings, scale=scale, raters=NAMES))

    every = krippendorff_alpha(RatingTable.from_matrix(ratings, scale=scale)).value
    for place, name in enumerate(NAMES):
        others = RatingTable.from_matrix(np.delete(ratings, place, axis=1), scale=scale)
        expected = krippendorff_alpha(others).value - every
        assert gain[name].value == pytest.approx(expected, abs=1e-9)


def test_a_careless_rater_stands_out():
    gain = gain_without_raters(RatingTable.from_matrix(panel(careless=2), scale=FIVE, raters=NAMES))

    assert gain["R03"].value > 0.05
    assert gain["R03"].low > 0
    assert all(gain[name].value < 0.05 for name in ("R01", "R02", "R04"))


def test_two_raters_cannot_do_without_each_other():
    gain = gain_without_raters(RatingTable.from_matrix([[1, 2], [3, 3]], scale=FIVE))

    assert {one.reason for one in gain.values()} == {"fewer_than_two_raters"}
    assert all(math.isnan(one.value) for one in gain.values())


def test_a_rater_who_makes_all_the_pairs_cannot_be_left_out():
    gain = gain_without_raters(RatingTable.from_matrix([[1, 2, None], [3, None, 4]], scale=FIVE))

    assert gain[0].reason == "no_pairable_items"


def test_many_categories_are_taken_at_interval_level():
    ratings = 10 * panel()
    hundred = RatingTable.from_matrix(ratings, scale=Scale.likert(1, 100), raters=NAMES)
    slider = RatingTable.from_matrix(ratings, scale=Scale.interval(1, 100), raters=NAMES)

    ours, theirs = gain_without_raters(hundred), gain_without_raters(slider)
    assert ours["R01"].value == pytest.approx(theirs["R01"].value)
    assert krippendorff_alpha(hundred).method == "Krippendorff's alpha, ordinal, linearised"


def test_an_empty_table_has_no_raters():
    assert gain_without_raters(RatingTable.from_matrix([], scale=FIVE)) == {}


def test_many_names_are_taken_at_nominal_level():
    names = [f"name {code}" for code in range(40)]
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 40, (80, 1))
    wild = rng.integers(0, 40, (80, 3))
    codes = np.where(rng.random((80, 3)) < [0.95, 0.9, 0.4], truth, wild)
    ratings = np.array(names, dtype=object)[codes]
    scale = Scale.nominal(names)

    gain = gain_without_raters(RatingTable.from_matrix(ratings, scale=scale))

    every = krippendorff_alpha(RatingTable.from_matrix(ratings, scale=scale)).value
    for place in range(3):
        others = RatingTable.from_matrix(np.delete(ratings, place, axis=1), scale=scale)
        expected = krippendorff_alpha(others).value - every
        assert gain[place].value == pytest.approx(expected, abs=1e-9)
    assert gain[2].low > 0
