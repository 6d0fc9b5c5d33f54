import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import InputError
from ocrjury.assignment import assign_raters
from ocrjury.estimation import rated_mean
from ocrjury.planner import plan_study
from ocrjury.planner.study import NO_GOLD, OTHERS, THESE

USUAL = {
    "population": 100_000,
    "score_sd": 1.1,
    "r_squared": 0.7,
    "rater_sd": 0.25,
    "noise_sd": 0.5,
    "n_raters": 6,
}


def evaluate(plan, seed, *, score_sd, r_squared, rater_sd, noise_sd, n_raters, population):
    """The interval of one evaluation that follows a plan, and the mean of its pool."""
    rng = np.random.default_rng(seed)
    n = plan.items
    x, rest = rng.normal(size=(2, population))
    score = 3 + score_sd * (np.sqrt(r_squared) * x + np.sqrt(1 - r_squared) * rest)
    severity = rater_sd * rng.normal(size=n_raters)
    per_item = {
        f"d{i}": plan.raters_per_item if plan.raters_per_item > 1 or i >= plan.double_rated else 2
        for i in range(n)
    }
    pairs = assign_raters(list(per_item), range(n_raters), raters_per_item=per_item, seed=seed)
    item = pairs["item"].str[1:].astype(int).to_numpy()
    rater = pairs["rater"].to_numpy(dtype=int)
    ratings = pairs[["item", "rater"]].assign(
        rating=score[item] + severity[rater] + noise_sd * rng.normal(size=len(pairs))
    )
    gold = pd.DataFrame({"item": [f"g{k}" for k in range(plan.gold_items)]})
    gold["rating"] = rng.normal(3, 1, plan.gold_items)
    controls = gold.merge(pd.DataFrame({"rater": range(n_raters)}), how="cross")
    controls["rating"] += severity[controls["rater"]] + noise_sd * rng.normal(size=len(controls))
    found = rated_mean(
        pd.concat([ratings, controls]),
        items=pd.DataFrame({"item": list(per_item), "inclusion_probability": n / population}),
        auxiliary=x[:n],
        pool_mean=[x.mean()],
        gold=gold if plan.gold_items else None,
    )
    return found, score.mean()


@pytest.mark.parametrize(
    ("aim", "change"),
    [
        ({"width": 0.3}, {}),
        ({"width": 0.7}, {"rater_sd": 0.35}),
        ({"budget": 500}, {"n_raters": 12, "rater_sd": 0.15, "r_squared": 0.0}),
        ({"budget": 400}, {"population": 300, "rater_sd": 0.2}),
    ],
)
def test_the_width_that_is_planned_is_achieved(aim, change):
    how = {**USUAL, **change}
    plan = plan_study(**aim, **how)

    found = [evaluate(plan, seed, **how) for seed in range(25)]

    widths = [one.high - one.low for one, _ in found]
    assert np.mean(widths) == pytest.approx(plan.width, rel=0.1)
    assert np.mean([one.low <= truth <= one.high for one, truth in found]) >= 0.85


def test_with_free_items_one_rater_each_is_best_for_the_mean():
    plan = plan_study(budget=770, **{**USUAL, "rater_sd": 0.0})

    assert (plan.items, plan.raters_per_item, plan.double_rated) == (641, 1, 129)
    assert plan.gold_items == 0
    assert plan.cost == plan.ratings == 770


def test_dear_items_get_more_raters():
    cheap = plan_study(budget=770, **USUAL)
    dear = plan_study(budget=770, cost_item=20, **USUAL)

    assert dear.raters_per_item > cheap.raters_per_item
    assert dear.cost <= 770


def test_the_cheapest_plan_has_no_item_too_many():
    plan = plan_study(width=0.3, **USUAL)

    assert plan.possible
    assert plan.width <= 0.3 < plan.width_at(plan.items - 1)


def test_gold_is_planned_where_severities_alone_are_too_much():
    plan = plan_study(width=0.3, **{**USUAL, "rater_sd": 0.35})

    assert plan.possible
    assert plan.gold_items > 0
    assert plan.widths[NO_GOLD] > 0.7
    assert plan.notes[0].startswith("Impossible with these raters without gold: their severities")


def test_what_is_impossible_says_what_would_help():
    plan = plan_study(width=0.12, **{**USUAL, "rater_sd": 0.35})

    assert not plan.possible
    assert plan.width > 0.12
    told = " ".join(plan.notes)
    assert plan.notes[0].startswith("Impossible with these raters: whatever they are asked")
    for remedy in ("raters instead of 6 would do", "gold items, each rated by all 6 raters"):
        assert remedy in told
    assert "A width of 0.14 or more is possible." in told


def test_the_remedies_help():
    how = {**USUAL, "rater_sd": 0.35}
    notes = plan_study(width=0.12, **how).notes
    raters = next(int(note.split()[0]) for note in notes if "raters instead" in note)

    assert plan_study(width=0.12, **{**how, "n_raters": raters}).possible
    assert not plan_study(width=0.12, **{**how, "n_raters": raters - 1}).possible
    assert plan_study(width=0.14, **how).possible


def test_every_outcome_has_a_width():
    plan = plan_study(width=0.3, **USUAL)

    assert plan.widths[OTHERS] == plan.width
    assert plan.widths[THESE] < plan.width
    assert plan.widths["a share of 5%"] < plan.widths["a share of 50%"] < 1


def test_hours_are_those_of_all_ratings():
    plan = plan_study(budget=300, **USUAL)

    assert plan.hours(minutes_per_rating=2.0) == plan.ratings / 30


def test_one_rater_gets_a_plan_and_a_warning():
    plan = plan_study(budget=200, **{**USUAL, "n_raters": 1})

    assert plan.raters_per_item == 1
    assert plan.double_rated == 0
    assert "With one rater nothing shows how much raters differ" in plan.notes[-1]


def test_few_double_rated_items_are_told():
    plan = plan_study(budget=60, **USUAL)

    assert plan.raters_per_item == 2
    assert plan.double_rated == plan.items < 77
    assert "are few to show how far raters agree" in plan.notes[-1]


def test_what_a_tiny_pool_can_bring_is_named_as_it_is():
    plan = plan_study(width=0.3, **{**USUAL, "population": 3, "n_raters": 2})

    assert not plan.possible
    assert f"would still be {plan.width:.2g} long" in plan.notes[0]
    assert plan.notes[-1].startswith("3 items with two raters are few")


def test_one_item_is_spoken_of_as_one():
    plan = plan_study(budget=10, **{**USUAL, "population": 1})

    assert plan.notes[-1].startswith("1 item with two raters is few")


def test_one_rater_with_gold_is_not_promised_an_endless_interval():
    plan = plan_study(width=0.6, **{**USUAL, "n_raters": 1})

    assert plan.notes[0].startswith(
        "Impossible with these raters without gold: one rater tells nothing about others."
    )


def test_a_small_pool_is_rated_whole_if_need_be():
    plan = plan_study(width=0.05, **{**USUAL, "population": 40, "rater_sd": 0.0, "noise_sd": 0.1})

    assert plan.possible
    assert plan.items <= 40


@given(
    st.floats(30, 3000),
    st.integers(2, 12),
    st.floats(0, 0.5),
    st.floats(0.1, 1),
    st.floats(0, 10),
)
def test_a_budget_is_kept_and_more_of_it_never_hurts(budget, raters, severity, noise, price):
    how = {**USUAL, "n_raters": raters, "rater_sd": severity, "noise_sd": noise}
    if budget < 10 * (price + 2):
        return

    plan = plan_study(budget=budget, cost_item=price, **how)
    more = plan_study(budget=1.5 * budget, cost_item=price, **how)

    assert plan.cost <= budget
    assert more.width <= plan.width * 1.001
    assert plan.precision.variance > 0


@given(st.floats(0.05, 2), st.integers(1, 12), st.floats(0, 0.5))
def test_a_width_is_reached_or_called_impossible(width, raters, severity):
    plan = plan_study(width=width, **{**USUAL, "n_raters": raters, "rater_sd": severity})

    assert plan.possible == (plan.width <= width)
    assert plan.possible or plan.notes[0].startswith("Impossible with these raters")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "either a budget or a width; found budget None and width None"),
        ({"budget": 5, "width": 0.2}, "either a budget or a width"),
        ({"budget": 5}, "pays for fewer than 10 items, which is no study; 20 is the least"),
        ({"budget": -1}, "budget must be a finite number above 0"),
        ({"width": 0}, "width must be a finite number above 0"),
        ({"width": np.inf}, "width must be a finite number above 0"),
        ({"width": 1, "population": 0}, "population must be a whole number of at least 1"),
        ({"width": 1, "population": np.nan}, "population must be a whole number .* found nan"),
        ({"width": 1, "population": "40"}, "population must be a whole number .* found '40'"),
        ({"width": 1, "together": 0.5}, "together must be a finite number of at least 1"),
        ({"width": 1, "n_raters": 0}, "n_raters must be a whole number of at least 1; found 0"),
        ({"width": 1, "score_sd": -1}, "score_sd must be a finite number of at least 0"),
        ({"width": 1, "noise_sd": np.nan}, "noise_sd must be a finite number of at least 0"),
        ({"width": 1, "score_sd": 1e300}, "score_sd must lie within 1,000,000,000 of 0"),
        ({"width": 1, "r_squared": -1e300}, "r_squared must lie within 1,000,000,000 of 0"),
        ({"width": 1, "r_squared": 1.2}, "r_squared must be a finite number up to 1"),
        ({"width": 1, "score_sd": 0, "noise_sd": 0}, "one item tells all"),
        ({"width": 1, "cost_item": -1}, "cost_item must be a finite number of at least 0"),
        ({"width": 1, "cost_rating": 0}, "both 0: then there is nothing to plan"),
    ],
)
def test_unusable_numbers_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        plan_study(**{**USUAL, **options})
