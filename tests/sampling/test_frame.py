import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.sampling import draw_sample
from ocrjury.sampling.frame import exact_sum

RISKS = st.lists(st.floats(0, 1e300), max_size=60)


@given(RISKS, st.randoms(use_true_random=False))
def test_a_sum_does_not_depend_on_the_order_of_its_terms(values, random):
    shuffled = list(values)
    random.shuffle(shuffled)

    assert exact_sum(np.array(shuffled)) == exact_sum(np.array(values))


@given(st.lists(st.floats(0, 1e300), min_size=1, max_size=60))
def test_a_sum_is_that_of_the_terms(values):
    assert exact_sum(np.array(values)) == pytest.approx(math.fsum(values), rel=1e-14)


def test_no_terms_sum_to_nothing():
    assert exact_sum(np.array([])) == 0


@pytest.mark.parametrize("size", [3, 300])
def test_a_document_that_comes_twice_is_named_before_it_is_drawn(size):
    pool = pd.DataFrame({"doc_id": [f"d{place}" for place in range(size)]})
    pool.loc[size - 1, "doc_id"] = "d1"

    with pytest.raises(InputError, match=rf"the first is 'd1' in rows \[2, {size}\]"):
        draw_sample(pool, n=2, stratum=None, risk=None, seed=1)


def test_strata_of_any_kind_are_names_in_order():
    pool = pd.DataFrame({"doc_id": range(6), "year": [2024, 2023, 2024, 2023, None, 2025]})
    pool["kind"] = pd.Categorical(list("bbaacc"), categories=list("zcba"))

    by_year, by_kind = (
        draw_sample(pool, n=6, stratum=name, risk=None, seed=1)["stratum"]
        for name in ("year", "kind")
    )

    assert sorted(by_year.dropna().unique()) == [2023, 2024, 2025]
    assert by_year.isna().sum() == 1
    assert sorted(by_kind.unique()) == ["a", "b", "c"]
