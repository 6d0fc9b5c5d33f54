import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.sampling import (
    SpreadBands,
    expected_spread,
    inclusion_probabilities,
    spread_bands,
)


@pytest.fixture
def rated():
    rng = np.random.default_rng(1)
    cer = np.where(rng.random(400) < 0.5, 0.0, rng.lognormal(-3, 1, 400))
    return pd.DataFrame({"cer": cer, "outcome": (rng.random(400) < np.minimum(cer, 0.5)) * 1.0})


def test_it_is_the_shrunk_standard_deviation_of_the_band():
    rated = pd.DataFrame({"cer": [0.0] * 30 + [1.0] * 30, "outcome": [0] * 30 + [0, 1] * 15})

    spread = expected_spread(pd.DataFrame({"cer": [0.0, 1.0]}), rated=rated)

    # two bands of 30; variances 0 and 1/4 shrunk by 10 documents of 3/16
    assert (spread**2).tolist() == pytest.approx([(10 * 3 / 16) / 40, (30 / 4 + 10 * 3 / 16) / 40])


def test_bad_documents_are_where_a_rare_outcome_varies(rated):
    spread = expected_spread(pd.DataFrame({"cer": [0.0, 0.02, 0.5]}), rated=rated)

    assert spread.is_monotonic_increasing
    assert spread[2] > 2 * spread[0]


def test_a_document_of_which_nothing_is_known_has_the_spread_of_all(rated):
    spread = expected_spread(pd.DataFrame({"cer": [None]}), rated=rated)

    assert spread[0] == pytest.approx(rated["outcome"].std(ddof=0))


def test_documents_drawn_more_often_count_less():
    rated = pd.DataFrame(
        {"cer": 0.1, "outcome": [0, 1], "inclusion_probability": [0.1, 0.9]}, index=[0, 1]
    )

    spread = expected_spread(pd.DataFrame({"cer": [0.1]}), rated=rated)

    assert spread[0] ** 2 == pytest.approx(0.9 * 0.1)


@given(st.integers(2, 200), st.integers(0, 10**6))
def test_it_is_never_below_zero_and_can_be_drawn_by(n, seed):
    rng = np.random.default_rng(seed)
    rated = pd.DataFrame({"cer": rng.lognormal(size=n), "outcome": rng.integers(0, 2, n)})
    pool = pd.DataFrame({"doc_id": range(40), "cer": rng.lognormal(size=40)})

    pool["risk"] = expected_spread(pool, rated=rated)

    assert (pool["risk"] >= 0).all()
    pi = inclusion_probabilities(pool, n=10, stratum=None, risk="risk", design="target")
    assert pi.sum() == pytest.approx(10)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.assign(outcome=np.nan), "at least 2 rated documents with a finite 'outcome'"),
        (lambda f: f.drop(columns="outcome"), "no column 'outcome'"),
        (lambda f: f.assign(inclusion_probability=0.0), "must be above 0 and at most 1"),
    ],
)
def test_unusable_ratings_are_refused(rated, change, message):
    with pytest.raises(InputError, match=message):
        expected_spread(pd.DataFrame({"cer": [0.1]}), rated=change(rated))


def test_kept_bands_give_the_same_spread_as_the_rated_documents(rated):
    pool = pd.DataFrame({"cer": [0.0, 0.02, 0.4, None]})

    kept = SpreadBands.from_json(spread_bands(rated).to_json())

    assert kept.of(pool).tolist() == expected_spread(pool, rated=rated).tolist()
    assert len(kept.spread) == len(kept.edges) + 2


def test_bands_need_what_they_are_cut_by(rated):
    with pytest.raises(InputError, match="no column 'cer'"):
        spread_bands(rated).of(pd.DataFrame({"confidence": [0.5]}))
