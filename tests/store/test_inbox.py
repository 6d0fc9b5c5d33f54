"""Remarks are found by evaluation, open until a lead acts, and again when raters change them."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from ocrjury.store.database import reading, writing
from ocrjury.store.documents import take_texts
from ocrjury.store.inbox import add_answer, count_open_remarks, list_own_answers, list_remarks
from ocrjury.store.ratings import Submission, insert_submissions
from ocrjury.store.remarks import add_comment

MINUTE = timedelta(minutes=1)


@pytest.fixture
def tell(engine, evaluation, now):
    """Store a flag or a rating, and a comment."""

    def tell_one(item, rater, *, flag=None, comment=None, after=0):
        assignment, at = f"{evaluation}/1/{rater}/0/{item}", now + after * MINUTE
        values, flags = ({}, {"meaning": flag}) if flag else ({"meaning": 4.0}, {})
        sent = Submission(assignment, values, f"{after}/{assignment}", "r", "file", flags)
        with writing(engine) as connection:
            insert_submissions(connection, evaluation, [sent], now=at)
            if comment is not None:
                add_comment(connection, assignment, comment, now=at)
        return assignment

    return tell_one


@pytest.fixture
def answer(engine, now):
    def answer_one(assignment, body="Thank you.", *, kind="answer", after=1):
        with writing(engine) as connection:
            at = now + after * MINUTE
            add_answer(connection, assignment, kind=kind, body=body, actor="J. Kim", now=at)

    return answer_one


def listed(engine, evaluation):
    with reading(engine) as connection:
        remarks = list_remarks(connection, evaluation)
        assert count_open_remarks(connection, [evaluation]) == (
            {evaluation: left} if (left := sum(not remark.settled for remark in remarks)) else {}
        )
    return [
        (remark.item, remark.rater, dict(remark.flags), remark.comment, remark.settled)
        for remark in remarks
    ]


def test_flags_and_comments_are_remarks_and_cannot_judge_is_none(engine, evaluation, tell):
    tell("d1", "R01", flag="privacy")
    tell("d1", "R02", comment="The stamp hides it.", after=1)
    tell("d2", "R01", flag="cannot_judge")
    tell("d2", "R02")

    assert listed(engine, evaluation) == [
        ("d1", "R02", {}, "The stamp hides it.", False),
        ("d1", "R01", {"meaning": "privacy"}, "", False),
    ]
    assert listed(engine, "another") == []


def test_a_flag_that_was_replaced_and_a_comment_that_was_deleted_are_gone(engine, evaluation, tell):
    tell("d1", "R01", flag="unreadable", comment="Blurred.")
    tell("d1", "R01", comment="", after=1)

    assert listed(engine, evaluation) == []


def test_an_answer_settles_a_remark_until_the_rater_writes_again(engine, evaluation, tell, answer):
    assignment = tell("d1", "R01", flag="wrong_reference", comment="It says 12.")
    answer(assignment)
    assert listed(engine, evaluation)[0][-1] is True

    tell("d1", "R01", flag="wrong_reference", comment="It says 12, not 21.", after=2)
    assert listed(engine, evaluation)[0][-1] is False

    answer(assignment, "", kind="read", after=3)
    assert listed(engine, evaluation)[0][-1] is True


def test_a_rater_reads_own_answers_only_and_not_that_a_remark_was_read(
    engine, evaluation, tell, answer
):
    first, second = tell("d1", "R01", flag="other"), tell("d1", "R02", flag="other")
    answer(first, "Rate what is printed.")
    answer(second, "For R02.", after=2)
    answer(first, "", kind="read", after=3)

    with reading(engine) as connection:
        own = list_own_answers(connection, evaluation, "R01")

    assert [(one.kind, one.body) for one in own] == [("answer", "Rate what is printed.")]


def test_a_purge_takes_answers_with_the_comments(engine, evaluation, tell, answer, now):
    answer(tell("d1", "R01", flag="other", comment="Kim's name is on it."), "Kim's name stays.")

    with writing(engine) as connection:
        take_texts(connection, evaluation, now=now)
        bodies = connection.execute(sa.text("select body from answers")).scalars().all()

    assert bodies == [""]
    assert listed(engine, evaluation) == [("d1", "R01", {"meaning": "other"}, "", True)]
