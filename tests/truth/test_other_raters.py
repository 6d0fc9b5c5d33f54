import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.truth.confusion_prior import distance_confusion
from ocrjury.truth.rater_departures import truths_by_others
from ocrjury.truth.rating_blocks import rating_blocks


def truths(table, gold=None):
    confusion = distance_confusion(len(table.categories))
    parts = list(truths_by_others(rating_blocks(table, gold or {}), confusion))
    return np.concatenate([part.truth for part in parts])


def test_two_raters_see_what_the_other_one_said():
    table = RatingTable.from_matrix([[1, 3]], scale=Scale.likert(1, 3))
    confusion = distance_confusion(3)

    first, second = truths(table)

    prior = np.array([2, 1, 2])  # both ratings, and one more of each category
    assert first == pytest.approx(prior * confusion[:, 2] / (prior @ confusion[:, 2]))
    assert second == pytest.approx(prior * confusion[:, 0] / (prior @ confusion[:, 0]))


def test_nobody_else_sees_nothing_unless_the_category_is_known():
    table = RatingTable.from_matrix([[1, None], [2, None], [3, 3]], scale=Scale.likert(1, 3))

    alone, known, *others = truths(table, {1: 0})

    assert alone.tolist() == [0, 0, 0]
    assert known.tolist() == [1, 0, 0]
    assert np.sum(others, axis=1) == pytest.approx(1)


def test_many_ratings_of_one_item_do_not_underflow():
    table = RatingTable.from_matrix(np.full((1, 3000), 2.0), scale=Scale.likert(1, 3))

    assert truths(table) == pytest.approx(np.tile([0.0, 1.0, 0.0], (3000, 1)), abs=1e-9)
