"""Decisions at the desk: written down, announced, and taken by a flow that reads the store."""

from datetime import UTC, datetime

import pytest

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.decisions import take_decision
from ocrjury.evaluation.standings import unfinished_evaluations
from ocrjury.store.database import writing
from ocrjury.store.decisions import add_request, list_decisions, list_requested, list_requests
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.moves import Position
from ocrjury.store.outbox import list_unsent
from ocrjury.store.rounds import list_rounds
from ocrjury.tasks.decisions import take_requested

WHY = {"reason": "public holiday"}


@pytest.fixture
def late(measured, hold):
    place = measured()
    hold(place, "overdue")
    return place


def path(place, what="decisions"):
    return f"/desk/{place.evaluation}/{what}"


def version(place):
    return read_evaluation(place.store.engine, place.evaluation).version


def outcomes(place):
    rows = list_requests(place.store.engine, place.evaluation)
    return [(row.decision, row.outcome) for row in rows]


def test_a_decision_at_the_desk_moves_a_held_evaluation(late, at_desk, in_store):
    desk = at_desk(late)
    before = list_rounds(late.store.engine, late.evaluation)[-1].deadline

    answer = desk.post(path(late), decision="extend", version=version(late), days=3, **WHY)
    assert answer.status == 303
    assert "waits for its run" in desk.ask("GET", f"/desk/{late.evaluation}").text
    end = in_store.advance_until_waiting(late.evaluation)

    row = read_evaluation(late.store.engine, late.evaluation)
    (taken,) = list_decisions(late.store.engine, late.evaluation)
    assert (row.state, end.name) == ("collecting", "WaitingForRatings")
    assert (taken.kind, taken.actor, taken.reason) == ("extend", "J. Kim", "public holiday")
    assert list_rounds(late.store.engine, late.evaluation)[-1].deadline > before
    assert outcomes(late) == [("extend", "taken")]
    page = desk.ask("GET", f"/desk/{late.evaluation}").text
    assert "waits for its run" not in page
    assert "Decisions so far" in page


def test_a_request_is_announced_and_the_sweep_looks_at_it(late, at_desk, in_store):
    at_desk(late).post(path(late), decision="abort", version=version(late), **WHY)

    names = [
        one.name for one in list_unsent(late.store.engine) if one.evaluation == late.evaluation
    ]
    assert names == ["ocrjury.decision.requested"]
    assert late.evaluation in unfinished_evaluations()
    in_store.advance_until_waiting(late.evaluation)
    assert read_evaluation(late.store.engine, late.evaluation).state == "aborted"
    assert late.evaluation not in unfinished_evaluations()


def test_a_program_decides_with_the_code_itself(late, code_of, desk_without_link):
    program = desk_without_link(late)
    body = {"decision": "proceed", "version": version(late), "reason": "enough for a first look"}

    key = {"Authorization": f"Bearer {code_of(late, who='nightly job')}"}
    answer = program.ask("POST", f"/api{path(late)}".replace("desk", "evaluations"), body, **key)

    assert answer.status == 202
    (request,) = list_requests(late.store.engine, late.evaluation)
    assert (request.decision, request.actor, request.outcome) == ("proceed", "nightly job", None)


def test_what_was_seen_is_what_is_decided_on(late, at_desk, in_store):
    desk = at_desk(late)
    stale = version(late) - 1

    answer = desk.post(path(late), decision="proceed", version=stale, **WHY)

    assert answer.status == 409
    assert "has moved since" in answer.text
    assert outcomes(late) == []


def test_a_request_that_the_evaluation_outran_is_not_taken(late, in_store):
    position = Position(late.evaluation, "held", version(late) - 1)
    with writing(late.store.engine) as connection:
        add_request(
            connection,
            position,
            decision="abort",
            target=DecisionTarget(),
            reason="public holiday",
            actor="x",
            now=datetime.now(UTC),
        )

    take_requested.fn(late.evaluation)

    assert outcomes(late) == [("abort", "overtaken")]
    assert read_evaluation(late.store.engine, late.evaluation).state == "held"
    assert late.evaluation not in list_requested(late.store.engine)


def test_a_decision_whose_run_died_before_noting_it_counts_as_taken(late, at_desk, in_store):
    at_desk(late).post(path(late), decision="extend", version=version(late), days=2, **WHY)
    target = DecisionTarget(days=2)
    with at_work() as work, work.snapshot():
        take_decision(
            work, late.evaluation, "extend", reason="public holiday", actor="J. Kim", target=target
        )

    take_requested.fn(late.evaluation)

    assert outcomes(late) == [("extend", "taken")]
    assert len(list_decisions(late.store.engine, late.evaluation)) == 1


def test_what_only_the_flow_can_tell_is_refused_with_its_sentence(measured, at_desk, in_store):
    place = measured()
    desk = at_desk(place)
    # Nobody named has anything in this round: the table of decisions cannot know.
    desk.post(path(place), decision="drop", version=version(place), raters=["A01"], **WHY)

    in_store.advance_until_waiting(place.evaluation)

    assert outcomes(place) == [("drop", "refused")]
    assert (
        "There is no assignment in round 1 for A01"
        in desk.ask("GET", f"/desk/{place.evaluation}").text
    )


def test_dropping_a_rater_gives_the_items_to_others(measured, at_desk, in_store):
    place = measured(share=0.7)
    at_desk(place).post(path(place), decision="drop", version=version(place), raters="R03", **WHY)

    take_requested.fn(place.evaluation)

    open_ = [
        row["rater"] for row in place.own("assignments", "rater", "state") if row["state"] == "open"
    ]
    assert "R03" not in open_
    assert outcomes(place) == [("drop", "taken")]


@pytest.mark.parametrize(
    ("sent", "status", "says"),
    [
        ({"decision": "proceed", "reason": "no"}, 422, "5 letters"),
        ({"decision": "retry"}, 409, "does not fit"),
        ({"decision": "extend"}, 409, "needs a number of days"),
        ({"decision": "extend", "days": "400"}, 422, "Please look at: More days."),
        ({"decision": "reassign", "raters": "R99"}, 422, "There is no rater R99"),
        ({"decision": "dance"}, 422, "did not send what the desk needs"),
    ],
)
def test_what_does_not_fit_is_said_on_the_page(late, at_desk, sent, status, says):
    answer = at_desk(late).post(path(late), **{"version": version(late), **WHY, **sent})

    assert answer.status == status
    assert says in answer.text
    assert outcomes(late) == []


@pytest.mark.parametrize(
    ("part", "body"),
    [
        ("decisions", {"decision": "abort", "version": 99}),
        ("exclusions", {"item": "d1"}),
        ("rubric/cases", {"item": "d1", "dimension": "meaning", "level": 3, "case": {"en": "A"}}),
        ("rubric/undo", {"version": 2}),
    ],
)
def test_blanks_are_no_reason(late, at_desk, part, body):
    desk, address = at_desk(late), f"/api/evaluations/{late.evaluation}/{part}"

    blank = desk.ask("POST", address, {**body, "reason": "\n      "})
    told = desk.ask("POST", address, {**body, "reason": "  a reason  "})

    assert blank.status == 422
    assert told.status != 422
    assert {row["reason"] for row in late.own("exclusions", "reason")} <= {"a reason"}


def test_one_decision_waits_at_a_time(late, at_desk):
    desk = at_desk(late)

    first = desk.post(path(late), decision="proceed", version=version(late), **WHY)
    second = desk.post(path(late), decision="abort", version=version(late), **WHY)

    assert (first.status, second.status) == (303, 409)
    assert outcomes(late) == [("proceed", None)]
