import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.truth import majority_vote
from ocrjury.truth.fitting import earlier_truth, starting_counts
from ocrjury.truth.rating_blocks import rating_blocks


def loop(table, shares):
    """Expected ratings by rater, true and observed category, rating by rating."""
    n_categories = len(table.categories)
    counts = np.zeros((table.n_raters, n_categories, n_categories))
    for item, rater, code in zip(table.item, table.rater, table.codes, strict=True):
        counts[rater, :, code] += shares[item]
    return counts


def test_the_start_is_what_ratings_say_on_average(team):
    table, _ = team(60)
    shares = majority_vote(table).probabilities

    start = starting_counts(rating_blocks(table, {}, items_per_block=13))

    assert start.counts == pytest.approx(loop(table, shares))
    assert start.mass == pytest.approx(shares.sum(axis=0))
    assert np.isnan(start.log_likelihood)


def test_an_earlier_truth_and_known_categories_replace_the_ratings():
    table = RatingTable.from_matrix([[1, 2], [2, 2], [1, 1]], scale=Scale.likert(1, 2))
    earlier = majority_vote(
        RatingTable.from_matrix([[2], [1]], scale=table.scale, items=[1, "gone"])
    )

    start = starting_counts(rating_blocks(table, {2: 1}), earlier_truth(table, earlier))

    shares = np.array([[0.5, 0.5], [0, 1], [0, 1]])
    assert start.counts == pytest.approx(loop(table, shares))


def test_items_without_ratings_may_be_anything():
    table = RatingTable.from_matrix([[None], [1]], scale=Scale.likert(1, 4))

    assert starting_counts(rating_blocks(table, {})).mass.tolist() == [1.25, 0.25, 0.25, 0.25]
