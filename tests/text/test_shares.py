import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from ocrjury.text.shares import effective_size, wilson_interval


@pytest.mark.oracle
@given(st.integers(1, 400), st.data())
def test_wilsons_interval_is_that_of_statsmodels(n, data):
    hits = data.draw(st.integers(0, n))

    interval = wilson_interval(hits / n, n)

    assert interval == pytest.approx(proportion_confint(hits, n, method="wilson"), abs=1e-12)


def test_none_of_72_pages_leaves_room_for_one_in_twenty():
    assert wilson_interval(0, 72) == (0.0, pytest.approx(0.0507, abs=5e-5))
    assert wilson_interval(1, 72) == (pytest.approx(0.9493, abs=5e-5), 1.0)
    assert wilson_interval(0, 72, confidence=0.99)[1] > wilson_interval(0, 72)[1]


def test_nothing_has_no_interval():
    assert np.isnan(wilson_interval(0.0, 0)).all()
    assert effective_size(np.array([]), np.array([])) == 0


def test_documents_that_share_nothing_count_in_full():
    hits = np.array([1.0, 0, 0, 1, 1])

    assert effective_size(hits, np.arange(5)) == pytest.approx(5)


def test_fields_of_a_page_that_are_alike_tell_little_more_than_the_page():
    pages = np.repeat(np.arange(40), 25)
    hits = np.repeat((np.arange(40) < 25).astype(float), 25)

    assert effective_size(hits, pages) == pytest.approx(40, rel=0.03)


def test_at_the_ends_a_page_counts_once():
    pages = np.repeat(np.arange(8), 5)

    assert effective_size(np.zeros(40), pages) == effective_size(np.ones(40), pages) == 8
    assert effective_size(np.array([1.0, 0, 1]), np.zeros(3)) == 1


@pytest.mark.parametrize(("share", "alike"), [(0.1, 2.0), (0.6, 2.0), (0.6, 50.0)])
def test_the_interval_covers_the_truth_where_fields_share_pages(share, alike):
    rng = np.random.default_rng(5)
    covered, runs = 0, 400
    for _ in range(runs):
        of_page = rng.beta(share * alike, (1 - share) * alike, 72)
        pages = np.repeat(np.arange(72), rng.integers(10, 30, 72))
        hits = (rng.random(len(pages)) < of_page[pages]).astype(float)
        low, high = wilson_interval(float(hits.mean()), effective_size(hits, pages))
        covered += low <= share <= high

    assert 0.91 <= covered / runs <= 0.985
