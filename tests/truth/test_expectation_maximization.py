import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.truth.expectation_maximization import (
    Model,
    Search,
    _jump,
    _length,
    fit_model,
    free_confusion,
)
from ocrjury.truth.fitting import starting_counts
from ocrjury.truth.labels import Parameters
from ocrjury.truth.rating_blocks import rating_blocks

SHARES = np.array([0.5, 0.5])


def classic(table):
    """Maximum likelihood and its start."""
    blocks = rating_blocks(table, {})
    model = Model(blocks, np.zeros((len(table.categories),) * 2), None, free_confusion)
    return model, model.maximize(starting_counts(blocks))


def path(*diagonals):
    """Parameters of one rater who is right with given probabilities."""
    return [Parameters(np.array([[[d, 1 - d], [1 - d, d]]]), SHARES) for d in diagonals]


def test_rows_without_counts_are_even():
    confusion = free_confusion(np.array([[[0.0, 0.0], [1.0, 3.0]]]))

    assert confusion.tolist() == [[[0.5, 0.5], [0.25, 0.75]]]


def test_jumps_save_most_of_the_steps(team):
    table, _ = team(300, n_raters=40, right=0.5)
    model, start = classic(table)

    jumping = fit_model(model, start, Search(3000, 1e-7, accelerate=True))
    walking = fit_model(model, start, Search(3000, 1e-7, accelerate=False))

    assert jumping.converged
    assert walking.converged
    assert len(jumping.objective) < len(walking.objective) / 2
    assert jumping.objective[-1] > walking.objective[-1] - 0.5


def test_a_slow_path_is_followed_far_ahead():
    first, second, third = path(0.5, 0.58, 0.644)  # a fifth of the way to 0.9 at every step

    length = _length(first, second, third)

    assert length == pytest.approx(5)
    ahead = _jump(first, second, third, length=length)
    assert ahead.confusion[0] == pytest.approx(np.array([[0.9, 0.1], [0.1, 0.9]]))


def test_probabilities_that_would_fall_below_zero_fall_to_a_tenth():
    first, second, third = path(0.5, 0.6, 0.69)

    ahead = _jump(first, second, third, length=20.0)

    assert ahead.confusion.sum(axis=2) == pytest.approx(1)
    assert (ahead.confusion > 0).all()


@pytest.mark.parametrize("diagonals", [(0.5, 0.5, 0.5), (0.5, 0.7, 0.5)])
def test_a_path_that_leads_nowhere_has_no_jump(diagonals):
    points = path(*diagonals)

    assert _jump(*points, length=_length(*points)) is None


# The path bends so little that its length overflows; the bound on jumps keeps numbers finite.
def test_an_almost_straight_path_does_not_overflow(team, monkeypatch):
    monkeypatch.setattr("ocrjury.truth.expectation_maximization._length", lambda *_: np.inf)
    model, start = classic(team(60)[0])

    fit = fit_model(model, start, Search(60, 0.0, accelerate=True))

    assert np.isfinite(fit.objective).all()
    assert (np.diff(fit.objective) >= -1e-9).all()
    assert np.isfinite(fit.parameters.confusion).all()


def test_points_that_hardly_differ_have_a_finite_length_or_none():
    tiny = np.nextafter(0.5, 1.0)

    assert _length(*path(0.5, tiny, tiny)) >= 0
    assert np.isfinite(_length(*path(0.5, tiny, 0.5)))


@pytest.mark.parametrize("max_iter", [1, 2, 3, 4, 5])
def test_the_parameters_returned_have_the_last_objective(team, max_iter):
    model, start = classic(team(80)[0])

    fit = fit_model(model, start, Search(max_iter, 0.0, accelerate=True))

    assert len(fit.objective) == max_iter
    assert model.step(fit.parameters)[0] == pytest.approx(fit.objective[-1])


def test_a_penalty_per_rater_equals_the_same_penalty_for_all():
    table = RatingTable.from_matrix([[1, 2], [2, 2], [1, 1]], scale=Scale.likert(1, 2))
    blocks = rating_blocks(table, {})
    pseudo = np.array([[3.0, 1.0], [0.5, 2.0]])
    common = Model(blocks, pseudo, SHARES, free_confusion)
    own = Model(blocks, np.tile(pseudo, (2, 1, 1)), SHARES, free_confusion)
    start = common.maximize(starting_counts(blocks))

    assert own.step(start)[0] == pytest.approx(common.step(start)[0])
