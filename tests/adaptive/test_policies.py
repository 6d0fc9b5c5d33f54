from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrjury import InputError, RatingTable, Scale
from ocrjury.adaptive import POLICIES
from ocrjury.truth import majority_vote, with_known

FIVE = Scale.likert(1, 5)


def ask(name, matrix, *, budget=100, cap=6, seed=0, scale=FIVE):
    table = RatingTable.from_matrix(matrix, scale=scale)
    return POLICIES[name].ask(majority_vote(table), table, budget=budget, cap=cap, seed=seed)


@pytest.mark.parametrize(
    "name", ["uniform", "disagreement", "under_annotated_first", "three_step_adjudication"]
)
def test_no_item_gets_more_ratings_than_its_own_cap(name):
    asked = ask(name, [[1, 5, None, None]] * 6, cap=dict(enumerate([2, 3] * 3)))

    assert sorted(asked["item"]) == [1, 3, 5]


def test_the_ten_items_of_the_reference_text_are_those_that_spread_most():
    """Standard deviation over raters, mean over dimensions, largest first."""
    spread = [[1, 1 + place % 5] for place in range(30)]

    asked = ask("disagreement", spread, budget=10)

    assert len(asked) == 10
    assert {place % 5 for place in asked["item"][:6]} == {4}
    assert {place % 5 for place in asked["item"][6:]} == {3}
    assert set(asked["reason"]) == {"disagreement"}


def test_the_spread_is_a_mean_over_the_dimensions_that_have_one():
    tables = {
        "meaning": RatingTable.from_matrix([[1, 5], [1, 4], [2, None]], scale=FIVE),
        "layout": RatingTable.from_matrix([[3, 3], [1, 3], [1, 2]], scale=FIVE),
    }
    truths = {name: majority_vote(table) for name, table in tables.items()}

    asked = POLICIES["disagreement"].ask(truths, tables, budget=9, seed=0)

    assert asked["item"].tolist() == [1, 0, 2]


def test_under_annotated_items_get_what_they_lack_to_three_and_then_spread_decides():
    matrix = [[3, None, None, None], [1, 5, None, None], [1, 5, 3, None], [2, 2, 3, None]]

    asked = ask("under_annotated_first", matrix, budget=5)

    assert asked["item"].tolist() == [0, 0, 1, 2, 3]
    assert asked["reason"].tolist() == ["under_annotated"] * 3 + ["disagreement"] * 2


def test_the_three_steps_ask_for_first_then_third_ratings_then_the_panel():
    matrix = [[1, 2, 3], [4, 5, None], [4, None, None], [4, 4, None], [None, None, None]]

    asked = ask("three_step_adjudication", matrix)

    assert sorted(asked["item"][:3]) == [2, 4, 4]
    assert asked["item"].tolist()[3:] == [1, 0]
    assert asked["reason"].tolist() == ["first_ratings"] * 3 + ["third_rater", "panel"]


def test_asking_evenly_starts_with_the_fewest_ratings():
    asked = ask("uniform", [[1, 2, 3], [1, None, None], [1, 2, None], [None, None, None]])

    assert asked["item"].tolist() == [3, 1, 2, 0]


@settings(max_examples=25)
@given(
    name=st.sampled_from(sorted(POLICIES)),
    budget=st.integers(0, 30),
    cap=st.integers(1, 5),
    seed=st.integers(0, 50),
)
def test_every_policy_keeps_budget_and_cap_and_depends_on_its_seed_alone(name, budget, cap, seed):
    rng = np.random.default_rng(seed)
    matrix = np.where(rng.random((12, 4)) < 0.6, rng.integers(1, 6, (12, 4)), np.nan)

    asked = ask(name, matrix, budget=budget, cap=cap, seed=seed)

    number = (~np.isnan(matrix)).sum(axis=1)
    assert asked.columns.tolist() == ["item", "gain", "reason"]
    assert len(asked) <= budget
    assert all(number[item] + n <= cap for item, n in Counter(asked["item"].tolist()).items())
    assert (asked["gain"] >= 0).all()
    assert asked.equals(ask(name, matrix, budget=budget, cap=cap, seed=seed))


def test_every_policy_names_its_source():
    for policy in POLICIES.values():
        assert policy.source
        assert policy.summary.endswith(".")


def test_names_have_no_spread():
    with pytest.raises(InputError, match="have no standard deviation"):
        ask("disagreement", [["a", "b"]], scale=Scale.nominal(["a", "b"]))


def test_a_budget_below_zero_is_refused():
    with pytest.raises(InputError, match="budget must be a whole number"):
        ask("uniform", [[1, 2]], budget=-1)


@pytest.mark.parametrize("name", sorted({*POLICIES} - {"information"}))
def test_nobody_is_asked_about_items_whose_category_is_known(name):
    table = RatingTable.from_matrix([[1, 5, None], [1, 5, None], [2, None, None]], scale=FIVE)
    truth = with_known(majority_vote(table), {0: 5, 2: 2})

    asked = POLICIES[name].ask(truth, table, budget=9, seed=0)

    assert set(asked["item"]) == {1}
