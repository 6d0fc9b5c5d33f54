import numpy as np
import pandas as pd
import pytest

from ocrjury import Scale
from ocrjury.bias.deviations import count_terms, fit_ratings, interval, purge, within_raters
from ocrjury.bias.submissions import read_submissions

LIKERT = Scale.likert(1, 5)


def whole(ratings):
    submissions = read_submissions(ratings, scale=LIKERT)
    return submissions, fit_ratings(submissions, submissions.value[:, 0])


def test_a_deviation_is_the_distance_from_colleagues(simulate):
    _, ratings = whole(simulate(1, items=30, per_item=3, dimensions=1))
    adjusted = ratings.value - ratings.fit.severity[ratings.rater]
    mine = ratings.item == 7
    others = [adjusted[mine].sum() - own for own in adjusted[mine]]

    expected = adjusted[mine] - np.array(others) / 2

    assert ratings.deviation()[mine] == pytest.approx(expected)


def test_purging_is_the_joint_least_squares_fit(simulate):
    _, ratings = whole(simulate(2, items=100, raters=4, per_item=2, dimensions=1))
    n = len(ratings.value)
    covariate = np.random.default_rng(1).normal(size=n)
    one_hot = [ratings.item[:, None] == np.arange(100), ratings.rater[:, None] == np.arange(4)]
    design = np.hstack([*one_hot, one_hot[1] * covariate[:, None]]).astype(float)
    solution = np.linalg.lstsq(design, ratings.value, rcond=None)[0]

    found = purge(ratings, [covariate])

    assert found == pytest.approx(ratings.value - design @ solution, abs=1e-5)


def test_a_rater_with_few_ratings_has_a_mean_only(simulate):
    _, ratings = whole(simulate(3, items=30, raters=6, per_item=2, dimensions=1))  # ten each
    covariate = np.random.default_rng(1).normal(size=len(ratings.value))

    found = within_raters(ratings, [covariate])

    mean = np.bincount(ratings.rater, ratings.value) / np.bincount(ratings.rater)
    assert found == pytest.approx(ratings.value - mean[ratings.rater])


def test_a_covariate_that_says_nothing_new_changes_nothing(simulate):
    _, ratings = whole(simulate(4, items=60, dimensions=1))
    constant = np.ones(len(ratings.value))

    assert purge(ratings, [constant]) == pytest.approx(purge(ratings, []), abs=1e-5)


def test_intervals_widen_where_little_is_known():
    found = interval(np.zeros(2), np.ones(2), df=np.array([4, 1000]))

    assert found.high == pytest.approx([2.776, 1.962], abs=1e-3)


def test_a_rater_who_scatters_says_little_of_the_items():
    rng = np.random.default_rng(1)
    quality = rng.normal(0, 10, 200)
    errors = rng.normal(size=(200, 3)) * [1, 1, 12]
    rows = [(i, r, "q", quality[i] + errors[i, r]) for i in range(200) for r in range(3)]
    frame = pd.DataFrame(rows, columns=["item", "rater", "dimension", "rating"])
    submissions = read_submissions(frame, scale=Scale.interval(-100, 100))
    ratings = fit_ratings(submissions, submissions.value[:, 0])

    def error(level):
        return np.std(level - quality[ratings.item])

    assert error(ratings.reliable_level()) < 1.5 < error(ratings.fit.item_effect[ratings.item])


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_what_rounding_leaves_of_nothing_is_no_term(unit):
    assert count_terms(unit * np.array([0.5, -2.0, 1e-5, 3e-16, -1e-17, 0.0])) == 3
    assert count_terms(np.zeros(4)) == 0
