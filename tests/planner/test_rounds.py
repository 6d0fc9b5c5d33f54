import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.errors import InputError
from ocrjury.planner import clip_demand, items_left, main_demand, plan_assignments

ITEMS = [f"d{n}" for n in range(30)]
RATERS = ["R01", "R02", "R03", "R04"]
EVERYBODY = dict.fromkeys(ITEMS, RATERS)


@given(st.integers(1, 5), st.floats(0, 1))
def test_the_first_items_in_draw_order_get_all_raters(per_item, share):
    demand = main_demand(ITEMS, per_item=per_item, double_rated=share)

    full = round(share * len(ITEMS))
    assert list(demand) == ITEMS
    assert list(demand.values()) == [per_item] * full + [1] * (len(ITEMS) - full)


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
