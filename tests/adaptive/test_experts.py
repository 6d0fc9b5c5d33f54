import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import InputError, RatingTable, Scale
from ocrjury.adaptive import price_experts
from ocrjury.adaptive.experts import expert_confusion
from ocrjury.adaptive.rating_state import build_state
from ocrjury.truth import dawid_skene, majority_vote

AGREED = [[1, 1, 1, None], [0, 0, 0, None]] * 10


def priced(matrix, *, expert_cost=3.0, raters=None, **options):
    table = RatingTable.from_matrix(matrix, scale=Scale.binary(), raters=raters)
    return price_experts(dawid_skene(table), table, expert_cost=expert_cost, **options)


def test_a_cheap_expert_is_asked_and_a_dear_one_is_not():
    matrix = [[1, 0, None, None], *AGREED]

    assert priced(matrix, expert_cost=0.5)["choice"].tolist() == ["expert"]
    assert priced(matrix, expert_cost=0.5)["reason"].tolist() == [
        "a decision adds more information for the price"
    ]
    assert priced(matrix, expert_cost=9.0)["choice"].tolist() == ["raters"]
    assert priced(matrix, expert_cost=9.0)["reason"].tolist() == [
        "another rating adds more information for the price"
    ]


def test_at_the_cap_only_the_expert_can_help_at_any_price():
    found = priced([[1, 0, None, None], *AGREED], expert_cost=99.0, cap=2)

    assert found["choice"].tolist() == ["expert"]
    assert found["reason"].tolist() == ["the item is at its cap of 2 ratings"]
    assert found["rater_gain"].tolist() == [0.0]


def test_an_item_that_everyone_has_rated_goes_to_the_expert():
    found = priced([[1, 0, 1, 0], *AGREED, [1, 1, 1, 1]], expert_cost=99.0)

    assert found["reason"].tolist() == ["every rater has rated the item"]


def test_an_expert_who_guesses_is_never_asked():
    found = priced([[1, 0, None, None], *AGREED], expert_cost=0.1, expert_accuracy=0.5)
    at_cap = priced([[1, 0, None, None], *AGREED], expert_cost=1.0, expert_accuracy=0.5, cap=2)

    assert found["choice"].tolist() == ["raters"]
    assert at_cap["choice"].tolist() == ["neither"]
    assert "add almost nothing" in at_cap["reason"][0]


def test_dear_raters_lose_to_the_expert():
    matrix = [[1, 0, None, None], *AGREED]
    names = ["a", "b", "c", "d"]

    cheap, dear = (
        priced(matrix, raters=names, cost=dict.fromkeys(names, cost)) for cost in (1.0, 10.0)
    )

    assert cheap["choice"].tolist() == ["raters"]
    assert dear["choice"].tolist() == ["expert"]
    assert dear["rater_per_cost"][0] == pytest.approx(cheap["rater_per_cost"][0] / 10)


def test_the_experts_errors_lie_where_raters_err():
    table = RatingTable.from_matrix(
        [[1, 1, 2], [2, 2, 3], [3, 3, 3], [1, 1, 1]] * 10, scale=Scale.likert(1, 3)
    )
    state = build_state({None: (dawid_skene(table), table)}, None)
    (view,) = state.views

    confusion = expert_confusion(view, 0.9)

    assert np.diag(confusion) == pytest.approx(0.9)
    assert confusion.sum(axis=1) == pytest.approx(1)
    assert confusion[0, 1] > confusion[0, 2]


@settings(max_examples=25)
@given(
    cost=st.floats(0.1, 50),
    accuracy=st.floats(0, 1),
    cap=st.integers(1, 5),
    target=st.floats(0.3, 1),
    seed=st.integers(0, 20),
)
def test_the_choice_follows_the_rule(*, cost, accuracy, cap, target, seed):
    rng = np.random.default_rng(seed)
    matrix = np.where(rng.random((15, 4)) < 0.6, rng.integers(1, 5, (15, 4)), np.nan)
    table = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 4))
    truth = majority_vote(table)

    found = price_experts(
        truth,
        table,
        expert_cost=cost,
        expert_accuracy=accuracy,
        cap=cap,
        target_confidence=target,
    )

    assert len(found) == (truth.confidence < target).sum()
    assert (found[["expert_gain", "rater_gain"]] >= 0).all(axis=None)
    assert found["expert_gain"].round(9).is_monotonic_decreasing
    asked = found[found["choice"] == "expert"]
    able = asked["rater_gain"] >= 0.01
    assert (asked["expert_per_cost"] > asked["rater_per_cost"])[able].all()
    left = found[found["choice"] == "raters"]
    dearer = left["expert_per_cost"] <= left["rater_per_cost"]
    assert (dearer | (left["expert_gain"] < 0.01)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"expert_cost": 0.0}, "expert_cost must be a finite number above 0; found 0.0"),
        ({"expert_accuracy": 1.5}, "expert_accuracy must be between 0 and 1; found 1.5"),
        ({"cap": 0}, "cap must be a whole number"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        priced(AGREED, **{"expert_cost": 3.0} | options)


def test_sure_items_are_not_priced():
    assert priced(AGREED, target_confidence=0.5).empty


def test_who_may_not_be_asked_counts_for_no_price_and_no_rating():
    matrix = [[1, 0, None, None], *AGREED]
    names = ["a", "b", "c", "adjudicator"]
    options = {"raters": names, "cost": {"a": 5.0, "b": 5.0, "c": 5.0}}
    table = RatingTable.from_matrix(matrix, scale=Scale.binary(), raters=names)
    truth = dawid_skene(table)

    every = priced(matrix, **options)
    left, new, gone = (
        price_experts(truth, table, expert_cost=3.0, cost=options["cost"], raters=raters)
        for raters in (["a", "b", "c"], ["a", "b", "new"], ["a", "b"])
    )

    assert every["rater_gain"][0] / every["rater_per_cost"][0] == pytest.approx(3.0)
    assert left["rater_gain"][0] / left["rater_per_cost"][0] == pytest.approx(5.0)
    assert new["rater_gain"][0] / new["rater_per_cost"][0] == pytest.approx(1.0)
    assert gone["rater_gain"][0] == 0
    assert gone["reason"].tolist() == ["every rater has rated the item"]
