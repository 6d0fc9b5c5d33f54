import importlib.util
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.decisions import DECISION_TABLE, DECISIONS, allowed, decide, lacking
from ocrjury.campaign.history import (
    FINAL_STATES,
    OPEN_STATES,
    STATES,
    History,
    Opening,
    Policy,
    Round,
)
from ocrjury.campaign.openings import rows_opening
from ocrjury.campaign.state import (
    FIRST_STEP,
    TABLE,
    accepts_ratings,
    hold_on_error,
    matches,
    next_step,
    report_again,
)
from ocrjury.errors import RefusedError, StateError


def load_walk():
    spec = importlib.util.spec_from_file_location("walk", Path(__file__).parent / "walk.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


walk = load_walk()


def done(kind, number=1):
    return Round(number, kind, state="closed", ratings=6, open=0)


PILOT, MAIN, ADAPTIVE, ADJUDICATION = map(done, ("pilot", "main", "adaptive", "adjudication"))
RECALIBRATE, ABORT, PROCEED = (Policy(on_fail=f) for f in ("recalibrate", "abort", "proceed"))


def collecting(kind="main", **answers):
    return History("collecting", rounds=(Round(1, kind, **answers),))


def judged(*rounds, **answers):
    return History("judged", rounds=rounds or (MAIN,), **answers)


def held(reason, origin="judged", **answers):
    return History("held", reason, origin, rounds=answers.pop("rounds", (MAIN,)), **answers)


def late(reason="overdue", kind="main", **answers):
    return held(reason, "collecting", rounds=(Round(1, kind, overdue=True, **answers),))


CASES = [
    ("2", History("opened"), "scored", "snapshot"),
    ("3", History("opened", pool_ok=False), "held", "pool"),
    ("4", History("scored"), "sampled", "design"),
    ("5", History("scored", plan_ok=False), "held", "plan"),
    ("6a", History("sampled", plan_ok=False), "held", "plan"),
    ("6", History("sampled", policy=Policy(pilot=True)), "collecting", "pilot"),
    ("7", History("sampled"), "collecting", "main"),
    ("13b", collecting(ratings=0, open=0), "held", "no_ratings"),
    ("13b", collecting(ratings=0, open=0, overdue=True, spare=True), "held", "no_ratings"),
    ("9", collecting(ratings=3, open=0), "rated", "complete"),
    ("9", collecting(ratings=3, open=0, overdue=True), "rated", "complete"),
    ("10", collecting(ratings=3, open=2), "collecting", "progress"),
    ("10", collecting(ratings=3, open=2, enough=True), "collecting", "progress"),
    (
        "11",
        collecting(ratings=3, open=1, overdue=True, enough=True, spare=True),
        "rated",
        "overdue",
    ),
    ("12", collecting(ratings=1, open=2, overdue=True, spare=True), "collecting", "replan"),
    (
        "13",
        collecting(ratings=1, open=2, overdue=True, spare=True, replanned=True),
        "held",
        "overdue",
    ),
    ("13", collecting(ratings=0, open=2, overdue=True), "held", "no_ratings"),
    ("13", collecting("panel", ratings=2, open=0, quorum=False), "held", "overdue"),
    (
        "13",
        collecting("panel", ratings=2, open=1, overdue=True, enough=True, quorum=False),
        "held",
        "overdue",
    ),
    ("15", History("rated", rounds=(MAIN,)), "judged", "verdict"),
    ("16a", judged(PILOT, pilot_met=True, plan_ok=False), "held", "plan"),
    ("16a", judged(verdict="FAIL", policy=RECALIBRATE, plan_ok=False), "held", "plan"),
    ("16", judged(PILOT, pilot_met=True), "collecting", "main"),
    ("16", judged(PILOT, released=True), "collecting", "main"),
    ("16", judged(MAIN, PILOT, verdict="FAIL", pilot_met=True), "collecting", "main"),
    ("17", judged(PILOT), "held", "pilot"),
    ("17", judged(PILOT, plan_ok=False), "held", "pilot"),
    ("18", judged(verdict="INCONCLUSIVE", can_top_up=True), "collecting", "main"),
    ("19", judged(verdict="INCONCLUSIVE"), "held", "inconclusive"),
    ("20", judged(verdict="FAIL"), "held", "gate_failed"),
    ("20", judged(verdict="FAIL", plan_ok=False), "held", "gate_failed"),
    ("20", judged(verdict="FAIL", policy=RECALIBRATE, recalibrated=True), "held", "gate_failed"),
    ("31", judged(verdict="FAIL", policy=ABORT), "aborted", "gate_failed"),
    ("27", judged(verdict="FAIL", policy=RECALIBRATE), "collecting", "pilot"),
    ("21", judged(verdict="PASS", gain=True, disputed=True), "collecting", "adaptive"),
    ("21", judged(verdict="FAIL", released=True, gain=True), "collecting", "adaptive"),
    ("21", judged(verdict="FAIL", policy=PROCEED, gain=True), "collecting", "adaptive"),
    (
        "22",
        judged(MAIN, ADAPTIVE, verdict="PASS", disputed=True, unsettled=True),
        "collecting",
        "adjudication",
    ),
    ("23", judged(MAIN, ADJUDICATION, verdict="PASS", unsettled=True), "collecting", "panel"),
    ("24", judged(verdict="PASS"), "estimated", "estimates"),
    ("24", judged(verdict="INCONCLUSIVE", released=True), "estimated", "estimates"),
    ("24", judged(verdict="PASS", gain=True, estimated_once=True), "estimated", "estimates"),
    ("24", judged(verdict="FAIL", estimated_once=True), "estimated", "estimates"),
    ("29", History("estimated"), "reported", "report"),
    ("30", History("reported"), "closed", "links revoked"),
    ("30a", History("reported", deliveries_pending=True), "reported", "delivery"),
    ("34", late(ratings=3, open=0), "rated", "complete"),
    ("34", late("no_ratings", ratings=3, open=0), "rated", "complete"),
    ("rest", late(ratings=3, open=1), "held", "decision"),
    ("rest", held("gate_failed"), "held", "decision"),
    ("rest", held("error", "opened", rounds=()), "held", "decision"),
    ("rest", History("closed"), "closed", ""),
    ("rest", History("aborted"), "aborted", ""),
]


@pytest.mark.parametrize(("row", "history", "to", "what"), CASES)
def test_advance_takes_the_row_of_the_table(*, row, history, to, what):
    step = next_step(history)

    assert (step.row, step.to, step.what) == (row, to, what)


def test_every_row_that_advance_takes_has_a_case():
    assert {row.row for row in TABLE} == {case[0] for case in CASES}


def test_a_step_writes_no_move_exactly_where_the_run_waits():
    resting = {row.row for row in TABLE if row.rests}

    assert resting == {"10", "30a", "rest"}
    assert all(row.state == row.to for row in TABLE if row.rests)


def test_a_row_that_leads_to_ratings_says_which_round_it_opens():
    opened = [row for row in TABLE if row.to == "collecting" and row.state != "collecting"]
    kinds = {"top_up": "main", "recalibration": "pilot"}

    assert [kinds.get(row.opens, row.opens) for row in opened] == [row.what for row in opened]
    assert {row.opens for row in TABLE if row not in opened} == {None}
    assert {row.step.opens for row in TABLE} == {None, *get_args(Opening)}
    assert next_step(judged(verdict="FAIL", policy=RECALIBRATE)).opens == "recalibration"
    assert decide(held("inconclusive"), "extend").opens == "top_up"
    assert decide(collecting(), "extend").opens is None


def test_stored_moves_tell_which_round_they_opened():
    by_round = {opening: rows_opening(opening) for opening in get_args(Opening)}

    assert by_round == {
        "pilot": ["6"],
        "main": ["7", "16"],
        "top_up": ["18", "19a"],
        "recalibration": ["27"],
        "adaptive": ["21"],
        "adjudication": ["22"],
        "panel": ["23"],
    }


def test_every_row_of_the_law_has_a_place():
    law = {str(n) for n in range(1, 36)} | {"6a", "13b", "16a", "19a", "30a"}
    elsewhere = {"8"}  # a rating arrives: accepts_ratings

    placed = {row.row for row in TABLE} | {row.row for row in DECISION_TABLE} | {FIRST_STEP.row}
    placed |= {hold_on_error(History("opened")).row, report_again(History("closed")).row}

    assert placed - {"rest"} == law - elsewhere


def test_rows_of_a_state_stand_in_the_order_of_the_law():
    order = [row.row for row in TABLE if row.state == "collecting"]

    assert order == ["13b", "9", "10", "11", "12", "13", "13"]


@pytest.mark.parametrize("verdict", ["PASS", "FAIL", "INCONCLUSIVE"])
def test_a_rerun_after_an_estimate_opens_no_round(verdict):
    history = judged(
        verdict=verdict, gain=True, disputed=True, can_top_up=True, estimated_once=True
    )

    assert [step.row for step in matches(history)] == ["24"]


def test_a_main_round_judged_without_a_verdict_is_a_contradiction():
    with pytest.raises(StateError, match=r"No row .* is judged with verdict None"):
        next_step(judged())


def test_a_state_that_needs_a_round_says_so():
    with pytest.raises(StateError, match="collecting has at least one round; found none"):
        next_step(History("collecting"))


DECIDED = [
    ("25", held("gate_failed"), "proceed", "judged"),
    ("25", held("inconclusive"), "proceed", "judged"),
    ("25", held("pilot", rounds=(PILOT,)), "proceed", "judged"),
    ("25", late(ratings=1), "proceed", "rated"),
    ("25", late("no_ratings", kind="adaptive"), "proceed", "rated"),
    ("25", late("no_ratings", kind="panel", open=0), "proceed", "rated"),
    ("25", held("no_ratings", "collecting", rounds=(MAIN, Round(2, "main"))), "proceed", "rated"),
    ("28", held("pool", "opened", rounds=()), "retry", "opened"),
    ("28", held("plan", "scored", rounds=()), "retry", "scored"),
    ("28", held("error", "rated"), "retry", "rated"),
    ("14", collecting(), "extend", "collecting"),
    ("26", late(), "extend", "collecting"),
    ("26", late("no_ratings"), "extend", "collecting"),
    ("19a", held("inconclusive"), "extend", "collecting"),
    ("26", late(open=0), "reassign", "collecting"),
    ("14", collecting(), "drop", "collecting"),
    ("14", collecting(ratings=1), "close", "rated"),
    ("27", held("gate_failed"), "recalibrate", "collecting"),
    ("27", held("inconclusive"), "recalibrate", "collecting"),
    ("27", held("pilot", rounds=(PILOT,)), "recalibrate", "collecting"),
    ("32", judged(verdict="PASS"), "rerun judge", "rated"),
    ("32", History("estimated", rounds=(MAIN,)), "rerun judge", "rated"),
    ("32", History("reported", rounds=(MAIN,)), "rerun judge", "rated"),
    ("32", History("estimated"), "rerun estimate", "judged"),
    ("32", History("reported"), "rerun estimate", "judged"),
    ("32", History("reported"), "rerun report", "estimated"),
    ("31", held("gate_failed"), "abort", "aborted"),
]


@pytest.mark.parametrize(("row", "history", "decision", "to"), DECIDED)
def test_a_decision_takes_the_row_of_the_table(*, row, history, decision, to):
    step = decide(history, decision)

    assert (step.row, step.to, step.what, step.rests) == (row, to, decision, False)


def test_every_decision_and_every_row_of_decisions_has_a_case():
    assert {case[2] for case in DECIDED} == set(DECISIONS)
    assert {case[0] for case in DECIDED} == {row.row for row in DECISION_TABLE}


@pytest.mark.parametrize("state", OPEN_STATES)
def test_every_open_state_can_be_aborted(state):
    history = History(state, "error" if state == "held" else None, rounds=(MAIN,))

    assert decide(history, "abort").to == "aborted"


@pytest.mark.parametrize("state", sorted(set(OPEN_STATES) - {"held"}))
def test_bad_input_holds_and_a_retry_goes_back(state):
    broken = History(state, rounds=(Round(1, "main"),))

    holding = walk.after(broken, hold_on_error(broken))
    back = decide(holding, "retry")

    assert (holding.held_reason, allowed(holding)) == ("error", ("retry", "abort"))
    assert (back.row, back.to) == ("28", state)


def test_a_hold_out_of_a_hold_remembers_the_first_interrupted_state():
    holding = late(ratings=3, open=0)

    broken = walk.after(holding, hold_on_error(holding))

    assert (broken.held_reason, decide(broken, "retry").to) == ("error", "collecting")


REFUSED = [
    (
        held("no_ratings", "collecting", rounds=(MAIN, PILOT, Round(2, "main"))),
        "proceed",
        "possible: extend, reassign, abort",
    ),
    (collecting(), "proceed", "is collecting; possible: extend, drop, abort"),
    (collecting(), "close", "nobody has rated anything .* yet; possible: extend, drop, abort"),
    (
        late("no_ratings"),
        "proceed",
        r"is held \(no_ratings\); possible: extend, reassign, abort",
    ),
    (late(open=0), "extend", r"is held \(overdue\); possible: reassign, abort"),
    (late(ratings=2, open=0), "drop", "possible: proceed, reassign, abort"),
    (held("gate_failed"), "retry", r"\(gate_failed\); possible: proceed, recalibrate, abort"),
    (held("inconclusive"), "close", "possible: proceed, extend, recalibrate, abort"),
    (held("pilot"), "extend", r"\(pilot\); possible: proceed, recalibrate, abort"),
    (held("error"), "proceed", r"\(error\); possible: retry, abort"),
    (judged(verdict="PASS"), "rerun estimate", "is judged; possible: rerun judge, abort"),
    (History("estimated"), "rerun report", "possible: rerun judge, rerun estimate, abort"),
    (History("closed"), "abort", "'abort' does not fit .* closed; it takes no decision"),
    (History("aborted"), "retry", "is aborted; it takes no decision"),
    (History("opened"), "procede", "There is no decision 'procede'; possible: abort"),
]


@pytest.mark.parametrize(("history", "decision", "sentence"), REFUSED)
def test_a_refusal_names_the_decisions_that_are_possible(history, decision, sentence):
    with pytest.raises(RefusedError, match=sentence):
        decide(history, decision)


@pytest.mark.parametrize(
    ("history", "decision", "needed", "named"),
    [
        (collecting(), "extend", "a number of days", {"days": 3}),
        (late(), "extend", "a number of days", {"days": 3}),
        (held("inconclusive"), "extend", "a number of items", {"items": 3}),
        (collecting(), "drop", "a rater or more", {"raters": ("R03",)}),
    ],
)
def test_a_decision_without_what_it_is_about_is_refused(history, decision, needed, named):
    without, target = DecisionTarget(), DecisionTarget(**named)

    with pytest.raises(RefusedError, match=f"'{decision}' .* needs {needed}; found none"):
        decide(history, decision, target=without)

    assert {lacking(history, decision, without)} == set(named)
    assert lacking(history, decision, target) is None
    assert decide(history, decision, target=target).what == decision


def test_a_retry_without_an_interrupted_state_is_a_contradiction():
    with pytest.raises(StateError, match="knows which state it was held from; found none"):
        decide(History("held", "plan"), "retry")


@pytest.mark.parametrize(
    ("history", "accepted"),
    [
        (collecting(), True),
        (collecting(overdue=True), True),
        (late("overdue"), True),
        (late("no_ratings"), True),
        (late("error"), False),
        (held("gate_failed"), False),
        (History("rated", rounds=(MAIN,)), False),
        (History("opened"), False),
        (History("collecting", rounds=(MAIN,)), False),
    ],
)
def test_a_rating_is_accepted_while_its_round_is_open_even_late(history, accepted):
    assert accepts_ratings(history) is accepted


def test_only_a_closed_evaluation_is_reported_again():
    assert report_again(History("closed")).to == "closed"

    with pytest.raises(RefusedError, match=r"Only a closed evaluation .* is reported"):
        report_again(History("reported"))


@pytest.mark.parametrize("state", FINAL_STATES)
def test_a_finished_evaluation_is_never_held(state):
    with pytest.raises(StateError, match=f"{state} takes no step"):
        hold_on_error(History(state))


def test_the_words_of_the_states_are_those_of_the_law():
    law = "opened scored sampled collecting rated judged held estimated reported closed aborted"

    assert law.split() == list(STATES)


def played(history, script):
    """Advance and decide as the script says; return the rows taken."""
    rows = [FIRST_STEP.row]
    for action in script:
        if isinstance(action, str):
            rows.append(decide(history, action).row)
            history = walk.after_decision(history, action)
            continue
        history = action(history)
        while not (step := next_step(history)).rests:
            rows.append(step.row)
            history = walk.node_of(walk.after(history, step))
            if step.to == "judged":
                break
    return rows


def everybody_rates(h):
    last = replace(h.last, ratings=6, open=0)
    return replace(h, rounds=(*h.rounds[:-1], last))


def world(**answers):
    return lambda h: replace(h, **answers)


def test_a_released_fail_reaches_closed_through_adaptive_and_adjudication():
    script = [
        world(),
        everybody_rates,
        world(verdict="FAIL"),
        "proceed",
        world(gain=True),
        everybody_rates,
        world(disputed=True),
        everybody_rates,
        world(),
    ]

    rows = played(History("opened"), script)

    assert ",".join(rows) == "1,2,4,7,9,15,20,25,21,9,15,22,9,15,24,29,30"


def test_a_recalibrated_fail_passes_and_ends():
    script = [
        world(),
        everybody_rates,
        world(verdict="FAIL"),
        "recalibrate",
        everybody_rates,
        world(pilot_met=True),
        everybody_rates,
        world(verdict="PASS", gain=True),
        everybody_rates,
        world(disputed=True),
        everybody_rates,
        world(),
    ]

    rows = played(History("opened"), script)

    assert ",".join(rows) == "1,2,4,7,9,15,20,27,9,15,16,9,15,21,9,15,22,9,15,24,29,30"


@pytest.fixture(scope="module")
def findings():
    return walk.walk(max_decisions=1)


def test_the_walk_finds_a_row_for_every_history(findings):
    assert findings.nodes > 20_000
    assert not findings.unmatched
    assert findings.rows == {row.row for row in TABLE}
    assert findings.decided == set(DECISIONS)


def test_the_walk_finds_no_endless_loop(findings):
    assert walk.endless(findings.moves) is None
    assert not findings.too_many_rounds


def test_the_walk_finds_a_way_out_of_every_hold(findings):
    lost = [node for node in walk.stranded(findings.ways) if node[1] == 0]

    assert not findings.dead_ends
    assert not lost, "one decision more leads from every hold to closed"


def test_the_walk_notices_a_loop():
    a, b, c = "abc"

    assert walk.endless({a: {b}, b: {c}, c: set()}) is None
    assert walk.endless({a: {b}, b: {c}, c: {b}}) in {b, c}
