"""Pages that draw a line to themselves: residuals are those of a regression without the page."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.estimation import auxiliaries, greg_mean
from ocrjury.estimation.greg import greg_fit, regression

PAGES, OUTPUTS, DRAWN = 400, 5, 30


@st.composite
def regressions(draw):
    """Columns, outcomes, weights and clusters of four or more documents each."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    sizes = rng.integers(1, 5, draw(st.integers(8, 15)))
    n = sizes.sum()
    columns = np.column_stack([np.ones(n), rng.normal(size=n), rng.normal(size=n)])
    return (
        columns,
        rng.normal(size=n),
        rng.uniform(1, 9, n),
        np.repeat(np.arange(len(sizes)), sizes),
    )


@given(regressions())
def test_a_residual_is_the_distance_from_a_regression_without_its_cluster(drawn):
    columns, y, weight, cluster = drawn

    found = regression(columns, y, weight).residuals(y, cluster)

    for one in np.unique(cluster):
        others, root = cluster != one, np.sqrt(weight[cluster != one])
        slopes = np.linalg.lstsq(columns[others] * root[:, None], y[others] * root, rcond=None)[0]
        expected = y[~others] - columns[~others] @ slopes
        if _left(columns, weight, inside=~others) > 0.05:
            assert found[~others] == pytest.approx(expected)


def _left(columns, weight, *, inside):
    """The least share of an outcome that a cluster does not explain itself."""
    q, _ = np.linalg.qr(columns * np.sqrt(weight)[:, None])
    return 1 - np.linalg.eigvalsh(q[inside].T @ q[inside]).max()


@given(regressions())
def test_clusters_of_one_are_no_clusters(drawn):
    columns, y, weight, _ = drawn
    known = columns[:, 1:], np.array([0.1, -0.1])

    apart = greg_fit(y, 1 / weight, known, cluster=np.arange(len(y)))
    plain = greg_fit(y, 1 / weight, known)

    assert apart.residual == pytest.approx(plain.residual)
    assert (apart.df, apart.value) == (plain.df, plain.value)


def pool_of_pages(rng):
    """A pool of pages with five outputs each, which belong to a type together."""
    page = np.repeat(np.arange(PAGES), OUTPUTS)
    kind = rng.choice(6, PAGES, p=[0.4, 0.2, 0.15, 0.1, 0.1, 0.05])[page]
    worse = rng.normal(0, 0.5, PAGES)[page]
    cer = np.clip(np.exp(rng.normal(-2.5, 0.8, len(page)) + worse), 0, 1)
    cer *= rng.random(len(page)) < 0.7
    rating = 4 - 0.15 * kind - 0.6 * np.log10(1 + 100 * cer) + rng.normal(0, 0.5, PAGES)[page]
    return pd.DataFrame(
        {
            "page": page,
            "doc_type": kind.astype(str),
            "cer": cer,
            "confidence": np.clip(0.9 - cer + rng.normal(0, 0.1, len(page)), 0, 1),
            "rating": rating + rng.normal(0, 0.4, len(page)),
        }
    )


def test_many_columns_on_few_pages_make_no_interval_too_short():
    rng = np.random.default_rng(1)
    pool, runs, held, errors, told = pool_of_pages(rng), 400, 0, [], []
    truth = pool["rating"].mean()
    for _ in range(runs):
        inside = pool["page"].isin(rng.choice(PAGES, DRAWN, replace=False)).to_numpy()
        drawn = pool[inside]
        matrix, names = auxiliaries(pool, n=len(drawn))
        found = greg_mean(
            drawn["rating"],
            np.full(len(drawn), DRAWN / PAGES),
            auxiliary=matrix[inside],
            pool_mean=matrix.mean(axis=0),
            cluster=drawn["page"],
        )
        held += found.low <= truth <= found.high
        errors.append(found.value - truth)
        told.append(found.se)

    assert len(names) == 10
    assert np.mean(told) == pytest.approx(np.std(errors), rel=0.12)
    # 400 samples: 95 % comes out between 92.8 and 97.2 % in 95 of 100
    assert 0.928 <= held / runs <= 0.98
