import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.assignment.demand import group_items, read_demand
from ocrjury.assignment.quotas import largest_flow, level_loads
from ocrjury.assignment.realisation import realise_quotas


def realised(n_items, n_raters, need, *, capacity=None, seed=0):
    demand = read_demand(
        range(n_items),
        range(n_raters),
        raters_per_item=need,
        capacity=capacity,
        eligible=None,
        previous=None,
    )
    groups = group_items(demand)
    flow = largest_flow(groups, demand.capacity)
    quotas = level_loads(flow.quotas, groups, demand.capacity)
    teams = realise_quotas(demand, groups, quotas, rng=np.random.default_rng(seed))
    return teams, quotas.sum(axis=0)


@given(
    n_items=st.integers(1, 60),
    n_raters=st.integers(4, 6),
    need=st.integers(1, 3),
    seed=st.integers(0, 9),
)
def test_quotas_are_used_up_exactly_by_distinct_raters(*, n_items, n_raters, need, seed):
    teams, loads = realised(n_items, n_raters, need, capacity={0: n_items // 2}, seed=seed)

    assert np.bincount(teams.ravel(), minlength=n_raters).tolist() == loads.tolist()
    assert all(len(set(team)) == need for team in teams.tolist())


@pytest.mark.parametrize(("n", "n_raters", "need"), [(6000, 5, 3), (9000, 40, 2), (7000, 4, 2)])
def test_thousands_of_like_items_are_dealt_in_cycles(n, n_raters, need):
    teams, loads = realised(n, n_raters, need)

    assert np.bincount(teams.ravel()).tolist() == loads.tolist()
    assert (np.diff(np.sort(teams, axis=1), axis=1) > 0).all()


def test_uneven_quotas_of_many_items_mix_everybody_with_everybody():
    teams, loads = realised(4000, 8, 2, capacity={0: 200, 1: 3000})

    met = np.zeros((8, 8), int)
    np.add.at(met, (teams.min(axis=1), teams.max(axis=1)), 1)
    assert loads[0] == 200
    assert met[np.triu_indices(8, 1)].min() > 0
