import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ocrjury.assignment import assign_raters, missing_ratings
from ocrjury.errors import InputError

PANEL = ["R01", "R02", "R03", "R04", "R05", "R06"]


def loads(plan):
    return plan["rater"].value_counts()


def meetings(plan):
    """How often each pair of raters meets on an item."""
    pairs = dict.fromkeys(itertools.combinations(sorted(plan["rater"].unique()), 2), 0)
    for _, raters in plan.groupby("item")["rater"]:
        for pair in itertools.combinations(sorted(raters), 2):
            pairs[pair] += 1
    return pairs


def connected(plan):
    reached, edges = {plan["rater"].iloc[0]}, [set(g) for _, g in plan.groupby("item")["rater"]]
    while any(reached & edge and not edge <= reached for edge in edges):
        reached |= set().union(*(edge for edge in edges if reached & edge))
    return reached == set(plan["rater"])


@st.composite
def conditions(draw):
    """Small conditions of every kind; not all of them feasible."""
    items = [f"d{n}" for n in range(draw(st.integers(1, 8)))]
    raters = PANEL[: draw(st.integers(1, 5))]
    pair = st.tuples(st.sampled_from(items), st.sampled_from(raters))
    previous = draw(st.lists(pair, max_size=6, unique=True))
    may = st.lists(st.sampled_from(raters), min_size=1, unique=True)
    options = {
        "raters_per_item": {item: draw(st.integers(0, 3)) for item in items},
        "capacity": draw(st.none() | st.fixed_dictionaries({raters[0]: st.integers(0, 6)})),
        "eligible": draw(st.none() | st.fixed_dictionaries(dict.fromkeys(items, may))),
        "previous": pd.DataFrame(previous, columns=["item", "rater"]),
    }
    return items, raters, options


def test_385_items_give_six_raters_equal_loads_and_equal_overlap():
    plan = assign_raters(range(385), PANEL, raters_per_item=2, seed=1)

    assert set(loads(plan)) == {128, 129}
    assert set(meetings(plan).values()) <= {25, 26}


@pytest.mark.parametrize(("n", "per_item", "n_raters"), [(6000, 2, 7), (8000, 3, 12)])
def test_thousands_of_items_are_as_even_as_few(n, per_item, n_raters):
    plan = assign_raters(range(n), list(range(n_raters)), raters_per_item=per_item, seed=2)

    assert loads(plan).max() - loads(plan).min() <= 1
    assert np.ptp(list(meetings(plan).values())) <= 2
    assert not plan.duplicated(["item", "rater"]).any()


@settings(max_examples=50)
@given(conditions(), st.integers(0, 5))
def test_a_feasible_plan_keeps_every_condition(given_conditions, seed):
    items, raters, options = given_conditions
    assume(not missing_ratings(items, raters, **options))

    plan = assign_raters(items, raters, seed=seed, **options)

    assert not plan.duplicated(["item", "rater"]).any()
    wanted = {item: n for item, n in options["raters_per_item"].items() if n}
    assert plan["item"].value_counts().to_dict() == wanted
    pairs = set(zip(plan["item"], plan["rater"], strict=True))
    assert not pairs & set(options["previous"].itertuples(index=False, name=None))
    for row in plan.itertuples():
        assert options["eligible"] is None or row.rater in options["eligible"][row.item]
    for rater, limit in (options["capacity"] or {}).items():
        assert (plan["rater"] == rater).sum() <= limit


@settings(max_examples=50)
@given(conditions())
def test_an_infeasible_plan_names_what_is_missing_and_without_it_is_feasible(given_conditions):
    items, raters, options = given_conditions
    missing = missing_ratings(items, raters, **options)
    assume(missing)

    with pytest.raises(InputError, match=rf"^{sum(missing.values())} rating\(s\) are missing"):
        assign_raters(items, raters, seed=0, **options)

    need = {item: n - missing.get(item, 0) for item, n in options["raters_per_item"].items()}
    plan = assign_raters(items, raters, seed=0, **{**options, "raters_per_item": need})
    assert len(plan) == sum(need.values())


@settings(max_examples=50)
@given(conditions(), st.randoms(use_true_random=False))
def test_the_order_of_the_input_has_no_influence(given_conditions, random):
    items, raters, options = given_conditions
    assume(not missing_ratings(items, raters, **options))
    plan = assign_raters(items, raters, seed=3, **options)

    random.shuffle(items)
    random.shuffle(raters)
    options["previous"] = options["previous"][::-1]

    pd.testing.assert_frame_equal(plan, assign_raters(items, raters, seed=3, **options))


def test_positions_count_each_raters_queue_from_one_in_random_order():
    plan = assign_raters(range(90), PANEL, seed=4)

    for _, queue in plan.groupby("rater"):
        assert sorted(queue["position"]) == list(range(1, len(queue) + 1))
        assert queue.sort_values("position")["item"].is_monotonic_increasing is False


def test_another_seed_gives_another_plan():
    one, other = (assign_raters(range(40), PANEL, seed=seed) for seed in (1, 2))

    assert not one.equals(other)


def test_double_rated_items_are_shared_by_all_pairs_of_raters():
    per_item = {item: 2 if item < 50 else 1 for item in range(200)}

    plan = assign_raters(range(200), PANEL, raters_per_item=per_item, seed=5)

    assert set(loads(plan)) == {41, 42}
    assert min(meetings(plan).values()) >= 3


def test_a_limited_rater_is_full_and_the_others_share_the_rest():
    plan = assign_raters(range(60), PANEL[:3], capacity={"R02": 10}, seed=6)

    assert loads(plan).to_dict() == {"R01": 55, "R03": 55, "R02": 10}


def test_six_items_for_six_raters_form_one_ring_not_two_triangles():
    assert all(connected(assign_raters(range(6), PANEL, seed=seed)) for seed in range(40))


def test_one_more_rating_prefers_raters_who_have_not_met():
    first = assign_raters(range(200), PANEL, seed=7)

    second = assign_raters(range(60), PANEL, raters_per_item=1, previous=first, seed=7)

    together = pd.concat([first, second])
    assert not together.duplicated(["item", "rater"]).any()
    assert np.ptp(list(meetings(together).values())) <= 4


def test_a_frame_says_who_is_eligible():
    may = pd.DataFrame({"item": ["a", "a", "b", "b"], "rater": ["R01", "R02", "R02", "R03"]})

    plan = assign_raters(["a", "b"], PANEL, eligible=may, seed=8)

    assert plan[["item", "rater"]].to_numpy().tolist() == may.to_numpy().tolist()


def test_every_rater_can_be_asked_about_every_pilot_item():
    plan = assign_raters(range(5), PANEL, raters_per_item=6, seed=9)

    assert set(loads(plan)) == {5}


@pytest.mark.parametrize("items", [[], ["a"]])
def test_nothing_wanted_is_an_empty_plan(items):
    plan = assign_raters(items, [], raters_per_item=0, seed=0)

    assert plan.columns.tolist() == ["item", "rater", "position"]
    assert plan.empty


def test_ids_of_mixed_kinds_are_accepted():
    plan = assign_raters([1, "a", (2, 3)], [None.__class__, "R"], seed=0)

    assert len(plan) == 6


def test_two_languages_and_earlier_rounds_of_thousands_of_items_are_kept_to():
    raters = [f"R{place:02d}" for place in range(20)]
    may = {item: raters[:12] if item % 3 else raters[8:] for item in range(3000)}
    first = assign_raters(range(3000), raters, eligible=may, seed=1)

    second = assign_raters(range(3000), raters, eligible=may, previous=first, capacity=340, seed=2)

    assert not pd.concat([first, second]).duplicated(["item", "rater"]).any()
    assert all(row.rater in may[row.item] for row in second.itertuples())
    assert second["item"].value_counts().eq(2).all()
    assert loads(second).max() <= 340


@pytest.mark.parametrize("cells", [0, 10**9])
def test_looking_at_earlier_rounds_later_changes_no_guarantee(monkeypatch, cells):
    monkeypatch.setattr("ocrjury.assignment.plan._MANY_CELLS", cells)
    first = assign_raters(range(300), PANEL, seed=1)

    second = assign_raters(range(300), PANEL, previous=first, seed=2)

    together = pd.concat([first, second])
    assert not together.duplicated(["item", "rater"]).any()
    assert np.ptp(loads(second)) <= 1
    assert np.ptp(list(meetings(together).values())) <= 2


def test_where_nobody_can_change_places_earlier_rounds_are_looked_at_first(monkeypatch):
    monkeypatch.setattr("ocrjury.assignment.plan._MANY_CELLS", 0)
    previous = pd.DataFrame({"item": ["a", "b"], "rater": ["R01", "R02"]})

    plan = assign_raters(["a", "b"], ["R01", "R02"], raters_per_item=1, previous=previous, seed=0)

    assert plan[["item", "rater"]].to_numpy().tolist() == [["a", "R02"], ["b", "R01"]]


def test_many_alike_items_give_equal_loads_and_even_meetings():
    plan = assign_raters(range(40_000), range(40), raters_per_item=3, seed=1)

    assert set(loads(plan)) == {3000}
    teams = plan["rater"].to_numpy().reshape(-1, 3)
    met = np.zeros((40, 40), int)
    for a, b in itertools.combinations(range(3), 2):
        np.add.at(met, (teams[:, a], teams[:, b]), 1)
    assert np.ptp(met[np.triu_indices(40, 1)]) <= 3


def test_an_item_without_eligible_rater_is_named():
    message = r"2 rating\(s\) are missing: item 'b' lacks 2\. Fewer raters may rate 'b' than are"
    with pytest.raises(InputError, match=message):
        assign_raters(["a", "b"], PANEL, eligible={"a": PANEL}, seed=0)


def test_who_has_no_capacity_left_is_named():
    message = (
        r"2 rating\(s\) are missing: .*Everybody who could take more has no capacity left: "
        r"'R01', 'R02', 6 in all\. Add capacity, or ask for fewer"
    )
    with pytest.raises(InputError, match=message):
        assign_raters(range(4), ["R01", "R02"], capacity=3, seed=0)


def test_spare_capacity_of_the_wrong_language_is_not_blamed():
    may = {"a": ["R01"], "b": ["R01"], "c": ["R02"]}
    with pytest.raises(InputError, match=r"no capacity left: 'R01', 1 in all"):
        assign_raters(
            ["a", "b", "c"],
            ["R01", "R02"],
            raters_per_item=1,
            eligible=may,
            capacity={"R01": 1},
            seed=0,
        )


def test_a_long_list_of_shortages_is_cut():
    with pytest.raises(InputError, match="and 10 more items"):
        assign_raters(range(20), ["R01"], seed=0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"items": ["a", "a"]}, "'a' twice"),
        ({"items": ["a", None]}, "1 have none, the first at place 2"),
        ({"raters": ["R01", "R01"]}, "raters must be named once each"),
        ({"raters_per_item": -1}, "whole numbers, none below 0; found -1"),
        ({"raters_per_item": 1.5}, "found 1.5"),
        ({"raters_per_item": {"a": 1}}, r"1 item\(s\) are absent \(for example 'b'\)"),
        ({"raters_per_item": {"a": 1, "b": 1, "c": 1}}, "for example 'c'"),
        ({"capacity": {"R09": 1}}, "capacity names 1 rater.*'R09'"),
        ({"capacity": -2}, "capacity must be whole numbers"),
        ({"capacity": "many"}, "found 'many'"),
        ({"previous": pd.DataFrame({"item": ["a"]})}, "previous needs the columns.*'rater' not"),
    ],
)
def test_conditions_that_cannot_be_meant_are_refused(change, message):
    options = {"items": ["a", "b"], "raters": ["R01", "R02"], "seed": 0} | change
    items, raters = options.pop("items"), options.pop("raters")

    with pytest.raises(InputError, match=message):
        assign_raters(items, raters, **options)


def test_an_empty_cell_of_capacity_is_no_limit():
    plan = assign_raters(["a", "b"], ["R01", "R02"], capacity={"R01": float("nan")}, seed=0)

    assert len(plan) == 4
