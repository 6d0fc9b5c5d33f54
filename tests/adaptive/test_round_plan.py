from collections import Counter

import numpy as np
import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.adaptive import choose_raters, next_ratings, plan_next_round
from ocrjury.truth import calibrate, dawid_skene

FIVE = Scale.likert(1, 5)
NAMES = ["R01", "R02", "R03", "R04"]


def rated(seed=0, n_items=50, raters=NAMES):
    rng = np.random.default_rng(seed)
    true = rng.integers(1, 6, n_items)
    full = np.clip(true[:, None] + rng.choice([-1, 0, 0, 1], (n_items, 4)), 1, 5)
    there = np.argsort(rng.random((n_items, 4)), axis=1) < 2
    there[:3] &= np.cumsum(there[:3], axis=1) == 1
    matrix = np.where(there, full, np.nan)
    table = RatingTable.from_matrix(
        matrix, scale=FIVE, raters=raters, items=[f"p{n:02d}" for n in range(n_items)]
    )
    return dawid_skene(table), table, true


def test_the_plan_is_what_next_ratings_would_ask_for():
    truth, table, _ = rated()
    options = {"budget": 12, "cap": 4, "explore": 0.25, "target_confidence": 0.95}

    plan = plan_next_round(truth, table, seed=3, **options)

    assert plan.asked.equals(next_ratings(truth, table, seed=3, **options))
    assert plan.n_recommended == 12
    assert plan.expected_gain == pytest.approx(plan.asked["gain"].sum())
    assert plan.n_unsure == (truth.confidence < 0.95).sum()


def test_under_annotated_items_are_listed_with_what_they_lack():
    truth, table, _ = rated()

    found = plan_next_round(truth, table, budget=5, wanted=3, seed=0).under_annotated

    assert found["item"].tolist()[:3] == ["p00", "p01", "p02"]
    assert found["missing"].tolist() == [2, 2, 2] + [1] * 47
    assert plan_next_round(truth, table, budget=5, wanted=2, seed=0).n_missing == 3


def test_the_ten_least_sure_items_are_listed_with_what_the_round_asks():
    truth, table, _ = rated()

    plan = plan_next_round(truth, table, budget=20, seed=0)

    shown = plan.most_uncertain
    assert len(shown) == 10
    assert shown["confidence"].tolist() == sorted(truth.confidence)[:10]
    times = plan.asked["item"].value_counts()
    assert shown["asked"].tolist() == [times.get(item, 0) for item in shown["item"]]


def test_raters_are_those_who_tell_most_about_the_items():
    truth, table, _ = rated()

    plan = plan_next_round(truth, table, budget=16, seed=0)

    asked = Counter(plan.asked["item"])
    given = {rater: set(items) for rater, items in plan.allocation[["rater", "items"]].to_numpy()}
    for item, raters in choose_raters(truth, table, asked).items():
        assert {rater for rater in given if item in given[rater]} == set(raters)


def test_nobody_is_asked_twice_about_an_item_and_loads_stay_fair():
    truth, table, _ = rated()

    plan = plan_next_round(truth, table, budget=16, explore=0.0, seed=0)

    had = {(table.items[i], table.raters[r]) for i, r in zip(table.item, table.rater, strict=True)}
    given = {
        (item, one["rater"]) for one in plan.allocation.to_dict("records") for item in one["items"]
    }
    assert not had & given
    assert len(given) == plan.n_recommended == 16
    assert plan.allocation["n_ratings"].max() <= 1.5 * 16 / 4


def test_cost_is_that_of_the_raters_asked():
    truth, table, _ = rated()

    prices = {"R01": 1.1, "R02": 0.9, "R03": 1.05}
    plan = plan_next_round(truth, table, budget=16, cost=prices, seed=0)

    for one in plan.allocation.to_dict("records"):
        assert one["cost"] == pytest.approx(prices.get(one["rater"], 1.0) * one["n_ratings"])
    assert plan.cost == pytest.approx(plan.allocation["cost"].sum())


def test_a_dear_rater_is_asked_less():
    truth, table, _ = rated()

    plan, dear = (
        plan_next_round(truth, table, budget=16, cost={"R01": price}, seed=0).allocation
        for price in (1.0, 5.0)
    )

    often = [
        some.set_index("rater")["n_ratings"].reindex(NAMES, fill_value=0)["R01"]
        for some in (plan, dear)
    ]
    assert often[0] > often[1]


def test_ratings_that_nobody_can_give_are_counted():
    truth, table, _ = rated()

    few = plan_next_round(truth, table, budget=16, capacity=2, seed=0)
    nobody = plan_next_round(truth, table, budget=16, raters=[], seed=0)

    assert few.allocation["n_ratings"].tolist() == [2] * 4
    assert few.n_unplaced == 8
    assert nobody.n_unplaced == 16
    assert nobody.allocation.empty
    assert nobody.cost == 0


def test_a_new_rater_may_be_asked():
    truth, table, _ = rated()

    plan = plan_next_round(truth, table, budget=6, raters=["R09"], cap=3, seed=0)

    assert plan.allocation["rater"].tolist() == ["R09"]


def test_dimensions_are_planned_together():
    truth, table, _ = rated(0)
    other, ratings, _ = rated(1)

    plan = plan_next_round(
        {"meaning": truth, "layout": other},
        {"meaning": table, "layout": ratings},
        budget=10,
        seed=0,
    )

    unsure = (truth.confidence < 0.9) | (other.confidence < 0.9)
    assert plan.n_unsure == unsure.sum()
    assert set(plan.most_uncertain["dimension"]) == {"meaning", "layout"}
    only = plan_next_round(
        {"meaning": truth, "layout": other},
        {"meaning": table, "layout": ratings},
        budget=10,
        weights={"meaning": 1.0, "layout": 0.0},
        seed=0,
    )
    assert set(only.most_uncertain["dimension"]) == {"meaning"}


def test_the_printed_plan_names_every_quantity():
    truth, table, true = rated(n_items=120)
    gold = {f"p{n:02d}": int(true[n]) for n in range(40)}

    plan = plan_next_round(truth, table, budget=20, seed=0)
    checked = plan_next_round(calibrate(truth, gold), table, budget=20, seed=0)

    assert plan.summary()["quantity"].tolist() == [
        "items below the target (model confidence)",
        "under-annotated items",
        "ratings that these lack",
        "recommended ratings",
        "of these by expected gain",
        "of these at random",
        "items asked about",
        "raters asked",
        "ratings that nobody can give",
        "cost",
        "expected gain",
    ]
    assert checked.summary()["quantity"][0] == "items below the target (calibrated confidence)"
    text = str(plan)
    assert text.startswith("Next round\n")
    for title in ("Under-annotated\n", "Most uncertain\n", "Allocation\n"):
        assert title in text


def test_a_plan_for_nothing_is_empty_and_prints():
    empty = RatingTable.from_matrix(np.zeros((0, 2)), scale=FIVE)

    plan = plan_next_round(dawid_skene(empty), empty, budget=5, seed=0)

    assert plan.n_recommended == plan.n_unsure == plan.n_unplaced == 0
    assert "Allocation\nnone" in str(plan)


def test_names_have_no_spread_but_a_plan():
    table = RatingTable.from_matrix(
        [["a", "b", None], ["a", "a", None]], scale=Scale.nominal(["a", "b"])
    )

    plan = plan_next_round(dawid_skene(table), table, budget=1, seed=0)

    assert plan.most_uncertain["spread"].isna().all()


def test_a_number_of_wanted_ratings_below_one_is_refused():
    truth, table, _ = rated()

    with pytest.raises(InputError, match="wanted must be a whole number of ratings from 1"):
        plan_next_round(truth, table, budget=5, wanted=0, seed=0)
