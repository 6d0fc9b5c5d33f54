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
