import numpy as np

from ocrjury.assignment import assign_raters
from ocrjury.assignment.overlap import Overlap, Swap, connect_raters, spread_meetings

EVERYONE = {0, 1, 2, 3, 4, 5}
TRIANGLES = {0: [0, 1], 1: [1, 2], 2: [2, 0], 3: [3, 4], 4: [4, 5], 5: [5, 3]}


def overlap_of(teams, may=EVERYONE):
    pairs = [[0] * 6 for _ in range(6)]
    for team in teams.values():
        for a in team:
            for b in team:
                pairs[a][b] += a != b
    teams = {item: list(team) for item, team in teams.items()}
    return Overlap(teams, pairs, [()] * len(teams), dict.fromkeys(teams, may))


def loads(overlap):
    return np.bincount([rater for team in overlap.teams.values() for rater in team]).tolist()


def test_two_triangles_become_connected_without_changing_loads():
    overlap = overlap_of(TRIANGLES)

    connect_raters(overlap, rng=np.random.default_rng(0))

    assert loads(overlap) == [2] * 6
    crossing = [team for team in overlap.teams.values() if len({rater // 3 for rater in team}) > 1]
    assert len(crossing) == 2


def test_parts_that_no_swap_can_join_are_left_alone():
    overlap = overlap_of({0: [0, 1], 1: [2, 3]})

    connect_raters(overlap, rng=np.random.default_rng(0))

    assert loads(overlap) == [1] * 4


def test_meetings_of_one_pair_are_spread_over_others():
    overlap = overlap_of({item: [0, 1] if item < 4 else [2, 3] for item in range(8)})

    spread_meetings(overlap, rng=np.random.default_rng(0))

    assert loads(overlap) == [4] * 4
    assert max(map(max, overlap.pairs)) <= 2


def test_a_swap_needs_eligible_and_distinct_raters():
    overlap = overlap_of(TRIANGLES)
    overlap.may[3] = {3, 4, 5}

    assert not overlap.fits(Swap(0, 0, 3, 3))
    assert not overlap.fits(Swap(0, 1, 1, 2))
    assert overlap.fits(Swap(0, 0, 4, 4))


def test_languages_that_share_no_rater_stay_apart():
    may = {item: ["a", "b"] if item < 5 else ["c", "d"] for item in range(10)}

    plan = assign_raters(range(10), ["a", "b", "c", "d"], eligible=may, seed=0)

    assert plan["rater"].value_counts().to_dict() == dict.fromkeys("abcd", 5)
