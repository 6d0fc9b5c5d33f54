"""What an adaptive round asks, by the campaign's policy, by gold, and by what a decision costs."""

import json
import math
import zlib
from collections import Counter

import pytest

from ocrjury.adaptive import choose_raters, settled_values
from ocrjury.cli import main
from ocrjury.evaluation.adaptive import decision_cost, for_the_adjudicator, next_questions
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.inference import explored_items, infer_truths, tables_of
from ocrjury.store.results import latest_results
from ocrjury.store.rounds import list_assignments, list_rounds
from ocrjury.truth import calibrated_truth
from tests.tasks.conftest import documents
from tests.tasks.test_pilots import write_gold

FILE = {"frontend": "file", "top_ups": 0}


def level(item):
    """What careful raters say of an item."""
    return 1 + zlib.crc32(item.encode()) % 5


def say(one, _dimension=None):
    """A rating that is off by one now and then."""
    slip = zlib.crc32(f"{one.item}/{one.rater}".encode()) % 4 == 0
    return max(min(level(one.item) + (1 if level(one.item) < 3 else -1) * slip, 5), 1)


def asked(small, kind="adaptive"):
    number = max(one.round for one in small.stored(list_rounds) if one.kind == kind)
    return [one for one in small.stored(list_assignments) if one.round == number]


def rated(small, **adaptive):
    """Bring an evaluation so far that everybody has rated what was drawn."""
    small.write(
        rounds=FILE,
        sampling={"n": 58, "floor": 0},
        adaptive={"max_rounds": 1, "budget": 20} | adaptive,
    ).open()
    small.rate(say=say)


def past_the_gate(small):
    if small.advance().name == "Held":
        small.decide("proceed")


def next_rounds(small, **adaptive):
    rated(small, **adaptive)
    past_the_gate(small)


def ratings_before(small):
    had = {}
    for one in small.stored(list_assignments):
        if one.round == 1:
            had.setdefault(one.item, []).append(say(one))
    return had


def with_gold(small, value):
    small.pool = documents(120)
    known = [(row["doc_id"], "meaning", value(row["doc_id"]), "") for row in small.pool[:70]]
    small.write(
        rounds=FILE,
        sampling={"n": 100, "floor": 0},
        raters={"file": "raters.csv", **write_gold(small, known)},
        adaptive={"max_rounds": 1, "budget": 12},
    ).open()
    small.rate(say=say)


@pytest.fixture
def planned(small, capsys):
    """A function that prints the next round, as text and for programs."""

    def printed(*options):
        capsys.readouterr()
        assert main(["evaluation", "plan", small.evaluation, *options]) == 0
        return capsys.readouterr().out

    return lambda: (printed(), json.loads(printed("--json")))


def test_ratings_are_spread_evenly_where_gold_shows_no_gain(small, planned):
    with_gold(small, lambda item: 6 - level(item) if level(item) != 3 else 5)
    text, body = planned()
    past_the_gate(small)

    (last,) = (one for one in small.stored(list_rounds) if one.kind == "adaptive")
    assert last.rule == "the items with the fewest ratings, because gold shows no gain in choosing"
    assert {one.reason for one in asked(small)} == {"explore"}
    assert max(Counter(one.item for one in asked(small)).values()) == 1
    assert body["round"]["rule"] == last.rule
    assert body["gold_check"]["decision"] == "uniform"
    assert body["gold_check"]["n_items"] >= 30
    assert "Gold: ratings are spread evenly" in text
    assert "Further ratings do not resolve the model's uncertainty" in text


def test_items_are_chosen_where_gold_shows_that_it_pays(small, planned):
    with_gold(small, level)
    text, body = planned()
    past_the_gate(small)

    assert {one.reason for one in asked(small)} == {"gain", "explore"}
    assert body["gold_check"]["decision"] == "information"
    assert "Gold: items are chosen by expected gain" in text


# What raters agreed on is easier than most, what somebody had to decide harder.
@pytest.mark.parametrize("source", ["file", "adjudicated"])
def test_gold_that_was_promoted_is_known_but_says_nothing_about_the_others(small, planned, source):
    small.pool = documents(120)
    known = [(row["doc_id"], "meaning", level(row["doc_id"]), "") for row in small.pool[:70]]
    sources = small.path.with_name("known.csv")
    with sources.open("w", encoding="utf-8") as file:
        file.write("doc_id,dimension,value,explanation,source\n")
        file.writelines(f"{item},{name},{value},,{source}\n" for item, name, value, _ in known)
    small.write(
        rounds=FILE,
        sampling={"n": 100, "floor": 0},
        raters={"file": "raters.csv", "gold": sources.name},
    ).open()
    small.rate(say=say)

    _, body = planned()

    with at_work() as work:
        truth = infer_truths(work.case(small.evaluation)).truths["meaning"]
    right = {item: value for item, _, value, _ in known}
    told = [place for place, item in enumerate(truth.items) if item in right]
    assert len(told) >= 30
    assert truth.label[told].tolist() == [right[truth.items[place]] for place in told]
    assert truth.known[told].all()
    assert truth.calibrated == (source == "file")
    assert (body["gold_check"] is None) == (source != "file")


def test_those_are_asked_who_tell_most_about_the_items(small):
    next_rounds(small)

    with at_work() as work:
        case = work.case(small.evaluation)
        inferred = infer_truths(case)
    found = asked(small)
    demand = Counter(one.item for one in found)
    chosen = choose_raters(inferred.truths, inferred.tables, demand)
    assert {item: sorted(raters) for item, raters in chosen.items()} == {
        item: sorted(one.rater for one in found if one.item == item) for item in demand
    }
    assert max(Counter(one.rater for one in found).values()) <= math.ceil(1.5 * len(found) / 4)


@pytest.mark.parametrize("policy", ["gain", "disagreement"])
def test_the_budget_is_for_items_that_somebody_is_left_to_rate(small, policy):
    small.columns = "pseudonym,role,conflicts"
    small.people = ["R01,rater,", "R02,rater,", "R03,rater,bill"]
    small.write(
        rounds=FILE,
        sampling={"n": 58, "floor": 0},
        adaptive={"max_rounds": 1, "budget": 16, "policy": policy},
        truth={"target_confidence": 0.99},
    ).open()
    bills = {row["doc_id"] for row in small.pool if row["doc_type"] == "bill"}

    small.rate(say=lambda one, _: 1 + 4 * (one.rater == "R02") if one.item in bills else say(one))
    past_the_gate(small)

    assert len(asked(small)) == 16
    assert not bills & {one.item for one in asked(small)}


@pytest.mark.parametrize(
    ("policy", "rule"),
    [
        ("disagreement", "items whose ratings differ most"),
        ("under_annotated", "items with fewer than three ratings first"),
        ("three_step", "a third rating where two differ"),
    ],
)
def test_a_campaign_may_ask_as_the_reference_texts_do(small, policy, rule):
    next_rounds(small, policy=policy)

    (last,) = (one for one in small.stored(list_rounds) if one.kind == "adaptive")
    assert last.rule == rule
    found, before = asked(small), ratings_before(small)
    differing = {item for item, had in before.items() if len(set(had)) > 1}
    assert len(found) == min(20, len(differing)) if policy == "three_step" else 20
    if policy == "under_annotated":
        assert {one.reason for one in found} == {"under_annotated"}
    else:
        assert {one.item for one in found} <= differing or len(differing) < 20


def test_after_three_steps_an_adjudicator_decides_where_all_three_differ(small):
    small.write(
        rounds=FILE,
        sampling={"n": 58, "floor": 0},
        adaptive={"max_rounds": 1, "budget": 40, "policy": "three_step"},
    ).open()
    differ = {one.item for one in small.stored(list_assignments)[:12]}
    places = {}

    def by_turn(one, _dimension):
        turn = places.setdefault(one.item, []).append(one) or len(places[one.item])
        return turn if one.item in differ else 4

    small.rate(say=by_turn)
    small.advance()
    if small.rows()[-1] != "21":
        small.decide("proceed")
    assert {one.item for one in asked(small)} == differ
    assert {one.reason for one in asked(small)} == {"third_rater"}

    small.rate(say=by_turn)
    small.advance()

    assert {one.item for one in asked(small, "adjudication")} == differ
    assert {one.rater for one in asked(small, "adjudication")} == {"A01"}


@pytest.mark.parametrize(("cost", "experts"), [("0.5", True), ("50", False)])
def test_contradicted_items_go_to_a_cheap_adjudicator_and_not_to_a_dear_one(
    small, planned, cost, experts
):
    small.columns = "pseudonym,role,cost"
    people = ["R01,rater,1", "R02,rater,1", "R03,rater,1", "R04,rater,1"]
    small.people = [*people, f"A01,adjudicator,{cost}", "E01,expert,9"]
    rated(small)
    text, body = planned()

    with at_work() as work:
        case = work.case(small.evaluation)
        priced = for_the_adjudicator(case, infer_truths(case))
        assert decision_cost(case) == float(cost)
    past_the_gate(small)
    by_gain = {one.item for one in asked(small) if one.reason == "gain"}
    assert bool(len(priced)) == experts
    assert not by_gain & set(priced["item"])
    assert body["experts"]["count"] == len(priced)
    assert ("for the adjudicator, chosen as if a decision cost 0.50" in text) == experts


def test_an_adjudicator_decides_no_more_than_the_campaign_allows(small):
    end = small.write(
        adaptive={"max_rounds": 1, "budget": 4, "decisions": 3},
        truth={"target_confidence": 0.99},
        simulation={"default": {"noise": 0.6}},
    ).open()
    if end.name == "Held":
        end = small.decide("proceed")

    decided = {one.item for one in small.stored(list_assignments) if one.rater == "A01"}
    assert end.name == "Closed"
    assert len(decided) == 3


def unsure_bills(small):
    """Items that are bills, those of them that are unsure, and what an adjudicator is asked."""
    with at_work() as work:
        case = work.case(small.evaluation)
        inferred = infer_truths(case)
        bills = {one.item for one in case.sample if one.doc_type == "bill"}
        unsure = bills & inferred.uncertain_items(case.campaign.truth.target_confidence)
        return bills, unsure, for_the_adjudicator(case, inferred)


def test_unsure_items_that_nobody_is_left_to_rate_go_to_the_adjudicator(small):
    small.columns = "pseudonym,role,conflicts"
    small.people = ["R01,rater,", "R02,rater,", "R03,rater,bill", "A01,adjudicator,"]
    rated(small)

    _, unsure, priced = unsure_bills(small)

    assert unsure
    assert set(priced["item"]) >= unsure


def test_items_that_no_adjudicator_may_decide_are_left_to_the_raters(small):
    small.columns = "pseudonym,role,conflicts"
    people = [f"R0{number},rater," for number in range(1, 5)]
    small.people = [*people, "A01,adjudicator,bill"]
    rated(small, budget=100)

    bills, unsure, priced = unsure_bills(small)
    past_the_gate(small)

    assert len(priced)
    assert not set(priced["item"]) & bills
    assert unsure <= {one.item for one in asked(small)}


def test_a_decision_costs_three_ratings_where_the_registry_does_not_tell_them_apart(small):
    next_rounds(small)

    with at_work() as work:
        assert decision_cost(work.case(small.evaluation)) == 3.0


def test_without_an_adjudicator_nothing_is_left_for_one(small, planned):
    small.people = ["R01,rater", "R02,rater", "R03,rater", "R04,rater"]
    rated(small)
    _, body = planned()
    past_the_gate(small)

    assert body["experts"]["count"] == 0
    assert any(one.reason == "gain" for one in asked(small))


def test_decisions_on_items_drawn_at_random_calibrate_confidence_without_gold(small):
    small.pool = documents(160)
    small.write(
        rounds=FILE,
        sampling={"n": 140, "floor": 0},
        adaptive={"budget": 80, "max_rounds": 1, "explore": 0.6, "adjudicate_explored": True},
    ).open()
    small.rate(say=say)
    past_the_gate(small)
    small.rate(say=say)
    small.advance()
    with at_work() as work:
        drawn = explored_items(work.case(small.evaluation))
    assert len(drawn) >= 30
    assert set(drawn) <= {one.item for one in asked(small, "adjudication")}
    before = small.stored(latest_results, "truth")["*"]["dimensions"]["meaning"]

    small.rate(say=lambda one, _: level(one.item))
    small.advance()

    after = small.stored(latest_results, "truth")["*"]["dimensions"]["meaning"]
    assert (before["calibrated"], after["calibrated"]) == (False, True)
    with at_work() as work:
        case = work.case(small.evaluation)
        decided = case.ratings["round_kind"] == "adjudication"
        seen = case.ratings[~(decided & case.ratings["item"].isin(drawn))]
        blind = tables_of(case, seen)["meaning"]
    told = calibrated_truth(
        blind,
        {item: level(item) for item in drawn},
        known=settled_values(case.ratings)["meaning"],
    )
    assert after["temperature"] == pytest.approx(told.temperature, rel=1e-6)


def test_what_others_take_over_costs_the_budget_of_adaptive_rounds_once(small):
    next_rounds(small, max_rounds=2, budget=20)
    assert len(asked(small)) == 10
    late = next(iter({one.rater for one in asked(small)}))
    small.decide("drop", raters=(late,))
    assert Counter(one.state for one in asked(small))["open"] == 10
    small.rate(say=say)

    small.advance()

    assert [one.kind for one in small.stored(list_rounds)] == ["main", "adaptive", "adaptive"]
    assert len(asked(small)) == 10


def test_a_rater_who_was_dropped_and_an_adjudicator_count_for_no_price(small):
    small.columns = "pseudonym,role,cost"
    people = ["R01,rater,1", "R02,rater,1", "R03,rater,1", "R04,rater,9"]
    small.people = [*people, "A01,adjudicator,0.5", "E01,expert,9"]
    small.write(
        rounds=FILE,
        sampling={"n": 58, "floor": 0},
        adaptive={"max_rounds": 1, "budget": 20},
    ).open()
    small.rate(["R04"], say=say)
    small.decide("drop", raters=("R04",))
    small.rate(say=say)

    with at_work() as work:
        case = work.case(small.evaluation)
        priced = for_the_adjudicator(case, infer_truths(case))

    priced = priced[priced["rater_gain"] > 0]
    assert len(priced)
    assert (priced["rater_gain"] / priced["rater_per_cost"]).tolist() == pytest.approx(
        [1.0] * len(priced)
    )


@pytest.mark.parametrize("policy", ["gain", "disagreement"])
def test_raters_with_little_capacity_are_asked_for_the_best_ratings(small, policy):
    small.columns = "pseudonym,role,capacity"
    small.people = [*(f"R0{number},rater,4" for number in (1, 2, 3)), "R04,rater,", "R05,rater,"]
    small.write(
        rounds=FILE,
        sampling={"n": 20, "floor": 0},
        adaptive={"max_rounds": 1, "budget": 100, "policy": policy, "explore": 0.0},
        truth={"target_confidence": 0.999},
    ).open()
    small.rate(["R04", "R05"], say=say)
    small.decide("drop", raters=("R04", "R05"))
    small.rate(say=say)
    with at_work() as work:
        case = work.case(small.evaluation)
        options = {"budget": 12, "seed": case.row.seed}
        best = next_questions(case, infer_truths(case), **options).ratings
    past_the_gate(small)

    assert len(asked(small)) == len(best) == 12
    assert Counter(row.item for row in asked(small)) == Counter(best["item"])
