import math

import pytest

from ocrjury import Estimate
from ocrjury.agreement import ProblemPattern
from ocrjury.bias import BiasFinding
from ocrjury.gate import Diagnosis, GatePolicy, Verdict, judge


def verdict_of(value, se=0.02, *, n_items=100, diagnosis=None, **others):
    estimates = {"krippendorff_alpha": Estimate(value, se=se, n_items=n_items), **others}
    return judge({"layout": estimates}, GatePolicy(), diagnosis=diagnosis)


def kinds(verdict):
    return [action.kind for action in verdict.actions]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.60, ["rewrite_anchors", "recalibrate", "third_rater"]),
        (0.45, ["rewrite_anchors", "recalibrate"]),
        (0.20, ["rewrite_anchors", "recalibrate", "panel"]),
    ],
)
def test_a_fail_starts_with_the_anchors(value, expected):
    verdict = verdict_of(value)

    assert kinds(verdict) == expected
    assert verdict.actions[0].text.startswith("Rewrite the anchors of layout")


def test_a_pass_needs_no_action():
    assert verdict_of(0.9).actions == ()


def test_too_few_items_ask_for_their_number():
    verdict = verdict_of(0.75, 0.06, n_items=80)

    (action,) = verdict.actions
    assert (action.kind, action.items) == ("collect_items", verdict.needed_items)
    assert f"Collect {verdict.needed_items} more randomly drawn items" in action.text


def test_one_item_is_one_item():
    (action,) = verdict_of(0.9, n_items=49).actions

    assert action.text == (
        "Collect 1 more randomly drawn item with two ratings each on layout; then judge again."
    )


def test_advice_on_disagreements_fits_names_as_well_as_levels():
    (text,) = [action.text for action in verdict_of(0.6).actions if action.kind == "third_rater"]

    assert text.startswith("Add another rater to the items of layout on which the raters disagree")


def test_one_common_category_asks_for_the_rare_ones():
    common = {name: Estimate(0.95) for name in ("percent_agreement", "gwet_ac")}

    assert kinds(verdict_of(0.3, 0.1, **common)) == ["collect_rare"]


def test_a_single_rater_asks_for_a_second():
    estimate = Estimate(math.nan, n_items=0, reason="fewer_than_two_raters")
    verdict = judge({"layout": {"krippendorff_alpha": estimate}}, GatePolicy())

    assert kinds(verdict) == ["fix_data"]
    assert "second rater" in verdict.actions[0].text


def test_equal_ratings_ask_for_bad_items_and_for_no_second_rater():
    estimate = Estimate(math.nan, n_items=120, n_raters=2, reason="no_variation")
    verdict = judge({"layout": {"krippendorff_alpha": estimate}}, GatePolicy())

    (action,) = verdict.actions
    assert action.kind == "collect_rare"
    assert "another rater would not change that" in action.text
    assert "draw items that are likely to be bad" in action.text
    assert Verdict.from_json(verdict.to_json()).by_dimension["layout"].uniform


def test_a_value_without_error_asks_for_more_raters():
    assert kinds(verdict_of(0.9, math.nan)) == ["third_rater"]


def test_the_worst_dimension_comes_first():
    verdict = judge(
        {
            "near": {"krippendorff_alpha": Estimate(0.75, se=0.06, n_items=80)},
            "far": {"krippendorff_alpha": Estimate(0.2, se=0.02, n_items=80)},
        },
        GatePolicy(),
    )

    assert [action.dimension for action in verdict.actions] == ["far", "far", "far", "near"]


def test_one_responsible_rater_comes_before_the_rubric():
    gains = {
        "R01": Estimate(0.02, low=0.01),
        "R02": Estimate(0.12, low=0.04),
        "R03": Estimate(0.12, low=-0.01),
    }
    verdict = verdict_of(0.5, diagnosis=Diagnosis(without_rater={"layout": gains}))

    assert [(a.kind, a.rater) for a in verdict.actions][:2] == [
        ("recalibrate", "R02"),
        ("rewrite_anchors", None),
    ]
    assert "0.12 higher" in verdict.actions[0].text


def test_a_rater_who_spoils_the_agreement_is_named_even_where_the_gate_is_open():
    gains = {"layout": {"R02": Estimate(0.12, low=0.04)}, "other": {}}

    (action,) = verdict_of(0.9, diagnosis=Diagnosis(without_rater=gains)).actions

    assert (action.kind, action.rater, action.dimension) == ("recalibrate", "R02", "layout")


def test_the_usual_signs_of_trouble_become_advice_where_the_gate_is_closed():
    patterns = [
        ProblemPattern("single_value", ("R06",), "The same value throughout: R06."),
    ]
    diagnosis = Diagnosis(patterns={"layout": patterns, "unknown": patterns})

    assert verdict_of(0.9, diagnosis=diagnosis).actions == ()
    assert verdict_of(0.5, diagnosis=diagnosis).actions[0].text == (
        "On layout: The same value throughout: R06. Ask whether the scale was understood."
    )


def test_evidence_never_changes_the_decision():
    findings = [BiasFinding("severity", "R03", "layout", -0.4, "points", flagged=True)]

    assert verdict_of(0.9, diagnosis=Diagnosis(findings)).decision == "PASS"


GAINS = {"R02": Estimate(0.12, low=0.04)}


def test_a_rater_for_whom_too_little_gold_is_left_is_recalibrated_with_the_others():
    alone = {"without_rater": {"layout": GAINS}, "never_alone": [("R02", "layout")]}

    (action,) = verdict_of(0.9, diagnosis=Diagnosis(**alone)).actions

    assert (action.kind, action.rater, action.dimension) == ("recalibrate", None, "layout")
    assert action.text.startswith("Recalibrate all raters on layout, R02 above all, who lowers")


def test_an_export_that_tells_nothing_of_gold_refers_to_the_verdict_of_the_evaluation():
    unknown = Diagnosis(without_rater={"layout": GAINS}, supplies_known=False)

    (action,) = verdict_of(0.9, diagnosis=unknown).actions

    assert (action.kind, action.rater) == ("discuss", "R02")
    assert action.text == (
        "R02 lowers alpha on layout: without this rater it would be 0.12 higher. The verdict of "
        "the evaluation says whether to recalibrate R02 alone or with all raters, or to go through "
        "the anchors."
    )


def test_two_raters_are_company_for_each_other():
    gains = {"layout": {**GAINS, "R03": Estimate(0.1, low=0.04)}}
    never = [("R02", "layout"), ("R03", "layout")]

    actions = verdict_of(0.9, diagnosis=Diagnosis(without_rater=gains, never_alone=never)).actions

    assert [action.rater for action in actions] == ["R02", "R03"]


def test_nobody_is_recalibrated_where_nothing_fresh_is_left_to_rate():
    drawn = Diagnosis(without_rater={"layout": GAINS}, anything_fresh=False)

    verdict = verdict_of(0.5, diagnosis=drawn)

    assert kinds(verdict) == ["discuss", "rewrite_anchors", "third_rater"]
    assert "The pool has too few new items for a recalibration." in verdict.actions[0].text


def test_effects_on_unlike_scales_are_told_as_shares_of_the_scale():
    findings = [
        BiasFinding("severity", "R03", "layout", -3.351, "points", flagged=True, level="low"),
        BiasFinding("order", None, None, -13.28, "points per session", flagged=True),
    ]

    one, each = (
        [action.text for action in verdict_of(0.9, diagnosis=of).actions]
        for of in (Diagnosis(findings), Diagnosis(findings, stretched=True))
    )

    assert "R03 rates lower than colleagues on layout (3.35 points, a small effect)" in one[0]
    assert "on layout (3.4% of the scale, a small effect)" in each[0]
    assert "(13.3% of the scale per session)" in each[1]
