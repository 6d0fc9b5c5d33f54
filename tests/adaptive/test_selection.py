from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import InputError, RatingTable, Scale
from ocrjury.adaptive import next_ratings
from ocrjury.adaptive.rating_gain import LEAST_GAIN
from ocrjury.truth import dawid_skene, majority_vote, with_temperature


def simulated(n_items=60, n_raters=5):
    per_item = 2
    rng = np.random.default_rng(0)
    true = rng.integers(1, 6, n_items)
    matrix = np.full((n_items, n_raters), np.nan)
    for item in range(n_items):
        raters = rng.choice(n_raters, per_item, replace=False)
        matrix[item, raters] = np.clip(true[item] + rng.choice([-1, 0, 0, 1], per_item), 1, 5)
    table = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 5))
    return dawid_skene(table), table


@settings(max_examples=60)
@given(
    budget=st.integers(0, 80),
    cap=st.integers(1, 5),
    explore=st.floats(0, 1),
    target=st.floats(0.3, 1),
    seed=st.integers(0, 5),
)
def test_budget_cap_and_share_are_kept(*, budget, cap, explore, target, seed):
    truth, table = simulated()

    asked = next_ratings(
        truth, table, budget=budget, cap=cap, explore=explore, target_confidence=target, seed=seed
    )

    assert asked.columns.tolist() == ["item", "gain", "reason"]
    assert len(asked) <= budget
    had = np.bincount(table.item, minlength=table.n_items)
    assert all(had[item] + n <= cap for item, n in asked["item"].value_counts().items())
    by_gain = asked[asked["reason"] == "gain"]
    assert (truth.confidence[by_gain["item"].astype(int)] < target).all()
    assert (by_gain["gain"] >= LEAST_GAIN).all()
    drawn = asked[asked["reason"] == "explore"]
    assert len(drawn) <= explore * budget + 1e-9
    assert drawn["item"].is_unique
    assert not set(drawn["item"]) & set(by_gain["item"])


@pytest.mark.parametrize("explore", [0.0, 0.2, 1.0])
def test_no_item_gets_more_ratings_than_its_own_cap(explore):
    truth, table = simulated()
    had = np.bincount(table.item, minlength=table.n_items)
    caps = {item: int(had[item]) + item % 3 for item in table.items}

    asked = next_ratings(
        truth, table, budget=200, cap=caps, explore=explore, target_confidence=1.0, seed=0
    )

    assert len(asked)
    assert all(had[item] + n <= caps[item] for item, n in asked["item"].value_counts().items())


@settings(max_examples=30)
@given(
    counted=st.sampled_from(["meaning", "layout"]),
    weight=st.floats(0.1, 10),
    budget=st.integers(0, 60),
    seed=st.integers(0, 5),
)
def test_dimensions_without_weight_change_nothing_but_who_rated_what(
    *, counted, weight, budget, seed
):
    truth, table = simulated()
    other = dawid_skene(
        RatingTable.from_matrix(6 - table.matrix(), scale=table.scale, raters=table.raters)
    )
    tables = {"meaning": table, "layout": table}
    truths = {"meaning": truth, "layout": other}
    weights = dict.fromkeys(tables, 0.0) | {counted: weight}

    together = next_ratings(truths, tables, budget=budget, weights=weights, seed=seed)
    alone = next_ratings(truths[counted], table, budget=budget, seed=seed)

    assert together[["item", "reason"]].equals(alone[["item", "reason"]])
    assert together["gain"].to_numpy() == pytest.approx(weight * alone["gain"].to_numpy())


@settings(max_examples=40)
@given(
    n_categories=st.integers(2, 4),
    n_raters=st.integers(1, 4),
    n_items=st.integers(0, 12),
    nominal=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_any_table_gets_an_answer(*, n_categories, n_raters, n_items, nominal, seed):
    rng = np.random.default_rng(seed)
    scale = Scale.nominal("abcd"[:n_categories]) if nominal else Scale.likert(1, n_categories)
    values = rng.integers(0, n_categories, (n_items, n_raters))
    there = rng.random((n_items, n_raters)) < 0.6
    names = np.array(list("abcd") if nominal else [1, 2, 3, 4], dtype=object)
    matrix = np.where(there, names[values], None)
    table = RatingTable.from_matrix(matrix, scale=scale)
    truth = majority_vote(table)

    asked = next_ratings(truth, table, budget=10, cap=3, seed=seed)

    number = np.bincount(table.item, minlength=n_items)
    assert (asked["gain"] >= 0).all()
    assert all(number[item] + n <= 3 for item, n in asked["item"].value_counts().items())
    again = next_ratings(truth, table, budget=10, cap=3, seed=seed)
    assert asked.equals(again)


def test_a_fifth_of_the_budget_explores():
    truth, table = simulated()

    asked = next_ratings(truth, table, budget=20, seed=0)

    assert asked["reason"].tolist() == ["gain"] * 16 + ["explore"] * 4


def test_contradicted_items_come_before_agreed_ones():
    matrix = [[1, 1, None]] * 20 + [[5, 5, None]] * 20 + [[1, 5, None]] + [[None, 3, 3]] * 20
    table = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 5))

    asked = next_ratings(dawid_skene(table), table, budget=1, target_confidence=1.0, seed=0)

    assert asked["item"].tolist() == [40]


def test_nothing_unsure_is_nothing_to_ask():
    truth, table = simulated()

    asked = next_ratings(truth, table, budget=20, target_confidence=0.0, seed=0)

    assert asked.columns.tolist() == ["item", "gain", "reason"]
    assert asked.empty


def test_an_unsure_item_may_be_asked_about_twice_for_less_the_second_time():
    table = RatingTable.from_matrix(
        [[1, 0, None, None], *[[1, 1, 1, 1]] * 10, *[[0, 0, 0, 1]] * 10], scale=Scale.binary()
    )

    asked = next_ratings(
        dawid_skene(table), table, budget=9, target_confidence=0.99, cap=4, explore=0.0, seed=0
    )

    assert asked["item"].tolist()[:2] == [0, 0]
    assert asked["gain"][0] > asked["gain"][1] > 0


def test_an_item_that_one_rating_settles_is_asked_about_once():
    table = RatingTable.from_matrix(
        [[1, 0, None, None], *[[1, 1, 1, 1]] * 40, *[[0, 0, 0, 0]] * 40], scale=Scale.binary()
    )

    asked = next_ratings(dawid_skene(table), table, budget=9, explore=0.0, seed=0)

    assert asked["item"].tolist() == [0]


def test_raters_who_tell_nothing_are_not_asked():
    rng = np.random.default_rng(0)
    good = rng.integers(0, 2, (200, 1))
    useless = np.full((200, 1), 1)
    matrix = np.hstack([good, good, good, useless]).astype(float)
    matrix[:10, 0] = np.nan
    matrix[10:20, 3] = np.nan
    table = RatingTable.from_matrix(matrix, scale=Scale.binary())
    truth = dawid_skene(table)
    unsure = truth.with_probabilities(np.full((200, 2), 0.5), temperature=1.0)

    asked = next_ratings(
        unsure, table, budget=20, target_confidence=0.9, explore=0.0, cap=4, seed=0
    )

    assert set(asked["item"]) == set(range(10))
    assert asked["gain"].min() > 0.5


def test_cheap_raters_come_first_where_gains_are_equal():
    matrix = [[1, 0, None], [None, 1, 0]] + [[1, 1, 1], [0, 0, 0]] * 10
    table = RatingTable.from_matrix(matrix, scale=Scale.binary(), raters=["a", "b", "c"])
    truth = dawid_skene(table, strength=1e9)

    for dear, first in (("a", 0), ("c", 1)):
        asked = next_ratings(
            truth, table, budget=1, target_confidence=1.0, cost={dear: 5.0}, seed=0
        )
        assert asked["item"].tolist() == [first]


def test_weights_decide_between_dimensions():
    agreed, split = [[1, 1], [0, 0]] * 10, [[1, 0]]
    tables = {
        "meaning": RatingTable.from_matrix([*split, [1, 1], *agreed], scale=Scale.binary()),
        "layout": RatingTable.from_matrix([[1, 1], *split, *agreed], scale=Scale.binary()),
    }
    truths = {name: dawid_skene(table) for name, table in tables.items()}

    for weights, first in (
        ({"meaning": 2.0, "layout": 1.0}, 0),
        ({"meaning": 1.0, "layout": 2.0}, 1),
        ({"meaning": 0.0, "layout": 1.0}, 1),
    ):
        asked = next_ratings(truths, tables, budget=1, weights=weights, seed=0)
        assert asked["item"].tolist() == [first]


def test_dimensions_may_have_different_items_and_scales():
    tables = {
        "meaning": RatingTable.from_matrix([[1, 5]], scale=Scale.likert(1, 5), items=["p"]),
        "fluent": RatingTable.from_matrix(
            [[1, 0], [1, 1], [0, 0]], scale=Scale.binary(), items=["q", "r", "s"]
        ),
    }
    truths = {name: dawid_skene(table) for name, table in tables.items()}

    asked = next_ratings(truths, tables, budget=10, cap=3, explore=0.0, seed=0)

    assert {"p", "q"} <= set(asked["item"])


def test_the_order_of_rows_has_no_influence():
    _, table = simulated(30)
    rows = pd.DataFrame({"item": table.item, "rater": table.rater, "rating": table.codes + 1})
    asked = []
    for frame in (rows, rows.sample(frac=1, random_state=1)):
        other = RatingTable.from_long(frame.astype(int), scale=table.scale)
        asked.append(next_ratings(dawid_skene(other, tol=1e-12), other, budget=25, seed=4))

    assert asked[0][["item", "reason"]].equals(asked[1][["item", "reason"]])
    assert asked[0]["gain"].to_numpy() == pytest.approx(asked[1]["gain"].to_numpy(), abs=1e-4)


def test_the_seed_decides_what_is_explored():
    truth, table = simulated()
    first, again, other = (
        next_ratings(truth, table, budget=20, seed=seed)["item"].tolist() for seed in (1, 1, 2)
    )

    assert first == again != other


def test_asking_evenly_takes_the_items_with_the_fewest_ratings_first():
    truth, table = simulated()
    matrix = table.matrix()
    more = np.where(np.arange(60)[:, None] < 45, np.where(np.isnan(matrix), 3.0, matrix), matrix)
    uneven = RatingTable.from_matrix(more, scale=table.scale)
    unsure = dawid_skene(uneven).with_probabilities(truth.probabilities, temperature=1.0)

    asked = next_ratings(unsure, uneven, budget=15, explore=1.0, seed=0)

    assert set(asked["reason"]) == {"explore"}
    assert set(asked["item"]) == set(range(45, 60))


def test_asking_evenly_goes_on_where_the_model_expects_nothing():
    """A temperature that makes ratings worthless is the model's word; gold may know better."""
    truth, table = simulated()
    doubtful = with_temperature(truth, 20.0)

    by_gain, evenly = (
        next_ratings(doubtful, table, budget=15, explore=share, seed=0) for share in (0.2, 1.0)
    )

    assert by_gain.empty
    assert len(evenly) == 15
    assert next_ratings(truth, table, budget=15, target_confidence=0, explore=1, seed=0).empty


def test_a_temperature_weakens_what_a_rating_is_expected_to_tell():
    truth, table = simulated()
    even = np.full_like(truth.probabilities, 1 / 5)

    gains = [
        next_ratings(
            truth.with_probabilities(even, temperature=temperature),
            table,
            budget=5,
            explore=0.0,
            seed=0,
        )["gain"].max()
        for temperature in (0.7, 1.0, 1.5)
    ]

    assert gains[0] > gains[1] > gains[2] > 0


def test_a_rating_of_an_item_with_many_tells_less_than_of_one_with_few():
    few, many = [1, 0, None, None, None, None], [1, 0, 1, 0, None, None]
    agreed = [[1, 1, 1, None, 1, 1], [0, 0, None, 0, 0, 0]] * 10
    table = RatingTable.from_matrix([few, many, *agreed], scale=Scale.binary())
    truth = dawid_skene(table)
    alike = replace(truth, confusion=np.tile([[0.8, 0.2], [0.2, 0.8]], (6, 1, 1)))
    unsure = alike.with_probabilities(np.full((22, 2), 0.5), temperature=1.0)

    asked = next_ratings(unsure, table, budget=99, explore=0.0, cap=6, seed=0)

    first = asked.drop_duplicates("item").set_index("item")["gain"]
    assert first[0] > first[1]


def test_items_whose_category_is_known_are_not_asked_about():
    _, table = simulated()
    gold = dict.fromkeys(range(30), 3)

    asked = next_ratings(dawid_skene(table, gold=gold), table, budget=60, explore=0.5, seed=0)

    assert not set(asked["item"]) & set(gold)


def test_a_batch_that_would_tell_next_to_nothing_is_not_asked_for():
    """Raters who guess leave every item unsure and every further rating worthless."""
    rng = np.random.default_rng(0)
    table = RatingTable.from_matrix(rng.integers(0, 2, (400, 4)), scale=Scale.binary())
    truth = dawid_skene(table, strength=1e9)
    guessing = replace(truth, confusion=np.full_like(truth.confusion, 0.5))
    unsure = guessing.with_probabilities(np.full((400, 2), 0.5), temperature=1.0)

    assert next_ratings(unsure, table, budget=50, cap=9, seed=0).empty
    with_one_use = replace(unsure, confusion=np.tile([[0.7, 0.3], [0.3, 0.7]], (4, 1, 1)))
    assert len(next_ratings(with_one_use, table, budget=50, cap=9, seed=0)) == 50


def test_everyone_has_rated_so_a_typical_rater_is_expected():
    table = RatingTable.from_matrix([[1, 0], [1, 1], [0, 0]], scale=Scale.binary())

    asked = next_ratings(dawid_skene(table), table, budget=1, seed=0)

    assert asked["item"].tolist() == [0]
    assert asked["gain"][0] > 0


def test_without_items_or_budget_nothing_is_asked():
    empty = RatingTable.from_matrix(np.zeros((0, 2)), scale=Scale.binary())
    truth, table = simulated()

    assert next_ratings(majority_vote(empty), empty, budget=5, seed=0).empty
    assert next_ratings(truth, table, budget=0, seed=0).empty


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": -1}, "budget must be a whole number"),
        ({"cap": 0}, "cap must be a whole number of ratings from 1"),
        ({"cap": {0: 3}}, "cap must name every item; 9 are absent, for example 1"),
        ({"cap": dict.fromkeys(range(10), 0.5)}, "cap must be whole numbers of ratings"),
        ({"explore": 1.5}, "explore must be between 0 and 1; found 1.5"),
        ({"target_confidence": 90}, "target_confidence must be between 0 and 1; found 90"),
        ({"cost": {0: 0.0}}, "cost must be finite numbers above 0"),
        ({"weights": {"meaning": 1.0}}, "weights must name the dimensions"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    truth, table = simulated(10)

    with pytest.raises(InputError, match=message):
        next_ratings(truth, table, **{"budget": 5, "seed": 0} | options)


def test_a_weight_below_zero_is_refused():
    truth, table = simulated(10)

    with pytest.raises(InputError, match="weights must be finite numbers"):
        next_ratings({"m": truth}, {"m": table}, budget=5, weights={"m": -1.0}, seed=0)


def test_truth_and_table_must_belong_together():
    truth, table = simulated(10)
    larger = simulated(12)[1]

    with pytest.raises(InputError, match="has 2 items that the truth does not have"):
        next_ratings(truth, larger, budget=5, seed=0)
    with pytest.raises(InputError, match="must name the same dimensions"):
        next_ratings({"a": truth}, {"b": table}, budget=5, seed=0)
    with pytest.raises(InputError, match="a single pair, or two mappings"):
        next_ratings({"a": truth}, table, budget=5, seed=0)


def test_asking_where_it_pays_beats_asking_evenly():
    """From two ratings per item, 40 % more ratings: chosen against spread evenly."""
    accuracy = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        true = rng.integers(1, 6, 250)
        full = np.clip(true[:, None] + rng.choice([-1, 0, 0, 0, 1], (250, 8)), 1, 5)
        first = np.where(np.argsort(rng.random((250, 8)), axis=1) < 2, full, np.nan)
        table = RatingTable.from_matrix(first, scale=Scale.likert(1, 5))
        asked = next_ratings(
            dawid_skene(table), table, budget=100, target_confidence=0.95, cap=5, seed=seed
        )
        even = rng.choice(250, 100, replace=False)
        scores = []
        for items in (asked["item"].tolist(), even.tolist()):
            more = first.copy()
            for item in items:
                free = np.flatnonzero(np.isnan(more[item]))
                rater = rng.choice(free)
                more[item, rater] = full[item, rater]
            final = dawid_skene(RatingTable.from_matrix(more, scale=Scale.likert(1, 5)))
            scores.append((final.label == true).mean())
        accuracy.append(scores)

    chosen, spread = np.mean(accuracy, axis=0)
    assert chosen > spread + 0.01


def test_what_cannot_be_drawn_at_random_goes_where_most_is_told():
    table = RatingTable.from_matrix(
        [[1, 5, 3], [2, 4, None], [1, 3, None]], scale=Scale.likert(1, 5)
    )
    truth = dawid_skene(table, prior="hierarchical")
    options = {"budget": 6, "target_confidence": 1.0, "seed": 0}

    alone = next_ratings(truth, table, explore=0.0, **options)
    asked = next_ratings(truth, table, explore=0.2, **options)

    assert len(asked) == len(alone) == 6
    had = np.bincount(table.item)
    assert all(had[item] + n <= 6 for item, n in asked["item"].value_counts().items())
