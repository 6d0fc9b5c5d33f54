import numpy as np
import pandas as pd
import pytest

from ocrjury import InputError
from ocrjury.estimation import auxiliaries, greg_mean, hajek_mean


@pytest.fixture
def pool():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "cer": np.where(rng.random(300) < 0.5, 0, rng.lognormal(-3, 1, 300)),
            "confidence": rng.uniform(0.2, 1, 300),
            "doc_type": rng.choice(["bill", "form", "진단서"], 300, p=[0.6, 0.3, 0.1]),
        }
    )
    frame.loc[:19, "confidence"] = None
    return frame


def test_all_that_is_known_becomes_a_column(pool):
    matrix, names = auxiliaries(pool)

    assert names == [
        "constant",
        "log10(1 + 100 CER)",
        "CER = 0",
        "min(CER, 0.5)",
        "confidence",
        "no confidence",
        "type form",
        "type 진단서",
    ]
    assert matrix.shape == (300, 8)
    assert np.isfinite(matrix).all()
    assert np.linalg.matrix_rank(matrix) == 8
    assert matrix[:, 5].sum() == 20
    assert matrix[:20, 4] == pytest.approx([pool["confidence"].mean()] * 20)


@pytest.mark.parametrize(
    ("n", "columns"), [(120, 8), (119, 7), (104, 6), (89, 4), (59, 3), (44, 2), (29, 1), (2, 1)]
)
def test_a_small_sample_uses_fewer_columns(pool, n, columns):
    matrix, names = auxiliaries(pool, n=n)

    assert matrix.shape[1] == len(names) == columns


def test_documents_without_a_reference_are_marked():
    matrix, names = auxiliaries(pd.DataFrame({"cer": [0.0, 0.5, None, 0.2]}))

    assert names[2] == "no reference"
    assert matrix[:, 2].tolist() == [0, 0, 1, 0]


def test_a_pool_of_which_nothing_is_known_has_the_constant():
    matrix, names = auxiliaries(pd.DataFrame({"doc_id": [1, 2], "cer": [None, None]}))

    assert names == ["constant"]
    assert matrix.tolist() == [[1.0], [1.0]]


def test_a_missing_type_is_a_type():
    _, names = auxiliaries(pd.DataFrame({"doc_type": ["a", "a", "b", None]}))

    assert names == ["constant", "type b", "no type"]


def test_an_empty_pool_is_refused():
    with pytest.raises(InputError, match="the pool is empty"):
        auxiliaries(pd.DataFrame({"cer": []}))


def test_the_choice_depends_on_the_pool_and_n_alone(pool):
    scored = pool.assign(score=np.random.default_rng(2).normal(size=300))

    assert auxiliaries(scored, n=100)[1] == auxiliaries(pool, n=100)[1]


def test_a_pool_in_which_all_error_rates_are_equal_has_no_column_of_them():
    _, names = auxiliaries(pd.DataFrame({"cer": [0.1] * 50, "confidence": [0.9] * 50}))

    assert names == ["constant"]


def test_thirty_documents_are_enough_for_one_prediction(pool):
    _, names = auxiliaries(pool, n=30)

    assert names == ["constant", "log10(1 + 100 CER)"]


def test_where_nothing_is_known_the_regression_is_the_hajek_mean():
    pool = pd.DataFrame({"doc_id": range(40), "cer": None, "confidence": None})
    matrix, _ = auxiliaries(pool, n=20)
    y, pi = np.arange(20.0), np.linspace(0.1, 0.9, 20)

    estimate = greg_mean(y, pi, auxiliary=matrix[:20], pool_mean=matrix.mean(axis=0))

    assert estimate.value == pytest.approx(hajek_mean(y, pi).value)
