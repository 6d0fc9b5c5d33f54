import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_a_few_documents_without_a_reference_count_as_average_where_none_was_drawn():
    rng = np.random.default_rng(3)
    pool = pd.DataFrame({"cer": rng.uniform(0.05, 0.4, 400)})
    rating = 5 - 2 * np.log10(1 + 100 * pool["cer"])
    pool.loc[:79, "cer"] = None
    drawn = np.arange(80, 200)  # a fifth of the pool has no reference, and nothing that was drawn

    matrix, _ = auxiliaries(pool, n=len(drawn))
    found = greg_mean(
        rating[drawn], np.full(120, 0.3), auxiliary=matrix[drawn], pool_mean=matrix.mean(axis=0)
    )

    assert found.value == pytest.approx(rating.mean(), abs=0.05)


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


def test_judges_come_before_document_types_with_an_indicator_of_what_they_left_out(pool):
    scored = pool.assign(llm=np.linspace(1, 5, 300), fluency=-np.linspace(9, 2, 300))
    scored.loc[50:59, "llm"] = np.nan

    matrix, names = auxiliaries(scored, judges=["llm", "fluency"])

    assert names[4:] == [
        "confidence",
        "no confidence",
        "llm",
        "no llm",
        "fluency",
        "type form",
        "type 진단서",
    ]
    assert matrix[50:60, 6] == pytest.approx([scored["llm"].mean()] * 10)
    assert np.flatnonzero(matrix[:, 7]).tolist() == list(range(50, 60))
    assert auxiliaries(scored, n=15 * 8, judges=["llm", "fluency"])[1] == names[:8]


def test_a_judge_is_used_only_where_it_is_named(pool):
    assert auxiliaries(pool.assign(llm=range(300)))[1] == auxiliaries(pool)[1]


def test_cells_of_text_are_numbers_and_infinity_is_missing():
    frame = pd.DataFrame({"llm": ["4", "1.5", "", None, "inf"]})

    matrix, names = auxiliaries(frame, judges=["llm"])

    assert names == ["constant", "llm", "no llm"]
    assert matrix[:, 1].tolist() == [4, 1.5, 2.75, 2.75, 2.75]
    assert matrix[:, 2].tolist() == [0, 0, 1, 1, 1]


def test_a_judge_that_scored_nothing_has_no_column():
    assert auxiliaries(pd.DataFrame({"llm": [None, None]}), judges=["llm"])[1] == ["constant"]


def test_two_judges_of_one_mind_are_one_column():
    frame = pd.DataFrame({"a": [1.0, 2, 3, 5], "b": [3.0, 5, 7, 11]})

    assert auxiliaries(frame, judges=["a", "b", "a"])[1] == ["constant", "a"]


def test_a_judge_without_a_column_or_without_numbers_is_refused(pool):
    with pytest.raises(InputError, match="the pool has no column 'llm'; found 'cer'"):
        auxiliaries(pool, judges=["llm"])
    with pytest.raises(InputError, match=r"'doc_type'; the column has values, but no finite"):
        auxiliaries(pool, judges=["doc_type"])


def test_a_few_scores_far_away_do_not_make_the_slope_alone():
    rng = np.random.default_rng(3)
    score = rng.normal(size=4000)
    wild = np.where(rng.random(4000) < 0.002, 1e6, score)
    pool = pd.DataFrame({"wild": wild})

    matrix, _ = auxiliaries(pool, judges=["wild"])

    assert np.abs(matrix[:, 1]).max() < 10
    assert abs(np.corrcoef(matrix[:, 1], score)[0, 1]) > 0.9


def test_a_rare_level_of_a_judge_is_no_outlier():
    pool = pd.DataFrame({"llm": [5.0] * 995 + [1.0] * 5})

    assert auxiliaries(pool, judges=["llm"])[0][-1, 1] == 1.0


@given(
    st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6)), min_size=3, max_size=20),
    st.floats(0.5, 40),
    st.floats(-100, 100),
)
def test_the_unit_of_a_judge_does_not_matter(scores, scale, shift):
    numbers = np.array([np.nan if score is None else round(score, 2) for score in scores])
    y, pi = np.arange(float(len(numbers))) ** 1.5, np.full(len(numbers), 0.5)

    def mean(llm):
        matrix, _ = auxiliaries(pd.DataFrame({"llm": llm}), judges=["llm"])
        target = matrix.mean(axis=0) + 0.1 * matrix[0]
        return greg_mean(y, pi, auxiliary=matrix, pool_mean=target / target[0]).value

    assert mean(numbers) == pytest.approx(mean(shift + scale * numbers), rel=1e-4, abs=1e-4)


def test_a_judge_that_knows_shortens_the_interval(pool):
    rng = np.random.default_rng(4)
    quality = rng.normal(size=300)
    bare = pool.drop(columns=["cer", "confidence"]).assign(
        llm=quality + 0.75 * rng.normal(size=300), noise=rng.normal(size=300)
    )
    drawn, pi = rng.choice(300, 100, replace=False), np.full(100, 1 / 3)

    def width(*judges):
        matrix, _ = auxiliaries(bare, n=100, judges=judges)
        mean = greg_mean(quality[drawn], pi, auxiliary=matrix[drawn], pool_mean=matrix.mean(axis=0))
        return mean.high - mean.low

    assert width("llm") < 0.7 * width()
    assert width("noise") < 1.03 * width()
