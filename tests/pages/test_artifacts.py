import dataclasses
import math
from datetime import UTC, datetime
from itertools import product
from types import SimpleNamespace

import pytest

from ocrjury import Estimate
from ocrjury.bias import BiasFinding
from ocrjury.findings.agreement import AgreementFinding, Disagreements, JudgeAgreement
from ocrjury.findings.pool_estimates import GoldCorrection, PoolEstimates
from ocrjury.findings.pool_scores import MetricSummary, PoolGaps, PoolScores
from ocrjury.findings.sampling import SampleDesign
from ocrjury.findings.truth import DimensionTruth, TruthSummary, UncertainItems
from ocrjury.gate.verdict import Action
from ocrjury.language import phrase
from ocrjury.pages import artifacts
from ocrjury.pages.environment import render
from ocrjury.store.results import VerdictRow
from ocrjury.store.rounds import NewAssignment, RoundPlan

NAME = "claims-2026w47"
GOOD = Estimate(0.81, 0.75, 0.87)
STORED = GOOD.to_json()
UNKNOWN = Estimate(math.nan, reason="no_variation")


ESTIMATES = ("others", "these", "hajek", "usable", "unusable")


def table(markdown):
    return [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in markdown.splitlines()
        if line.startswith("|")
    ]


def finding(dimension, *, judges=(), **estimates):
    return AgreementFinding(
        dimension=dimension,
        n_items=40,
        n_raters=3,
        n_ratings=120,
        estimates=estimates,
        disagreements=Disagreements(threshold=2, n_items=40, n=0, rate=0.0),
        judges=judges,
    )


def test_agreement_says_bands_in_words_and_reasons_for_what_is_undefined():
    text = artifacts.render_agreement(
        evaluation=NAME,
        findings=[
            finding(
                "meaning",
                krippendorff_alpha=GOOD,
                human_agreement=Estimate(0.92, 0.9, 0.94),
                human_agreement_chance=Estimate(0.74),
            ),
            finding("layout", krippendorff_alpha=UNKNOWN, human_agreement=GOOD),
        ],
    )

    rows = table(text)
    assert rows[0] == ["dimension", "Krippendorff’s α", "A^HH"]
    assert rows[2] == [
        "**meaning**",
        "0.81 (0.75 to 0.87), excellent",
        "0.92 (0.90 to 0.94), excellent",
    ]
    assert rows[3][1] == "undefined: all ratings are equal"
    assert "0.74 on meaning, — on layout." in text


def test_judges_stand_beside_the_agreement_that_is_possible():
    silent = Estimate(math.nan, reason="no_items", n_items=40)
    judges = (
        JudgeAgreement("gpt|x", Estimate(0.86, 0.84, 1.2, n_items=40), GOOD),
        JudgeAgreement("mute", silent, UNKNOWN),
    )

    text = artifacts.render_agreement(
        evaluation=NAME, findings=[finding("meaning", judges=judges, krippendorff_alpha=GOOD)]
    )

    rows = table(text.partition("## Automatic judges")[2])
    assert rows[2] == [
        *("**gpt\\|x**", "meaning", "0.86 (0.84 to 1.00)", "0.81 (0.75 to 0.87)", "40")
    ]
    assert rows[3][2:] == [*("no rated item has a score", "undefined: all ratings are equal", "0")]


def test_tests_for_bias_are_listed_whatever_became_of_them():
    severe = BiasFinding(
        *("severity", "R03", "meaning", -0.43, "points"),
        low=-0.6,
        high=-0.26,
        p_adjusted=0.0004,
        flagged=True,
        level="medium",
    )
    untold = BiasFinding(
        *("order", None, None, math.nan, "points per session"),
        status="not_identifiable",
        reason="no_order",
    )

    text = artifacts.render_bias(evaluation=NAME, findings=[severe, untold])

    rows = table(text)
    assert rows[0] == [
        *("bias", "dimension", "tested on", "effect", "95% interval", "p", "size", "outcome")
    ]
    assert rows[2] == [
        *("**Severity**", "meaning", "each rater", "R03 −0.43", "−0.60 to −0.26", "&lt; 0.001"),
        *("medium", "**found on 1 of 1 rater: R03 rates lower than colleagues**"),
    ]
    assert rows[3][:4] == ["**Order**", "all", "average rater", "—"]
    assert rows[3][-1] == "cannot be told: the order of the ratings is not known"
    assert "* Severity: points from colleagues on the same items" in text


def test_names_are_not_tested_for_bias():
    assert "categories have no order" in artifacts.render_bias(evaluation=NAME, findings=[])


def test_no_interval_reaches_beyond_what_its_statistic_can_be():
    wide = Estimate(0.5, -5.853, 1.4)

    text = artifacts.render_agreement(
        evaluation=NAME,
        findings=[finding("meaning", krippendorff_alpha=wide, adjacent_agreement=wide)],
    )

    assert table(text)[2][1:] == [
        "0.50 (−1.00 to 1.00), poor",
        "50.0% (0.0% to 100.0%), fair",
    ]


def test_a_verdict_lists_reasons_dimensions_and_actions():
    verdict = SimpleNamespace(
        decision="FAIL",
        grade=None,
        reasons=("On layout, alpha is 0.55.",),
        by_dimension={"layout": SimpleNamespace(decision="FAIL", grade=None, needed_items=None)},
        actions=(Action("rewrite_anchors", phrase("Rewrite the anchors.")),),
    )

    text = render("artifacts/verdict.md.j2", evaluation=NAME, verdict=verdict)

    assert text.startswith("# FAIL: claims-2026w47")
    assert "* On layout, alpha is 0.55." in text
    assert table(text)[2] == ["layout", "**FAIL**", "—", "—"]
    assert "1. Rewrite the anchors." in text


def test_the_sample_design_counts_pool_and_sample_by_stratum():
    text = artifacts.render_sample_design(
        evaluation=NAME,
        design=SampleDesign(
            n=20,
            pool_size=1525,
            design="mixture",
            seed=1,
            frame=None,
            shares={"random": 0.5, "stratified": 0.3, "error_focused": 0.2},
            floor=2,
            stratum="doc_type",
            risk="cer",
            spread=None,
            spread_from=None,
            note="No references: risk is low confidence.",
            pool_strata={"진단서": 258, "처방전": 1267},
            sample_strata={"진단서": {"random": 3, "stratified": 1}},
            balance=(),
            weight_min=1.0,
            weight_max=90.0,
        ),
    )

    assert "**20 items** drawn from 1,525 outputs" in text
    assert ["진단서", "258", "4"] in table(text)
    assert ["처방전", "1,267", "0"] in table(text)
    assert "No references: risk is low confidence." in text


def test_the_pool_artifact_prints_missing_ranges_as_dashes():
    row = MetricSummary(
        metric="cer",
        n=9,
        n_undefined=1,
        micro=0.153,
        macro=0.166,
        median=0.07,
        p95=0.6,
        low=math.nan,
        high=math.nan,
    )
    scores = PoolScores(
        signature="CER|v:1",
        options={},
        options_hash="0",
        summary=(row,),
        clustered_by=None,
        fields=(),
        findings=PoolGaps(),
    )

    text = artifacts.render_pool(evaluation=NAME, pool_size=9, scores=scores)

    assert table(text)[2] == ["cer", "9", "1", "0.153", "— to —", "0.166", "0.070", "0.600"]
    assert "Pooled: all edits over all lengths, so that a long" in text
    assert "`CER|v:1`" in text


def test_the_pool_artifact_of_whole_pages_says_why_perfect_match_is_absent():
    rows = [
        MetricSummary(
            metric=name,
            n=9,
            n_undefined=0,
            micro=0.1,
            macro=0.1,
            median=median,
            p95=1,
            low=0,
            high=1,
        )
        for name, median in (("n_ref_chars", 1250.0), ("cer", 0.1), ("exact_match", 0.0))
    ]

    def text(summary):
        scores = PoolScores(
            signature="CER|v:1",
            options={},
            options_hash="0",
            summary=tuple(summary),
            clustered_by=None,
            fields=(),
            findings=PoolGaps(),
        )
        return artifacts.render_pool(evaluation=NAME, pool_size=9, scores=scores)

    assert "exact\\_match" not in text(rows)
    assert "half of the references have 1,250 characters or more" in text(rows)
    assert "exact\\_match" in text(rows[1:])
    assert "left out" not in text(rows[1:])


def test_truths_are_summed_up_by_dimension_and_rater():
    one = DimensionTruth(
        uncertain_share=0.05,
        mean_confidence=0.93,
        n_items=60,
        n_ratings=120,
        calibrated=False,
        temperature=1.0,
        converged=False,
        n_iter=200,
        warnings=("Too few ratings.",),
        rater_accuracy={"R01": 0.8},
        rater_bias={"R01": -0.1},
        equal_to_label={"R01": Estimate(0.8)},
    )
    overall = UncertainItems(uncertain_items=3, n_items=60, target=0.9)
    summary = TruthSummary(overall, {"meaning": one})

    text = artifacts.render_truth_summary(evaluation=NAME, summary=summary)

    assert "3 of 60 items (5.0%) have a label below confidence 0.9." in text
    assert ["meaning", "60", "120", "5.0%", "0.93", "**no**"] in table(text)
    assert ["R01", "80%", "−0.10"] in table(text)
    assert "Too few ratings." in text
    assert "Confidence is the model’s own, not a measured frequency." in text
    summary = TruthSummary(overall, {"meaning": dataclasses.replace(one, calibrated=True)})
    text = artifacts.render_truth_summary(evaluation=NAME, summary=summary)
    assert "Confidence is calibrated on items whose rating is known." in text


def test_estimates_print_shares_as_percent():
    row = PoolEstimates(dimension="meaning", **dict.fromkeys(ESTIMATES, Estimate.from_json(STORED)))
    plain = dataclasses.replace(row.others, value=0.77)
    gold = dataclasses.replace(
        row,
        dimension="layout",
        gold=GoldCorrection(
            n_items=3, n_ratings=9, uncorrected=plain, usable=Estimate(0.5, 0.4, 0.6)
        ),
    )

    text = artifacts.render_estimates(evaluation=NAME, estimates=[row], verdicts=[])
    corrected = artifacts.render_estimates(evaluation=NAME, estimates=[row, gold], verdicts=[])

    assert "≥ 4: 81.0% (75.0% to 87.0%)" in text
    assert "gold" not in text
    assert "mean, corrected by gold | without gold" in corrected
    assert [cells[2] for cells in table(corrected)[-2:]] == ["—", "0.77"]
    of_gold = "81.0% (75.0% to 87.0%), corrected by gold; without gold 50.0% (40.0% to 60.0%)"
    assert [of_gold in line for line in corrected.splitlines()[-2:]] == [False, True]


def test_estimates_on_which_raters_do_not_agree_are_named_and_not_printed():
    rows = [
        PoolEstimates(dimension=name, **dict.fromkeys(ESTIMATES, Estimate(value)))
        for name, value in (("meaning", 4.11), ("layout", 3.22))
    ]
    verdicts = [VerdictRow(1, "layout", "FAIL", None, [], None, (), "")]

    text = artifacts.render_estimates(evaluation=NAME, estimates=rows, verdicts=verdicts)

    assert "4.11" in text
    assert "3.22" not in text
    assert "not agree well enough on layout: what was computed on it is not printed." in text


def test_a_round_says_what_is_asked_until_when():
    plan = RoundPlan(
        kind="adaptive",
        rule="information gain | cost",
        dimensions=("meaning",),
        frontend="web",
        deadline=datetime(2026, 11, 27, 9, tzinfo=UTC),
        assignments=tuple(
            NewAssignment(item, rater, position, 1, 0, "gain", None)
            for position, (item, rater) in enumerate(product(["a", "b", "c"], ["R01", "R02"]), 1)
        ),
    )

    text = artifacts.render_round(evaluation=NAME, number=2, plan=plan)

    assert "**6 assignments**: 3 items for 2 raters." in text
    assert "information gain \\| cost" in text
    assert "2026-11-27 09:00+00:00" in text


@pytest.mark.parametrize(("pdf", "missing"), [(True, False), (False, True)])
def test_the_report_is_linked_at_the_desk_and_says_what_is_missing(pdf, missing):
    link = SimpleNamespace(text="final report 1 (en, HTML)", address="https://r.org/desk/x.html")

    page = render(
        "artifacts/report_link.md.j2",
        evaluation=NAME,
        links=[link],
        desk="https://r.org/desk/x",
        pdf=pdf,
    )

    assert "[final report 1 (en, HTML)](https://r.org/desk/x.html)" in page
    assert ("ocrjury doctor" in page) is missing
