import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury import RatingTable, Scale
from ocrjury.adaptive import adjudication_steps


def steps(matrix):
    table = RatingTable.from_matrix(matrix, scale=Scale.likert(1, 5))
    return adjudication_steps(table)["step"].tolist()


def test_the_three_steps_of_the_reference_text():
    """Two agree: settled. They differ: a third one. Majority: settled. All differ: the state."""
    assert steps([[4, 4, None], [4, 5, None], [4, 5, 5], [3, 4, 5]]) == [
        "settled",
        "third_rater",
        "settled",
        "panel",
    ]


@pytest.mark.parametrize(
    ("ratings", "step"),
    [
        ([None, None, None, None], "first_ratings"),
        ([4, None, None, None], "first_ratings"),
        ([4, 4, 5, 5], "panel"),
        ([4, 4, 4, 5], "settled"),
        ([4, 4, 5, 3], "settled"),
        ([1, 2, 3, 4], "panel"),
    ],
)
def test_ties_and_items_with_few_ratings(ratings, step):
    assert steps([[3, 3, 3, 3], ratings]) == ["settled", step]


def test_an_item_stands_where_its_least_advanced_dimension_stands():
    tables = {
        "meaning": RatingTable.from_matrix([[4, 4, None], [1, 2, 3]], scale=Scale.likert(1, 5)),
        "layout": RatingTable.from_matrix([[4, 5, None], [3, 3, 3]], scale=Scale.likert(1, 5)),
    }

    found = adjudication_steps(tables)

    assert found["step"].tolist() == ["third_rater", "panel"]
    assert found["n_ratings"].tolist() == [2, 3]


@given(st.permutations([1, 1, 2, 3, 5]))
def test_the_order_of_raters_does_not_matter(ratings):
    assert steps([ratings]) == ["settled"]


def test_names_have_votes_too():
    table = RatingTable.from_matrix([["a", "b", None]], scale=Scale.nominal(["a", "b"]))

    assert adjudication_steps(table)["step"].tolist() == ["third_rater"]


def test_no_items_have_no_steps():
    table = RatingTable.from_matrix([], scale=Scale.binary())

    assert adjudication_steps(table).empty
