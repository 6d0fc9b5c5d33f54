from dataclasses import replace

import numpy as np
import pytest

from ocrjury import RatingTable, Scale
from ocrjury.agreement.conger import conger_statistic
from ocrjury.agreement.mixed_model import _Sample
from ocrjury.agreement.patterns import one_by_one
from ocrjury.agreement.weights import agreement_weights
from ocrjury.resampling import left_out_values

FORMS = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")
SCALES = {
    "likert": (Scale.likert(1, 5), [1, 2, 3, 4, 5]),
    "binary": (Scale.binary(), [0, 1, 1, 1, 0]),
    "nominal": (Scale.nominal(["a", "b", "c"]), ["a", "b", "c", "a", "b"]),
    "interval": (Scale.interval(0, 10), [0, 2.5, 3, 7.25, 10]),
}


def a_table(kind, *, weighted=False, seed=0):
    """Thirty items by six raters with gaps; the last rater rated one item only."""
    scale, values = SCALES[kind]
    rng = np.random.default_rng(seed)
    ratings = np.clip(rng.integers(0, 5, (30, 1)) + rng.choice([-1, 0, 0, 1], (30, 6)), 0, 4)
    matrix = np.array(values, dtype=object)[ratings]
    matrix[rng.random(matrix.shape) < 0.5] = None
    matrix[:, 5] = None
    matrix[7, [0, 5]] = values[1]
    matrix[8] = None
    weight = rng.choice([0.25, 1.0, 4.0], 30) if weighted else None
    return RatingTable.from_matrix(matrix, scale=scale, item_weight=weight)


def one_by_one_left_out(statistic):
    """Values without one item, from sums over all the others."""
    return left_out_values(replace(statistic, left_out=None))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("kind", "weights"),
    [
        ("likert", "none"),
        ("likert", "linear"),
        ("likert", "quadratic"),
        ("binary", "none"),
        ("nominal", "none"),
    ],
)
def test_conger_without_an_item_is_that_of_the_other_items(kind, weights, weighted):
    table = a_table(kind, weighted=weighted)
    weights = agreement_weights(table.categories, weights)

    statistic = conger_statistic(table, *one_by_one(table), weights=weights)

    expected = one_by_one_left_out(statistic)
    assert statistic.left_out() == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["likert", "binary", "interval"])
def test_an_icc_without_an_item_is_that_of_the_other_items(kind, form):
    statistic = _Sample(a_table(kind, seed=1)).statistic(form)

    expected = one_by_one_left_out(statistic)
    assert statistic.left_out() == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_two_items_leave_one():
    table = RatingTable.from_matrix([[1, 2, None], [3, 3, 4]], scale=Scale.likert(1, 5))

    for statistic in (
        conger_statistic(table, *one_by_one(table), weights=np.eye(5)),
        _Sample(table).statistic("ICC(2,1)"),
    ):
        expected = one_by_one_left_out(statistic)
        assert statistic.left_out() == pytest.approx(expected, abs=1e-12, nan_ok=True)
