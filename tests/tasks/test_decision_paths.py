"""What a lead may decide, wherever an evaluation stands."""

import shutil
import zlib

import pytest

import ocrjury.flows.advance_evaluation as advance
from ocrjury.campaign.decisions import allowed
from ocrjury.campaign.state import next_step
from ocrjury.errors import InputError, RefusedError
from ocrjury.evaluation.case import at_work
from ocrjury.report import build_report
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.raters import list_raters
from ocrjury.store.reports import list_deliveries, list_reports
from ocrjury.store.rounds import list_assignments, list_progress, list_rounds
from tests.tasks.conftest import QUICK

FILE = {"rounds": {"frontend": "file"}}
NOBODY_ANSWERS = {"host": "127.0.0.1", "port": 9, "sender": "o@example.org", "starttls": False}
MAIL = {
    **QUICK,
    "report": {"recipients": ["a@example.org", "b@example.org"], "mail": NOBODY_ANSWERS},
}
CARELESS = {"simulation": {"default": {"careless": 0.9}}}


def said(one, _dimension=None):
    """A rating of an item that every rater gives."""
    return 1 + zlib.crc32(one.item.encode()) % 5


def step_once(small):
    def act():
        standing = advance.read_prospects(small.evaluation)
        advance._went_on(standing, next_step(standing.history))

    small.earlier.run(act, small.evaluation, "one step")


@pytest.mark.parametrize(
    "state",
    ["opened", "scored", "sampled", "collecting", "rated", "judged", "estimated", "reported"],
)
def test_an_abort_fits_every_state_and_the_next_is_numbered(small, state):
    small.write(**MAIL).open_only()
    while small.stored(read_evaluation).state != state:
        step_once(small)

    assert small.decide("abort").name == "Aborted"
    with pytest.raises(RefusedError, match="it takes no decision"):
        small.decide("abort")
    small.open_only()
    assert small.evaluation == "small-p-2"


def test_an_abort_at_the_gate_ends(small):
    small.write(**CARELESS).open()

    assert small.decide("abort").name == "Aborted"


@pytest.mark.parametrize(
    ("decision", "rows"),
    [
        ("rerun judge", ["32", "15", "24", "29"]),
        ("rerun estimate", ["32", "24", "29"]),
        ("rerun report", ["32", "29"]),
    ],
)
def test_a_rerun_opens_no_round_and_writes_the_next_report(small, decision, rows):
    assert small.write(**MAIL).open().name == "WaitingForDelivery"
    before = small.stored(list_assignments)

    end = small.decide(decision)

    assert end.name == "WaitingForDelivery"
    assert small.rows()[-len(rows) :] == rows
    assert small.stored(list_assignments) == before
    assert [report.version for report in small.stored(list_reports)] == [1, 2]


def test_a_rerun_that_was_interrupted_goes_on(small):
    small.write(**MAIL).open()
    small.decide_only("rerun estimate")
    with pytest.raises(RefusedError, match="possible: rerun judge, abort"):
        small.decide_only("rerun estimate")

    small.decide_only("rerun judge")

    assert small.advance().name == "WaitingForDelivery"


def test_every_recipient_waits_by_himself_where_there_is_no_pdf(small):
    small.at(20).write(**MAIL).open()

    ends = [small.at(day).advance().name for day in (21, 22, 23, 24)]

    assert ends == ["WaitingForDelivery"] * 3 + ["Closed"]
    ledger = small.stored(list_deliveries)
    assert len({row.message_id for row in ledger}) == 2
    assert sorted(row.attempt for row in ledger) == sorted([*range(1, 6)] * 2)


def test_a_corrected_campaign_counts_after_a_retry(small):
    held = small.write(sampling={"n": 1000}, **FILE).open()
    assert held.message.startswith("plan: ")

    small.scale = {"kind": "binary"}
    small.dimensions = ["layout", "meaning"]
    small.people = ["X1,rater", "X2,rater"]
    end = small.write(seed=99, sampling={"n": 30}, **FILE).decide("retry")

    assert end.message == "0 of 60 assignments"
    row = small.stored(read_evaluation)
    assert (row.raters, row.seed) == (["X1", "X2"], 99)
    small.rate(say=lambda one, _: said(one) % 2)
    assert small.advance().name == "WaitingForRatings"


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("pool.path", {"pool": {"path": "another.jsonl"}}),
        ("pool.options", {"pool": {"options": "jiwer"}}),
        ("pool.judges", {"pool": {"judges": {"LLM": {"meaning": "llm"}}}}),
        ("pool.auxiliaries", {"pool": {"auxiliaries": ["llm"]}}),
        ("privacy.masks", {"privacy": {"masks": "masks.csv"}}),
    ],
)
def test_a_pool_that_was_scored_is_not_read_otherwise_by_a_retry(small, key, changes):
    small.write(sampling={"n": 1000}, **FILE).open()
    before = small.stored(read_evaluation)
    small.path.with_name("masks.csv").write_text("page_id,x0,y0,x1,y1\n", "utf-8")
    small.write(sampling={"n": 30}, **FILE, **changes)

    with pytest.raises(InputError, match=rf"{key} changed, but the pool of small-p is scored"):
        small.decide("retry")

    assert small.stored(read_evaluation) == before


def test_scores_of_judges_are_not_met_on_another_scale_after_a_retry(small):
    small.pool = [{**row, "llm": 4} for row in small.pool]
    judged = {**FILE, "pool": {"path": "pool.jsonl", "judges": {"LLM": {"meaning": "llm"}}}}
    small.write(sampling={"n": 1000}, **judged).open()
    small.scale = {"kind": "binary"}
    small.write(sampling={"n": 30}, **judged)

    with pytest.raises(InputError, match=r"rubric\.scale changed, but the pool of small-p is scor"):
        small.decide("retry")


def test_going_on_without_late_ratings_releases_nothing_that_failed(small):
    rounds = {"frontend": "file", "top_ups": 0, "deadline_days": 3}
    adaptive = {"max_rounds": 1, "budget": 8, "decisions": 0}
    small.write(rounds=rounds, adaptive=adaptive, gate={"on_fail": "proceed"}).open()
    small.rate(say=lambda one, _: 1 + zlib.crc32(f"{one.item}{one.rater}".encode()) % 5)
    small.advance()
    small.rate(count=4)
    assert small.at(25).advance().message.startswith("overdue: 4 of 8 assignments are done")

    small.decide("proceed")

    assert small.rows()[-4:] == ["15", "24", "29", "30"]
    verdict = small.report()[0].verdict
    assert (verdict.decision, verdict.release) == ("FAIL", None)


@pytest.mark.parametrize("everybody_left", [False, True])
def test_a_round_behind_the_gate_that_nobody_rated_costs_no_evaluation(small, everybody_left):
    rounds = {"frontend": "file", "top_ups": 0, "deadline_days": 3}
    adaptive = {"max_rounds": 1, "budget": 8, "decisions": 0}
    small.write(rounds=rounds, adaptive=adaptive, gate={"on_fail": "proceed"}).open()
    small.rate(say=lambda one, _: 1 + zlib.crc32(f"{one.item}{one.rater}".encode()) % 5)
    small.advance()
    while everybody_left and "open" in {one.state for one in small.stored(list_assignments)}:
        there = {one.rater for one in small.stored(list_assignments) if one.state == "open"}
        end = small.decide("drop", raters=tuple(sorted(there)))
    end = end if everybody_left else small.at(25).advance()
    assert end.message.startswith("no_ratings: 0 of ")

    assert small.decide("proceed").name == "Closed"

    assert small.rows()[-4:] == ["15", "24", "29", "30"]
    assert small.report()[0].verdict.release is None


def test_a_top_up_that_nobody_rated_costs_no_evaluation(small):
    rounds = {"frontend": "file", "deadline_days": 3}
    adaptive = {"max_rounds": 0, "decisions": 0}
    small.write(rounds=rounds, adaptive=adaptive, sampling={"n": 30}).open()

    def say(one, _):
        differs = zlib.crc32(f"{one.item}{one.rater}".encode()) % 5 == 0
        return 1 + (zlib.crc32(one.item.encode()) + differs) % 5

    small.rate(say=say)
    small.advance()
    small.decide("extend", items=20)
    assert small.at(25).advance().message.startswith("no_ratings: 0 of 40")

    assert small.decide("proceed").message.startswith("inconclusive: ")
    assert small.decide("proceed").name == "Closed"

    assert small.report()[0].estimates[0].others.n_items == 30


def test_a_rater_who_left_the_registry_is_still_in_the_report(small, monkeypatch):
    small.write(sampling={"n": 58, "floor": 0}, **FILE).open()
    small.rate(say=said)

    def refuse(*_, **__):
        raise InputError("the numbers cannot be read")

    with monkeypatch.context() as patch:
        patch.setattr("ocrjury.evaluation.judgement.measure_dimension", refuse)
        assert small.advance().message == "error: the numbers cannot be read"
    small.people = ["R03,rater", "R04,rater"]
    small.write(sampling={"n": 58, "floor": 0}, **FILE)
    end = small.decide("retry")

    assert end.name == "Closed"
    with at_work() as work:
        assert len(build_report(work.store, small.evaluation).sections["raters"].rows) == 4


def test_after_everybody_was_dropped_new_people_take_over(small):
    small.write(**FILE).open()
    held = small.decide("drop", raters=("R01", "R02", "R03", "R04"))
    assert held.message == "no_ratings: 0 of 0 assignments are done; nothing is open any more."
    with pytest.raises(RefusedError, match=r"Add people to raters\.csv and reassign, or deci"):
        small.decide("reassign")

    small.people += ["R05,rater", "R06,rater"]
    small.write(**FILE)
    waiting = small.decide("reassign")

    assert waiting.message == "0 of 80 assignments"
    assert {a.rater for a in small.stored(list_assignments) if a.state == "open"} == {"R05", "R06"}


def test_a_dropped_rater_gets_nothing_more(small):
    small.write(rounds={"frontend": "file"}, adaptive={"budget": 40}).open()
    small.decide("drop", raters=("R02",))
    small.rate(say=lambda one, _: 1 + zlib.crc32(f"{one.item}{one.rater}".encode()) % 5)
    end = small.advance()
    end = small.decide("proceed") if end.name == "Held" else end

    later = [a for a in small.stored(list_assignments) if a.round > 1]
    assert end.name == "WaitingForRatings"
    assert later
    assert "R02" not in {a.rater for a in later}


@pytest.mark.parametrize("decision", ["drop", "reassign"])
def test_a_mistyped_rater_is_refused(small, decision):
    small.write(**FILE).open()
    if decision == "reassign":
        small.at(29)
        small.monkeypatch.setattr("ocrjury.evaluation.next_rounds._takeover", lambda _: ())
        assert small.advance().message.startswith(
            "no_ratings: 0 of 80 assignments are done; R01 has"
        )

    with pytest.raises(RefusedError, match="no assignment in round 1 for R99; those who have one"):
        small.decide(decision, raters=("R99",))


def test_what_is_late_stays_within_the_others_capacity(small):
    small.columns = "pseudonym,role,capacity"
    small.people = ["R01,rater,", "R02,rater,", "R03,rater,30"]
    small.write(**FILE).open()
    small.rate(["R01", "R03"], say=said)

    held = small.at(29).advance()
    done = {row.rater: row.done for row in small.stored(list_progress, 1)}
    assert held.message.startswith(
        f"overdue: {done['R01'] + done['R03']} of 80 assignments are done; "
    )
    small.decide("reassign")

    load = {row.rater: row.done + row.open for row in small.stored(list_progress, 1)}
    assert load["R02"] == 0
    assert load["R03"] == 30


def test_extending_twice_draws_twice(small):
    small.write(
        sampling={"n": 20}, rounds={"top_ups": 0}, simulation={"default": {"careless": 0.1}}
    )
    assert small.open().message.startswith("inconclusive")

    small.decide("extend", items=3)
    small.decide("extend", items=4)

    assert [round_.attempt for round_ in small.stored(list_rounds)] == [1, 2, 3]
    assert [
        len({a.item for a in small.stored(list_assignments) if a.round == n}) for n in (1, 2, 3)
    ] == [20, 3, 4]
    with pytest.raises(InputError, match="100 more items were asked for, but only 33 of the pool"):
        small.decide("extend", items=100)


def test_a_pool_that_is_drawn_as_a_whole_has_no_more_items(small):
    small.pool = small.pool[:30]
    small.write(
        sampling={"n": 20}, rounds={"top_ups": 0}, simulation={"default": {"careless": 0.1}}
    )
    small.open()
    held = small.decide("extend", items=10)
    assert held.message.startswith("inconclusive"), held.message

    with at_work() as work:
        standing = work.case(small.evaluation).standing
    assert allowed(standing.history) == ("proceed", "abort")
    with pytest.raises(RefusedError, match="so that no more items can be drawn"):
        small.decide("extend", items=1)
    with pytest.raises(RefusedError, match="so that nothing new is left to rate"):
        small.decide("recalibrate", raters=("R01", "R02"))


@pytest.mark.parametrize(
    ("price", "words"), [("0.5", "cost 40 EUR"), ("", "cost 40 as the registry of raters counts")]
)
def test_the_report_has_the_currency_of_the_prices(small, price, words):
    small.columns = "pseudonym,role,cost"
    small.people = ["R01,rater,0.5", f"R02,rater,{price}"]
    small.write(raters={"file": "raters.csv", "currency": "EUR"}, **FILE).open()
    small.rate(say=said)
    small.advance()

    assert words in small.report_page()


@pytest.mark.usefixtures("database")
def test_two_periods_stand_side_by_side_and_none_takes_the_file_of_the_other(small):
    small.write(**FILE).open("p1")
    first, header = small.evaluation, "evaluation,item,rater,meaning"
    one, two = (small.path.with_name(name) for name in ("one.csv", "two.csv"))
    lines = [f"{a.item},{a.rater},{said(a)}" for a in small.stored(list_assignments)]
    for path, name in ((one, "small-p1"), (two, "small-p2")):
        path.write_text("\n".join([header, *(f"{name},{line}" for line in lines)]), "utf-8")
    assert small.hand_in(one).assignments == 80

    small.open("p2")

    # The same items in the same order: nothing else would tell the files apart.
    with pytest.raises(InputError, match="of the evaluation 'small-p1' and not of small-p2"):
        small.hand_in(one)
    assert small.hand_in(two).assignments == 80
    assert small.hand_in(two).again
    small.evaluation = first
    with pytest.raises(InputError, match="of the evaluation 'small-p2' and not of small-p1"):
        small.hand_in(two)


def test_a_period_is_part_of_a_name(small):
    small.write(**FILE)

    with pytest.raises(InputError, match=r"the period '../x y' cannot be part of a name"):
        small.open("../x y")


def test_a_later_campaign_changes_nobody_in_a_running_evaluation(small):
    small.columns = "pseudonym,role,languages"
    small.people = ["R01,rater,ko", "R02,rater,ko", "A01,adjudicator,ko", "E01,expert,ko"]
    small.write(**FILE).open("p1")
    first = small.evaluation
    small.people = ["R01,expert,en", "R02,rater,en", "R03,rater,en", "E01,rater,en"]
    small.write(**FILE).open("p2")
    second = small.evaluation
    small.write(**FILE).open("p1")  # as the schedule does: it is open already

    def known(work, name):
        return {rater.pseudonym: (rater.role, rater.languages) for rater in work.case(name).raters}

    with at_work() as work:
        assert known(work, first) == {
            "A01": ("adjudicator", ("ko",)),
            "E01": ("expert", ("ko",)),
            "R01": ("rater", ("ko",)),
            "R02": ("rater", ("ko",)),
        }
        assert known(work, second)["E01"] == ("rater", ("en",))


def test_who_opens_another_file_of_a_name_is_told_which_one_is_open(small, tmp_path):
    small.write(**FILE).open("p1")
    first = small.path
    again = small.open_only("p1")
    small.path = shutil.copytree(first.parent, tmp_path / "other") / first.name

    other = small.open_only("p1")

    assert (again.new, again.already(str(first))) == (False, "small-p1")
    assert (other.new, other.already(str(small.path))) == (
        False,
        f"small-p1, of another file with this name and period: {first}",
    )


def test_a_pseudonym_stays_with_its_person(small):
    small.columns = "pseudonym,role,name,email"
    small.people = ["R01,rater,Kim,kim@example.org", "R02,rater,Lee,"]
    small.write(**FILE).open("p1")

    for person, what in (
        ("R01,rater,Park,park@example.org", "email addresses"),
        ("R02,rater,Oh,", "names"),
    ):
        small.people = [person, "R03,rater,,"]
        small.write(**FILE)
        with pytest.raises(InputError, match=rf"already belongs to another person .*\(the {what}"):
            small.open("p2")

    small.people = ["R01,rater,,", "R02,rater,Lee,lee@example.org"]
    small.write(**FILE).open("p3")
    with at_work() as work:
        known = {rater.pseudonym: rater.email for rater in list_raters(work.engine, ["R01", "R02"])}
    assert known == {"R01": "kim@example.org", "R02": "lee@example.org"}
