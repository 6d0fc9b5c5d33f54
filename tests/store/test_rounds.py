"""Rounds keep in words how their items were chosen, to be read in any language."""

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import sqlalchemy as sa

from ocrjury.language import Phrase, counted, phrase
from ocrjury.store.database import writing
from ocrjury.store.ratings import Submission, insert_submissions, lock_open_round
from ocrjury.store.rounds import (
    TAKES_OVER,
    NewAssignment,
    RoundPlan,
    add_assignments,
    close_round,
    count_missing,
    list_progress,
    list_rounds,
    open_round,
    withdraw,
)
from ocrjury.store.schema.rating import rounds
from tests.locks import wait_for_waiting


@pytest.fixture
def plan(now):
    rule = phrase("the sample, {raters} per item", raters=counted(2, "rater"))
    deadline = now + timedelta(days=7)
    return RoundPlan("main", rule, ("meaning",), "file", deadline, assignments=())


@pytest.fixture
def opened(engine, evaluation, now):
    def open_next(plan):
        with writing(engine) as connection:
            close_round(connection, evaluation, by="lead", now=now)
            open_round(connection, evaluation, plan, now=now)
        return list_rounds(engine, evaluation)[-1].rule

    return open_next


def test_a_rule_is_stored_with_what_it_was_made_of(opened, plan):
    rule = opened(plan)

    assert isinstance(rule, Phrase)
    assert rule == plan.rule == "the sample, 2 raters per item"


@pytest.mark.parametrize("text", ["as it is", "", "{1, 2}"])
def test_a_rule_in_plain_words_stays_as_it_is(engine, opened, plan, text):
    rule = opened(dataclasses.replace(plan, rule=text))

    assert type(rule) is str
    assert rule == text
    with engine.connect() as connection:
        stored = connection.execute(sa.select(sa.cast(rounds.c.rule, sa.Text))).scalars().all()
    assert text in stored


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_round_closes_after_a_rating_that_comes_at_that_moment(engine, evaluation, now):
    rating = Submission(f"{evaluation}/1/R01/0/d1", {"meaning": 4.0}, "e", "r", "file")
    with ThreadPoolExecutor() as others:
        with writing(engine) as connection:
            lock_open_round(connection, evaluation)
            closing = others.submit(close, engine, evaluation, now)
            wait_for_waiting(engine)

            insert_submissions(connection, evaluation, [rating], now=now)
        closing.result(60)

    assert list_rounds(engine, evaluation)[-1].state == "closed"
    assert [tuple(rater) for rater in list_progress(engine, evaluation, 1)] == [
        ("R01", 1, 0, 1),
        ("R02", 0, 0, 2),
    ]


def close(engine, evaluation, now):
    with writing(engine) as connection:
        close_round(connection, evaluation, by="lead", now=now)


def test_what_a_round_asked_for_and_did_not_get_is_counted_when_it_is_closed(
    engine, evaluation, now
):
    rating = Submission(f"{evaluation}/1/R01/0/d1", {"meaning": 4.0}, "e", "r", "file")
    instead = NewAssignment("d1", "A01", 1, reason=TAKES_OVER)
    check = NewAssignment("d2", "A01", 2, repeat=1, reason="repeat")
    with writing(engine) as connection:
        withdraw(connection, evaluation, ["R02"])
        add_assignments(connection, evaluation, [instead, check], number=1)
        insert_submissions(connection, evaluation, [rating], now=now)
    under_way = count_missing(engine, [evaluation])
    with writing(engine) as connection:
        close_round(connection, evaluation, by="overdue", now=now)

    assert under_way == {}
    assert count_missing(engine, [evaluation]) == {(evaluation, 1): 3}
    assert count_missing(engine, []) == {}
