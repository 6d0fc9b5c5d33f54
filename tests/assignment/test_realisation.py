import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.assignment.demand import group_items, read_demand
from ocrjury.assignment.quotas import balanced_quotas
from ocrjury.assignment.realisation import meet, realise_quotas


def demand_of(n_items, n_raters, need):
    return read_demand(
        range(n_items),
        range(n_raters),
        raters_per_item=need,
        capacity=None,
        eligible=None,
        previous=None,
    )


@given(
    n_items=st.integers(1, 12),
    n_raters=st.integers(3, 6),
    need=st.integers(1, 3),
    seed=st.integers(0, 9),
)
def test_quotas_are_used_up_exactly(*, n_items, n_raters, need, seed):
    demand = demand_of(n_items, n_raters, need)
    groups = group_items(demand)
    quotas = balanced_quotas(groups, demand.capacity)
    pairs = [[0] * n_raters for _ in range(n_raters)]

    teams = realise_quotas(demand, groups, quotas, pairs=pairs, rng=np.random.default_rng(seed))

    used = np.bincount([rater for team in teams.values() for rater in team], minlength=n_raters)
    assert used.tolist() == quotas.sum(axis=0).tolist()
    assert all(len(set(team)) == need for team in teams.values())
    assert np.sum(pairs) == n_items * need * (need - 1)


def test_meetings_of_thousands_of_teams_are_counted():
    demand = demand_of(6000, 5, 3)
    groups = group_items(demand)
    pairs = [[0] * 5 for _ in range(5)]

    teams = realise_quotas(
        demand,
        groups,
        balanced_quotas(groups, demand.capacity),
        pairs=pairs,
        rng=np.random.default_rng(0),
    )

    by_hand = np.zeros((5, 5), int)
    for team in teams.values():
        by_hand[np.ix_(team, team)] += 1
    np.fill_diagonal(by_hand, 0)
    assert pairs == by_hand.tolist()


def test_many_raters_are_looked_at_in_samples():
    demand = demand_of(60, 40, 2)
    groups = group_items(demand)
    quotas = balanced_quotas(groups, demand.capacity)

    teams = realise_quotas(
        demand, groups, quotas, pairs=[[0] * 40 for _ in range(40)], rng=np.random.default_rng(1)
    )

    assert len(teams) == 60


def test_taking_meetings_back_undoes_them():
    pairs = [[0, 1, 2], [1, 0, 0], [2, 0, 0]]

    there = meet(pairs, 0, [1, 2], times=1)
    back = meet(pairs, 0, [1, 2], times=-1)

    assert there == (4 - 1) + (9 - 4)
    assert back == -there
    assert pairs == [[0, 1, 2], [1, 0, 0], [2, 0, 0]]
