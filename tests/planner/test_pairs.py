import pytest

from ocrjury import InputError
from ocrjury.planner import Controls, plan_side_by_side

RATERS = ["R1", "R2", "R3", "R4"]


def pool(pages):
    return {f"p{page}{system}": f"p{page}" for page in range(pages) for system in "ab"}


def everybody(pages):
    return dict.fromkeys(pages, RATERS)


def queue_of(plan, rater):
    own = plan[plan["rater"] == rater].sort_values("position")
    assert own["position"].tolist() == list(range(1, len(own) + 1))
    return own


def test_whole_pages_follow_each_other():
    pages = pool(40)
    plan = plan_side_by_side(
        dict.fromkeys(pages, 2), eligible=everybody(pages), pages=pages, seed=1
    )

    assert plan.groupby("item")["rater"].nunique().eq(2).all()
    for rater in RATERS:
        own = queue_of(plan, rater)
        alike = own["item"].map(pages).tolist()
        assert alike[::2] == alike[1::2]
        assert own["session"].tolist()[::2] == own["session"].tolist()[1::2]


def test_a_page_that_nobody_may_rate_whole_is_rated_apart():
    pages = pool(30)
    eligible = everybody(pages) | {"p0a": ["R1", "R2"], "p0b": ["R3", "R4"]}
    plan = plan_side_by_side(dict.fromkeys(pages, 2), eligible=eligible, pages=pages, seed=1)

    assert set(plan.loc[plan["item"] == "p0a", "rater"]) == {"R1", "R2"}
    assert set(plan.loc[plan["item"] == "p0b", "rater"]) == {"R3", "R4"}
    whole = plan[~plan["item"].isin(["p0a", "p0b"])]
    assert whole.groupby(["rater", whole["item"].map(pages)]).size().eq(2).all()


def test_what_somebody_had_comes_not_again():
    pages = pool(20)
    before = [(f"p{page}a", "R1") for page in range(20)]
    plan = plan_side_by_side(
        dict.fromkeys(pages, 2), eligible=everybody(pages), pages=pages, previous=before, seed=1
    )

    assert "R1" not in set(plan["rater"])


def test_capacity_and_sessions_count_outputs():
    pages = pool(30)
    plan = plan_side_by_side(
        dict.fromkeys(pages, 2),
        eligible=everybody(pages),
        pages=pages,
        capacity=dict.fromkeys(RATERS, 31),
        minutes_per_item=2.0,
        session_minutes=20,
        seed=1,
    )

    assert plan["rater"].value_counts().max() <= 31
    assert plan.groupby(["rater", "session"]).size().max() <= 10


def test_a_shortage_names_a_page():
    pages = pool(10)

    with pytest.raises(InputError, match="p"):
        plan_side_by_side(
            dict.fromkeys(pages, 2),
            eligible=everybody(pages),
            pages=pages,
            capacity=dict.fromkeys(RATERS, 5),
            seed=1,
        )


def test_gold_and_repeats_come_in_whole_pages():
    pages = pool(80)
    gold = [f"p{page}a" for page in range(60, 80)] + [f"p{page}b" for page in range(60, 70)]
    items = [f"p{page}{system}" for page in range(60) for system in "ab"]
    plan = plan_side_by_side(
        dict.fromkeys(items, 2),
        eligible=everybody(pages),
        pages=pages,
        controls=Controls(dict.fromkeys(RATERS, gold), gold_every=5, repeats=4),
        seed=1,
    )

    assert set(plan["kind"]) == {"item", "gold", "repeat"}
    for rater in RATERS:
        own = queue_of(plan, rater)
        alike = own["item"].map(pages).tolist()
        assert alike[::2] == alike[1::2]
        assert own["kind"].tolist()[::2] == own["kind"].tolist()[1::2]
        assert (own["kind"] == "repeat").sum() == 8
    met = plan.loc[plan["kind"] == "gold", "item"].map(pages)
    assert set(met) <= {f"p{page}" for page in range(60, 70)}


def test_single_documents_are_planned_as_ever():
    items = [f"d{number}" for number in range(20)]
    gold = Controls({rater: ["g1", "g2", "g3", "g4"] for rater in RATERS}, gold_every=4)
    plan = plan_side_by_side(
        dict.fromkeys(items, 2), eligible=everybody([*items]), pages={}, controls=gold, seed=1
    )

    assert plan["kind"].value_counts()["item"] == 40
    assert plan["kind"].value_counts()["gold"] > 4
