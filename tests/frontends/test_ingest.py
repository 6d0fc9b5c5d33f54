import math

import pytest

from ocrjury.errors import InputError
from ocrjury.frontends.ingest import Problem, on_scale, refuse, value_problems
from ocrjury.scales import Scale

FIVE = Scale.likert(1, 5)


@pytest.mark.parametrize(
    ("value", "scale", "expected"),
    [
        (5.0, FIVE, True),
        (6.0, FIVE, False),
        (4.5, FIVE, False),
        (math.nan, FIVE, False),
        (1.0, Scale.binary(), True),
        (2.0, Scale.binary(), False),
        (1.0, Scale.nominal(["good", "bad"]), True),
        (2.0, Scale.nominal(["good", "bad"]), False),
        (37.5, Scale.interval(0, 100), True),
        (100.1, Scale.interval(0, 100), False),
        (math.inf, Scale.interval(0, 100), False),
    ],
)
def test_a_value_is_on_its_scale_or_not(value, scale, expected):
    assert on_scale(value, scale) is expected


def test_every_dimension_is_asked_for_and_no_other():
    problems = value_problems(
        {"meaning": 9.0, "mood": 3.0}, dimensions=["meaning", "layout"], scale=FIVE
    )

    assert problems == [
        "there is no dimension 'mood'; there are meaning, layout",
        "no rating on dimension 'layout'",
        "9 on 'meaning' is outside the scale (likert 1 to 5)",
    ]


def test_a_refusal_names_the_first_twenty_and_counts_the_rest():
    problems = [Problem(f"row {n}", "wrong") for n in range(23)]

    with pytest.raises(InputError, match=r"(?s)23 problems.*row 19: wrong\n  and 3 more"):
        refuse(problems, source="ratings.csv")


def test_without_problems_nothing_is_refused():
    assert refuse([], source="ratings.csv") is None
