"""A rater leaves in the middle of a round: who takes over, and what is said if nobody can."""

import re
from collections import Counter

import pytest

import ocrjury.flows.advance_evaluation as advance
from ocrjury.cli.evaluation_page import print_evaluation
from ocrjury.evaluation import decisions
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.eligible_people import people_of
from ocrjury.evaluation.foresight import explain_shortage
from ocrjury.store.decisions import list_decisions
from ocrjury.store.moves import list_moves
from ocrjury.store.rounds import list_assignments

FILE = {"rounds": {"frontend": "file"}}


def standing(small):
    """The assignments that count: not withdrawn."""
    return [one for one in small.stored(list_assignments) if one.state != "withdrawn"]


def test_half_a_raters_work_goes_to_others_and_every_item_keeps_two_raters(small):
    small.write(**FILE).open()
    small.rate(["R02"], count=9)

    small.decide("drop", raters=("R02",))

    left = standing(small)
    by_item = Counter(one.item for one in left)
    assert len(by_item) == 40
    assert set(by_item.values()) == {2}
    assert len({(one.item, one.rater) for one in left}) == 80
    assert Counter(one.rater for one in left)["R02"] == 9
    load = Counter(one.rater for one in left if one.rater != "R02")
    assert max(load.values()) - min(load.values()) <= 1
    places = {(one.rater, one.position) for one in small.stored(list_assignments)}
    assert len(places) == len(small.stored(list_assignments))


def test_the_rest_of_the_way_is_as_usual_after_a_rater_left(small):
    small.write(**FILE, adaptive={"max_rounds": 0}).open()
    small.rate(["R01", "R03"], say=lambda one, _: 1 + int(one.item[1:4]) % 5)
    small.decide("drop", raters=("R02",))
    small.rate(say=lambda one, _: 1 + int(one.item[1:4]) % 5)

    end = small.advance()
    end = small.decide("proceed") if end.name == "Held" else end
    while end.name == "WaitingForRatings":
        small.rate(say=lambda one, _: 1 + int(one.item[1:4]) % 5)
        end = small.advance()

    assert end.name == "Closed"
    assert {row.rater for row in small.report()[0].sections["raters"].rows} == {"R01", "R03", "R04"}


def test_only_those_with_the_skill_take_over(small):
    small.columns = "pseudonym,role,skills"
    small.people = ["R01,rater,bill", "R02,rater,bill", "R03,rater,bill;note", "R04,rater,note"]
    small.people += ["R05,rater,note;tables"]
    small.write(**FILE).open()
    skills = {line[:3]: line.split(",")[2] for line in small.people}
    types = {row["doc_id"]: row["doc_type"] for row in small.pool}

    small.decide("drop", raters=("R04",))

    assert all(types[one.item] in skills[one.rater] for one in standing(small))
    assert set(Counter(one.item for one in standing(small)).values()) == {2}


def test_what_nobody_can_take_over_is_named(small):
    small.columns = "pseudonym,role,skills"
    small.people = ["R01,rater,bill", "R02,rater,bill", "R03,rater,", "R04,rater,"]
    small.write(**FILE).open()
    types = {row["doc_id"]: row["doc_type"] for row in small.pool}
    bills = sorted({a.item for a in standing(small) if types[a.item] == "bill"})

    small.decide("drop", raters=("R02",))

    (reason,) = {one.reason for one in small.stored(list_decisions)}
    assert next(m.reason for m in small.stored(list_moves) if m.event == "drop") == reason
    assert reason.startswith(
        f"as the chair said [{len(bills)} rating(s) found nobody: {bills[0]} lacks 1, "
    )
    assert reason.endswith(
        "somebody new in raters.csv can get them by reassign once it is overdue.]"
    )
    assert Counter(one.rater for one in standing(small))["R02"] == 0


def test_who_was_dropped_is_named_where_too_few_are_left_for_a_round(small, capsys):
    small.people = ["R01,rater", "R02,rater", "R03,rater", "A01,adjudicator"]
    small.write(**FILE).open()
    small.decide("drop", raters=("R01", "R03"))

    with at_work() as work:
        case = work.case(small.evaluation)
        people = people_of(case, "rater", ())
        items = {item.item: item for item in case.items}
        [why] = explain_shortage(case, people, items, demand=dict.fromkeys(items, 2))

    assert why == (
        "2 raters of a document are wanted; raters.csv has 1 of that role without R01 and R03 "
        "(dropped). Add people, or lower raters.per_item."
    )
    with at_work() as work:
        print_evaluation(work.case(small.evaluation))
    assert re.search(r"^ *dropped +R01, R03$", capsys.readouterr().out, re.MULTILINE)


def test_somebody_new_gets_what_found_nobody_once_the_round_is_overdue(small):
    small.columns = "pseudonym,role,skills"
    small.people = ["R01,rater,bill", "R02,rater,bill", "R03,rater,", "R04,rater,"]
    small.write(**FILE).open()
    types = {row["doc_id"]: row["doc_type"] for row in small.pool}
    bills = {one.item for one in standing(small) if types[one.item] == "bill"}
    small.decide("drop", raters=("R02",))
    small.rate(["R01", "R03"])
    small.at(29).advance()
    small.monkeypatch.setenv("OCRJURY_CLOCK", "2026-12-20T09:00:00+00:00")
    assert small.advance().message.startswith("overdue: ")

    small.people.append("R06,rater,bill")
    small.write(**FILE)
    small.decide("reassign")

    new = {one.item for one in standing(small) if one.rater == "R06" and one.item in bills}
    assert new == bills


def test_a_rater_with_nothing_open_leaves_without_a_word(small):
    small.write(**FILE).open()
    small.rate(["R02"])

    small.decide("drop", raters=("R02",))

    move = next(move for move in small.stored(list_moves) if move.event == "drop")
    assert move.reason == "as the chair said"
    assert len(standing(small)) == 80


def rating_after(small, where, name, raters):
    """Let some raters rate an item each right after something was planned, once."""
    plan, pending = getattr(where, name), [raters]

    def planned(*arguments, **options):
        plans = plan(*arguments, **options)
        if pending:
            for rater in pending.pop():
                small.rate([rater], count=1)
        return plans

    small.monkeypatch.setattr(where, name, planned)


@pytest.mark.usefixtures("database")
def test_what_is_rated_while_late_work_is_given_to_others_is_asked_of_nobody_else(small):
    small.write(**FILE).open()
    small.rate(["R01", "R02"])
    rating_after(small, advance, "read_prospects", ["R03", "R04"])

    small.at(30, 23).advance_now()

    assert small.rows()[-1] == "12"
    assert set(Counter(one.item for one in standing(small)).values()) == {2}
    assert {one.rater for one in standing(small) if one.state == "done"} >= {"R03", "R04"}


@pytest.mark.usefixtures("database")
def test_what_a_leaving_rater_rates_at_the_last_moment_is_asked_of_nobody_else(small):
    small.write(**FILE).open()
    rating_after(small, decisions, "plan_late_assignments", ["R02"])

    small.decide_only("drop", raters=("R02",))

    assert [one.state for one in standing(small) if one.rater == "R02"] == ["done"]
    assert set(Counter(one.item for one in standing(small)).values()) == {2}


def test_what_raters_take_over_comes_in_sessions_of_at_most_their_length(small):
    small.write(**FILE, raters={"minutes_per_item": 3, "session_minutes": 30}).open()

    small.decide("drop", raters=("R02",))

    whole = Counter((one.rater, one.session) for one in standing(small))
    assert max(whole.values()) <= 10
    for rater in ("R01", "R03", "R04"):
        own = [one for one in standing(small) if one.rater == rater]
        sessions = [one.session for one in sorted(own, key=lambda one: one.position)]
        assert sessions == sorted(sessions)
