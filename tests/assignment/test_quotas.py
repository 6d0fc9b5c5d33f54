import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_flow

from ocrjury.assignment.demand import Groups
from ocrjury.assignment.quotas import largest_flow, level_loads


@st.composite
def any_groups(draw):
    """Groups and capacities that may or may not suffice."""
    n_groups, n_raters = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    size = np.array([draw(st.integers(1, 6)) for _ in range(n_groups)])
    need = np.array([draw(st.integers(1, 3)) for _ in range(n_groups)])
    row = st.lists(st.booleans(), min_size=n_raters, max_size=n_raters)
    allowed = np.array([draw(row) for _ in range(n_groups)])
    capacity = np.array([draw(st.integers(0, 12)) for _ in range(n_raters)])
    return Groups([np.arange(n) for n in size], size, need, allowed), capacity


@st.composite
def feasible_groups(draw):
    """Groups, and capacities that at least one way to share the work keeps."""
    n_groups, n_raters = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    size = np.array([draw(st.integers(1, 6)) for _ in range(n_groups)])
    allowed = np.zeros((n_groups, n_raters), dtype=bool)
    need = np.zeros(n_groups, dtype=int)
    capacity = np.array([draw(st.integers(0, 4)) for _ in range(n_raters)])
    for group in range(n_groups):
        raters = draw(st.lists(st.sampled_from(range(n_raters)), min_size=1, unique=True))
        allowed[group, raters] = True
        need[group] = draw(st.integers(1, len(raters)))
        for turn in range(size[group] * need[group]):
            capacity[raters[turn % len(raters)]] += 1
    return Groups([np.arange(n) for n in size], size, need, allowed), capacity


def balanced(demand, capacity):
    return level_loads(largest_flow(demand, capacity).quotas, demand, capacity)


def greatest_flow(demand, capacity):
    """The greatest flow from groups to raters, by SciPy."""
    n_groups, n_raters = demand.allowed.shape
    graph = np.zeros((n_groups + n_raters + 2,) * 2, dtype=np.int32)
    graph[0, 1 : n_groups + 1] = demand.size * demand.need
    graph[1 : n_groups + 1, n_groups + 1 : -1] = demand.allowed * demand.size[:, None]
    graph[n_groups + 1 : -1, -1] = capacity
    return maximum_flow(csr_matrix(graph), 0, len(graph) - 1).flow_value


def extreme_load(demand, capacity, *, largest):
    """The optimum of an integer program: the smallest largest load, or the largest smallest."""
    n_groups, n_raters = demand.allowed.shape
    n = n_groups * n_raters
    of_group = np.kron(np.eye(n_groups), np.ones(n_raters))
    of_rater = np.kron(np.ones(n_groups), np.eye(n_raters))
    total = demand.size * demand.need
    sign = 1 if largest else -1
    meets_demand = LinearConstraint(np.pad(of_group, ((0, 0), (0, 1))), total, total)
    fits = LinearConstraint(np.pad(of_rater, ((0, 0), (0, 1))), 0, capacity)
    bounded = LinearConstraint(
        np.column_stack([sign * of_rater, -sign * np.ones(n_raters)]), -np.inf, 0
    )
    upper = np.append((demand.allowed * demand.size[:, None]).ravel(), total.sum())
    outcome = milp(
        np.append(np.zeros(n), sign),
        constraints=[meets_demand, fits, bounded],
        integrality=np.ones(n + 1),
        bounds=Bounds(0, upper),
    )
    return sign * round(outcome.fun)


@given(any_groups())
def test_no_flow_is_larger_than_ours(case):
    demand, capacity = case

    quotas = largest_flow(demand, capacity).quotas

    assert quotas.sum() == greatest_flow(demand, capacity)
    assert (quotas >= 0).all()
    assert (quotas.sum(axis=0) <= capacity).all()
    assert (quotas.sum(axis=1) <= demand.size * demand.need).all()
    assert (quotas <= demand.size[:, None] * demand.allowed).all()


@given(any_groups())
def test_raters_named_as_full_have_no_capacity_left(case):
    demand, capacity = case

    flow = largest_flow(demand, capacity)

    assert (flow.quotas.sum(axis=0) == capacity)[flow.full].all()


@given(feasible_groups())
def test_no_other_quotas_have_a_smaller_range_of_loads(case):
    demand, capacity = case
    quotas = balanced(demand, capacity)

    load = quotas.sum(axis=0)
    assert load.max() == extreme_load(demand, capacity, largest=True)
    assert load.min() == extreme_load(demand, capacity, largest=False)


@given(feasible_groups())
def test_level_loads_meet_demand_within_capacity_and_eligibility(case):
    demand, capacity = case
    quotas = balanced(demand, capacity)

    assert (quotas.sum(axis=1) == demand.size * demand.need).all()
    assert (quotas.sum(axis=0) <= capacity).all()
    assert (quotas >= 0).all()
    assert (quotas <= demand.size[:, None] * demand.allowed).all()


def test_each_group_is_spread_over_all_its_raters():
    demand = Groups(
        [np.arange(50), np.arange(150)],
        np.array([50, 150]),
        np.array([2, 1]),
        np.ones((2, 6), dtype=bool),
    )

    quotas = balanced(demand, np.full(6, 250))

    assert np.ptp(quotas[0]) <= 1


def test_without_groups_there_are_no_quotas():
    empty = Groups([], np.array([], int), np.array([], int), np.zeros((0, 3), dtype=bool))

    assert largest_flow(empty, np.zeros(3, int)).quotas.shape == (0, 3)
