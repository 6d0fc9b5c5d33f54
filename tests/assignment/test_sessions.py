import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from ocrjury.assignment import assign_raters, order_sessions
from ocrjury.errors import InputError

GOLD = [f"gold{n}" for n in range(40)]


def queue_of(n, **options):
    plan = pd.DataFrame({"item": [f"d{k}" for k in range(n)], "rater": "R01", "position": range(n)})
    return order_sessions(plan, **{"seed": 0} | options)


@given(
    n=st.integers(1, 80),
    every=st.integers(2, 12),
    repeats=st.integers(0, 5),
    seed=st.integers(0, 9),
)
def test_every_queue_holds_each_item_once_and_gold_and_repeats_beside(*, n, every, repeats, seed):
    queue = queue_of(n, gold=GOLD, gold_every=every, repeats=repeats, seed=seed)

    kinds = {kind: rows["item"] for kind, rows in queue.groupby("kind")}
    assert kinds["item"].tolist() == [f"d{k}" for k in range(n)]
    assert len(kinds.get("repeat", [])) == min(repeats, n // 2)
    assert kinds.get("gold", pd.Series()).is_unique
    assert queue["position"].tolist() == list(range(1, len(queue) + 1))


@given(st.integers(4, 80), st.integers(1, 20), st.integers(0, 9))
def test_repeats_come_at_least_half_a_queue_later(n, repeats, seed):
    queue = queue_of(n, repeats=repeats, seed=seed)

    first = queue[queue["kind"] == "item"].set_index("item")["position"]
    again = queue[queue["kind"] == "repeat"].set_index("item")["position"]
    assert (again - first[again.index] > n / 2).all()


def test_one_turn_in_ten_is_gold():
    queue = queue_of(360, gold=GOLD, gold_every=10)

    assert (queue["kind"] == "gold").sum() == pytest.approx(40, abs=1)


@pytest.fixture(scope="module")
def gold_turns():
    """Whether a turn is gold, of 200 raters with 180 items and 20 gold items each."""
    plan = pd.DataFrame({"item": np.tile(range(180), 200), "rater": np.repeat(range(200), 180)})
    queues = order_sessions(plan, gold=GOLD, seed=3)
    return queues["kind"].eq("gold").to_numpy().reshape(200, 200)


def test_gold_comes_at_every_place_equally_often(gold_turns):
    by_turn = gold_turns.sum(axis=0)

    assert gold_turns.sum(axis=1).tolist() == [20] * 200
    assert chisquare(by_turn.reshape(20, 10).sum(axis=1)).pvalue > 0.01
    assert by_turn.min() > 0


@pytest.mark.parametrize("lag", [1, 2, 3, 5, 8, 9, 10, 11, 19, 20])
def test_past_turns_do_not_tell_where_gold_comes(gold_turns, lag):
    now, then = gold_turns[:, lag:].ravel(), gold_turns[:, :-lag].ravel()

    # 20 gold turns of 200: after one of them 19 of 199 are left.
    assert now[then].mean() == pytest.approx(19 / 199, abs=4 * 0.3 / np.sqrt(then.sum()))


def test_waiting_long_for_gold_does_not_make_it_likelier(gold_turns):
    hits, waits = np.zeros(31), np.zeros(31)
    for turns in gold_turns:
        gold = np.flatnonzero(turns)
        for turn in range(gold[0] + 1, len(turns)):
            wait = min(turn - gold[gold < turn][-1], 30)
            waits[wait] += 1
            hits[wait] += turns[turn]

    share = hits[1:] / waits[1:]
    assert share.max() < 0.16
    assert np.corrcoef(np.arange(1, 31), share)[0, 1] < 0.6


def test_scarce_gold_is_not_spent_at_the_beginning():
    first = [
        queue_of(100, gold=["g"], gold_every=5, seed=seed)
        .query("kind == 'gold'")["position"]
        .iloc[0]
        for seed in range(60)
    ]

    assert max(first) > 80


@given(
    n=st.integers(1, 60),
    minutes=st.floats(0.2, 30),
    session=st.floats(5, 90),
    repeats=st.integers(0, 9),
)
def test_no_session_is_longer_than_promised(*, n, minutes, session, repeats):
    queue = queue_of(
        n, gold=GOLD, repeats=repeats, minutes_per_item=minutes, session_minutes=session
    )

    turns = queue.groupby("session").size()
    assert turns.index.tolist() == list(range(1, len(turns) + 1))
    assert turns.max() == 1 or turns.max() * minutes <= session * (1 + 1e-6)
    assert turns.max() - turns.min() <= 1
    assert queue["session"].is_monotonic_increasing


def test_every_rater_has_gold_of_their_own():
    plan = assign_raters(range(60), ["a", "b", "c"], seed=1)

    queue = order_sessions(plan, gold={"a": ["g1", "g2"], "b": ["g3"]}, gold_every=3, seed=1)

    gold = queue[queue["kind"] == "gold"].groupby("rater")["item"].agg(sorted)
    assert gold.to_dict() == {"a": ["g1", "g2"], "b": ["g3"]}


def test_ids_of_mixed_kinds_stay_as_they_are():
    plan = pd.DataFrame({"item": [1, "a", (2, 3)], "rater": ["R", "R", 7]})

    queue = order_sessions(plan, gold=["g"], gold_every=2, seed=0)

    own = queue[queue["kind"] == "item"]
    pairs = set(zip(own["item"], own["rater"], strict=True))
    assert pairs == {(1, "R"), ("a", "R"), ((2, 3), 7)}


def test_gold_is_never_one_of_the_raters_own_items():
    queue = queue_of(20, gold=["d3", "d4"], gold_every=3)

    assert (queue["kind"] == "item").all()


def test_sessions_are_even_and_at_most_an_hour():
    queue = queue_of(130, minutes_per_item=1.0, session_minutes=60)

    assert queue["session"].value_counts().sort_index().tolist() == [44, 43, 43]


def test_a_slow_rater_has_shorter_sessions():
    plan = assign_raters(range(60), ["quick", "slow"], seed=1)

    queue = order_sessions(plan, minutes_per_item={"quick": 1, "slow": 3}, seed=1)

    longest = queue.groupby(["rater", "session"]).size().groupby("rater").max()
    assert longest.to_dict() == {"quick": 60, "slow": 20}


def test_an_item_longer_than_a_session_has_one_of_its_own():
    assert queue_of(3, minutes_per_item=90)["session"].tolist() == [1, 2, 3]


def test_the_queue_of_the_plan_is_kept_and_rows_may_come_in_any_order():
    plan = assign_raters(range(40), ["a", "b", "c"], seed=2)
    options = {"gold": GOLD, "repeats": 2, "seed": 3}

    queue = order_sessions(plan, **options)

    own = queue[(queue["rater"] == "a") & (queue["kind"] == "item")]["item"]
    assert own.tolist() == plan[plan["rater"] == "a"].sort_values("position")["item"].tolist()
    other = order_sessions(plan.sample(frac=1, random_state=0), **options | {"gold": GOLD[::-1]})
    pd.testing.assert_frame_equal(queue, other)


def test_without_positions_the_order_is_drawn():
    plan = pd.DataFrame({"item": range(30), "rater": "R01"})

    queue = order_sessions(plan, seed=0)

    assert queue["item"].tolist() != list(range(30))
    assert sorted(queue["item"]) == list(range(30))


def test_no_assignments_are_no_queues():
    queue = order_sessions(pd.DataFrame({"item": [], "rater": []}), gold=GOLD, seed=0)

    assert queue.columns.tolist() == ["item", "rater", "session", "position", "kind"]
    assert queue.empty


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gold_every": 1}, "gold_every must be a whole number from 2; found 1"),
        ({"repeats": -1}, "repeats must be a whole number"),
        ({"session_minutes": 0}, "session_minutes must be above 0"),
        ({"minutes_per_item": 0}, "minutes_per_item must be above 0"),
        ({"minutes_per_item": {"R02": 1}}, "no time for rater 'R01'"),
        ({"gold": ["g", "g"]}, "gold items must be named once each"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        queue_of(3, **options)


def test_a_pair_named_twice_is_refused():
    plan = pd.DataFrame({"item": ["a", "a"], "rater": ["R01", "R01"]})

    with pytest.raises(InputError, match="item 'a' for rater 'R01'"):
        order_sessions(plan, seed=0)


def test_a_missing_column_is_named():
    with pytest.raises(InputError, match="'rater' not found among 'item'"):
        order_sessions(pd.DataFrame({"item": ["a"]}), seed=0)
