import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.adaptive import settled_values, unsettled_items
from ocrjury.adaptive.settlement import COLUMNS

MAIN = [("a", "R01", "meaning", 5, "main"), ("a", "R02", "meaning", 2, "main")]


def frame(*rows):
    return pd.DataFrame([*MAIN, *rows], columns=COLUMNS)


def test_an_adjudicator_who_agrees_with_a_rater_settles_the_item():
    ratings = frame(("a", "A01", "meaning", 5, "adjudication"))

    assert settled_values(ratings) == {"meaning": {"a": 5.0}}
    assert unsettled_items(ratings) == []


def test_an_adjudicator_who_stands_alone_settles_nothing():
    ratings = frame(("a", "A01", "meaning", 3, "adjudication"))

    assert settled_values(ratings) == {}
    assert unsettled_items(ratings) == ["a"]


def test_a_rating_of_the_adaptive_round_counts_as_a_raters():
    ratings = frame(
        ("a", "R03", "meaning", 3, "adaptive"), ("a", "A01", "meaning", 3, "adjudication")
    )

    assert settled_values(ratings) == {"meaning": {"a": 3.0}}


def test_the_median_vote_of_a_panel_stands_and_of_two_votes_the_lower():
    ratings = frame(
        ("a", "A01", "meaning", 3, "adjudication"),
        ("a", "E01", "meaning", 4, "panel"),
        ("a", "E02", "meaning", 2, "panel"),
    )

    assert settled_values(ratings) == {"meaning": {"a": 2.0}}
    assert unsettled_items(ratings) == []


def test_agreement_on_another_dimension_does_not_settle_this_one():
    ratings = frame(
        ("a", "R01", "layout", 3, "main"),
        ("a", "A01", "meaning", 3, "adjudication"),
        ("a", "A01", "layout", 3, "adjudication"),
    )

    assert settled_values(ratings) == {"layout": {"a": 3.0}}
    assert unsettled_items(ratings) == ["a"]


def test_without_adjudication_nothing_is_settled():
    assert settled_values(frame()) == {}
    assert unsettled_items(frame()) == []


@given(st.permutations(range(4)))
def test_the_order_of_rows_does_not_matter(order):
    ratings = frame(
        ("b", "A01", "meaning", 3, "adjudication"), ("a", "A01", "meaning", 5, "adjudication")
    )

    shuffled = ratings.iloc[list(order)]

    assert settled_values(shuffled) == settled_values(ratings)
    assert unsettled_items(shuffled) == unsettled_items(ratings)


def test_among_names_the_most_frequent_vote_stands_and_of_tied_ones_the_first_declared():
    ratings = frame(
        *[
            ("a", f"E{place}", "meaning", code, "panel")
            for place, code in enumerate((0, 3, 3, 0, 1))
        ],
        *[("b", f"E{place}", "meaning", code, "panel") for place, code in enumerate((2, 1, 0))],
    )

    # Places in the scale's list of names; their median would be one that a single expert chose.
    assert settled_values(ratings, ordered=False) == {"meaning": {"a": 0.0, "b": 0.0}}
    assert settled_values(ratings) == {"meaning": {"a": 1.0, "b": 1.0}}
