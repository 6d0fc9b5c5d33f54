"""What commands say about whole evaluations: the next round, gold to be, raters' records."""

import json
import re

import pytest

from ocrjury.store.moves import list_moves
from ocrjury.store.results import latest_results, latest_truths
from ocrjury.store.rounds import list_assignments, list_rounds
from tests.tasks.conftest import QUICK, QUIET, documents
from tests.tasks.test_decision_paths import said
from tests.tasks.test_gold import answer, level_of
from tests.tasks.test_pilots import write_gold

FILE = {"rounds": {"frontend": "file", "top_ups": 0}}


@pytest.fixture
def plan(small, run):
    """The next round as plain values, and check that asking wrote nothing."""

    def call():
        before = small.stored(list_moves), small.stored(list_assignments)
        code, text, _ = run("evaluation", "plan", small.evaluation, "--json")
        assert code == 0
        assert (small.stored(list_moves), small.stored(list_assignments)) == before
        return json.loads(text)

    return call


def closed(small, say):
    """Rate whatever is asked until an evaluation is closed."""
    end = small.advance()
    while end.name != "Closed":
        if end.name == "Held":
            end = small.decide("proceed")
            continue
        small.rate(say=say)
        end = small.advance()


def test_the_round_that_was_planned_is_the_one_that_opens(small, plan):
    small.write(**FILE | {"sampling": {"n": 58, "floor": 0}}).open()
    small.rate(say=lambda one, _: said(one) if one.rater != "R04" else 6 - said(one))
    held = small.advance()
    assert held.name == "Held"

    body, kept = plan(), small.stored(latest_results, "preview")["*"]
    small.decide("proceed")

    assert body["assuming"]["event"] == "proceed"
    assert (kept["state"], kept["round"]["assignments"]) == (
        body["state"],
        body["round"]["assignments"],
    )
    planned, last = body["round"], small.stored(list_rounds)[-1]
    asked = [a for a in small.stored(list_assignments) if a.round == last.round]
    assert (planned["kind"], planned["rule"]) == (last.kind, last.rule) == ("adaptive", last.rule)
    assert planned["assignments"] == len(asked) == planned["cost"]
    assert planned["items"] == len({a.item for a in asked})
    assert planned["expected_gain"] == pytest.approx(sum(a.gain for a in asked))
    load = {one["rater"]: one["assignments"] for one in planned["allocation"]}
    assert load == {r: sum(a.rater == r for a in asked) for r in {a.rater for a in asked}}
    assert body["under_annotated"]["count"] == 0
    unsure = body["most_uncertain"]
    assert unsure["calibrated"] is False
    assert unsure["items"] == sorted(unsure["items"], key=lambda one: one["confidence"])


def test_a_plan_is_printed(small, run):
    small.write(**FILE | {"sampling": {"n": 58, "floor": 0}}).open()
    small.rate(say=lambda one, _: said(one) if one.rater != "R04" else 6 - said(one))
    small.advance()

    code, out, _ = run("evaluation", "plan", small.evaluation)

    assert code == 0
    assert "next        adaptive round\n            This assumes that a lead proceeds." in out
    rows = [line.split() for line in out.partition("Allocation")[2].splitlines()]
    costs = [row[-1] for row in rows if row[:1] and row[0].startswith("R0")]
    assert costs
    assert all(re.fullmatch(r"[\d,]+\.\d\d", cost) for cost in costs)
    assert "bits, 0." in out
    assert "items with model confidence below 0.9" in out


def test_while_people_rate_the_plan_is_about_what_is_there(small, plan, run):
    small.write(**FILE).open()
    assert plan()["because"]["cause"] == "no ratings"
    small.rate(["R01", "R02"], say=said)

    body = plan()

    assert body["assuming"] == {"event": "close", "number": 1, "kind": "main"}
    short = body["under_annotated"]
    left = short["count"] - len(short["items"])
    assert left > 0
    printed = run("evaluation", "plan", small.evaluation)[1].partition("than asked for")[2]
    assert printed.splitlines()[2 + len(short["items"])] == f"and {left} more"
    assert {item["ratings"] for item in short["items"]} <= {0, 1}
    assert body["round"]["kind"] == "adaptive"


def test_gold_and_second_ratings_are_part_of_a_plan(small, plan, run):
    small.pool = documents(200)
    gold = [(row["doc_id"], "meaning", 4, "") for row in small.pool[:60]]
    small.write(
        raters={**write_gold(small, gold), "gold_every": 5, "repeats": 2},
        rounds={"frontend": "file", "pilot": {"items": 20}},
    ).open()
    small.rate(say=lambda one, _: 4)

    body = plan()["round"]

    assert body["kind"] == "main"
    assert body["items"] == 40
    assert body["second"] == 8
    assert body["gold"] > 8
    assert body["assignments"] == 80 + body["gold"] + 8
    assert body["expected_gain"] is None
    assert "8 for the second time among them" in run("evaluation", "plan", small.evaluation)[1]


def test_where_no_round_follows_it_is_said(small, plan, run):
    small.write(**QUICK).open_only()
    assert plan()["because"]["cause"] == "not drawn"
    assert small.advance().name == "Closed"

    assert plan()["because"]["cause"] == "estimated"
    code, out, _ = run("evaluation", "plan", small.evaluation)
    assert (code, out.splitlines()[-1][:13]) == (0, "No next round")
    assert run("evaluation", "plan", "nothing")[0] == 2
    assert json.loads(run("evaluation", "plan", small.evaluation, "--json")[1])["round"] is None


@pytest.fixture
def settled(small):
    """A closed evaluation in which people disagreed here and there."""
    small.people = ["R01,rater", "R02,rater", "R03,rater", "A01,adjudicator", "E01,expert"]
    small.write(**FILE | {"raters": {"file": "raters.csv", "per_item": 3}}).open()

    def say(one, _dimension):
        apart = one.rater in {"R02", "R03"} and said(one) == 3
        return {"R02": 1, "R03": 5}[one.rater] if apart else said(one)

    closed(small, say)
    return small


def test_settled_ratings_become_gold_once(settled, run, tmp_path):
    path = tmp_path / "known" / "gold.csv"
    code, out, _ = run("gold", "promote", settled.evaluation)
    assert code == 0
    assert "adjudicated in small-p: R02 said 1; A01, R01 said 3; R03 said 5" in out
    assert "could become gold; --out FILE writes them." in out
    assert not path.exists()

    _, out, _ = run("gold", "promote", settled.evaluation, "--out", path)
    first = path.read_text("utf-8-sig")
    _, again, _ = run("gold", "promote", settled.evaluation, "--to", path)

    assert out.count("in small-p: ") == 20
    assert "and 20 more" in out
    assert "40 ratings added to" in out
    assert "which now holds 40." in out
    assert f"Nothing is new; {path} was not changed." in again
    assert path.read_text("utf-8-sig") == first
    labels = {truth.item: truth.label for truth in settled.stored(latest_truths)}
    lines = [line.split(",") for line in first.splitlines()[1:]]
    assert {line[0]: int(line[2]) for line in lines} == labels
    assert {line[-1] for line in lines} == {"adjudicated", "consensus"}


def test_what_is_promoted_is_the_gold_of_the_next_campaign(settled, run):
    run("gold", "promote", settled.evaluation, "--out", settled.path.with_name("gold.csv"))

    settled.write(raters={"file": "raters.csv", "gold": "gold.csv"}, seed=3, **FILE).open("next")

    code, out, _ = run("gold", "promote", settled.evaluation)
    assert (code, out) == (0, "0 ratings could become gold; --out FILE writes them.\n")


def test_only_what_was_adjudicated_may_be_promoted(settled, run):
    _, out, _ = run("gold", "promote", settled.evaluation, "--adjudicated")

    assert "consensus" not in out
    assert "adjudicated" in out


def test_another_value_in_the_file_is_told_and_kept(settled, run):
    path = settled.path.with_name("mine.csv")
    item = settled.stored(latest_truths)[0].item
    path.write_text(f"doc_id,dimension,value\n{item},meaning,5\nd059,meaning,1\n", "utf-8")
    label = settled.stored(latest_truths)[0].label

    _, out, _ = run("gold", "promote", settled.evaluation, "--to", path)

    assert (f"{item} on meaning has another value there than {label:g}" in out) == (label != 5)
    assert f"{item},meaning,5," in path.read_text("utf-8-sig")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--min-raters", "1"], "--min-raters must be 2 or more; found 1."),
        (["--to", "{folder}/pool.jsonl"], "does not end in .csv"),
        (["--to", "{folder}/new.xlsx"], "does not end in .csv"),
    ],
)
def test_a_promotion_that_cannot_be_is_refused(settled, run, words, sentence):
    folder = settled.path.parent
    words = [word.format(folder=folder) for word in words]

    code, _, err = run("gold", "promote", settled.evaluation, *words)

    assert code == 2
    assert sentence in err


def test_simulated_ratings_are_no_gold(small, run):
    small.write(**QUICK).open()

    code, _, err = run("gold", "promote", small.evaluation)

    assert code == 2
    assert "was rated by simulated raters, whose ratings are no gold" in err


def test_a_record_over_evaluations_shows_who_learns(small, run):
    small.pool = documents(120)
    small.levels = {row["doc_id"]: level_of(row) for row in small.pool}
    gold = [(row["doc_id"], "meaning", small.levels[row["doc_id"]], "") for row in small.pool[:50]]
    raters = {"file": "raters.csv", **write_gold(small, gold), "gold_every": 4}
    for week, wrong in enumerate((6, 3, 0)):
        small.at(1 + 7 * week)
        small.write(raters=raters, seed=week, **QUIET, **FILE).open(f"w{week}")
        say = answer(small)

        def learning(one, dimension, wrong=wrong, say=say):
            fails = one.rater == "R04" and one.position % 10 < wrong
            return 6 - small.levels[one.item] if fails else say(one, dimension)

        closed(small, learning)

    code, out, _ = run("raters", "record", "--json")
    records = json.loads(out)

    assert code == 0
    assert [evaluation["evaluations"][0] for evaluation in records["R04"]["evaluations"]] == [
        "small-w0",
        "small-w1",
        "small-w2",
    ]
    shares = [
        evaluation["gold"]["share_equal"]["value"] for evaluation in records["R04"]["evaluations"]
    ]
    assert shares[0] < shares[2]
    trend = records["R04"]["trend_on_gold"]
    assert trend["value"] > 0
    assert trend["low"] < trend["value"] < trend["high"]
    assert records["R01"]["all"]["inferred"]["share_equal"]["value"] > 0.8
    assert records["R01"]["all"]["n_ratings"] > 60

    heads = ["rater", "evaluations", "ratings", "set", "aside", "right", "on", "gold", "severity"]
    _, everybody, _ = run("raters", "record")
    assert everybody.split()[: len(heads)] == heads
    assert everybody.count("points [") == 4
    _, alone, _ = run("raters", "record", "R04")
    assert "small-w1" in alone
    assert "Share right on gold, change from one evaluation to the next: +" in alone


def test_without_gold_in_three_evaluations_a_trend_is_unknown(settled, run):
    _, out, _ = run("raters", "record", "R01")

    assert "next: unknown (gold in fewer than three evaluations)" in out
    assert "no gold rated" in out
    assert "no items were rated" not in out


def test_rehearsals_are_left_out_unless_asked_for(small, run):
    small.write(**QUICK).open()

    assert "no rating counts yet" in run("raters", "record")[1]
    assert "no rating of R01 counts yet" in run("raters", "record", "R01")[1]
    assert "R01" in run("raters", "record", "--simulated")[1]
    code, _, err = run("raters", "record", "R99")
    assert code == 2
    assert "nobody called R99 has rated anything; there are ratings of" in err
    code, _, err = run("raters", "record", "--dimension", "sorrow")
    assert code == 2
    assert "no rating is on a dimension 'sorrow'; there are" in err
