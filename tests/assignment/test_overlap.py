import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.assignment import assign_raters
from ocrjury.assignment.annealing import settle
from ocrjury.assignment.demand import read_demand
from ocrjury.assignment.overlap import Overlap, Swaps, connect_raters, spread_meetings

TRIANGLES = [[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3]]
NOBODY = pd.DataFrame({"item": [], "rater": []})


def overlap_of(teams, *, eligible=None, previous=NOBODY):
    demand = read_demand(
        range(len(teams)),
        range(6),
        raters_per_item={item: len(team) for item, team in enumerate(teams)},
        capacity=None,
        eligible=eligible,
        previous=previous,
    )
    widest = max(map(len, teams))
    padded = np.array([[*team, *[6] * (widest - len(team))] for team in teams])
    return Overlap.of(demand, padded)


def swap(one, s, other, t):
    return Swaps(*(np.array([value]) for value in (one, s, other, t)))


def loads(overlap):
    return np.bincount(overlap.teams.ravel(), minlength=7)[:6].tolist()


def squares(overlap):
    return int((overlap.met() ** 2).sum())


@st.composite
def overlaps(draw):
    """Teams of one to three raters, some items with earlier raters."""
    team = st.permutations(range(6)).flatmap(lambda p: st.integers(1, 3).map(lambda n: p[:n]))
    teams = draw(st.lists(team, min_size=4, max_size=14))
    pair = st.tuples(st.integers(0, len(teams) - 1), st.integers(0, 5))
    pairs = [
        (item, rater)
        for item, rater in draw(st.lists(pair, max_size=6, unique=True))
        if rater not in teams[item]
    ]
    return overlap_of(teams, previous=pd.DataFrame(pairs, columns=["item", "rater"]))


def test_meetings_are_counted_with_earlier_raters_and_rounds():
    previous = pd.DataFrame({"item": [0, "x", "x"], "rater": [2, 4, 5]})

    overlap = overlap_of([[0, 1], [1, 3]], previous=previous)

    met = {(a, b): overlap.pairs[a, b] for a in range(6) for b in range(a) if overlap.pairs[a, b]}
    assert met == {(1, 0): 1, (2, 0): 1, (2, 1): 1, (3, 1): 1, (5, 4): 1}
    assert (overlap.pairs == overlap.pairs.T).all()


@given(overlaps(), st.integers(0, 9))
def test_swaps_change_meetings_by_what_they_announce(overlap, seed):
    rng = np.random.default_rng(seed)
    items = rng.permutation(overlap.busy)[: len(overlap.busy) // 2 * 2].reshape(2, -1)
    seats = (rng.random(items.shape) * overlap.demand.need[items]).astype(int)
    swaps = Swaps(items[0], seats[0], items[1], seats[1])
    swaps = swaps.which(overlap.fits(swaps))
    change, company = overlap.changes(swaps)
    apart = overlap.first_of_pair(swaps, company, 1)
    before, load = squares(overlap), loads(overlap)

    overlap.carry_out(swaps.which(apart), company[apart])

    fresh = Overlap.of(overlap.demand, overlap.teams)
    assert (fresh.pairs == overlap.pairs).all()
    assert squares(overlap) - before == change[apart].sum()
    assert loads(overlap) == load


@given(overlaps(), st.integers(0, 9))
def test_spreading_never_makes_meetings_less_even(overlap, seed):
    before, load = squares(overlap), loads(overlap)

    spread_meetings(overlap, rng=np.random.default_rng(seed))

    assert squares(overlap) <= before
    assert loads(overlap) == load
    for item, team in enumerate(overlap.teams.tolist()):
        raters = team[: overlap.demand.need[item]]
        assert len(set(raters)) == len(raters)
        assert not set(raters) & set(overlap.demand.before[item].tolist())


def test_two_triangles_become_connected_without_changing_loads():
    overlap = overlap_of(TRIANGLES)

    connect_raters(overlap, rng=np.random.default_rng(0))

    assert loads(overlap) == [2] * 6
    assert sum(len({rater // 3 for rater in team}) > 1 for team in overlap.teams.tolist()) == 2


@pytest.mark.parametrize("teams", [[[0, 1], [2, 3]], [[0], [1]]])
def test_parts_that_no_swap_can_join_are_left_alone(teams):
    overlap = overlap_of(teams)

    connect_raters(overlap, rng=np.random.default_rng(0))

    assert loads(overlap) == np.bincount(np.ravel(teams), minlength=6).tolist()


def test_meetings_of_one_pair_are_spread_over_others():
    overlap = overlap_of([[0, 1]] * 4 + [[2, 3]] * 4)

    spread_meetings(overlap, rng=np.random.default_rng(0))

    assert loads(overlap) == [4] * 4 + [0] * 2
    assert overlap.met().max() <= 2


def test_a_swap_needs_eligible_and_distinct_raters():
    overlap = overlap_of(
        TRIANGLES, eligible={item: [3, 4, 5] if item == 3 else range(6) for item in range(6)}
    )

    assert not overlap.fits(swap(0, 0, 3, 0))[0]
    assert not overlap.fits(swap(0, 1, 1, 1))[0]
    assert overlap.fits(swap(0, 0, 4, 0))[0]


def test_annealing_finds_the_fano_plane():
    plans = [assign_raters(range(7), range(7), raters_per_item=3, seed=seed) for seed in range(5)]

    for plan in plans:
        teams = plan.groupby("item")["rater"].agg(frozenset).tolist()
        assert all(len(team & other) == 1 for team in teams for other in teams if team != other)


def test_many_items_are_not_annealed():
    overlap = overlap_of(TRIANGLES * 6)
    before = overlap.teams.copy()

    settle(overlap, rng=np.random.default_rng(0))

    assert (overlap.teams == before).all()


def test_languages_that_share_no_rater_stay_apart():
    may = {item: ["a", "b"] if item < 5 else ["c", "d"] for item in range(10)}

    plan = assign_raters(range(10), ["a", "b", "c", "d"], eligible=may, seed=0)

    assert plan["rater"].value_counts().to_dict() == dict.fromkeys("abcd", 5)
