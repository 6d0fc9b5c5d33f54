import numpy as np
import pandas as pd
import pytest

from ocrjury.assignment import assign_raters, order_sessions
from ocrjury.assignment.distances import APART, far_repeats, one_of_each, spaced

RATERS = ["R1", "R2", "R3", "R4"]


def least_distance(queue, place):
    """The fewest turns from an item to another of its place."""
    last, least = {}, len(queue)
    for turn, item in enumerate(queue):
        least = min(least, turn - last.get(place[item], -len(queue)))
        last[place[item]] = turn
    return least


@pytest.mark.parametrize("of_place", [2, 3, 5])
@pytest.mark.parametrize("seed", range(5))
def test_outputs_of_a_place_are_far_apart(of_place, seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(60 * of_place)
    queue = spaced(order, order // of_place, rng=rng)

    assert sorted(queue) == sorted(order)
    assert least_distance(queue.tolist(), np.arange(60 * of_place) // of_place) > APART


@pytest.mark.parametrize("n", range(2, 40, 3))
def test_short_queues_are_as_far_apart_as_nearly_half_of_them(n):
    rng = np.random.default_rng(n)
    order = rng.permutation(n)
    queue = spaced(order, order // 2, rng=rng)

    assert least_distance(queue.tolist(), np.arange(n) // 2) >= min(APART + 1, n // 2 - 1, n)


def test_single_items_fill_the_queue_evenly():
    rng = np.random.default_rng(1)
    place = np.concatenate([np.repeat(np.arange(5), 2), np.arange(5, 55)])
    order = rng.permutation(60)
    queue = spaced(order, place[order], rng=rng)

    assert least_distance(queue.tolist(), place) > APART


def test_without_two_of_a_place_the_order_stays():
    order = np.array([3, 1, 2])

    assert spaced(order, order, rng=np.random.default_rng(1)).tolist() == [3, 1, 2]


def test_either_output_comes_first_alike():
    first = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        order = rng.permutation(40)
        place = np.argsort(spaced(order, order // 2, rng=rng))
        first.extend(place[::2] < place[1::2])

    assert 0.45 < np.mean(first) < 0.55


@pytest.mark.parametrize("seed", range(5))
def test_what_comes_again_is_far_from_its_like(seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(100)
    queue = spaced(order, order // 2, rng=rng)
    again, after = far_repeats(queue, queue // 2, 8, rng=rng)

    assert len(again) == 8
    assert len(set((queue[again] // 2).tolist())) == 8
    assert (after - again >= 50).all()
    for turn, behind in zip(again, after, strict=True):
        other = np.flatnonzero((queue // 2 == queue[turn] // 2) & (queue != queue[turn]))
        assert abs(behind + 0.5 - other[0]) > APART


def test_a_short_queue_repeats_what_it_can():
    order = np.arange(6)

    again, after = far_repeats(order, order // 2, 3, rng=np.random.default_rng(1))

    assert len(again) == len(after) == 0


def test_of_every_place_one_is_left():
    items, place = np.arange(10, 20), np.arange(10) // 2

    chosen = one_of_each(items, place, rng=np.random.default_rng(1))

    assert sorted((chosen - 10) // 2) == [0, 1, 2, 3, 4]


def test_a_queue_with_gold_and_repeats_keeps_outputs_apart():
    page = {f"{number}{system}": number for number in range(200) for system in "ab"}
    gold = [name for name, number in page.items() if number >= 150]
    items = [f"{number}a" for number in range(160)] + [f"{number}b" for number in range(150)]
    plan = assign_raters(items, RATERS, seed=1)
    queues = order_sessions(plan, gold=gold, repeats=6, apart=page, seed=1)

    assert set(queues["kind"]) == {"item", "gold", "repeat"}
    for _, own in queues.groupby("rater"):
        turns = own.sort_values("position")["item"].tolist()
        alike = pd.Series(turns).map(page)
        assert least_distance(range(len(turns)), alike.tolist()) > APART
    once = queues[queues["kind"] == "item"]
    assert sorted(zip(once["item"], once["rater"], strict=True)) == sorted(
        zip(plan["item"], plan["rater"], strict=True)
    )


def test_the_same_seed_orders_alike():
    page = {f"{number}{system}": number for number in range(50) for system in "ab"}
    plan = assign_raters(list(page), RATERS, seed=1)

    first, second = (order_sessions(plan, apart=page, seed=2) for _ in range(2))

    pd.testing.assert_frame_equal(first, second)
