import numpy as np
import pandas as pd
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.truth import one_coin


def binary_team(skill, n=500, seed=0):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 2, n)
    matrix = [[t if rng.random() < p else 1 - t for p in skill] for t in true]
    return RatingTable.from_matrix(matrix, scale=Scale.binary()), true


def test_accuracies_of_simulated_raters_are_found():
    skill = [0.95, 0.9, 0.7, 0.6]
    table, true = binary_team(skill)

    truth = one_coin(table)

    assert truth.rater_accuracy == pytest.approx(skill, abs=0.05)
    assert (truth.label == true).mean() > 0.9


def test_errors_of_a_rater_are_all_equally_likely(team):
    truth = one_coin(team(100)[0])

    for matrix in truth.confusion:
        wrong = matrix[~np.eye(5, dtype=bool)]
        assert np.ptp(wrong) < 1e-12
        assert np.ptp(matrix.diagonal()) < 1e-12


@pytest.mark.parametrize("strength", [0.0, 4.0])
def test_the_objective_never_falls(team, strength):
    truth = one_coin(team(100)[0], strength=strength)

    assert (np.diff(truth.objective) >= -1e-9).all()
    assert truth.converged


def test_one_category_is_certain():
    table = RatingTable.from_matrix([["x", "x"]], scale=Scale.nominal(["x"]))

    assert one_coin(table).probabilities.tolist() == [[1.0]]


def test_the_strength_must_be_a_number():
    table = RatingTable.from_matrix([[1, 0]], scale=Scale.binary())

    with pytest.raises(InputError, match="strength must be a number of pseudo-ratings"):
        one_coin(table, strength="auto")


# Jumps multiply rounding errors: unless brought back, one after another left the model.
def test_jumps_stay_among_raters_with_one_accuracy():
    codes = [3, 0, 2, 1, 2, 3, 0, 3, 0, 2, 1, 1, 0, 2, 1, 0, 0, 0, 3]
    codes += [2, 1, 3, 1, 3, 0, 0, 0, 2, 0, 0, 2, 3, 1, 2, 2]
    items = [0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 9, 10, 10, 11, 12, 12, 13]
    items += [14, 14, 15, 16, 17, 17, 18, 18, 19, 20, 20, 21, 21, 22, 23, 23]
    raters = [0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1]
    raters += [0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 0]
    frame = pd.DataFrame({"item": items, "rater": raters, "rating": np.array(codes) + 1})
    table = RatingTable.from_long(frame, scale=Scale.likert(1, 4))

    for max_iter in range(2, 26):
        truth = one_coin(table, strength=0.0, class_prior="estimated", max_iter=max_iter)

        assert (np.diff(truth.objective) >= -1e-10).all()
        right = truth.confusion[:, np.arange(4), np.arange(4)]
        assert np.ptp(right, axis=1) == pytest.approx(0.0, abs=1e-12)
