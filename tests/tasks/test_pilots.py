"""Pilots: practice on gold or on documents outside the sample, judged rater by rater."""

import csv
import json
from datetime import UTC, datetime

import pytest

from ocrjury.campaign.config import read_campaign
from ocrjury.campaign.gold_file import read_gold
from ocrjury.campaign.registry import read_raters
from ocrjury.errors import InputError, RefusedError
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.draws import sampling_draw
from ocrjury.evaluation.foresight import foresee_holds
from ocrjury.readers import read_pool
from ocrjury.report import build_report
from ocrjury.store.documents import list_gold, list_items
from ocrjury.store.ratings import list_ratings
from ocrjury.store.results import latest_truths, latest_verdicts, results_by_round
from ocrjury.store.rounds import list_assignments, list_rounds
from tests.tasks.conftest import documents

PILOT = {"pilot": {"items": 20}}
FILE = {"rounds": {"frontend": "file", **PILOT}}


@pytest.fixture
def practised(small):
    """A small campaign with a larger pool, so that a pilot finds documents outside the sample."""
    small.pool = documents(120)
    return small


def write_gold(small, lines, *, name="gold.csv"):
    path = small.path.with_name(name)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["doc_id", "dimension", "value", "explanation"])
        writer.writerows(lines)
    return {"gold": name}


def gold_of(small, count, *, level=lambda row: 5 if row["confidence"] > 0.8 else 3):
    rows = small.pool[::-1][:count]
    return [(row["doc_id"], "meaning", level(row), "because") for row in rows]


def in_round(small, number):
    return [a for a in small.stored(list_assignments) if a.round == number]


def purposes(small):
    return {one.item: one.purpose for one in small.stored(list_items)}


def test_everybody_rates_every_item_of_a_pilot_before_the_main_round(practised):
    practised.write(rounds={**PILOT, "top_ups": 0}).open()

    assert practised.rows()[:8] == ["1", "2", "4", "6", "9", "15", "16", "9"]
    pilot, main, *_ = practised.stored(list_rounds)
    assert (pilot.round, pilot.kind, main.round, main.kind) == (0, "pilot", 1, "main")
    asked = in_round(practised, 0)
    items = {a.item for a in asked}
    assert len(items) == 20
    assert sorted((a.item, a.rater) for a in asked) == sorted(
        (item, rater) for item in items for rater in ("R01", "R02", "R03", "R04")
    )
    assert {purposes(practised)[item] for item in items} == {"pilot"}
    assert pilot.rule == "for everybody to practise on: 20 outside the sample"
    assert not items & {a.item for a in in_round(practised, 1)}


def test_pilot_ratings_have_no_part_in_anything_but_the_criterion(practised):
    practised.write(rounds={**PILOT, "top_ups": 0}).open()
    end = practised.decide("proceed")

    assert end.name == "Closed"
    sample = {item for item, purpose in purposes(practised).items() if purpose == "sample"}
    assert {truth.item for truth in practised.stored(latest_truths)} == sample
    assert sum(r.round_kind == "pilot" for r in practised.stored(list_ratings)) == 80
    with at_work() as work:
        data = build_report(work.store, practised.evaluation)
    pilot = data.sections["rounds"].rows[0]
    assert (pilot.kind, pilot.items, pilot.assignments, pilot.ratings) == ("pilot", 20, 80, 80)
    assert pilot.uncertain is None
    assert sum(row.n_ratings for row in data.sections["raters"].rows) == 80


def test_a_practised_document_that_a_top_up_draws_still_gets_its_ratings(practised):
    practised.write(rounds={**PILOT}, simulation={"default": {"careless": 0.15}}).open()

    assert "18" in practised.rows()
    practised_on = {a.item for a in in_round(practised, 0)}
    drawn = [one for one in practised.stored(list_items) if one.purpose == "sample"]
    both = [one for one in drawn if one.item in practised_on]
    assert both
    assert all(0 < one.inclusion_probability <= 1 for one in both)
    rated = [a.item for a in in_round(practised, 2)]
    assert all(rated.count(one.item) == 2 for one in both)


def test_gold_is_practised_on_first_and_spread_over_its_levels(practised):
    levels = {row["doc_id"]: 1 + number % 5 for number, row in enumerate(practised.pool)}
    gold = gold_of(practised, 30, level=lambda row: levels[row["doc_id"]])

    practised.write(raters=write_gold(practised, gold), **FILE).open()

    assert len(practised.stored(list_gold)) == 30
    known = {row.item: row.value for row in practised.stored(list_gold)}
    outside = {item for item in known if purposes(practised)[item] == "gold"}
    items = {a.item for a in in_round(practised, 0)}
    assert len(items) == 20
    assert items >= outside or items <= outside
    assert {known[item] for item in items & outside} == {1, 2, 3, 4, 5}
    rule = practised.stored(list_rounds)[0].rule
    assert rule == f"for everybody to practise on: {described(len(items & outside))}"


def described(n_gold):
    return (
        "20 of gold" if n_gold == 20 else f"{n_gold} of gold and {20 - n_gold} outside the sample"
    )


def test_nobody_practises_on_gold_that_a_larger_sample_would_draw_soon(practised):
    gold = gold_of(practised, 110)
    practised.write(raters=write_gold(practised, gold), sampling={"n": 30}, **FILE).open()

    with at_work() as work:
        case = work.case(practised.evaluation)
        order = sampling_draw(case, case.pool()).whole(case.sample)["doc_id"].tolist()
    items = {a.item for a in in_round(practised, 0)}
    assert {purposes(practised)[item] for item in items} == {"gold"}
    assert not items & set(order[:60])


def test_who_misses_the_criterion_is_named_with_the_dimension(practised):
    practised.dimensions = ["meaning", "layout"]
    practised.write(**FILE).open()

    def say(one, dimension):
        severe = one.rater == "R03" and dimension == "layout"
        return 1 if severe else 4 + sum(map(ord, one.item)) % 2

    practised.rate(say=say)
    held = practised.advance()

    assert held.message == (
        "pilot: R03 missed the criterion on layout: 0% of 20 ratings within 1 of the other "
        "raters, 80% needed."
    )
    assert practised.rows()[-1] == "17"
    overall, layout, meaning = practised.stored(latest_verdicts)
    assert (overall.decision, layout.decision, meaning.decision) == ("FAIL", "FAIL", "PASS")
    # Without gold R03 alone would have nobody to be compared with.
    (advice,) = overall.actions
    assert (advice.kind, advice.rater, advice.dimension) == ("recalibrate", None, "layout")
    body = practised.stored(results_by_round, "pilot")[0]
    (missed,) = [score for score in body["scores"] if score["outcome"] == "missed"]
    assert missed["accuracy"]["mean_deviation"]["value"] < -3
    assert set(body["agreement"]) == {"meaning", "layout"}


def test_gold_that_is_left_lets_one_rater_practise_again_alone(practised):
    gold = gold_of(practised, 80, level=lambda _: 4)
    practised.write(raters=write_gold(practised, gold), **FILE).open()
    practised.rate(say=lambda one, _: 1 if one.rater == "R03" else 4)
    practised.advance()

    (advice,) = practised.stored(latest_verdicts)[0].actions
    practised.decide("recalibrate", raters=(advice.rater,))

    assert {a.rater for a in in_round(practised, 1)} == {"R03"}


def test_a_released_pilot_goes_on_to_the_main_round(practised):
    practised.write(**FILE).open()
    practised.rate(say=lambda one, _: 1 if one.rater == "R03" else 5)
    assert practised.advance().name == "Held"

    waiting = practised.decide("proceed")

    assert waiting.message == "0 of 80 assignments"
    assert practised.rows()[-3:] == ["17", "25", "16"]


def test_gold_decides_against_a_whole_panel(practised):
    gold = gold_of(practised, 40, level=lambda _: 2)
    practised.write(raters=write_gold(practised, gold), **FILE).open()

    practised.rate(say=lambda one, _: 2 if one.rater == "R01" else 5)
    held = practised.advance()

    assert "R01" not in held.message
    assert held.message.count("missed the criterion on meaning: 0% of 20 ratings within 1 of gold")


@pytest.mark.parametrize(
    ("criterion", "sentence"),
    [
        (
            {"measure": "mean_absolute_error", "limit": 0.25},
            (
                "R03 missed the criterion on meaning: 20 ratings are off the other raters by 1.00 "
                "in the mean, 0.25 allowed."
            ),
        ),
        (
            {"measure": "weighted_kappa", "limit": 0.9},
            "R03 missed the criterion on meaning: weighted kappa 0.",
        ),
        (
            {"tolerance": 0, "limit": 0.5},
            (
                "R03 missed the criterion on meaning: 0% of 20 ratings equal to the other raters, "
                "50% needed."
            ),
        ),
    ],
)
def test_every_measure_can_be_the_criterion(practised, criterion, sentence):
    rounds = {"frontend": "file", "pilot": {"items": 20, "criterion": criterion}}
    practised.write(rounds=rounds).open()

    practised.rate(say=lambda one, _: 3 + sum(map(ord, one.item)) % 2 - (one.rater == "R03"))
    held = practised.advance()

    assert held.message.startswith(f"pilot: {sentence}")
    assert "R01" not in held.message


def test_a_rater_who_does_not_practise_in_time_has_not_met_the_criterion(practised):
    practised.write(**FILE).open()
    practised.rate(["R01", "R02", "R03"], say=lambda one, _: 4)

    overdue = practised.at(29).advance()
    held = practised.decide("proceed")

    assert overdue.message == "overdue: 60 of 80 assignments are done; R04 has 20 open."
    assert practised.rows()[-2:] == ["15", "17"]
    assert held.message == (
        "pilot: R04 gave 0 ratings on meaning that can be compared; the pilot needs 10."
    )


def test_a_dropped_rater_is_not_judged(practised):
    practised.write(**FILE).open()
    practised.rate(["R01", "R02", "R03"], say=lambda one, _: 4)

    waiting = practised.decide("drop", raters=("R04",))

    assert practised.rows()[-3:] == ["9", "15", "16"]
    assert waiting.message == "0 of 80 assignments"
    assert "R04" not in {a.rater for a in in_round(practised, 1)}


def test_who_joins_during_a_pilot_practises_all_of_it(practised):
    practised.write(**FILE).open()
    assert practised.at(29).advance().message.startswith("no_ratings")
    practised.people += ["R05,rater"]
    practised.write(**FILE)

    practised.decide("reassign")

    left = [a for a in in_round(practised, 0) if a.state == "open"]
    assert {a.rater for a in left} == {"R05"}
    assert len(left) == 20


def test_names_are_compared_with_what_most_others_say(practised):
    practised.scale = {"kind": "nominal", "categories": ["fine", "wrong", "lost"]}
    practised.write(**FILE).open()

    practised.rate(say=lambda one, _: "lost" if one.rater == "R02" else "fine")
    held = practised.advance()

    assert held.message == (
        "pilot: R02 missed the criterion on meaning: 0% of 20 ratings equal to the other raters, "
        "80% needed."
    )


def test_a_pilot_without_documents_is_a_plan_that_is_held_before_the_draw(small):
    held = small.write(**FILE, sampling={"n": 50}).open()

    assert held.message == (
        "plan: the pilot asks for 20 items, but only 0 gold documents and 10 others are left "
        "outside the sample. Lower rounds.pilot.items or sampling.n, or name more gold."
    )
    assert small.stored(list_items) == []
    assert held.message == f"plan: {foreseen(small)}"

    assert small.write(**FILE).decide("retry").message == "0 of 80 assignments"


def foreseen(small):
    """The one sentence with which a check of the campaign foresees that it is held."""
    campaign = read_campaign(small.path)
    path = campaign.gold_path
    lines = () if path is None else read_gold(path, campaign.rubric)
    [sentence] = foresee_holds(
        campaign,
        read_raters(campaign.raters_path),
        read_pool(campaign.pool_location),
        gold={line.doc_id for line in lines},
        now=datetime(2026, 11, 20, tzinfo=UTC),
    )
    return sentence


def test_a_pilot_for_which_gold_and_pool_do_not_suffice_is_foreseen_in_the_same_words(small):
    own = [{**row, "doc_id": f"known {row['doc_id']}"} for row in documents(4)]
    small.path.with_name("known.jsonl").write_text("\n".join(map(json.dumps, own)), "utf-8")
    lines = [(row["doc_id"], "meaning", 4, "") for row in own]
    gold = write_gold(small, lines) | {"gold_pool": "known.jsonl"}

    held = small.write(raters=gold, **FILE, sampling={"n": 50}).open()

    assert "only 4 gold documents and 10 others are left" in held.message
    assert held.message == f"plan: {foreseen(small)}"


def test_gold_of_the_pool_counts_among_what_is_left_for_a_pilot_in_a_check(small):
    sections = {"raters": write_gold(small, gold_of(small, 4)), **FILE, "sampling": {"n": 50}}

    held = small.write(**sections).open()

    assert held.message.startswith("plan: the pilot asks for 20 items, but only ")
    assert foreseen(small).startswith(
        "the pilot asks for 20 items, but only 10 documents, gold among them, are left outside "
    )


def test_gold_may_have_documents_of_its_own(small):
    own = [{**row, "doc_id": f"known {row['doc_id']}"} for row in documents(30)]
    small.path.with_name("known.jsonl").write_text("\n".join(map(json.dumps, own)), "utf-8")
    lines = [(row["doc_id"], "meaning", 4, "") for row in own]

    small.write(raters=write_gold(small, lines) | {"gold_pool": "known.jsonl"}, **FILE).open()

    items = [one for one in small.stored(list_items) if one.purpose == "gold"]
    assert len(items) == 30
    assert items[0].scores["cer"] is not None
    assert {a.item for a in in_round(small, 0)} <= {item.item for item in items}


def test_a_gold_pool_that_holds_documents_of_the_pool_is_refused(small):
    small.path.with_name("known.jsonl").write_text(json.dumps(small.pool[0]), "utf-8")
    gold = write_gold(small, [("d000", "meaning", 4, "")])

    held = small.write(raters=gold | {"gold_pool": "known.jsonl"}).open()

    assert held.message.startswith("plan: ")
    assert "both hold the document 'd000' (1 in all)" in held.message


def test_a_gold_file_is_checked_when_an_evaluation_opens_and_its_documents_at_the_draw(small):
    small.write(raters=write_gold(small, [("d001", "meaning", 9, "")]))
    with pytest.raises(InputError, match=r"line 2: the value '9' is not on the rubric's scale"):
        small.open()

    held = small.write(raters=write_gold(small, [("d01", "meaning", 4, "")]), **FILE).open()

    assert "there is no document 'd01' in its pool. Did you mean 'd0" in held.message
    write_gold(small, [("d001", "meaning", 4, "")])
    small.write(raters={"gold": "gold.csv"}, sampling={"n": 30}, rounds={"frontend": "file"})
    assert small.decide("retry").name == "WaitingForRatings"


def test_a_decision_that_does_not_fit_a_pilot_is_refused(practised):
    practised.write(**FILE).open()
    practised.rate(say=lambda one, _: 1 if one.rater == "R03" else 5)
    practised.advance()

    with pytest.raises(RefusedError, match="possible: proceed, recalibrate, abort"):
        practised.decide("extend", days=3)
