import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from ocrjury.campaign.rubric import Rubric
from ocrjury.errors import InputError
from ocrjury.frontends.ingest import (
    OpenRound,
    RawRating,
    check_capabilities,
    problem_with,
    receive,
)
from ocrjury.store.audit import list_audit
from ocrjury.store.database import reading
from ocrjury.store.quarantine import list_refused
from ocrjury.store.queue import AskedRow
from ocrjury.store.ratings import list_ratings
from ocrjury.store.remarks import read_comment
from tests.frontends.web.conftest import campaign_of, open_place, store_in
from tests.store_calls import list_rule_flags

RUBRIC = Rubric.model_validate(
    {"purpose": "x", "dimensions": [{"name": "meaning", "title": "x", "description": "x"}]}
)
ASKED = AskedRow("e/1/R01/0/d1", "R01", "d1", "open", 1, "open", ["meaning"])
RAW = RawRating(
    assignment=ASKED.assignment,
    rater="R01",
    values={"meaning": 4.0},
    event_id="event-1",
    rubric_hash=RUBRIC.rubric_hash,
    source="sheet",
    where="row 3",
)
NOW = datetime(2026, 11, 20, tzinfo=UTC)


def test_a_right_rating_has_no_problem():
    assert problem_with(RAW, ASKED, rubric=RUBRIC) is None
    assert problem_with(RAW, ASKED._replace(state="done"), rubric=RUBRIC) is None


@pytest.mark.parametrize(
    ("raw", "asked", "why"),
    [
        ({}, None, "there is no such assignment"),
        ({"rater": "R02"}, {}, "the assignment is another rater's"),
        ({}, {"round_state": "closed"}, "the round is closed"),
        ({}, {"state": "withdrawn"}, "the assignment was withdrawn"),
        ({"rubric_hash": "old"}, {}, "it was rated by another version of the rubric"),
        ({"values": {"meaning": 6.0}}, {}, "6 on 'meaning' is outside the scale (likert 1 to 5)"),
        ({"values": {"meaning": math.nan}}, {}, "a rating is no number"),
        ({"values": {}}, {}, "no rating on dimension 'meaning'"),
        ({"comment": "a\ud800"}, {}, "there is a lone surrogate (half a character) in it"),
        ({"values": {"\udfff": 1.0}}, {}, "there is a lone surrogate (half a character) in it"),
        (
            {"values": {"meaning": 4.0, "mood": 1.0}},
            {},
            "there is no dimension 'mood'; there are meaning",
        ),
        (
            {"flags": {"meaning": "unreadable"}},
            {},
            "both a rating and a flag on dimension 'meaning'",
        ),
        (
            {"values": {}, "flags": {"meaning": "bored"}},
            {},
            (
                "there is no reason 'bored'; there are cannot_judge, unreadable, wrong_image, "
                "wrong_reference, privacy, other"
            ),
        ),
        ({"confidence": 7.0}, {}, "the confidence is outside 0 to 1"),
    ],
)
def test_every_problem_has_its_sentence(raw, asked, why):
    known = None if asked is None else ASKED._replace(**asked)

    assert problem_with(replace(RAW, **raw), known, rubric=RUBRIC) == why


def test_a_flag_stands_for_a_rating():
    flagged = replace(RAW, values={}, flags={"meaning": "unreadable"})

    assert problem_with(flagged, ASKED, rubric=RUBRIC) is None


@pytest.fixture
def round_(tmp_path):
    with store_in(tmp_path) as base:
        place = open_place(base, raters=("R01",))
        rubric = campaign_of(tmp_path).rubric
        yield OpenRound(place.store, place.evaluation, 1, ("meaning", "layout"), rubric)


def raw(round_, item, **changes):
    values = {
        "assignment": f"{round_.evaluation}/1/R01/0/{item}",
        "rater": "R01",
        "values": {"meaning": 4.0, "layout": 5.0},
        "event_id": f"event-{item}",
        "rubric_hash": round_.rubric.rubric_hash,
        "source": "labelstudio",
        "where": f"task {item}",
    }
    return RawRating(**{**values, **changes})


def test_what_is_right_is_stored_and_the_rest_set_aside_once(round_):
    sent = [
        raw(round_, "d1"),
        raw(round_, "d1", event_id="event-again"),
        raw(round_, "d2", rater="R02"),
        raw(round_, "d9"),
    ]

    first = receive(round_, sent, now=NOW)
    received = receive(round_, sent, now=NOW)

    assert [one.assignment[-2:] for one in first.accepted] == ["d1"]
    assert (received.accepted, received.known) == ((), 1)
    assert [str(one) for one in received.refused] == [
        "task d1: it is the second submission for the same assignment",
        "task d2: the assignment is another rater's",
        "task d9: there is no such assignment",
    ]
    assert len(list_ratings(round_.store.engine, round_.evaluation)) == 2
    kept = list_refused(round_.store.engine, round_.evaluation)
    assert sorted(one.row for one in kept) == ["task d1", "task d2", "task d9"]
    assert {one.source for one in kept} == {"labelstudio"}


def comment_on(round_, item):
    with reading(round_.store.engine) as connection:
        return read_comment(connection, f"{round_.evaluation}/1/R01/0/{item}")


def test_a_comment_comes_with_its_rating_and_is_taken_back_with_the_next(round_):
    first = raw(round_, "d1", comment=" stamp over it ")
    receive(round_, [first], now=NOW)
    receive(round_, [raw(round_, "d1", event_id="silent")], now=NOW)
    before = comment_on(round_, "d1")
    receive(round_, [raw(round_, "d1", event_id="emptied", comment="")], now=NOW)

    assert (before, comment_on(round_, "d1")) == ("stamp over it", "")


def test_a_rating_above_a_field_rule_is_stored_as_it_is_and_noted(round_):
    high = {"meaning": 5.0, "layout": 5.0}
    receive(
        round_,
        [raw(round_, "d1", values=high), raw(round_, "d2", values=high, told=["meaning"])],
        now=NOW,
    )
    receive(round_, [raw(round_, "d3")], now=NOW)

    flags = {
        item: list_rule_flags(round_.store.engine, f"{round_.evaluation}/1/R01/0/{item}")
        for item in ("d1", "d2", "d3")
    }
    assert flags == {
        "d1": [("meaning", "amount-differs", 5.0, 4.0, False)],
        "d2": [("meaning", "amount-differs", 5.0, 4.0, True)],
        "d3": [],
    }
    assert {
        rating.value
        for rating in list_ratings(round_.store.engine, round_.evaluation)
        if rating.item == "d1"
    } == {5.0}


def test_the_audit_log_says_who_rated_what_from_where(round_):
    sent = [raw(round_, "d1", address="10.0.0.7"), raw(round_, "d2", actor="lead")]
    for _ in range(2):
        receive(round_, [*sent, raw(round_, "d9")], now=NOW)

    log = [one for one in list_audit(round_.store.engine) if one.action == "rate"]
    assert sorted((one.actor, one.object[-2:], one.address) for one in log) == [
        ("R01", "d1", "10.0.0.7"),
        ("lead", "d2", "cli"),
    ]


def test_a_slow_sender_is_heard_out_before_the_store_is_touched(round_):
    def slowly():
        yield raw(round_, "d1")
        receive(round_, [raw(round_, "d2")], now=NOW)  # would wait for ever

    assert len(receive(round_, slowly(), now=NOW).accepted) == 1


def test_fields_are_compared_before_the_store_is_locked(round_, compared_beside_a_writer):
    compared = compared_beside_a_writer(round_.store.engine)
    high = {"meaning": 5.0, "layout": 5.0}

    receive(round_, [raw(round_, "d1", values=high)], now=NOW)

    assert compared == ["amount"]
    assert list_rule_flags(round_.store.engine, f"{round_.evaluation}/1/R01/0/d1") != []


def test_the_last_rating_completes_the_round(round_):
    first = receive(round_, [raw(round_, "d1"), raw(round_, "d2")], now=NOW)
    last = receive(round_, [raw(round_, "d3")], now=NOW + timedelta(minutes=1))

    assert (first.complete, last.complete) == (False, True)


def test_the_rating_page_lacks_nothing():
    assert check_capabilities("web") == ()


def test_a_frontend_that_keeps_nobody_blind_must_be_allowed():
    with pytest.raises(InputError, match=r"labelstudio lacks blind, .*allow_degraded: true"):
        check_capabilities("labelstudio")

    allowed = check_capabilities("labelstudio", allow_degraded=True)
    assert allowed == ("blind", "diff", "server_validation", "timing")
