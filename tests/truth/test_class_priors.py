import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.truth import dawid_skene
from ocrjury.truth.fitting import prior_of_labels, prior_of_raters, shares_of_ratings

SCALE = Scale.binary()


def test_each_category_has_one_rating_more_than_were_given():
    table = RatingTable.from_matrix([[0, 0], [0, 1], [1, 1], [0, 0]], scale=SCALE)

    assert shares_of_ratings(table) == pytest.approx([6 / 10, 4 / 10])
    assert prior_of_raters(table, "votes") == pytest.approx([6 / 10, 4 / 10])


def test_asking_more_often_about_some_items_makes_their_category_no_more_common():
    nan = np.nan
    often = [[1.0] * 6] * 5
    seldom = [[0.0, 0.0, nan, nan, nan, nan]] * 15

    shares = shares_of_ratings(RatingTable.from_matrix(often + seldom, scale=SCALE))

    # A quarter of the items; the 60 ratings, half of them 1, and one more of each category.
    assert shares[1] == pytest.approx((60 / 4 + 1) / 62)


def test_labels_are_inferred_with_less_than_the_shares_say():
    table = RatingTable.from_matrix([[0, 0], [0, 1], [1, 1], [0, 0]], scale=SCALE)
    less = np.power([6, 4], np.sqrt(3) / 2)

    assert prior_of_labels(table, "tempered") == pytest.approx(less / less.sum())
    assert prior_of_labels(table, "votes") is None


def test_items_without_ratings_and_tables_without_items_count_for_nothing():
    some = RatingTable.from_matrix([[0.0, 0.0], [np.nan, np.nan]], scale=SCALE)
    none = RatingTable.from_matrix(np.empty((0, 2)), scale=SCALE)

    assert shares_of_ratings(some) == pytest.approx([3 / 4, 1 / 4])
    assert shares_of_ratings(none) == pytest.approx([1 / 2, 1 / 2])


def rated(true, share_wrong, *, by_habit, seed=0):
    """Ratings on five levels by ten raters, three per item; a wrong answer is 1 or any level."""
    rng = np.random.default_rng(seed)
    answer = np.where(by_habit, 1, rng.integers(1, 6, (len(true), 10)))
    said = np.where(rng.random((len(true), 10)) < share_wrong, answer, true[:, None])
    turn = rng.permuted(np.tile(np.arange(10), (len(true), 1)), axis=1)
    return RatingTable.from_matrix(np.where(turn < 3, said, np.nan), scale=Scale.likert(1, 5))


def power_of(table):
    """Power of the class prior in labels, from two fits."""
    used, full = (
        dawid_skene(table, class_prior=kind).class_prior for kind in ("tempered", "votes")
    )
    return np.log(used[0] / used[1]) / np.log(full[0] / full[1])


@pytest.mark.parametrize(
    ("share_wrong", "by_habit", "power"),
    [(0.3, False, 1.0), (0.7, False, 0.84), (0.7, True, 0.65)],
)
def test_shares_that_come_from_a_habit_count_less_than_those_of_random_raters(
    share_wrong, by_habit, power
):
    true = np.random.default_rng(1).choice(5, 400, p=[0.4, 0.3, 0.1, 0.1, 0.1]) + 1

    found = power_of(rated(true, share_wrong, by_habit=by_habit))

    assert found < power if by_habit else found == pytest.approx(power, abs=0.005)


def test_without_order_shares_never_count_in_full_unless_all_errors_are_equally_likely():
    true = np.random.default_rng(1).choice(5, 400, p=[0.4, 0.3, 0.1, 0.1, 0.1]) + 1
    ordered = rated(true, 0.3, by_habit=True)
    names = RatingTable.from_matrix(ordered.matrix(), scale=Scale.nominal([1, 2, 3, 4, 5]))

    assert [power_of(ordered), power_of(names)] == pytest.approx([1, 0.75])


def test_a_habit_costs_less_than_with_the_shares_as_they_are():
    true = np.random.default_rng(2).integers(1, 6, 400)
    table = rated(true, 0.7, by_habit=True)
    loss = {}
    for kind in ("tempered", "votes"):
        wrong = dawid_skene(table, class_prior=kind).probabilities - np.eye(5)[true - 1]
        loss[kind] = (wrong**2).sum(axis=1).mean()

    assert loss["tempered"] < loss["votes"] - 0.02
