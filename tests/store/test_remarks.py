"""Ratings above a field rule are counted as long as they count themselves."""

import pytest

from ocrjury.store.database import writing
from ocrjury.store.decisions import set_ratings_aside
from ocrjury.store.ratings import Submission, insert_submissions
from ocrjury.store.remarks import RuleFlag, add_rule_flags, list_rule_breaks


@pytest.fixture
def rate(engine, evaluation, now):
    """Store a rating, with the rule that it breaks unless it is at most 4."""

    def rate_one(item, rater, value, *, event="first", shown=False):
        assignment = f"{evaluation}/1/{rater}/0/{item}"
        one = Submission(assignment, {"meaning": value}, f"{event}/{assignment}", "r", "file")
        flag = RuleFlag("meaning", "amount-differs", value, 4.0, shown)
        with writing(engine) as connection:
            insert_submissions(connection, evaluation, [one], now=now)
            add_rule_flags(connection, assignment, [flag] if value > 4 else [])

    return rate_one


def test_they_are_counted_by_rule_dimension_and_rater(engine, evaluation, rate):
    rate("d1", "R01", 5.0, shown=True)
    rate("d2", "R01", 5.0)
    rate("d1", "R02", 4.0)
    rate("d2", "R02", 5.0)

    assert list_rule_breaks(engine, evaluation) == [
        ("amount-differs", "meaning", "R01", 5.0, 2, 2, 1),
        ("amount-differs", "meaning", "R02", 5.0, 1, 1, 0),
    ]
    assert list_rule_breaks(engine, "another") == []


def test_a_rating_that_was_changed_to_what_the_rule_allows_is_gone(engine, evaluation, rate):
    rate("d1", "R01", 5.0)
    rate("d1", "R01", 4.0, event="second thought")

    assert list_rule_breaks(engine, evaluation) == []


def test_a_rating_that_was_given_again_against_the_rule_counts_once(engine, evaluation, rate):
    rate("d1", "R01", 5.0)
    rate("d1", "R01", 5.0, event="told, and sent again", shown=True)

    assert list_rule_breaks(engine, evaluation) == [
        ("amount-differs", "meaning", "R01", 5.0, 1, 1, 1)
    ]


def test_what_was_set_aside_does_not_count(engine, evaluation, rate):
    rate("d1", "R01", 5.0)
    rate("d1", "R02", 5.0)

    with writing(engine) as connection:
        set_ratings_aside(connection, evaluation, decision="x", raters=["R01"])

    assert [one.rater for one in list_rule_breaks(engine, evaluation)] == ["R02"]
