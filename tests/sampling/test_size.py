import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.sampling import sample_size


def test_the_reference_guide_asks_for_385_documents():
    # 1.96^2 x 0.5 x 0.5 / 0.05^2 = 384.16: reference guide, minimum sample size
    assert sample_size(p=0.5, error=0.05, confidence=0.95) == 385


@pytest.mark.parametrize(
    ("population", "n"), [(500, 218), (1000, 278), (5000, 357), (100_000, 383)]
)
def test_a_finite_pool_needs_fewer(population, n):
    # Cochran (1977), section 4.4
    assert sample_size(population=population) == n


def test_a_whole_number_is_not_raised_by_rounding():
    assert sample_size(p=0.5, error=0.5, confidence=0.9544997361036416) == 4


def test_a_pool_of_one_document_needs_one():
    assert sample_size(population=1) == 1


@given(st.integers(1, 10**6), st.floats(0.01, 0.2), st.floats(0.05, 0.95))
def test_no_pool_needs_more_documents_than_it_has(population, error, p):
    n = sample_size(p=p, error=error, population=population)

    assert 1 <= n <= min(population, sample_size(p=p, error=error))


@pytest.mark.parametrize("bad", [{"p": 0}, {"p": 1}, {"error": 0}, {"confidence": 95}])
def test_a_share_outside_its_range_is_named(bad):
    with pytest.raises(InputError, match=f"{next(iter(bad))} must lie strictly between 0 and 1"):
        sample_size(**bad)


def test_an_empty_population_is_refused():
    with pytest.raises(InputError, match="at least 1 document; found 0"):
        sample_size(population=0)


def test_pages_whose_outputs_are_all_alike_count_once():
    # two equal outputs a page: as many pages as otherwise documents, 384.15 of them
    assert sample_size(design_effect=2) == 769


def test_the_pool_counts_after_the_design_effect():
    # Kish (1965), section 8.2: the effect is that on the variance of a draw without replacement
    n0 = 1.5 * 1.959963984540054**2 * 0.25 / 0.05**2
    n = n0 / (1 + (n0 - 1) / 1000)

    assert sample_size(population=1000, design_effect=1.5) == math.ceil(n) == 366
    assert sample_size(population=1000, design_effect=1.5, response_rate=0.8) == math.ceil(n / 0.8)


def test_who_expects_gaps_draws_more_but_never_more_than_there_is():
    assert sample_size(response_rate=0.5) == 769
    assert sample_size(population=500, response_rate=0.25) == 500


@given(st.integers(1, 10**5), st.floats(0.1, 10), st.floats(0.05, 1))
def test_a_worse_design_or_response_never_needs_fewer(population, effect, rate):
    n = sample_size(population=population, design_effect=effect, response_rate=rate)

    assert 1 <= n <= population
    assert n >= sample_size(population=population, design_effect=effect)
    assert n <= sample_size(population=population, design_effect=2 * effect, response_rate=rate)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"design_effect": 0}, "a finite number above 0; found 0"),
        ({"design_effect": math.inf}, "a finite number above 0; found inf"),
        ({"response_rate": 0}, r"must lie in \(0, 1\]; found 0"),
        ({"response_rate": 80}, r"must lie in \(0, 1\]; found 80"),
        ({"response_rate": math.nan}, r"must lie in \(0, 1\]; found nan"),
    ],
)
def test_an_impossible_design_or_response_is_refused(bad, message):
    with pytest.raises(InputError, match=message):
        sample_size(**bad)
