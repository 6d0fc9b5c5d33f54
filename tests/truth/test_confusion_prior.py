import numpy as np
import pytest
from scipy.stats import dirichlet_multinomial

from ocrjury import RatingTable, Scale
from ocrjury.truth.confusion_prior import (
    diagonal_confusion,
    distance_confusion,
    empirical_strength,
    pair_confusion,
)
from ocrjury.truth.rating_blocks import rating_blocks


@pytest.mark.parametrize("matrix", [distance_confusion(5), diagonal_confusion(5)])
def test_base_raters_are_mostly_right_and_rows_sum_to_one(matrix):
    assert matrix.sum(axis=1) == pytest.approx(1)
    assert (matrix.argmax(axis=1) == np.arange(5)).all()


def test_one_category_is_never_wrong():
    assert diagonal_confusion(1).tolist() == distance_confusion(1).tolist() == [[1.0]]


@pytest.mark.parametrize("strength", [3.0, 30.0])
def test_the_strength_of_simulated_raters_is_found(strength):
    rng = np.random.default_rng(0)
    typical = distance_confusion(4)
    raters = [[rng.dirichlet(strength * row) for row in typical] for _ in range(300)]
    counts = np.array([[rng.multinomial(40, row) for row in rater] for rater in raters], float)

    assert empirical_strength(counts, typical) == pytest.approx(strength, rel=0.15)


def test_the_strength_maximises_the_dirichlet_multinomial_likelihood():
    rng = np.random.default_rng(1)
    typical = diagonal_confusion(3)
    counts = rng.integers(0, 9, (20, 3, 3)).astype(float)

    def likelihood(strength):
        return sum(
            dirichlet_multinomial.logpmf(row.astype(int), strength * mean, int(row.sum()))
            for rater in counts
            for row, mean in zip(rater, typical, strict=True)
        )

    best = empirical_strength(counts, typical)

    assert likelihood(best) >= max(likelihood(best * 1.1), likelihood(best / 1.1))


def test_the_confusion_of_one_rater_follows_from_pairs():
    near = np.array([[0.8, 0.2, 0.0], [0.2, 0.6, 0.2], [0.0, 0.2, 0.8]])
    rng = np.random.default_rng(2)
    draws = rng.random((2, 30_000, 1)) > near.cumsum(axis=1)[np.arange(30_000) % 3]
    table = RatingTable.from_matrix(draws.sum(axis=2).T, scale=Scale.likert(0, 2))

    found = pair_confusion(rating_blocks(table, {}), distance_confusion(3))

    assert found == pytest.approx(near, abs=0.02)


def test_raters_who_contradict_each_other_are_not_taken_for_turned_around():
    opposed = RatingTable.from_matrix([[0, 1]] * 10 + [[1, 0]] * 10, scale=Scale.binary())

    for base in (distance_confusion(2), diagonal_confusion(2)):
        found = pair_confusion(rating_blocks(opposed, {}), base)
        assert (found.argmax(axis=1) == np.arange(2)).all()
        assert found == pytest.approx(np.full((2, 2), 0.5), abs=0.15)


def test_known_categories_are_taken_as_they_are():
    table = RatingTable.from_matrix([[0, 1]] * 300 + [[1, 1]] * 300, scale=Scale.binary())
    gold = {item: int(item >= 300) for item in range(600)}

    found = pair_confusion(rating_blocks(table, gold), diagonal_confusion(2))

    assert found == pytest.approx(np.array([[0.5, 0.5], [0.0, 1.0]]), abs=0.01)


@pytest.mark.parametrize("base", [distance_confusion(4), diagonal_confusion(4)])
def test_without_pairs_the_confusion_is_near_the_root_of_the_base(base):
    lonely = RatingTable.from_matrix([[1], [4]], scale=Scale.likert(1, 4))

    found = pair_confusion(rating_blocks(lonely, {}), base)

    assert found.sum(axis=1) == pytest.approx(1)
    assert (found.diagonal() > base.diagonal()).all()
