import math

import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.agreement import gain_without_raters, krippendorff_alpha

FIVE = Scale.likert(1, 5)
NAMED = [f"name {code}" for code in range(40)]
NAMES = ["R01", "R02", "R03", "R04"]


def team(*, careless=None, seed=0, n_items=150):
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, (n_items, 1))
    ratings = np.clip(truth + rng.choice([-1, 0, 0, 0, 1], (n_items, 4)), 1, 5).astype(float)
    if careless is not None:
        ratings[:, careless] = rng.integers(1, 6, n_items)
    ratings[rng.random(ratings.shape) < 0.4] = np.nan
    return ratings


@pytest.mark.parametrize("scale", [FIVE, Scale.interval(1, 5), Scale.nominal([1, 2, 3, 4, 5])])
def test_the_gain_is_the_difference_of_two_alphas(scale):
    ratings = team()
    gain = gain_without_raters(RatingTable.from_matrix(ratings, scale=scale, raters=NAMES))

    every = krippendorff_alpha(RatingTable.from_matrix(ratings, scale=scale)).value
    for place, name in enumerate(NAMES):
        others = RatingTable.from_matrix(np.delete(ratings, place, axis=1), scale=scale)
        expected = krippendorff_alpha(others).value - every
        assert gain[name].value == pytest.approx(expected, abs=1e-9)


def test_a_careless_rater_stands_out():
    gain = gain_without_raters(RatingTable.from_matrix(team(careless=2), scale=FIVE, raters=NAMES))

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
    ratings = 10 * team()
    hundred = RatingTable.from_matrix(ratings, scale=Scale.likert(1, 100), raters=NAMES)
    continuous = RatingTable.from_matrix(ratings, scale=Scale.interval(1, 100), raters=NAMES)

    ours, theirs = gain_without_raters(hundred), gain_without_raters(continuous)
    assert ours["R01"].value == pytest.approx(theirs["R01"].value)
    assert krippendorff_alpha(hundred).method == "Krippendorff's alpha, ordinal, linearised"


def test_an_empty_table_has_no_raters():
    assert gain_without_raters(RatingTable.from_matrix([], scale=FIVE)) == {}


def test_many_names_are_taken_at_nominal_level():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 40, (80, 1))
    wild = rng.integers(0, 40, (80, 3))
    codes = np.where(rng.random((80, 3)) < [0.95, 0.9, 0.4], truth, wild)
    ratings = np.array(NAMED, dtype=object)[codes]
    scale = Scale.nominal(NAMED)

    gain = gain_without_raters(RatingTable.from_matrix(ratings, scale=scale))

    every = krippendorff_alpha(RatingTable.from_matrix(ratings, scale=scale)).value
    for place in range(3):
        others = RatingTable.from_matrix(np.delete(ratings, place, axis=1), scale=scale)
        expected = krippendorff_alpha(others).value - every
        assert gain[place].value == pytest.approx(expected, abs=1e-9)
    assert gain[2].low > 0


def plain_alpha(values, weight, level):
    """Krippendorff's alpha as its definition has it; ``weight`` of items is not scaled anew."""
    units = [(w, [x for x in row if x is not None]) for row, w in zip(values, weight, strict=True)]
    units = [(w, row) for w, row in units if len(row) >= 2]
    n_c = {}
    for w, row in units:
        for x in row:
            n_c[x] = n_c.get(x, 0) + w
    below = {x: sum(n_c[y] for y in n_c if y < x) + n_c[x] / 2 for x in n_c}

    def distance(x, y):
        if level == "nominal":
            return float(x != y)
        return (below[x] - below[y]) ** 2 if level == "ordinal" else (x - y) ** 2

    within = sum(w * distance(x, y) / (len(row) - 1) for w, row in units for x in row for y in row)
    between = sum(n_c[x] * n_c[y] * distance(x, y) for x in n_c for y in n_c)
    return 1 - (sum(n_c.values()) - 1) * within / between


def scaled(values, weight):
    rated = [sum(x is not None for x in row) for row in values]
    return weight / weight[np.array(rated) >= 2].mean()


def plain_gain(values, weight, level, rater):
    """Gain without a rater, and its standard error by leaving out one item after the other."""
    others = [[x for r, x in enumerate(row) if r != rater] for row in values]
    sides = [(others, scaled(others, weight)), (values, scaled(values, weight))]
    paired = [i for i, row in enumerate(values) if sum(x is not None for x in row) >= 2]

    def gain(items):
        without, every = (
            plain_alpha([side[i] for i in items], w[items], level) for side, w in sides
        )
        return without - every

    left_out = np.array([gain([i for i in paired if i != item]) for item in paired])
    n = len(paired)
    return gain(paired), np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("scale", "level", "draw"),
    [
        (FIVE, "ordinal", lambda x: x),
        (Scale.binary(), "nominal", lambda x: int(x > 2)),
        (Scale.nominal(["a", "b", "c"]), "nominal", lambda x: "abc"[min(x, 3) - 1]),
        (Scale.likert(1, 60), "interval", lambda x: 11 * x),
        (Scale.interval(-100, 100), "interval", lambda x: 7.25 * x - 20),
        (Scale.nominal(NAMED), "nominal", lambda x: NAMED[7 * x]),
    ],
)
def test_the_shared_sums_give_what_leaving_out_one_by_one_gives(scale, level, draw, weighted):
    raw = team(seed=3, n_items=18)
    values = [[None if np.isnan(x) else draw(int(x)) for x in row] for row in raw]
    weight = np.random.default_rng(4).choice([0.5, 1.0, 3.0], len(values))
    weight = weight if weighted else np.ones(len(values))
    table = RatingTable.from_matrix(
        values, scale=scale, item_weight=weight if weighted else None, raters=NAMES
    )

    gains = gain_without_raters(table)

    for place, name in enumerate(NAMES):
        value, error = plain_gain(values, weight, level, place)
        assert gains[name].value == pytest.approx(value, abs=1e-12)
        assert gains[name].se == pytest.approx(error, abs=1e-12)


def test_items_of_too_many_raters_for_one_key_are_not_grouped():
    rng = np.random.default_rng(5)
    values = rng.integers(1, 21, (12, 8)).tolist()
    table = RatingTable.from_matrix(values, scale=Scale.likert(1, 20))

    gains = gain_without_raters(table)

    value, error = plain_gain(values, np.ones(12), "ordinal", 2)
    assert gains[2].value == pytest.approx(value, abs=1e-12)
    assert gains[2].se == pytest.approx(error, abs=1e-12)
