import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import InputError, RatingTable, Scale
from ocrjury.adaptive import choose_raters
from ocrjury.adaptive.information import information_gain, weakened
from ocrjury.truth import dawid_skene


def state(n_items=40, n_raters=4, seed=0):
    """Three ratings of every item, the last rater a careless one."""
    rng = np.random.default_rng(seed)
    true = rng.integers(1, 4, (n_items, 1))
    matrix = np.clip(true + rng.choice([-1, 0, 0, 0, 1], (n_items, n_raters)), 1, 3).astype(float)
    matrix[:, -1] = rng.integers(1, 4, n_items)
    matrix[np.arange(n_items), rng.integers(0, n_raters, n_items)] = np.nan
    raters = [f"R{rater}" for rater in range(n_raters)]
    # Two more items, which only two people have rated.
    more = [[1, 3, *[np.nan] * (n_raters - 2)], [3, 2, *[np.nan] * (n_raters - 2)]]
    table = RatingTable.from_matrix(
        np.vstack([matrix, more]), scale=Scale.likert(1, 3), raters=raters
    )
    return dawid_skene(table), table


def rated_pairs(table):
    pairs = zip(table.item, table.rater, strict=True)
    return {(table.items[item], table.raters[rater]) for item, rater in pairs}


def test_the_rater_who_tells_most_is_chosen():
    truth, table = state()
    gains = {
        rater: information_gain(truth.probabilities[[40]], confusion)[0]
        for rater, confusion in zip(truth.raters, truth.confusion, strict=True)
    }

    chosen = choose_raters(truth, table, {40: 1})

    assert chosen == {40: [max(["R2", "R3"], key=gains.__getitem__)]}
    assert chosen == {40: ["R2"]}


def test_a_dear_rater_has_to_tell_more():
    truth, table = state()

    assert choose_raters(truth, table, {40: 1}, cost={"R2": 100.0}) == {40: ["R3"]}


def test_nobody_gets_an_item_twice_and_what_nobody_can_give_is_left_out():
    truth, table = state()

    chosen = choose_raters(truth, table, {40: 5, 41: 1})

    assert sorted(chosen[40]) == ["R2", "R3"]
    assert len(chosen[41]) == 1


def test_only_who_is_eligible_is_asked_and_newcomers_are():
    truth, table = state()

    chosen = choose_raters(truth, table, {40: 1, 41: 1}, eligible={40: ["R9"], 41: ["R0", "R3"]})

    assert chosen == {40: ["R9"], 41: ["R3"]}


def test_capacity_is_kept_even_if_ratings_stay_open():
    truth, table = state()

    chosen = choose_raters(truth, table, {40: 1, 41: 1}, capacity={"R2": 1, "R3": 0})

    assert sum(map(len, chosen.values())) == 1


def test_even_loads_are_given_up_before_ratings_are():
    truth, table = state()
    free = {item: ["R2"] for item in (40, 41)}

    assert choose_raters(truth, table, {40: 1, 41: 1}, eligible=free) == {40: ["R2"], 41: ["R2"]}


def test_nothing_asked_is_nothing_chosen():
    truth, table = state()

    assert choose_raters(truth, table, {}) == {}


@settings(max_examples=30)
@given(
    asked=st.dictionaries(st.integers(0, 41), st.integers(1, 2), max_size=12),
    uneven=st.sampled_from([1.0, 1.5, 3.0]),
    seed=st.integers(0, 3),
)
def test_demand_and_even_shares_are_kept(asked, uneven, seed):
    truth, table = state(seed=seed)

    chosen = choose_raters(truth, table, asked, uneven=uneven)

    rated = rated_pairs(table)
    for item, raters in chosen.items():
        assert len(set(raters)) == len(raters) <= asked[item]
        assert not {(item, rater) for rater in raters} & rated
        free = len(table.raters) - sum((item, rater) in rated for rater in table.raters)
        assert len(raters) == min(asked[item], free)
    assert choose_raters(truth, table, dict(reversed(asked.items())), uneven=uneven) == chosen


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(4))
def test_no_other_way_to_share_out_tells_more(seed):
    truth, table = state(n_items=12, n_raters=7, seed=seed)
    items = [12, 13]
    places = {rater: place for place, rater in enumerate(truth.raters)}
    had = rated_pairs(table)
    number = table.counts().sum(axis=1)
    gain = {
        (item, rater): information_gain(
            truth.probabilities[[table.items.index(item)]],
            weakened(
                truth.confusion[places[rater]],
                (number[table.items.index(item)] + 1) ** (-truth.dependence / 2),
                class_prior=truth.class_prior,
            ),
        )[0]
        for item in items
        for rater in truth.raters
        if (item, rater) not in had
    }

    chosen = choose_raters(truth, table, dict.fromkeys(items, 1), uneven=1.0)

    best = max(
        sum(gain[pair] for pair in zip(items, who, strict=True))
        for who in itertools.permutations(truth.raters, len(items))
        if all(pair in gain for pair in zip(items, who, strict=True))
    )
    assert sum(gain[item, raters[0]] for item, raters in chosen.items()) == pytest.approx(best)


def test_what_cannot_be_is_refused():
    truth, table = state()

    with pytest.raises(InputError, match=r"uneven must be at least 1 \(even shares\); found 0"):
        choose_raters(truth, table, {40: 1}, uneven=0)
    with pytest.raises(InputError, match="load names 'x', which is not an item of the truth"):
        choose_raters(truth, table, {"x": 1})
    with pytest.raises(InputError, match="cost must be finite numbers above 0"):
        choose_raters(truth, table, {40: 1}, cost={"R0": 0.0})
