"""What the chain estimates, keeps and reports: shares, types, labels, plans, trends, response."""

import math
import re
from collections import Counter
from datetime import timedelta

import pytest

from ocrjury import InputError, RatingTable, Scale
from ocrjury.agreement import krippendorff_alpha
from ocrjury.campaign.boundary_cases import CaseText
from ocrjury.cli import main
from ocrjury.estimate import Estimate
from ocrjury.estimation import RatedSample
from ocrjury.evaluation.case import at_work
from ocrjury.ratings.files import read_ratings
from ocrjury.report.html import SENTENCES
from ocrjury.store.database import writing
from ocrjury.store.documents import list_items
from ocrjury.store.exclusions import NewExclusion, decide_exclusion
from ocrjury.store.results import latest_results
from ocrjury.store.rounds import list_assignments
from ocrjury.store.rubric_versions import NewCase, add_case
from tests.tasks.conftest import QUICK, QUIET, closed

RULES = [
    {
        "rule": "amount-differs",
        "kind": "amount",
        "when": "value_differs",
        "at_most": 2,
        "sentence": {"en": "An amount that differs is at most 2."},
    }
]
SEOUL = {"time_zone": "Asia/Seoul"}


def stored(small, kind="estimate"):
    return small.stored(latest_results, kind)


def estimate(body):
    return Estimate.from_json(body)


def run(small, period, **sections):
    """Run an evaluation past a gate that cannot decide."""
    if small.write(**{**QUICK, **sections}).open(period).name == "Held":
        small.decide("proceed")
    assert small.rows()[-1] == "30"


def test_everything_about_a_first_evaluation_is_kept_and_reported(small):
    data, text = closed(small, **QUICK)

    body = stored(small)["meaning"]
    usable, unusable = estimate(body["usable"]), estimate(body["unusable"])
    assert usable.method.startswith("GREG")
    assert 0 <= usable.low <= usable.value <= usable.high <= 1
    assert 0 <= unusable.low <= unusable.high <= 1
    low, middle, high = (estimate(quartile).value for quartile in body["quartiles"])
    assert 1 <= low <= middle <= high <= 5
    assert {kind["doc_type"] for kind in body["types"]} == {"bill", "note"}
    assert (sum(kind["n"] for kind in body["types"]), len(small.pool)) == (40, 60)
    assert sum(kind["pool"] for kind in body["types"]) == 60
    assert all("of the group" in kind["estimate"]["method"] for kind in body["types"])
    inferred, others = estimate(body["inferred"]), estimate(body["others"])
    assert inferred.method.endswith("of inferred labels, other raters like these")
    assert inferred.low < inferred.value < inferred.high
    assert abs(inferred.value - others.value) < 0.5
    assert data.estimates[0].inferred.value == inferred.value
    means = {part.reason: part.mean_rating for part in data.sections["sampling"].parts}
    assert means == body["parts"]
    assert "Every drawn item has all its ratings" in text
    assert stored(small, "trend") == stored(small, "field_errors") == {}
    assert "Over time" not in text
    assert "Critical" not in text


def test_the_plan_is_kept_with_the_sample_and_held_against_what_was_achieved(small):
    small.write(**{**QUICK, "rounds": {"frontend": "file"}}).open()
    plan = stored(small, "plan")["meaning"]
    small.decide("abort")

    data, text = closed(small, **QUICK)

    assert (plan["items"], plan["assignments"], plan["raters"]) == (40, 80, 4)
    assert plan["measured"] is False
    assert plan["spreads"]["score_sd"] == 1
    assert plan["widths"]["others"] > plan["widths"]["these"] > 0
    assert plan["hours"] == pytest.approx(80 / 60)
    others = estimate(stored(small)["meaning"]["others"])
    assert data.sections["plan"].planned.items == data.sections["plan"].achieved.items == 40
    assert data.sections["plan"].achieved.ratings == 80
    assert data.sections["plan"].achieved.width_others == pytest.approx(others.high - others.low)
    assert data.sections["plan"].planned.width_others == plan["widths"]["others"]
    assert "assumed from what is usual" in text


def test_few_documents_and_rare_outcomes_are_marked(small):
    for number, row in enumerate(small.pool):
        row["doc_type"] = "rare" if number < 4 else "bill"
    small.pool[5]["doc_type"] = None

    calm = {"default": {"noise": 0.1, "severity": 0.6}}
    data, text = closed(small, **QUICK, sampling={"n": 56}, simulation=calm)

    body = stored(small)["meaning"]
    types = {kind["doc_type"]: estimate(kind["estimate"]) for kind in body["types"]}
    assert types["rare"].warnings[0].startswith("Too few items:")
    assert not types["bill"].warnings
    assert {row.doc_type for row in data.types if row.few} >= {"rare"}
    (bill,) = (row for row in data.types if row.doc_type == "bill")
    assert bill.apart.value == pytest.approx(bill.estimate.value - data.headline.others.value)
    assert bill.apart.high - bill.apart.low < bill.estimate.high - bill.estimate.low
    assert "Too few items:" in text
    share = estimate(body["unusable"])
    assert any(said.startswith("Too few cases") for said in share.warnings)
    assert data.estimates[0].unusable.warnings == share.warnings
    assert ", too few" in text


def test_the_ranges_of_document_types_hold_at_once(small, monkeypatch):
    asked, means_by = [], RatedSample.means_by

    def noted(*arguments, confidence, **options):
        asked.append(confidence)
        return means_by(*arguments, confidence=confidence, **options)

    monkeypatch.setattr(RatedSample, "means_by", noted)
    _, text = closed(small, **QUICK)

    rows = stored(small)["meaning"]["types"]
    assert [row["doc_type"] for row in rows] == ["bill", "note"]
    assert asked == [0.975]  # an error of 5 % in all
    assert "with ranges that all hold at once with 95%, by document type" in text


def exclude(small, item):
    """Let a lead exclude an item, and ask nobody for it any more."""
    with at_work() as work, writing(work.engine) as connection:
        standing = work.case(small.evaluation).standing
        new = NewExclusion(
            item, excluded=True, category="unreadable", reason="Black.", actor="lead"
        )
        decide_exclusion(connection, standing, new, address="cli", now=work.now)


def decide(small, item):
    """Let a lead make an item a boundary case of the rubric."""
    text = CaseText({"en": "HIDDEN"}, {})
    new = NewCase(item, "meaning", 3.0, text, reason="Raters differ.", actor="lead")
    with at_work() as work, writing(work.engine) as connection:
        add_case(connection, small.evaluation, new, address="cli", now=work.now)


def the_rounds_count_what_was_excluded(data, text, asked, item):
    (held,) = data.sections["rounds"].rows
    number = [one.item for one in asked if one.state == "done"].count(item)
    assert (held.excluded, held.assignments) == (number, held.ratings + number)
    assert (
        f"with {held.ratings} ratings that count, were done in 1 main round. {number} more" in text
    )
    assert "of 1 item that a lead excluded later" in text
    assert "A lead excluded 1 of the drawn items (1 unreadable)" in text
    moments_are_told_in_the_zone_of_the_campaign(data, text)


def moments_are_told_in_the_zone_of_the_campaign(data, text):
    decisions, versions = data.sections["decisions"].rows, data.sections["rubric_versions"].rows
    moments = [data.identity.issued_at, *(row.at for row in (*decisions, *versions))]
    assert {moment.utcoffset() for moment in moments} == {timedelta(hours=9)}
    assert text.count("KST") >= len(moments)
    assert "UTC" not in text


def test_items_without_a_rating_are_stood_for_and_told(small):
    small.write(**QUICK | {"rounds": {"frontend": "file", "top_ups": 0}, **SEOUL}).open()
    place = {one.item: number for number, one in enumerate(small.stored(list_items))}
    small.rate(["R01", "R02"], say=lambda one, _: 1 + place[one.item] % 5)
    gone = next(one.item for one in small.stored(list_assignments) if one.state == "done")
    exclude(small, gone)
    decide(small, gone)
    if small.decide("close").name == "Held":
        small.decide("proceed")

    found = small.stored(list_assignments)
    rated = [one.item for one in found if one.rater in {"R01", "R02"} and one.item != gone]
    both = Counter(rated)
    body = stored(small)["meaning"]["response"]
    assert (body["drawn"], body["wanted"]) == (40, 78)
    assert body["excluded"] == {"unreadable": 1}
    assert (body["excluded_late"], 0 < body["excluded_share"] < 0.2) == (0, True)
    assert body["given"] == sum(both.values())
    assert body["rated"] == len(both) < 40
    assert body["complete"] == sum(number == 2 for number in both.values())
    assert body["growth"] > 1
    assert sum(body["silent"].values()) == 40 - len(both)
    file, headline = small.exported_mean(), estimate(stored(small)["meaning"]["others"])
    assert (file.value, file.se) == pytest.approx((headline.value, headline.se))
    data, text = small.report()
    assert data.estimates[0].response.rated == len(both)
    assert "Items without any rating are represented by the rated ones of their stratum" in text
    assert f"{40 - len(both)} of 40 items have no rating" in text
    the_rounds_count_what_was_excluded(data, text, found, gone)
    assert f"Boundary case added: {gone}, " in text
    assert "All ratings by which the gate judges know the same rubric." in text
    assert "HIDDEN" not in text


def test_a_later_evaluation_is_compared_with_the_earlier_one(small):
    small.at(13).rated_by_people("p", **QUIET)
    before = estimate(stored(small)["meaning"]["others"])
    small.at(20).reread().rated_by_people("q", severity=1, **QUIET)

    plan = stored(small, "plan")["meaning"]
    assert (plan["source"], plan["measured"]) == ("small-p", True)
    first, second = stored(small, "trend")["meaning"]["mean"]
    now = estimate(stored(small)["meaning"]["others"])
    assert (first["evaluation"], second["evaluation"]) == ("small-p", "small-q")
    assert (first["mean"]["value"], second["mean"]["value"]) == pytest.approx(
        (before.value, now.value)
    )
    assert second["change"]["value"] == pytest.approx(now.value - before.value)
    assert second["change"]["high"] < 0
    assert second["both"] == 40
    assert second["change"]["high"] - second["change"]["low"] < (now.high - now.low) * math.sqrt(2)
    data, text = small.report()
    assert data.trend.newest.both == 40
    assert data.sections["plan"].measured
    assert "Since p, the mean on meaning fell by" in text
    assert "measured in small-p" in text


def test_ratings_that_are_all_equal_show_no_plan_how_much_they_vary(small):
    small.at(13).rated_by_people("p", say=lambda *_: 4, **QUIET)
    small.at(20).reread().rated_by_people("q", **QUIET)

    plan = stored(small, "plan")["meaning"]
    assert plan["measured"] is False
    assert plan["widths"]["others"] > 0


def test_a_rehearsal_is_no_evidence(small):
    small.at(6)
    run(small, "p")
    small.at(13)
    run(small, "q")

    assert stored(small, "trend") == {}
    assert stored(small, "plan")["meaning"]["measured"] is False
    small.at(20).reread().rated_by_people("r", **QUIET)
    assert stored(small, "trend") == {}
    assert stored(small, "plan")["meaning"]["measured"] is False


def test_the_same_outputs_or_ratings_again_are_no_change_and_no_source(small):
    small.at(13).rated_by_people("p", **QUIET)
    small.at(20).reread().rated_by_people("q", **QUIET)
    assert stored(small, "repeats")["*"] == {"same_ratings": ["small-p"], "same_outputs": []}
    assert "small-p has the ratings of this evaluation, so it is part of no" in small.report()[1]

    small.at(27).rated_by_people("r", severity=1, **QUIET)  # the same outputs, rated anew

    assert stored(small, "trend")["meaning"]["repeated"] == []
    assert [row["period"] for row in stored(small, "trend")["meaning"]["mean"]] == ["p", "r"]
    assert stored(small, "repeats")["*"] == {"same_ratings": [], "same_outputs": ["small-q"]}
    plan = stored(small, "plan")["meaning"]
    assert (plan["source"], plan["measured"]) == ("small-p", True)
    text = small.report()[1]
    assert "Since p, the mean on meaning fell by" in text
    assert (
        "small-q rated the outputs that this evaluation rated again. Nothing has changed but the "
        "ratings, so it is part of no trend."
    ) in text

    small.at(30).reread().rated_by_people("s", severity=1, **QUIET)  # s has r's ratings

    assert stored(small, "repeats")["*"] == {"same_ratings": ["small-r"], "same_outputs": []}
    trend = stored(small, "trend")["meaning"]
    assert [row["period"] for row in trend["mean"]] == ["q", "s"]
    assert trend["repeated"] == ["small-p"]
    assert (
        "small-p is left out, because a later evaluation has the same outputs or"
        in small.report()[1]
    )


def test_a_plan_is_not_measured_on_the_sample_that_it_draws_again(small, capsys):
    small.at(13).rated_by_people("p", **QUIET)
    words = ["plan", str(small.path)]
    assert main(words) == 0
    assert "assumed; small-p rated the sample that this seed draws again" in capsys.readouterr().out

    small.at(20).rated_by_people("q", severity=1, **QUIET)

    plan = stored(small, "plan")["meaning"]
    assert plan["measured"] is False
    assert plan["source"]["values"] == {"evaluations": "small-p"}
    assert stored(small, "trend") == {}
    small.reread().write(**QUIET, rounds={"frontend": "file"})
    assert main(words) == 0
    assert "measured in small-q" in capsys.readouterr().out


def test_the_exported_file_alone_gives_headline_and_gate(small, tmp_path):
    closed(small, **{**QUICK, "adaptive": {"max_rounds": 1, "budget": 10, "decisions": 0}})
    body, frame = stored(small)["meaning"], small.exported()

    others, these = small.exported_mean(), small.exported_mean(raters="these")
    of_kind = frame.groupby("kind")["counts"].agg(["min", "max"])
    table = RatingTable.from_long(
        frame[frame["counts"] == 1], scale=Scale.likert(1, 5), item_weight="weight"
    )

    assert (others.value, others.low) == pytest.approx(
        (body["others"]["value"], body["others"]["low"])
    )
    assert (these.value, these.high) == pytest.approx(
        (body["these"]["value"], body["these"]["high"])
    )
    assert of_kind.loc["main"].tolist() == [1, 1]
    assert of_kind.loc["adaptive"].tolist() == [0, 0]
    alpha = stored(small, "agreement")["meaning"]["estimates"]["krippendorff_alpha"]
    assert krippendorff_alpha(table).value == pytest.approx(alpha["value"])

    file = tmp_path / "exported.csv"
    frame.to_csv(file, index=False)
    counting, every = read_ratings(file), read_ratings(file, every_row=True)
    assert (counting.weight, every.weight) == ("weight", None)
    assert sum(counting.left_out.values()) == len(every.item) - len(counting.item) > 0
    with pytest.raises(InputError, match="no rating on 'layout' counts in this export"):
        RatedSample.from_export(frame, "layout")


def test_a_share_as_target_has_a_trend_of_shares(small):
    target = {"dimension": "meaning", "share_at_least": 4, "share": 0.8}
    wanted = {"report": {"worst_items": 3, "target": target}}
    small.at(6).rated_by_people("p", **QUIET, **wanted)
    small.at(13).reread().rated_by_people("q", severity=1, **QUIET, **wanted)

    body = stored(small, "trend")["meaning"]
    share = estimate(stored(small)["meaning"]["target_share"]["others"])
    assert body["share"][1]["mean"]["value"] == pytest.approx(share.value, abs=0.02)
    data, text = small.report()
    assert data.trend.is_share
    assert "the share rated 4 or better on meaning" in text


def fields(small):
    """Make the pool one of amounts and texts, every third of which is wrong."""
    for number, row in enumerate(small.pool):
        row["kind"] = ("amount", "text")[number % 2]
        row["reference"] = f"{100 + number}"
        row["hypothesis"] = f"{100 + number}" if number % 3 else f"{900 + number}"


def test_critical_field_errors_are_counted_where_all_fields_have_a_reference(small):
    fields(small)

    data, text = closed(small, **QUICK, rubric={"field_rules": RULES})

    body = stored(small, "field_errors")["*"]
    (amount,) = body["by_kind"]
    share = estimate(body["share"])
    assert (amount["kind"], amount["pool"], amount["n"], amount["exact"]) == (
        "amount",
        30,
        30,
        True,
    )
    assert (share.value, share.low, share.high, share.se) == (1 / 3, 1 / 3, 1 / 3, 0.0)
    assert data.field_errors.of("text") is None
    assert "Critical field errors 33.3% exact for information: fields of kind amount" in text
    assert "All fields of these kinds have a reference and were compared" in text


def test_only_kinds_without_every_reference_are_estimated_and_kinds_add_up(small):
    fields(small)
    for number, row in enumerate(small.pool):
        row["kind"] = ("amount", "code")[number % 2]
    for row in small.pool[::10]:
        row["reference"] = None
    rules = [*RULES, {**RULES[0], "rule": "code-differs", "kind": "code"}]

    data, text = closed(small, **QUICK, rubric={"field_rules": rules})

    errors = data.field_errors
    amount, code = errors.of("amount"), errors.of("code")
    assert (amount.exact, code.exact, errors.exact) == (False, True, False)
    assert code.estimate.value == pytest.approx(1 / 3)
    assert (amount.n, errors.unknown) == (24, 6)
    assert amount.pool == code.pool == code.n == 30
    assert amount.estimate.low < amount.estimate.value < amount.estimate.high
    known = [row for row in small.pool if row["kind"] == "amount" and row["reference"] is not None]
    wrong = sum(row["reference"] != row["hypothesis"] for row in known)
    assert wrong / 30 <= amount.estimate.low < amount.estimate.high <= (wrong + 6) / 30
    assert errors.share.value == pytest.approx((amount.estimate.value + code.estimate.value) / 2)
    assert errors.share.se == pytest.approx(amount.estimate.se / 2)
    assert "that have a reference, code counted; over all these kinds" in text


def without_references(small, without):
    """Make the pool one of amounts, with no reference where it is told; return the wrong ones."""
    for number, row in enumerate(small.pool):
        row["kind"], row["reference"] = "amount", f"{100 + number}"
        row["hypothesis"] = f"{100 + number}" if number % 3 else f"{900 + number}"
    wrong = [row["reference"] != row["hypothesis"] for row in small.pool]
    for number, row in enumerate(small.pool):
        if without(number, row):
            row["reference"] = None
    return wrong


def test_missing_references_do_not_move_the_share_of_wrong_fields(small):
    wrong = without_references(small, lambda number, _row: number % 4 < 2)

    data, _ = closed(small, **QUICK, rubric={"field_rules": RULES})

    share = data.field_errors.share
    assert share.value == pytest.approx(sum(wrong) / len(wrong), abs=0.03)
    assert 0.03 < share.se < 0.2
    assert share.low < sum(wrong) / len(wrong) < share.high


def test_where_a_stratum_has_no_reference_the_range_holds_all_right_and_all_wrong(small):
    without_references(small, lambda _number, row: row["doc_type"] == "bill")
    bills = sum(row["doc_type"] == "bill" for row in small.pool)

    data, text = closed(small, **QUICK, rubric={"field_rules": RULES})

    errors, n = data.field_errors, len(small.pool)
    wrong = sum(row["reference"] not in {None, row["hypothesis"]} for row in small.pool)
    assert errors.unlike == errors.unknown == bills
    assert (errors.share.low, errors.share.high) == pytest.approx((wrong / n, (wrong + bills) / n))
    assert f"In the strata of {bills} of them, no field has a reference" in text


def test_a_continuous_scale_has_no_inferred_labels(small):
    small.scale = {"kind": "interval", "low": 0, "high": 100}
    data, text = closed(small, **QUICK, truth={"method": "mean_rating"})

    assert stored(small)["meaning"]["inferred"] is None
    assert data.items.rows
    assert {row.label_confidence for row in data.items.rows} == {None}
    assert not re.search(r"label \S+ \(confidence", text)


def test_the_report_weighs_dimensions_by_an_overall_rating(small):
    small.dimensions = ["meaning", "layout", "quality"]
    rubric = {"purpose": "x", "dimensions": small.rubric(), "overall": "quality"}
    data, text = closed(small, **QUICK, rubric=rubric)

    scores = data.sections["joint_dimensions"].composites
    assert [row.method for row in scores] == ["weighted", "mean", "pca", "regression"]
    assert all(set(row.weights) == {"meaning", "layout"} for row in scores)
    assert sum(scores[-1].weights.values()) == pytest.approx(1)
    assert "Weighted by regression" in text
    assert "of the overall rating’s variance" in text


def test_costs_tell_what_needs_no_check(small):
    data, text = closed(
        small, sampling={"n": 58}, report={"costs": {"error": 4, "check": 1, "currency": "EUR"}}
    )

    found = data.sections["routing"]
    assert found.risk == 0.25
    assert (found.pool, found.unsure) == (60, 0)
    assert found.share.low <= found.share.value <= found.share.high
    assert SENTENCES.routing.title(data, found) in text
    (usable,) = [row.usable for row in data.estimates]
    assert found.all_wrong.value == pytest.approx(1 - usable.value)


def test_without_a_confidence_nothing_is_routed(small):
    for row in small.pool:
        row["confidence"] = None

    data, _ = closed(small, **QUICK, report={"costs": {"error": 4, "check": 1}})

    assert data.sections["routing"] is None


def test_no_range_of_an_unweighted_number_leaves_its_scale(small):
    target = {"dimension": "meaning", "share_at_least": 5, "share": 0.8}
    rounds = {"frontend": "file", "top_ups": 0}
    small.write(**{**QUICK, "rounds": rounds}, report={"target": target}).open()
    doubtful = small.stored(list_assignments)[0]
    small.rate(say=lambda one, _: 4 if one.assignment == doubtful.assignment else 5)
    if small.advance().name == "Held":
        small.decide("proceed")

    body = small.stored(latest_results, "estimate")["meaning"]
    mean, share = estimate(body["naive"]), estimate(body["target_share"]["naive"])
    assert 4.9 < mean.value < 5
    assert mean.low < mean.high == 5
    assert 0.9 < share.value < 1
    assert share.low < share.high == 1
