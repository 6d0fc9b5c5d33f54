import pytest

from ocrjury import InputError, Scale
from ocrjury.planner import forecast_study, main_demand, plan_study, usual_spreads
from ocrjury.planner.double_rating import DOUBLE_SHARE
from ocrjury.planner.study import OTHERS

SPREADS = {"score_sd": 1.1, "r_squared": 0.7, "rater_sd": 0.35, "noise_sd": 0.5}


def forecast(**changes):
    wanted = {"population": 100_000, "items": 142, "raters_per_item": 2, "n_raters": 6}
    return forecast_study(SPREADS, **{**wanted, **changes})


def test_a_forecast_of_the_best_plan_is_that_plan():
    plan = plan_study(population=100_000, width=0.7, n_raters=6, **SPREADS)

    same = forecast(
        items=plan.items, raters_per_item=plan.raters_per_item, gold_items=plan.gold_items
    )

    assert plan.raters_per_item == 2
    assert same.width == pytest.approx(plan.width)
    assert same.ratings == plan.ratings
    assert same.widths == pytest.approx(dict(plan.widths))


def test_items_with_one_rating_have_more_noise_and_cost_less():
    whole, half = forecast(items=200), forecast(items=200, double_rated=0.5)

    assert (whole.ratings, half.ratings) == (400, 300)
    assert half.double_rated == 100
    assert half.precision.noise == pytest.approx(whole.precision.noise * 1.5)
    assert half.width > whole.width


def test_three_raters_for_some_items_are_counted():
    assert forecast(items=200, raters_per_item=3, double_rated=0.5).ratings == 100 * 3 + 100


@pytest.mark.parametrize(("per_item", "share"), [(1, 1.0), (2, 0.0), (2, 0.1), (3, 0.6), (2, 1.0)])
def test_the_forecast_counts_the_ratings_that_the_round_asks_for(per_item, share):
    demand = main_demand([f"d{i}" for i in range(300)], per_item=per_item, double_rated=share)

    plan = forecast(items=300, raters_per_item=per_item, double_rated=share)

    assert plan.ratings == sum(demand.values())
    assert plan.double_rated == sum(wanted > 1 for wanted in demand.values())


def test_a_plan_with_one_rater_per_item_is_the_round_with_a_fifth_rated_twice():
    plan = plan_study(population=100_000, width=0.2, n_raters=12, **{**SPREADS, "rater_sd": 0.15})

    same = forecast(
        items=plan.items, double_rated=DOUBLE_SHARE, n_raters=12, gold_items=plan.gold_items
    )

    assert plan.raters_per_item == 1
    assert (same.ratings, same.double_rated) == (plan.ratings, plan.double_rated)


def test_gold_of_which_each_rater_meets_a_part_counts_in_part():
    some, all_of_it = forecast(gold_items=4.5, different_gold=20), forecast(gold_items=20)

    assert some.ratings == 284 + 27
    assert forecast().widths[OTHERS] > some.widths[OTHERS] > all_of_it.widths[OTHERS]


@pytest.mark.parametrize("items", [0, 100_001])
def test_a_study_of_nothing_or_of_more_than_there_is_is_refused(items):
    with pytest.raises(InputError, match="items must be from 1 to the 100000 documents"):
        forecast(items=items)


@pytest.mark.parametrize(
    ("references", "confidences", "saved"), [(0.9, 0.0, 0.5), (0.1, 0.8, 0.2), (0.5, 0.5, 0.0)]
)
def test_what_the_pool_knows_saves_ratings(references, confidences, saved):
    scale = Scale.likert(1, 5)

    found = usual_spreads(scale, references=references, confidences=confidences)
    assert found["r_squared"] == saved


def test_usual_spreads_are_stretched_to_the_scale():
    wide = usual_spreads(Scale.interval(0, 100), references=0.0, confidences=0.0)
    yes = usual_spreads(Scale.binary(), references=0.0, confidences=0.0)

    assert wide["score_sd"] == 25
    assert yes == {"score_sd": 0.35, "rater_sd": 0.08, "noise_sd": 0.2, "r_squared": 0.0}
    with pytest.raises(InputError, match="no order"):
        usual_spreads(Scale.nominal(["a", "b"]), references=0.0, confidences=0.0)
