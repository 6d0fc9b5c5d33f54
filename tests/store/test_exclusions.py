"""An excluded item is asked of nobody and counts nowhere, until that is undone."""

import pytest
import sqlalchemy as sa

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.exclusions import what_follows
from ocrjury.campaign.history import History
from ocrjury.errors import RefusedError, StateError
from ocrjury.store.database import reading, writing
from ocrjury.store.decisions import add_decision
from ocrjury.store.exclusions import (
    NewExclusion,
    decide_exclusion,
    excluded_items,
    list_excluded_ratings,
)
from ocrjury.store.histories import read_standing
from ocrjury.store.inbox import list_own_answers
from ocrjury.store.moves import Mover
from ocrjury.store.ratings import Submission, list_ratings
from ocrjury.store.rounds import list_assignments, withdraw
from tests.store_calls import add_submissions


@pytest.fixture
def rate(engine, evaluation, now):
    def rate_one(item, rater, flag=None):
        assignment = f"{evaluation}/1/{rater}/0/{item}"
        values, flags = ({}, {"meaning": flag}) if flag else ({"meaning": 4.0}, {})
        sent = Submission(assignment, values, assignment, "r", "file", flags)
        add_submissions(engine, evaluation, [sent], now=now)

    return rate_one


@pytest.fixture
def exclude(engine, evaluation, now):
    def change(item, *, excluded=True):
        standing = read_standing(engine, evaluation, now=now)
        new = NewExclusion(item, excluded, "unreadable", "The scan is black.", "J. Kim")
        with writing(engine) as connection:
            return decide_exclusion(connection, standing, new, address="here", now=now)

    return change


def counting(engine, evaluation):
    return [(row.item, row.rater) for row in list_ratings(engine, evaluation)]


def open_ones(engine, evaluation):
    return [(row.item, row.rater) for row in list_assignments(engine, evaluation, state="open")]


def test_its_ratings_count_no_more_and_nobody_is_asked_until_that_is_undone(
    engine, evaluation, rate, exclude
):
    rate("d1", "R01")
    rate("d2", "R01")
    before = open_ones(engine, evaluation)

    assert exclude("d1") is False
    assert counting(engine, evaluation) == [("d2", "R01")]
    assert open_ones(engine, evaluation) == [("d2", "R02")]
    assert list(excluded_items(engine, evaluation)) == ["d1"]
    assert list_excluded_ratings(engine, evaluation) == [(1, "d1")]

    exclude("d1", excluded=False)
    assert counting(engine, evaluation) == [("d1", "R01"), ("d2", "R01")]
    assert list_excluded_ratings(engine, evaluation) == []
    assert open_ones(engine, evaluation) == before
    assert excluded_items(engine, evaluation) == {}


def test_a_restored_item_is_asked_of_nobody_who_was_dropped_meanwhile(
    engine, evaluation, exclude, now
):
    exclude("d1")
    standing = read_standing(engine, evaluation, now=now)
    with writing(engine) as connection:
        add_decision(
            connection,
            standing.position,
            kind="drop",
            target=DecisionTarget(raters=["R02"]),
            reason="",
            mover=Mover(now, "J. Kim"),
        )
        withdraw(connection, evaluation, ["R02"])

    exclude("d1", excluded=False)

    assert open_ones(engine, evaluation) == [("d1", "R01"), ("d2", "R01")]


def test_the_round_is_complete_if_nothing_else_was_open(engine, evaluation, rate, exclude):
    for item, rater in (("d1", "R01"), ("d2", "R01"), ("d2", "R02")):
        rate(item, rater)

    exclude("d1")

    with reading(engine) as connection:
        names = connection.execute(sa.text("select name from signals")).scalars().all()
    assert names == ["ocrjury.round.complete"]


def test_who_reported_it_is_told_and_the_audit_log_has_it(engine, evaluation, rate, exclude):
    rate("d1", "R01", flag="unreadable")

    exclude("d1")
    exclude("d1", excluded=False)

    with reading(engine) as connection:
        own = list_own_answers(connection, evaluation, "R01")
        lines = connection.execute(sa.text("select action, reason from audit order by seq")).all()
    assert {one.kind for one in own} == {"excluded", "restored"}
    assert [tuple(line) for line in lines[-2:]] == [
        ("exclude item", "unreadable: The scan is black."),
        ("restore item", "unreadable: The scan is black."),
    ]


@pytest.mark.parametrize("item", ["d9", "d1"])
def test_what_is_not_there_or_is_excluded_already_is_refused(engine, evaluation, exclude, item):
    exclude("d1")

    with pytest.raises(StateError):
        exclude(item)
    with pytest.raises(StateError, match="not excluded"):
        exclude("d2", excluded=False)


def test_rows_never_change(engine, evaluation, exclude):
    exclude("d1")

    with pytest.raises(sa.exc.DatabaseError, match="never change"), writing(engine) as connection:
        connection.execute(sa.text("update exclusions set excluded = false"))


def test_after_the_verdict_it_needs_that_the_gate_judges_again():
    assert what_follows(History("held", "pilot", "judged", pilot_met=False)) is None
    assert what_follows(History("estimated", verdict="PASS")) == "rerun judge"
    for state, reason, before in (("held", "gate_failed", "judged"), ("closed", None, None)):
        with pytest.raises(RefusedError, match="No item can be excluded"):
            what_follows(History(state, reason, before, verdict="FAIL"))
