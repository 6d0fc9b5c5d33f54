import threading
from itertools import combinations

import pytest
import sqlalchemy as sa

from ocrjury.errors import StateError
from ocrjury.store.database import reading, writing
from ocrjury.store.decisions import set_ratings_aside
from ocrjury.store.exclusions import NewExclusion, add_exclusion
from ocrjury.store.outbox import list_unsent, mark_sent
from ocrjury.store.pulse import read_rating_pulse
from ocrjury.store.ratings import Submission, list_ratings
from ocrjury.store.rounds import (
    close_round,
    count_items,
    list_assignments,
    list_progress,
    withdraw,
)
from ocrjury.store.schema.rating import ratings
from tests.store.conftest import known_rows
from tests.store_calls import add_submissions


def submission(evaluation, item, rater, value, *, event=None):
    assignment = f"{evaluation}/1/{rater}/0/{item}"
    return Submission(assignment, {"meaning": value}, event or f"e/{assignment}", "r", "file")


def everything(evaluation):
    return [
        submission(evaluation, item, rater, 4.0)
        for item in ("d1", "d2")
        for rater in ("R01", "R02")
    ]


def test_the_last_rating_announces_the_round_once(engine, evaluation, now, statements):
    *first, last = everything(evaluation)

    assert not add_submissions(engine, evaluation, first, now=now)
    assert not any(
        "count(" in statement for statement in statements
    )  # while others wait for the round
    assert list_unsent(engine) == []
    assert add_submissions(engine, evaluation, [last], now=now)

    (signal,) = list_unsent(engine)
    assert (signal.name, signal.payload) == (
        "ocrjury.round.complete",
        {"evaluation": evaluation, "round": "1"},
    )
    mark_sent(engine, [signal.signal], now=now)
    assert list_unsent(engine) == []


def test_an_item_is_done_when_nobody_has_it_left(engine, evaluation, now):
    assert count_items(engine, evaluation, 1) == (0, 2)
    assert count_items(engine, evaluation, 2) == (0, 0)

    both, _, other, _ = everything(evaluation)
    add_submissions(engine, evaluation, [both, other], now=now)
    assert count_items(engine, evaluation, 1) == (0, 2)

    with writing(engine) as connection:
        withdraw(connection, evaluation, ["R02"])
    assert count_items(engine, evaluation, 1) == (2, 2)


def test_sending_a_submission_twice_stores_it_once(engine, evaluation, now):
    one = submission(evaluation, "d1", "R01", 4.0)

    add_submissions(engine, evaluation, [one], now=now)
    add_submissions(engine, evaluation, [one], now=now)

    assert [(r.item, r.rater, r.value) for r in list_ratings(engine, evaluation)] == [
        ("d1", "R01", 4.0)
    ]


def test_a_revision_counts_and_the_first_answer_is_kept(engine, evaluation, now):
    add_submissions(engine, evaluation, [submission(evaluation, "d1", "R01", 2.0)], now=now)
    again = submission(evaluation, "d1", "R01", 3.0, event="second thought")
    add_submissions(engine, evaluation, [again], now=now)

    assert [r.value for r in list_ratings(engine, evaluation)] == [3.0]
    with reading(engine) as connection:
        kept = connection.execute(sa.select(ratings.c.rev, ratings.c.value).order_by("rev")).all()
    assert kept == [(1, 2.0), (2, 3.0)]


def test_one_wrong_submission_stores_none(engine, evaluation, now):
    wrong = submission(evaluation, "d9", "R01", 1.0)

    with pytest.raises(StateError, match="d9 is not an assignment of the open round 1"):
        add_submissions(engine, evaluation, [*everything(evaluation), wrong], now=now)

    assert list_ratings(engine, evaluation) == []


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_postgresql_knows_at_once_what_a_round_and_many_ratings_brought(engine, evaluation, now):
    many = [submission(evaluation, "d1", "R01", 4.0, event=f"e{n}") for n in range(21)]
    add_submissions(engine, evaluation, many, now=now)

    assert known_rows(engine, "items", "documents", "rounds", "assignments", "ratings") == {
        "items": 2,
        "documents": 2,
        "rounds": 1,
        "assignments": 4,
        "ratings": 21,
    }


def test_a_closed_round_takes_nothing(engine, evaluation, now):
    with writing(engine) as connection:
        close_round(connection, evaluation, by="complete", now=now)

    with pytest.raises(StateError, match="has no open round"):
        add_submissions(engine, evaluation, everything(evaluation), now=now)


def test_withdrawn_and_set_aside_ratings_do_not_count(engine, evaluation, now):
    add_submissions(engine, evaluation, everything(evaluation)[:3], now=now)
    with writing(engine) as connection:
        withdraw(connection, evaluation)
        set_ratings_aside(connection, evaluation, raters=["R01"], decision="x")

    assert [(r.item, r.rater) for r in list_ratings(engine, evaluation)] == [("d1", "R02")]
    assert [a.state for a in list_assignments(engine, evaluation)].count("withdrawn") == 1


def test_whatever_changes_the_ratings_that_count_changes_their_pulse(engine, evaluation, now):
    out = NewExclusion("d1", excluded=True, category="other", reason="blank", actor="lead")
    again = [submission(evaluation, "d1", "R01", 2.0, event="again")]
    pulses = [read_rating_pulse(engine, evaluation)]

    for sent in (everything(evaluation)[:2], again):
        add_submissions(engine, evaluation, sent, now=now)
        pulses.append(read_rating_pulse(engine, evaluation))
    for change in (
        lambda connection: withdraw(connection, evaluation, ["R02"]),
        lambda connection: set_ratings_aside(connection, evaluation, raters=["R01"], decision="x"),
        lambda connection: add_exclusion(connection, evaluation, out, after_verdict=False, now=now),
    ):
        with writing(engine) as connection:
            change(connection)
        pulses.append(read_rating_pulse(engine, evaluation))

    assert all(one != another for one, another in combinations(pulses, 2))
    assert read_rating_pulse(engine, evaluation) == pulses[-1]


def test_setting_aside_twice_is_once(engine, evaluation, now):
    add_submissions(engine, evaluation, everything(evaluation), now=now)
    for decision in ("x", "y"):
        with writing(engine) as connection:
            set_ratings_aside(connection, evaluation, raters=["R01"], decision=decision)

    assert {r.rater for r in list_ratings(engine, evaluation)} == {"R02"}


def test_two_last_ratings_at_once_announce_the_round_once(engine, evaluation, now):
    *_, third, fourth = everything(evaluation)
    add_submissions(engine, evaluation, everything(evaluation)[:2], now=now)
    complete = []
    threads = [
        threading.Thread(
            target=lambda one=one: complete.append(
                add_submissions(engine, evaluation, [one], now=now)
            )
        )
        for one in (third, fourth)
    ]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert sorted(complete) == [False, True]
    assert len(list_unsent(engine)) == 1
    assert [tuple(p) for p in list_progress(engine, evaluation, 1)] == [
        ("R01", 2, 0, 0),
        ("R02", 2, 0, 0),
    ]
