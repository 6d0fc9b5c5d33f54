import dataclasses

import pytest

from ocrjury import InputError
from ocrjury.gate import Condition, GatePolicy


@pytest.mark.parametrize(
    ("name", "conditions"),
    [
        ("default", [("krippendorff_alpha", 0.667, "bound")]),
        ("strict", [("krippendorff_alpha", 0.80, "bound")]),
        ("kappa", [("mean_pairwise_kappa", 0.70, "point")]),
        (
            "gdpval",
            [
                ("adjacent_agreement", 0.75, "point"),
                ("human_agreement", 0.75, "point"),
                ("human_agreement_corrected", 0.0, "bound"),
            ],
        ),
    ],
)
def test_a_preset_asks_what_its_name_says(name, conditions):
    policy = GatePolicy.preset(name)

    asked = [
        (condition.estimates[0], condition.floor, condition.rule) for condition in policy.conditions
    ]
    assert asked == conditions
    assert policy.name == name
    assert policy.min_items == 50
    assert policy.confidence == 0.95


def test_the_policy_without_arguments_is_the_default():
    assert GatePolicy() == GatePolicy.preset("default")


def test_an_unknown_preset_names_the_known_ones():
    with pytest.raises(InputError, match="'easy'; policies are default, strict, kappa"):
        GatePolicy.preset("easy")


def test_a_policy_cannot_be_changed_in_place():
    with pytest.raises(dataclasses.FrozenInstanceError):
        GatePolicy().min_items = 3


def test_a_policy_that_nothing_can_meet_is_refused():
    with pytest.raises(InputError, match="at least one condition"):
        GatePolicy(conditions=())
    with pytest.raises(InputError, match="found 95"):
        GatePolicy(conditions=(Condition(("icc",), 0.5),), confidence=95)


def test_a_bound_for_any_time_is_refused_where_it_would_be_the_value_itself():
    with pytest.raises(InputError, match="needs a confidence above"):
        GatePolicy(looks=None, confidence=0.5)
    assert GatePolicy(confidence=0.5).confidence == 0.5


def test_one_item_shows_no_agreement():
    assert GatePolicy(min_items=2).min_items == 2
    with pytest.raises(InputError, match="two items at the least; found min_items=1"):
        GatePolicy(min_items=1)


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ({"estimates": ()}, "names one or more estimates"),
        ({"estimates": "icc"}, "found 'icc'"),
        ({"estimates": ("icc",), "rule": "Bound"}, '"bound" or "point"; found \'Bound\''),
        ({"estimates": ("icc",), "floor": float("nan")}, "finite number; found nan"),
    ],
)
def test_a_condition_that_says_nothing_is_refused(condition, message):
    with pytest.raises(InputError, match=message):
        Condition(**{"floor": 0.5, **condition})
