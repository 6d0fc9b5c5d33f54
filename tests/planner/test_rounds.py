import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.errors import InputError
from ocrjury.planner import Controls, clip_demand, items_left, main_demand, plan_assignments

ITEMS = [f"d{n}" for n in range(30)]
RATERS = ["R01", "R02", "R03", "R04"]
EVERYBODY = dict.fromkeys(ITEMS, RATERS)


@given(st.integers(0, 500), st.integers(1, 5), st.floats(0, 1))
def test_the_first_items_in_draw_order_get_all_raters(n, per_item, share):
    items = [f"d{place}" for place in range(n)]

    demand = main_demand(items, per_item=per_item, double_rated=share)

    full = sum(place < max(share * n - 1e-9, 77) for place in range(n)) if share else 0
    assert list(demand) == items
    assert list(demand.values()) == [per_item] * full + [1] * (n - full)


@pytest.mark.parametrize(("n", "share", "full"), [(1000, 0.2, 200), (200, 0.2, 77), (50, 0.2, 50)])
def test_a_fifth_and_at_least_77_items_are_rated_by_several(n, share, full):
    demand = main_demand([f"d{place}" for place in range(n)], per_item=2, double_rated=share)

    assert sum(wanted == 2 for wanted in demand.values()) == full


def test_meetings_of_earlier_rounds_count_for_the_next_one():
    previous = [(item, rater) for item in ITEMS[:20] for rater in RATERS[:2]]

    plan = plan_assignments(
        dict.fromkeys(ITEMS[20:], 2), eligible=EVERYBODY, previous=previous, seed=7
    )

    teams = plan.groupby("item")["rater"].agg(set)
    assert {"R01", "R02"} not in teams.tolist()


def test_what_nobody_new_can_rate_is_left_out():
    eligible = {"a": ["R01", "R02"], "b": ["R01"], "c": []}

    left = clip_demand({"a": 3, "b": 1, "c": 1}, eligible=eligible, previous=[("b", "R01")])

    assert left == {"a": 2}
    assert items_left(eligible, previous=[("a", "R02")])["a"] == ["R01"]


def test_what_is_beyond_the_capacity_is_left_out_and_the_rest_can_be_planned():
    demand = dict.fromkeys(ITEMS, 2)
    capacity = {"R01": 3, "R02": 0, "R03": 40, "R04": 1}

    left = clip_demand(demand, eligible=EVERYBODY, capacity=capacity)

    assert sum(left.values()) == 34
    plan = plan_assignments(left, eligible=EVERYBODY, capacity=capacity, seed=7)
    assert plan["rater"].value_counts().to_dict() == {"R03": 30, "R01": 3, "R04": 1}


def test_a_plan_meets_the_demand_and_spares_earlier_pairs():
    previous = [(item, "R01") for item in ITEMS[:10]]

    plan = plan_assignments(dict.fromkeys(ITEMS, 2), eligible=EVERYBODY, previous=previous, seed=7)

    pairs = set(zip(plan["item"], plan["rater"], strict=True))
    assert len(plan) == len(pairs) == 60
    assert not pairs & set(previous)
    assert plan.groupby("item").size().eq(2).all()


def test_positions_count_through_a_raters_queue_and_sessions_last_an_hour():
    plan = plan_assignments(
        dict.fromkeys(ITEMS, 4),
        eligible=EVERYBODY,
        minutes_per_item=6.0,
        session_minutes=60.0,
        seed=7,
    )

    for _, queue in plan.groupby("rater"):
        assert sorted(queue["position"]) == list(range(1, 31))
        assert queue.groupby("session").size().max() <= 10
        assert queue.sort_values("position")["session"].is_monotonic_increasing


def test_the_order_of_the_demand_does_not_matter():
    demand = dict.fromkeys(ITEMS, 2)
    backwards = dict(reversed(list(demand.items())))

    one = plan_assignments(demand, eligible=EVERYBODY, seed=7)
    two = plan_assignments(backwards, eligible=EVERYBODY, seed=7)

    assert one.equals(two)


def test_too_little_capacity_is_named():
    with pytest.raises(InputError, match="missing"):
        plan_assignments(
            dict.fromkeys(ITEMS, 2), eligible=EVERYBODY, capacity=dict.fromkeys(RATERS, 5), seed=7
        )


GOLD = {rater: [f"g{n}" for n in range(40)] for rater in RATERS}


@given(
    st.integers(1, 60),
    st.integers(2, 12),
    st.sampled_from([0.0, 0.05, 0.5, 3, 10]),
    st.integers(0, 5),
)
def test_gold_and_repeats_stay_within_the_capacity(turns, every, repeats, seed):
    controls = Controls(GOLD, every, repeats)
    demand = dict.fromkeys(ITEMS[: controls.own_items(turns)], 1)

    plan = plan_assignments(
        demand,
        eligible={item: ["R01"] for item in ITEMS},
        capacity={"R01": turns},
        controls=controls,
        seed=seed,
    )

    assert len(plan) <= turns
    assert plan["position"].tolist() == list(range(1, len(plan) + 1))


def test_controls_are_told_apart_by_their_kind_alone():
    controls = Controls(GOLD, gold_every=5, repeats=0.2)

    plan = plan_assignments(dict.fromkeys(ITEMS, 2), eligible=EVERYBODY, controls=controls, seed=3)

    kinds = plan.groupby("rater")["kind"].value_counts().unstack()
    assert kinds["item"].tolist() == [15] * 4
    assert kinds["repeat"].tolist() == [3] * 4
    assert kinds["gold"].min() >= 3
    own = plan[plan["kind"] == "item"]
    again = plan[plan["kind"] == "repeat"].merge(own, on=["item", "rater"])
    assert (again["position_x"] > again["position_y"] + 7).all()
