import numpy as np
import pytest

from ocrjury import RatingTable, Scale
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
