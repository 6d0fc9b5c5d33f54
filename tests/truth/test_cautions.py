"""Sentences about what the ratings cannot tell, on teams where it is known."""

import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.truth import dawid_skene, one_coin


def said_by(truth, *, right, n_raters=5, low=1, high=5, seed=0):
    """Ratings that are right with a probability, else anything, one column per rater."""
    rng = np.random.default_rng(seed)
    shape = (len(truth), n_raters)
    other = rng.integers(low, high + 1, shape)
    return np.where(rng.random(shape) < right, truth[:, None], other).astype(float)


@pytest.fixture
def five_levels():
    return said_by(np.random.default_rng(1).integers(1, 6, 200), right=0.8)


def warned(matrix, scale, **options):
    return dawid_skene(RatingTable.from_matrix(matrix, scale=scale), **options).warnings


def test_raters_without_a_rating_are_no_group_of_their_own(five_levels):
    five_levels[:, 4] = np.nan

    assert warned(five_levels, Scale.likert(1, 5)) == ()


def test_one_rater_among_columns_without_ratings_is_one_rater(five_levels):
    five_levels[:, 1:] = np.nan

    assert warned(five_levels, Scale.likert(1, 5))[-1] == (
        "There is only one rater, so that rater's error rate cannot be estimated."
    )


# In the middle of the scale such a rater is right, so that chance does not show it.
def test_who_reads_the_scale_upside_down_is_named(five_levels):
    five_levels[:, 2] = 6 - five_levels[:, 2]

    (sentence,) = warned(five_levels, Scale.likert(1, 5))

    assert sentence == (
        "1 rater(s) give lower ratings to better items: 2; they may have read the scale "
        "upside down."
    )


@pytest.mark.parametrize("prior", ["kinds", "hierarchical", "none"])
def test_who_always_says_the_same_has_not_turned_the_scale(five_levels, prior):
    five_levels[:, 2] = 3

    assert warned(five_levels, Scale.likert(1, 5), prior=prior) == ()


def test_gold_shows_categories_that_all_raters_exchange_even_where_the_fit_does_not_follow():
    true = np.random.default_rng(0).integers(0, 2, 300)
    matrix = 1 - said_by(true, right=0.8, n_raters=7, low=0, high=1)
    gold = {item: int(true[item]) for item in range(40)}

    (sentence,) = warned(matrix, Scale.binary(), gold=gold)

    assert sentence == (
        "On gold items raters mostly use 0 and 1 for each other, but on the other items the fit "
        "follows their ratings; the categories are swapped."
    )


def test_gold_on_which_raters_err_now_and_then_raises_no_doubt():
    true = np.random.default_rng(0).integers(1, 4, 300)
    matrix = said_by(true, right=0.3, high=3)
    gold = {item: int(true[item]) for item in range(40)}

    assert not any("On gold items" in one for one in warned(matrix, Scale.likert(1, 3), gold=gold))


def test_who_is_right_less_often_than_by_chance_is_named_once(five_levels):
    rng = np.random.default_rng(2)
    first = five_levels[:, 0]
    five_levels[:, 2] = (first - 1 + rng.integers(1, 5, len(first))) % 5 + 1

    (sentence,) = one_coin(RatingTable.from_matrix(five_levels, scale=Scale.likert(1, 5))).warnings

    assert sentence == (
        "1 rater(s) are right less often than by chance: 2; they may have misread the scale."
    )
