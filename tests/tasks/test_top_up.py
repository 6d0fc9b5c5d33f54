"""A main round that cannot decide is topped up with the next documents in draw order."""

import json
import math
from collections import Counter
from dataclasses import replace
from statistics import NormalDist, fmean

import pytest

from ocrjury.cli import main
from ocrjury.estimate import Estimate
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.next_rounds import plan_top_up
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.looks import Looks
from ocrjury.findings.raters import BiasTests
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.gate.looks import anytime_confidence, look_confidence
from ocrjury.report import build_report
from ocrjury.store.documents import list_items
from ocrjury.store.evaluations import read_evaluation
from ocrjury.store.results import (
    findings_by_round,
    latest_findings,
    latest_results,
    latest_verdicts,
    results_by_round,
)
from ocrjury.store.rounds import list_assignments, list_rounds
from tests.tasks.conftest import documents

FEW = 30


@pytest.fixture
def topped(small):
    """An evaluation whose raters agree, on too few items at first."""
    small.pool = documents(120)
    end = small.write(
        sampling={"n": FEW},
        adaptive={"max_rounds": 0},
        simulation={"default": {"noise": 0.2}},
    ).open()
    assert small.rows()[:7] == ["1", "2", "4", "7", "9", "15", "18"]
    if end.name == "Held":
        end = small.decide("proceed")
    assert end.name == "Closed"
    return small


def test_the_top_up_takes_the_next_documents_in_draw_order(topped):
    items = topped.stored(list_items)
    first, second = (r for r in topped.stored(list_rounds) if r.kind == "main")
    asked = {first.round: set(), second.round: set()}
    for one in topped.stored(list_assignments):
        if one.round in asked:
            asked[one.round].add(one.item)

    assert second.attempt == first.attempt + 1
    assert second.rule == f"items added to {first.rule}"
    assert asked[first.round] == {item.item for item in items[:FEW]}
    assert asked[second.round] == {item.item for item in items[FEW:]}
    assert len(asked[second.round]) > 0


def test_it_counts_for_the_gate_and_for_the_estimate(topped):
    first, second = (r.round for r in topped.stored(list_rounds) if r.kind == "main")
    overall = topped.stored(latest_verdicts)[0]
    body = topped.stored(latest_results, "agreement")["meaning"]

    n_items = len(topped.stored(list_items))
    assert overall.round == second > first
    assert Estimate.from_json(body["estimates"]["krippendorff_alpha"]).n_items == n_items
    assert body["disagreements"]["n_items"] == n_items
    assert topped.stored(results_by_round, "dimensions").keys() == {first, second}
    body = topped.stored(latest_results, "estimate")["meaning"]
    items = topped.stored(list_items)
    assert Estimate.from_json(body["others"]).n_items == n_items
    assert sum(1 / item.inclusion_probability for item in items) == pytest.approx(120, rel=0.2)


def test_the_report_tells_of_it(topped):
    data, text = topped.report()

    first, second = (row for row in data.sections["rounds"].rows if row.kind == "main")
    added = len(topped.stored(list_items)) - FEW
    assert (first.top_up, second.top_up) == (False, True)
    assert (
        f"After the first main round the gate could not decide, so round {second.number} added "
        f"{added} items: the next items in draw order" in text
    )
    assert "Their first-pass ratings count for the gate and for every estimate." in text
    assert data.items.n_rated == FEW + added


def test_the_sample_beside_the_pool_is_all_that_was_drawn(topped):
    items = topped.stored(list_items)
    weights = [1 / item.inclusion_probability for item in items]
    design = topped.stored(read_evaluation).design
    rows = {row.name: row for row in topped.report()[0].sections["sampling"].balance}

    assert design.n == len(items) > FEW
    assert sum(sum(row.values()) for row in design.sample_strata.values()) == len(items)
    assert (design.weight_min, design.weight_max) == (min(weights), max(weights))
    for name, value in (
        ("cer", lambda item: item.scores["cer"]),
        ("no_error", lambda item: item.scores["cer"] == 0),
        ("confidence", lambda item: item.confidence),
    ):
        values = [value(item) for item in items]
        assert rows[name].sample == pytest.approx(fmean(values))
        assert rows[name].weighted == pytest.approx(fmean(values, weights))


def test_each_look_of_the_gate_is_stored_and_printed_with_its_bound(topped):
    first, second = topped.stored(findings_by_round, Looks, kind="looks").values()
    one, two = first.of("meaning"), second.of("meaning")

    assert [(look.look, look.planned) for look in (one, two)] == [(1, 2), (2, 2)]
    assert FEW == one.items < two.items
    seen = [one.items, two.items]
    assert one.confidence == look_confidence(0.95, looks=2, look=1, items=seen[:1])
    assert two.confidence == look_confidence(0.95, looks=2, look=2, items=seen)
    assert (
        two.lower
        < topped.stored(latest_results, "agreement")["meaning"]["estimates"]["krippendorff_alpha"][
            "value"
        ]
    )
    text = topped.report()[1]
    for look in (one, two):
        assert (
            f"meaning {look.look} of 2 {look.items} {look.value:.3f} {look.lower:.3f} "
            f"{100 * look.confidence:.1f}%" in text
        )
    assert "floor pass at one of them in about 5% of evaluations at most." in text


def test_the_bound_of_a_look_can_be_computed_by_the_formula_that_the_report_prints(topped):
    looks = topped.stored(findings_by_round, Looks, kind="looks").values()
    last = list(looks)[-1].of("meaning")
    found = topped.stored(latest_findings, AgreementFinding, kind="agreement")["meaning"]
    alpha, z = found.get("krippendorff_alpha"), NormalDist().inv_cdf(last.confidence)

    # (v - L)^2 = z^2 s^2 (1 - L)/(1 - v), solved for L
    spread = (z * alpha.se) ** 2 / (1 - alpha.value)
    half = alpha.value - spread / 2
    bound = half - math.sqrt(half**2 - alpha.value**2 + spread)

    assert last.lower == pytest.approx(bound)
    assert "solves (v − L)² = z² s² (1 − L)/(1 − v), as Wilson’s" in topped.report()[1]


def test_the_exported_ratings_are_judged_as_they_were_at_each_look(topped, tmp_path, capsys):
    first, second = topped.stored(findings_by_round, Looks, kind="looks").values()
    one, two = first.of("meaning"), second.of("meaning")
    exported = topped.exported()
    before = exported[exported["round"] == exported["round"].min()]

    assert judged(exported, tmp_path, capsys) == (two, f"look 2 of 2, {AS_THE_GATE}")
    look, text = judged(before, tmp_path, capsys)
    # The items of the first look weigh less since others were drawn beside them.
    assert replace(look, value=one.value, lower=one.lower) == one
    assert (look.value, look.lower) == pytest.approx((one.value, one.lower), abs=0.03)
    assert text == f"look 1 of 2, {AS_THE_GATE}"
    look, text = judged(exported, tmp_path, capsys, "--looks", "3")
    assert (look.look, look.planned, text) == (2, 3, "look 2 of 3, as far as is known.")


def test_the_exported_ratings_are_tested_for_bias_as_the_report_tests_them(
    topped, tmp_path, capsys
):
    file = tmp_path / "ratings.csv"
    topped.exported().to_csv(file, index=False)

    assert main(["agreement", str(file), "--scale", "likert:1:5", "--exit-zero", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    stored = topped.stored(latest_findings, BiasTests, kind="bias")[ALL_DIMENSIONS]
    assert answer["order_refused"] is None
    assert answer["seed"] == topped.stored(read_evaluation).seed
    assert answer["bias"]["findings"] == stored.to_json()["findings"]


def test_ratings_without_an_evaluation_are_one_look_unless_somebody_says_which(
    topped, tmp_path, capsys
):
    plain = topped.exported()[["item", "rater", "dimension", "rating"]]

    look, text = judged(plain, tmp_path, capsys)
    assert (look.look, look.planned, look.confidence) == (1, 1, 0.95)
    assert text.startswith("One look, as far as is known; ")
    look, text = judged(plain, tmp_path, capsys, "--look", "2", "--looks", "3")
    assert (look.look, look.planned) == (2, 3)
    assert look.confidence == look_confidence(0.95, looks=3, look=2)
    assert text == "look 2 of 3, as far as is known."
    words = ["agreement", str(tmp_path / "ratings.csv"), "--scale", "likert:1:5"]
    assert main([*words, "--look", "3", "--looks", "2"]) == main([*words, "--look", "0"]) == 2
    found = capsys.readouterr().err
    assert "found look 3 of 2." in found
    assert "--look is 1 or more; found 0." in found


AS_THE_GATE = "as the evaluation's gate looked."


def judged(ratings, folder, capsys, *more):
    """What the command says of ratings in a file: the look, and the sentence about it."""
    file = folder / "ratings.csv"
    ratings.to_csv(file, index=False)
    words = ["agreement", str(file), "--scale", "likert:1:5", "--exit-zero", *more]
    assert main([*words, "--json"]) == 0
    looks = Looks.from_json(json.loads(capsys.readouterr().out)["looks"])
    assert main(words) == 0
    [line] = [line for line in capsys.readouterr().out.splitlines() if " look" in line.lower()]
    return looks.of("meaning"), line.removeprefix("The bounds are those of ")


def test_a_look_that_a_lead_adds_is_told_with_what_it_costs(small):
    small.pool = documents(160)
    small.write(sampling={"n": FEW}, rounds={"frontend": "simulated", "top_ups": 0}).open()
    assert "The bounds have a confidence of 95%." in small.report()[1]

    small.decide("extend", items=60)

    looks = [
        found.of("meaning")
        for found in small.stored(findings_by_round, Looks, kind="looks").values()
    ]
    assert [(look.look, look.planned) for look in looks] == [(1, 1), (2, 2)]
    assert looks[0].confidence == 0.95 < looks[1].confidence
    assert (
        "in up to 5.6% of evaluations, because a look was added that was not planned"
        in small.report()[1]
    )


def test_a_policy_for_any_time_plans_no_number_of_looks(small):
    small.pool = documents(160)
    small.write(gate={"policy": "anytime"}, adaptive={"max_rounds": 0}).open()

    (look, *_) = small.stored(findings_by_round, Looks, kind="looks")[1].rows
    assert (look.look, look.planned) == (1, None)
    assert look.confidence == anytime_confidence(0.95, look.items)
    assert "confidence sequence of 95%" in small.report()[1]


def test_without_a_top_up_nothing_is_told_of_one(small):
    small.write(rounds={"frontend": "simulated", "top_ups": 0}).open()
    small.decide("proceed")

    with at_work() as work:
        data = build_report(work.store, small.evaluation)
    assert not any(row.top_up for row in data.sections["rounds"].rows)
    assert "topped" not in small.report()[1]
    assert "could not decide" not in small.report()[1]


def test_every_item_of_a_top_up_gets_two_ratings(small):
    small.pool = documents(300)
    small.write(
        sampling={"n": 100}, raters={"double_rated": 0.2}, rounds={"frontend": "file"}
    ).open()
    once = Counter(one.item for one in small.stored(list_assignments))
    with at_work() as work:
        plan = plan_top_up(work.case(small.evaluation), more=100).plan

    assert sorted(Counter(once.values()).items()) == [(1, 23), (2, 77)]
    assert set(Counter(assignment.item for assignment in plan.assignments).values()) == {2}


def test_the_minimum_of_the_campaign_holds_for_top_ups_and_is_told_in_the_report(small):
    # 40 documents never reach the usual minimum of 50: nothing would be topped up, or decided.
    small.pool = documents(40)
    small.write(
        sampling={"n": 20},
        adaptive={"max_rounds": 0},
        simulation={"default": {"noise": 0.2}},
        gate={"min_items": 25},
    ).open()

    first, second = small.stored(findings_by_round, Looks, kind="looks").values()
    items = second.of("meaning").items
    text = small.report()[1]
    assert (first.of("meaning").items, items) == (20, 25)
    assert f"Caution: the gate decided on {items} items, because the campaign sets its" in text
    assert "fewer than the usual minimum of 50: read the decision with caution." in text
