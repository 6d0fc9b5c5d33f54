import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchmarks.assignment_exact import Ranges, Small, exact_ranges
from ocrjury.assignment import assign_raters, missing_ratings

pytestmark = pytest.mark.oracle


def conditions_of(case):
    """A small case in the words of `assign_raters`."""
    n, m = case.allowed.shape
    places = [np.flatnonzero(row).tolist() for row in case.allowed]
    return {
        "raters_per_item": dict(enumerate(case.need.tolist())),
        "capacity": dict(enumerate(case.capacity.tolist())),
        "eligible": dict(enumerate(places)),
        "previous": pd.DataFrame(np.argwhere(case.before), columns=["item", "rater"]),
    } | {"items": range(n), "raters": range(m)}


def ranges_of(plan, case):
    """Loads and meetings of a plan, earlier meetings included."""
    m = case.allowed.shape[1]
    on = case.before.copy()
    on[plan["item"], plan["rater"]] = True
    met = on.T.astype(int) @ on
    load = np.bincount(plan["rater"], minlength=m)
    return Ranges(load.max(), load.min(), np.ptp(met[np.triu_indices(m, 1)]))


@st.composite
def cases(draw):
    """Up to seven items and five raters; some raters are not eligible, full, or were there."""
    n, m = draw(st.integers(2, 7)), draw(st.integers(3, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    allowed = rng.random((n, m)) < draw(st.sampled_from([1.0, 0.85, 0.7]))
    before = rng.random((n, m)) < draw(st.sampled_from([0.0, 0.15]))
    capacity = np.full(m, n)
    capacity[0] = draw(st.integers(1, n))
    need = rng.integers(1, 3, n) if draw(st.booleans()) else np.full(n, 2)
    return Small(need, allowed, capacity, before)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(cases(), st.integers(0, 3))
def test_loads_and_meetings_are_as_even_as_in_the_best_of_all_plans(case, seed):
    conditions = conditions_of(case)
    assume(not missing_ratings(**conditions))

    plan = assign_raters(**conditions, seed=seed)

    assert ranges_of(plan, case) == exact_ranges(case)


@pytest.mark.parametrize(("n", "m", "need"), [(6, 4, 2), (10, 5, 2), (7, 7, 3), (5, 5, 4)])
def test_designs_that_are_perfect_are_found(n, m, need):
    plan = assign_raters(range(n), range(m), raters_per_item=need, seed=1)

    met = [
        sum(set(couple) <= set(team) for team in plan.groupby("item")["rater"].agg(list))
        for couple in itertools.combinations(range(m), 2)
    ]
    assert max(met) == min(met)
