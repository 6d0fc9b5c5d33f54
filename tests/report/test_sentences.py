import dataclasses
import math
import re

import numpy as np
import pytest

from ocrjury import Estimate, Scale
from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.decisions import DECISIONS
from ocrjury.campaign.origin import Origin
from ocrjury.findings.dimensions import MeanOver
from ocrjury.findings.measurement.rater_means import mean_over_items
from ocrjury.findings.pool_estimates import TypeEstimate
from ocrjury.gate.policy import Condition, GatePolicy
from ocrjury.gate.verdict import Action
from ocrjury.language import phrase, said, speaking
from ocrjury.pages.environment import typeset
from ocrjury.report.data import ScaleLabels
from ocrjury.report.design import Design
from ocrjury.report.distributions import RatingCounts
from ocrjury.report.html import SENTENCES, render_html
from ocrjury.report.low_ratings import count_ratings
from ocrjury.report.outcome import PrintedTarget, outcome_of
from ocrjury.report.sections.counts import Counts
from ocrjury.report.sections.rounds import Rounds
from ocrjury.report.sections.scores import Point

say = SENTENCES
NAN = math.nan


def gate(report, **changes):
    return dataclasses.replace(report.verdict, **changes)


# Cover


@pytest.mark.parametrize(
    ("low", "high", "title", "why"),
    [
        (
            4.05,
            4.3,
            "Target met: mean 4.0 or better on Meaning",
            "4.05 to 4.30, lies at or above 4.0",
        ),
        (3.2, 3.6, "Target not met: mean 4.0 or better on Meaning", "3.20 to 3.60, lies below 4.0"),
        (3.9, 4.2, "Not shown: mean 4.0 or better on Meaning", "3.90 to 4.20, contains 4.0"),
        # As many digits as show that the range ends below the target.
        (
            3.2,
            3.9968,
            "Target not met: mean 4.0 or better on Meaning",
            "3.200 to 3.997, lies below 4.0",
        ),
    ],
)
def test_the_cover_says_the_outcome_and_why(make, low, high, title, why):  # one case
    estimate = Estimate((low + high) / 2, low, high)
    target = PrintedTarget(dimension="meaning", value=4.0)
    report = make(outcome=outcome_of(estimate, target, trusted=True))

    assert say.cover.outcome_title(report) == title
    assert why in say.cover.outcome_text(report)


def test_a_share_is_spoken_of_as_a_share(make):
    target = PrintedTarget(dimension="meaning", value=0.8, share_at_least=4)
    report = make(outcome=outcome_of(Estimate(0.85, 0.82, 0.88), target, trusted=True))

    assert say.cover.outcome_title(report) == "Target met: 80% rated 4 or better on Meaning"
    assert "82.0% to 88.0%" in say.cover.outcome_text(report)
    missed = make(outcome=outcome_of(Estimate(0.7, 0.6, 0.79968), target, trusted=True))
    assert "60.00% to 79.97%, lies below 80%" in say.cover.outcome_text(missed)


def test_a_target_is_printed_with_all_its_digits(make):
    target = PrintedTarget(dimension="meaning", value=0.955, share_at_least=4)
    report = make(outcome=outcome_of(Estimate(0.9, 0.8, 0.952), target, trusted=True))

    assert say.cover.outcome_title(report) == "Target not met: 95.5% rated 4 or better on Meaning"
    assert "80.0% to 95.2%, lies below 95.5%" in say.cover.outcome_text(report)


def test_without_a_target_the_cover_speaks_of_the_gate(make):
    assert say.cover.outcome_word(make(outcome=None)) == "FAIL"
    assert "do not agree" in say.cover.outcome_title(make(outcome=None))


def test_a_release_names_person_day_and_reason(report):
    said = say.cover.outcome_text(report)

    assert said.endswith(
        "Released by Kim against the gate on 19 November 2026: layout is not used downstream."
    )


def test_no_headline_is_shown_while_the_gate_failed_and_nobody_released_it(make, report):
    held = make(verdict=gate(report, release=None))

    assert held.shown_headline is None
    assert not any("진료비영수증" in finding.title for finding in say.summary.findings(held))
    assert "No estimate is given" in say.ratings.lead(held)


def test_a_release_never_shows_a_dimension_that_failed(make, report):
    headline = dataclasses.replace(report.headline, dimension="layout")

    assert make(headline=headline).shown_headline is None


def test_facts_count_items_ratings_and_raters(report):
    facts = {noun: number for number, noun in say.cover.facts(report)}

    assert facts["items rated of 200 drawn, from 1,525 documents on 72 pages"] == "197"
    assert facts["first-pass ratings on 3 dimensions"] == "1,200"
    assert facts["raters"] == "6"


@pytest.mark.parametrize(("rated", "noun"), [(1, "item rated"), (12, "items rated")])
def test_facts_of_ratings_without_a_campaign_count_the_items(report, rated, noun):
    sections = {name: own for name, own in report.sections.items() if not isinstance(own, Counts)}
    items = dataclasses.replace(report.items, n_rated=rated)
    alone = dataclasses.replace(report, items=items, sections=sections)

    assert (str(rated), noun) in say.cover.facts(alone)


def test_the_cover_prints_the_error_rate_of_the_pool_and_none_of_the_rated_items(make, report):
    facts = {noun: number for number, noun in say.cover.facts(report)}
    partly = dataclasses.replace(report.sections["scores"], n_reference=1400)
    lacking = dataclasses.replace(
        report.sections["scores"], metrics=report.sections["scores"].metrics[1:]
    )

    assert facts["character error rate of the pool"] == "15.3%"
    assert not any("median" in noun for noun in facts)
    assert say.cover.facts(make(scores=partly))[-1][1] == (
        "character error rate of the pool’s 1,400 documents with a reference"
    )
    assert "error rate" not in str(say.cover.facts(make(scores=lacking)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "Gate: × FAIL, released"),
        (
            {"decision": "PASS", "grade": "tentative", "release": None},
            "Gate: ✓ PASS (moderate agreement)",
        ),
        (
            {"decision": "INCONCLUSIVE", "release": None, "advisory": True},
            "Advisory gate: ? INCONCLUSIVE",
        ),
    ],
)
def test_the_cover_bears_the_verdict_with_its_grade(make, report, changes, words):  # one case
    judged = make(verdict=gate(report, **changes))

    assert say.gate.badge(judged) == words
    # It never stands green beside an outcome that is not.
    assert f'<b class="nowrap">{words}.</b>' in render_html(judged)


# Summary


def test_findings_are_at_most_five_and_rest_on_the_data(make):
    found = say.summary.findings(make(trend=None))

    assert len(found) == 5
    assert found[0].title == "Agreement: FAIL."
    assert "α: Meaning 0.81, Layout 0.56" in found[0].text
    assert found[1].title == (
        "Mean rating of the whole pool on Meaning, 1 to 5: 4.12; the target of 4.0 is not shown to "
        "be met."
    )
    assert "differs from the plain mean by +0.43 points" in found[1].text
    texts = {finding.title: finding.text for finding in found}
    assert texts["Where level is heavy, the mean is clearly below that of all."] == (
        "2.60 (2.40 to 2.80); 66 of 219 documents were rated."
    )


def test_empty_outputs_are_a_finding_and_metrics_the_last(make, report):
    metrics = dataclasses.replace(report.sections["metrics"], n_empty=600)
    said = [finding.title for finding in say.summary.findings(make(metrics=metrics, trend=None))]

    share = 100 * 600 / metrics.n
    assert f"{share:.1f}% of the outputs are empty." in said
    assert not any("error rate and people" in title.lower() for title in said)


def test_what_weighs_most_comes_first(make, report):
    passed = make(verdict=gate(report, decision="PASS"), trend=None)
    weights = [finding.weight for finding in say.summary.findings(passed)]

    assert weights == sorted(weights, reverse=True)
    assert say.summary.findings(passed)[0].title.startswith("Mean rating of the whole pool")
    assert all(weight > 0 for weight in weights)


def test_the_decision_table_hides_what_may_not_be_printed(make, report):
    outcome = outcome_of(report.outcome.estimate, report.target, trusted=False)
    rows = {row.criterion: row for row in say.criteria.criteria(make(outcome=outcome))}

    assert rows["Target on Meaning"].result == "not printed"
    assert rows["Target on Meaning"].word == "NOT SHOWN"
    assert rows["Rater severity, 3 dimensions"].result.startswith("1 of 6: ")
    assert rows["Recommendations"].result == "7 of 8"
    assert rows["Agreement, weakest: Layout"].interval == "0.50 to 0.62"
    assert rows["Agreement, mean of 3 dimensions"].result == "0.71"
    assert rows["Agreement, mean of 3 dimensions"].word == "Information"


# Gate


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        (
            phrase(
                "On {dimension}, Krippendorff's alpha is 0.763 and its one-sided 95% lower bound "
                "0.688; 0.667 is required.",
                dimension="meaning",
            ),
            (
                "On Meaning, Krippendorff’s alpha is 0.763 and its one-sided 95% lower bound "
                "0.688; 0.667 is required."
            ),
        ),
        (
            phrase(
                "The verdict is that of {dimension}, the worst of 3 dimensions; the mean of "
                "Krippendorff's alpha over all, 0.713, is for information only.",
                dimension="layout",
            ),
            (
                "The verdict is that of Layout, the worst of 3 dimensions; the mean of "
                "Krippendorff’s alpha over all, 0.713, is for information only."
            ),
        ),
        (
            phrase(
                "On {dimension}, exact agreement of pairs is 50%, below the required 60%, but its "
                "one-sided 95% upper bound is 70% on only 12 items.",
                dimension="layout",
            ),
            (
                "On Layout, exact agreement of pairs is 50%, below the required "
                "60%, but its one-sided 95% upper bound is 70% on only 12 items."
            ),
        ),
        (
            phrase(
                "Collect 31 more randomly drawn items with two ratings each on {dimension}; then "
                "judge again.",
                dimension="readability",
            ),
            (
                "Collect 31 more randomly drawn items with two ratings each on Readability; then "
                "judge again."
            ),
        ),
        ("On layouts and the meaning of it.", "On layouts and the meaning of it."),
    ],
)
def test_the_gate_speaks_of_one_sided_bounds_and_printed_names(make, report, said, printed):
    action = Action("collect_items", said)
    judged = make(verdict=gate(report, reasons=(said,), actions=(action,)))

    assert list(map(typeset, say.gate.reasons(judged))) == [printed]
    assert printed in [typeset(step.text) for step in say.steps.steps(judged)]


def test_the_rule_names_its_bound_only_where_it_has_one(make, report):
    by_point = GatePolicy(conditions=(Condition(("krippendorff_alpha",), 0.667, "point"),))
    by_value = make(verdict=gate(report, policy=by_point))

    assert "one-sided lower bound of Krippendorff’s α ≥ 0.667" in say.gate_rule.rule_text(report)
    assert "tables two-sided" in say.gate.bound_text(report)
    assert "bound" not in say.gate_rule.rule_text(by_value)
    assert say.gate.bound_text(by_value) is None


def test_bounds_of_unlike_confidence_each_bear_their_own(make, report):
    """A bound that holds at any time goes by the number of items, which may differ."""
    known = [
        (1, dataclasses.replace(look, look=1, planned=None)) for _, look in report.verdict.looks[:2]
    ]
    alike = [(n, dataclasses.replace(look, confidence=0.9973)) for n, look in known]
    unlike = [alike[0], (1, dataclasses.replace(alike[1][1], confidence=0.9981))]

    told = [
        say.gate.first_look_text(make(verdict=gate(report, looks=tuple(looks))))
        for looks in (alike, unlike)
    ]

    assert told[0].startswith("Lower bounds at 99.7%: ")
    assert told[1].startswith("Lower bounds: ")
    assert told[1].endswith(" at 99.8%.")
    assert " at 99.7%" in told[1]


def test_a_gate_that_goes_by_a_share_is_printed_in_percent(make, report):
    looks = tuple(
        (number, dataclasses.replace(look, statistic="adjacent_agreement", value=0.927, lower=0.89))
        for number, look in report.verdict.looks
    )
    means = {"adjacent_agreement": MeanOver(0.927, 3)}
    measured = dataclasses.replace(report.sections["agreement"], means=means)
    of_shares = make(
        sections={**report.sections, "agreement": measured},
        verdict=gate(report, policy=GatePolicy.preset("gdpval"), looks=looks),
    )

    weakest, mean, *_ = say.criteria.criteria(of_shares)
    assert weakest.rule == (
        "Policy “gdpval”, Within ±1 ≥ 75%; A^HH ≥ 0.75; one-sided lower bound of A^HH beyond "
        "chance > 0"
    )
    assert re.fullmatch(r"\d+\.\d%", weakest.result)
    assert re.fullmatch(r"\S+% to \S+%", weakest.interval)
    assert mean.result == "92.7%"
    assert {(row["value"], row["bound"]) for row in say.gate.look_rows(of_shares)} == {
        ("92.7%", "89.0%")
    }


# How to read the numbers


def test_the_two_ranges_are_said_to_hold_two_different_truths(make, report):
    read = dict(say.contents.readings(report))
    bare = dict(say.contents.readings(make(sampling=None)))

    assert "by these raters, each counting alike, without gold." in read["These raters"]
    assert "says nothing about other raters" in read["These raters"]
    assert "the choice of items and of raters" in read["Other raters like these"]
    assert "says nothing about any other pool" in bare["95% interval"]
    assert "These raters" not in bare


def test_every_grade_of_the_report_is_one_of_the_five_words_of_its_legend(html):
    table = html[html.index('id="agreement-dimensions"') :].partition("</table>")[0]
    printed = re.findall(r'class="word">([^<]*)<', table)

    assert len(printed) >= len(say.agreement.COLUMNS)
    assert set(printed) <= {word for _, word in say.contents.legend()}


def test_a_pool_of_fields_is_never_counted_in_documents(make, report):
    counts = dataclasses.replace(report.sections["counted"], noun="field")
    page = render_html(make(counted=counts))

    assert "1,525 fields" in page
    assert not re.findall(r"[\d,]+ documents", page)


# Sampling


def test_the_chart_of_strata_names_the_one_with_most_extra_weight(report):
    rows = report.sections["sampling"].strata
    extra = {row.stratum: row.sample / 200 - row.pool / 1525 for row in rows}

    assert say.sample_and_pool.chart_title(report.sections["sampling"]).startswith(
        max(extra, key=extra.get)
    )


def test_a_sample_like_the_pool_is_called_so(report):
    rows = tuple(
        dataclasses.replace(row, drawn={"random": round(row.pool * 200 / 1525)})
        for row in report.sections["sampling"].strata
    )
    sampling = dataclasses.replace(report.sections["sampling"], strata=rows)

    assert (
        say.sample_and_pool.chart_title(sampling)
        == "The sample has the pool’s mix of document types"
    )


def test_taking_the_whole_pool_needs_no_weights(report):
    sampling = dataclasses.replace(report.sections["sampling"], n=1525)

    assert say.sampling.lead(sampling) == "All 1,525 items of the pool were drawn."


# Agreement


def test_the_chance_level_belongs_to_the_dimension_that_gains_most_from_it(report):
    said = say.agreement.chance_text(report)

    assert "Layout at random" in said
    assert "still reach 0.71; observed is 0.83, 41% of the way" in said


@pytest.mark.parametrize("n_ratings", [400, 1200])
def test_raters_who_rated_everything_saw_the_same_items(make, report, n_ratings):
    held = report.sections["agreement"]
    rows = tuple(
        dataclasses.replace(row, n_items=200, n_raters=6, n_ratings=n_ratings)
        for row in held.dimensions
    )
    rated = make(agreement=dataclasses.replace(held, dimensions=rows))

    told = say.rater_means.reading_text(rated), say.profiles.reading(rated)

    assert ["different items" in text for text in told] == [n_ratings < 1200] * 2


@pytest.mark.parametrize("n_ratings", [400, 1200])
def test_means_of_equal_ratings_are_told_without_the_intervals_that_none_has(
    make, report, n_ratings
):
    held, raters = report.sections["agreement"], report.sections["raters"]
    rows = tuple(
        dataclasses.replace(row, n_items=200, n_raters=6, n_ratings=n_ratings)
        for row in held.dimensions
    )
    equal = tuple(dataclasses.replace(row, mean=Estimate(4.0)) for row in raters.rows)
    changed = make(
        agreement=dataclasses.replace(held, dimensions=rows),
        raters=dataclasses.replace(raters, rows=equal),
    )

    text = say.rater_means.reading_text(changed)

    assert "interval" in say.rater_means.reading_text(report)
    assert "interval" not in text
    assert ("different items" in text) == (n_ratings < 1200)


def test_the_weakest_pair_is_named(report):
    pairs = [p for p in report.sections["agreement"].pairs if p.estimate.defined]
    worst = min(pairs, key=lambda pair: pair.estimate.value)

    title = say.pairs.heat_title(report.sections["agreement"])

    assert title == f"{worst.rater_a} and {worst.rater_b} agree least: κ 0.39 on 46 items"
    assert "1 pair undefined" in say.pairs.heat_alternative(report)
    assert "R02 and R06 0.39 (0.19 to 0.49)" in say.pairs.heat_alternative(report)


def test_a_table_says_what_few_items_in_common_do_to_the_kappas_of_pairs(report, make):
    agreement = report.sections["agreement"]
    few = tuple(
        dataclasses.replace(pair, estimate=dataclasses.replace(pair.estimate, n_items=13))
        for pair in agreement.pairs
    )
    known = tuple(pair for pair in few if pair.estimate.defined)
    sparse = make(agreement=dataclasses.replace(agreement, pairs=known))

    assert say.pairs.few_in_common(report) == ""
    assert say.pairs.few_in_common(sparse) == (
        "Two raters share 13 items on average. Weighted κ of so few comes out too low where most "
        "ratings are alike; Krippendorff’s α, which takes all items together, hardly does."
    )
    assert "Two raters share 13 items on average" in render_html(sparse)
    partly = make(agreement=dataclasses.replace(agreement, pairs=few))
    assert say.pairs.few_in_common(partly).startswith("Two raters with a κ share 13 items on av")
    with speaking("ko"):
        assert "평균 13개입니다" in say.pairs.few_in_common(sparse)
        assert "α는 거의 그렇지 않습니다" in say.pairs.few_in_common(sparse)


def test_intervals_of_pairs_stand_in_a_list_where_cells_are_too_small(report, make):
    agreement = report.sections["agreement"]
    seventh = dataclasses.replace(agreement.pairs[0], rater_b="R07")
    crowded = dataclasses.replace(agreement, pairs=(*agreement.pairs, seventh))

    assert say.pairs.weakest_pairs(agreement) == []
    assert "its 95% interval" in say.pairs.heat_subtitle(report)
    listed = say.pairs.weakest_pairs(crowded)
    assert [(pair.rater_a, pair.rater_b) for pair in listed[:2]] == [("R02", "R06"), ("R01", "R06")]
    assert len(listed) == 5
    page = render_html(make(agreement=crowded))
    assert "The pairs that agree least" in page
    assert "0.39 (0.19 to 0.49)" in page
    assert "its 95% interval" not in say.pairs.heat_subtitle(make(agreement=crowded))


def test_each_decision_of_the_gate_is_answered(make, report):
    rows = list(report.verdict.dimensions)
    rows[2] = dataclasses.replace(rows[2], decision="INCONCLUSIVE")

    said = say.agreement.lead(make(verdict=gate(report, dimensions=tuple(rows))))

    assert said.startswith("Yes on Meaning; no on Layout; not yet shown on Readability.")


# Raters


def test_a_rater_is_named_only_beyond_tolerance_with_an_interval_off_zero(report):
    raters = report.sections["raters"]
    assert [row.rater for row in say.raters.outside(raters)] == ["R03"]
    assert say.raters.severity_title(raters) == "R03 rates low"

    unsure = dataclasses.replace(raters.rows[2], severity=Estimate(-0.43, -0.9, 0.1))
    rows = (*raters.rows[:2], unsure, *raters.rows[3:])
    calm = dataclasses.replace(raters, rows=rows)
    assert say.raters.severity_title(calm) == ("No rater is shown to be beyond ±0.25 of colleagues")
    near = [dataclasses.replace(row, severity=Estimate(0.1, 0.0, 0.2)) for row in raters.rows]
    alike = dataclasses.replace(raters, rows=tuple(near))
    assert say.raters.severity_title(alike) == "Every rater is within ±0.25 of colleagues"


@pytest.mark.parametrize(
    ("severity", "title"),
    [
        # A rater with one rating has no interval, however far the rating is from the other.
        (Estimate(-0.75, reason="fewer_than_two_items"), "No rater is shown to be beyond ±0.25"),
        (Estimate(0.25 + 1e-15, 0.2, 0.3), "No rater is shown to be beyond ±0.25"),
        (Estimate(-0.25 - 1e-15, -0.25 - 1e-15, -0.2), "Every rater is within ±0.25"),
        (Estimate(-0.75, -0.9, -0.6), "R01, R02 and R03 rate low"),
    ],
)
def test_nobody_is_named_without_an_interval_or_by_an_accident_of_rounding(report, severity, title):
    raters = report.sections["raters"]
    rows = tuple(dataclasses.replace(row, severity=severity) for row in raters.rows[:3])

    alike = dataclasses.replace(raters, rows=rows)

    assert say.raters.severity_title(alike).startswith(title)


def test_the_severity_axis_holds_every_interval(report):
    reach = say.raters.severity_range(report.sections["raters"])

    assert all(abs(row.severity.low) <= reach for row in report.sections["raters"].rows)


def test_each_raters_mean_is_drawn_with_its_interval_on_an_axis_that_holds_all(report):
    rows, (low, high) = report.sections["raters"].rows, say.rater_means.ends(report)

    assert all(low <= row.mean.low < row.mean.value < row.mean.high <= high for row in rows)
    assert report.scale.low <= low < high <= report.scale.high


def test_one_rater_and_one_round_are_no_charts(make, report):
    raters, waves = report.sections["raters"], report.sections["rounds"]
    page = render_html(
        make(
            raters=dataclasses.replace(raters, rows=raters.rows[:1]),
            rounds=dataclasses.replace(waves, rows=waves.rows[:1]),
        )
    )

    assert 'id="raters-ratings"' in page
    assert 'id="raters-means"' not in page
    assert 'id="rounds-uncertain"' not in page


def test_a_mean_over_items_has_students_interval_and_one_rating_none():
    ratings, scale = [1, 2, 3, 4, 5, 5, 5], Scale.likert(1, 5)
    estimate = mean_over_items(ratings, Scale.likert(1, 9))

    # scipy.stats.ttest_1samp's interval
    assert (estimate.low, estimate.high) == pytest.approx((2.074707, 5.068150), abs=1e-6)
    assert mean_over_items(ratings, scale).high == 5  # no mean lies beyond the scale
    assert math.isnan(mean_over_items([4], scale).low)
    assert math.isnan(mean_over_items(["a", "b"], Scale.nominal(["a", "b"])).value)


def test_a_mean_of_equal_ratings_has_no_interval():
    estimate = mean_over_items([5, 5, 5], Scale.likert(1, 5))

    assert (estimate.value, estimate.reason) == (5, "no_variation")
    assert math.isnan(estimate.low)


def test_what_to_look_at_is_a_column_only_where_something_was_found(make, report):
    clean = tuple(dataclasses.replace(row, flags=()) for row in report.sections["raters"].rows)
    tested = make(raters=dataclasses.replace(report.sections["raters"], rows=clean))
    untested = make(raters=dataclasses.replace(report.sections["raters"], rows=clean, tested=False))

    assert "To look at" in render_html(report)
    assert "gives the same answers 40 times in a row" in render_html(report)
    assert "To look at" not in render_html(tested)
    assert "Tests of bias found nothing about any of the 6 raters." in render_html(tested)
    assert "To look at" not in render_html(untested)
    assert "Tests of bias" not in render_html(untested)


# Ratings and estimates


def test_the_dimension_with_clearly_most_low_ratings_is_named(report):
    near, far = Estimate(0.11, 0.08, 0.14), Estimate(0.2, 0.15, 0.25)
    low = RatingCounts("meaning", (1, 0, 0, 0, 9), low=Estimate(0.1, 0.07, 0.13))
    rows = [low, RatingCounts("layout", (2, 0, 0, 0, 8), low=near)]

    assert say.rating_chart.title(report, rows) == (
        "10% to 11% of the ratings are 1 or 2, by dimension"
    )
    rows[1] = dataclasses.replace(rows[1], low=far)
    assert say.rating_chart.title(report, rows) == (
        "Layout draws the most low ratings: 20% are 1 or 2"
    )
    rows[1] = dataclasses.replace(rows[1], low=Estimate(0.2))
    assert say.rating_chart.title(report, rows) == (
        "10% to 20% of the ratings are 1 or 2, by dimension"
    )


def test_bars_are_weighted_as_their_title_is(make, report):
    design = Design(weight={"a": 3.0, "b": 1.0})
    scale = Scale.likert(1, 5)
    row = count_ratings(
        "meaning", np.array([1.0, 1.0, 5.0]), ["a", "a", "b"], scale=scale, design=design
    )
    page = render_html(make(counts=(row,)))

    assert row.parts == pytest.approx((6 / 7, 0, 0, 0, 1 / 7))
    assert row.item_shares == (0.75, 0, 0, 0, 0.25)
    assert say.rating_chart.title(report, [row]) == "86% of the ratings on Meaning are 1 or 2"
    assert "Meaning, 1 unusable: 86% (2)" in page
    assert "Shares are weighted as the sample was drawn" in page


def test_a_dimension_without_ratings_is_left_out(make):
    report = make(counts=(RatingCounts("meaning", ()), RatingCounts("layout", (1, 0, 0, 0, 3))))

    [rows] = say.rating_chart.charts(report, say.ratings.counts(report))

    assert say.rating_chart.title(report, rows) == "25% of the ratings on Layout are 1 or 2"
    assert "Meaning" not in say.rating_chart.alternative(report, rows)


def test_a_title_tells_the_weighted_share_of_dimensions_that_tie(make):
    rows = tuple(
        RatingCounts(
            name, (2, 0, 0, 0, 2), low=Estimate(0.2), low_items=Estimate(0.1), weighted=True
        )
        for name in ("meaning", "readability")
    )
    report = make(counts=rows)

    assert say.rating_chart.title(report, rows) == "20% of the ratings are 1 or 2"
    assert "weighted as the sample was drawn" in say.rating_chart.reading(report, rows)
    means, _ = say.rating_chart.charts(report, say.item_means.shown(report))
    assert say.item_means.title(report, means) == "10% of the items have a mean of 1 or 2"


def type_of(name, *numbers):
    return TypeEstimate(doc_type=name, pool=9, n=9, estimate=Estimate(*numbers))


def test_document_types_differ_only_where_their_ranges_part():
    low = type_of("A", 3.4, 3.0, 3.8)
    near, far = (low, type_of("B", 3.7, 3.3, 4.1)), (low, type_of("B", 4.5, 4.2, 4.8))

    assert say.document_types.title(near).startswith("Document types do not differ clearly")
    assert say.document_types.title(far) == "A is rated lowest (3.40), clearly below B (4.50)"
    wide = (*far, type_of("C", 3.1, 1.2, 5.0), type_of("D", 4.9, 2.0, 5.0))
    assert say.document_types.title(wide) == "A is rated clearly lower (3.40) than B (4.50)"


def test_document_types_differ_where_ranges_part_of_which_severity_cancels(report):
    low, high = type_of("A", 3.4, 2.4, 4.4), type_of("B", 4.0, 3.0, 5.0)
    told = (
        dataclasses.replace(low, apart=Estimate(-0.3, -0.5, -0.1)),
        dataclasses.replace(high, apart=Estimate(0.3, 0.1, 0.5)),
    )

    assert say.document_types.title(told) == "A is rated lowest (3.40), clearly below B (4.00)"
    assert say.document_types.title((told[0], high)).startswith("Document types do not differ")
    estimates = (dataclasses.replace(report.estimates[0], types=told), *report.estimates[1:])
    why = "Two types may differ clearly though their ranges overlap"
    assert why in say.document_types.subtitle(dataclasses.replace(report, estimates=estimates))
    assert why not in say.document_types.subtitle(report)


def test_of_document_types_without_ranges_nobody_can_tell_whether_they_differ():
    types = (type_of("A", 3.1), type_of("B", 4.2))
    ranged = type_of("C", 4.0, 3.8, 4.2)

    for known in (types, (*types, ranged)):
        title = say.document_types.title(known)
        assert title == "Whether document types differ cannot be told: 3.10 to 4.20"


def test_the_finding_on_types_tells_of_the_type_in_its_title(make, report):
    rows = (type_of("A", 3.4, 3.0, 3.8), type_of("B", 4.5, 4.2, 4.8), type_of("C", 3.1, 1.2, 5.0))
    estimates = tuple(
        dataclasses.replace(row, types=rows) if row.dimension == "meaning" else row
        for row in report.estimates
    )
    point = say.key_points.of_types(make(estimates=estimates))

    assert point.title == "A is rated clearly lower (3.40) than B (4.50)."
    assert point.text == "A: 3.40 (3.00 to 3.80) on 9 items."


@pytest.mark.parametrize(
    ("rho", "word"),
    [
        (-0.83, "largely"),
        (-0.5, "partly"),
        (0.1, "hardly"),
        (0.83, "contradict"),
        (NAN, "cannot"),
    ],
)
def test_the_scatter_says_how_far_the_error_rate_goes(report, rho, word):
    scores = dataclasses.replace(report.sections["scores"], rho=Estimate(rho))

    assert word in say.scores.scatter_title(scores)


def test_a_correlation_without_a_range_says_why(report):
    few, same = Estimate(-0.5, reason="too_few_items"), Estimate(-1.0, reason="perfect_order")
    scores = dataclasses.replace(
        report.sections["scores"], rho=few, correlations={"cer": few, "wer": same, "ned": few}
    )

    assert say.scores.scatter_title(scores) == (
        "Error rate and people partly agree (ρ = −0.50, no interval: too few items)"
    )
    assert say.scores.rho_note(scores) == (
        "ρ: over the rated items, each counted alike. "
        "ρ: no interval: too few items; no interval: two orders are the same or exactly reversed."
    )
    unrated = dataclasses.replace(scores, correlations={})
    assert say.scores.rho_note(unrated) == ""


def test_the_error_axis_ends_where_almost_all_points_are(report):
    points = tuple(Point(x / 100, 3.0, "random") for x in range(50))

    assert (
        say.scores.scatter_right(dataclasses.replace(report.sections["scores"], points=points))
        == 0.5
    )


# Rounds


def test_the_rounds_count_assignments_and_ratings_each_by_its_name(report):
    assert say.rounds.lead(report.sections["rounds"]).startswith(
        "623 assignments, with 1,869 ratings in all, were done in 1 pilot round, 1 main round, "
        "2 adaptive rounds and 1 adjudication round."
    )
    assert '<th scope="col" class="number">Assignments</th>' in render_html_of_rounds(report)
    uncounted = [
        dataclasses.replace(row, assignments=None) for row in report.sections["rounds"].rows
    ]
    assert say.rounds.lead(Rounds(rows=tuple(uncounted))).startswith("There were 1 pilot round")


@pytest.mark.parametrize(
    ("aside", "join"), [(0, ". "), (3, "; 3 more ratings were set aside for ")]
)
def test_the_rounds_count_ratings_of_excluded_items_apart_from_those_that_count(
    report, aside, join
):
    first, *others = report.sections["rounds"].rows
    first = dataclasses.replace(first, aside=aside, excluded=4)
    rounds = Rounds(rows=(first, *others), excluded_items=2)

    lead = say.rounds.lead(rounds)

    assert ", with 1,869 ratings that count, were done in " in lead
    assert f"and 1 adjudication round{join}" in lead
    assert (
        ". 4 more ratings are of 2 items that a lead excluded later, and count nowhere. An item is "
        "uncertain while "
    ) in lead


# Without known items nobody knows how often the model is right.
@pytest.mark.parametrize("calibrated", [True, False])
def test_only_checked_confidence_is_said_to_be_calibrated(report, calibrated, make):
    rounds = dataclasses.replace(report.sections["rounds"], calibrated=calibrated)

    page = render_html(make(rounds=rounds))

    assert ("while the calibrated confidence in its inferred label" in page) == calibrated
    assert ("while the model confidence in its inferred label" in page) != calibrated
    assert ("was calibrated on items whose rating is known" in page) == calibrated
    assert ("in a label is the model’s own. Not calibrated" in page) != calibrated


def render_html_of_rounds(report):
    page = render_html(report)
    return page[page.index('id="rounds"') : page.index('id="methods"')]


def test_the_rounds_say_what_asking_again_brought_apart_from_what_was_settled(report):
    settled = report.sections["rounds"]
    asked = dataclasses.replace(settled, rows=settled.rows[:4])

    assert say.round_chart.title(asked) == (
        "2 further rounds brought uncertain items from 31.0% to 8.0% of 200"
    )
    assert say.round_chart.title(settled) == (
        "2 further rounds brought uncertain items from 31.0% to 8.0% of 200; adjudication, "
        "certain by definition, left 2.0%"
    )


def test_settled_labels_after_which_more_is_uncertain_are_explained(report):
    held = report.sections["rounds"]
    more = dataclasses.replace(held.rows[-1], uncertain=0.2)
    risen = dataclasses.replace(held, rows=(*held.rows[:-1], more))
    why = "labels of other items became less certain."

    assert say.round_chart.title(risen).endswith("to 8.0% of 200; after adjudication it is 20.0%")
    assert why in say.round_chart.reading(risen)
    assert say.round_chart.text(risen).endswith(why)
    assert why not in say.round_chart.reading(held)


def test_doubt_for_want_of_items_says_how_many_there_are(report):
    verdict = dataclasses.replace(
        report.verdict,
        decision="INCONCLUSIVE",
        dimensions=tuple(
            dataclasses.replace(row, decision="INCONCLUSIVE") for row in report.verdict.dimensions
        ),
        policy=GatePolicy(min_items=5000),
    )
    few = dataclasses.replace(report, verdict=verdict)

    [about] = [point for point in say.summary.findings(few) if point.title.startswith("Agree")]

    assert "items have two or more ratings; the gate needs at least 5,000." in about.text
    assert say.gate.few_items_text(report) == ""


def test_rounds_that_added_items_are_no_beginning_of_a_fall(report):
    held = report.sections["rounds"]
    numbers = ((0.655, 200), (0.473, 277), (0.4, 277), (0.3, 277))
    rows = tuple(
        dataclasses.replace(row, uncertain=share, labelled=n)
        for row, (share, n) in zip(held.rows[:4], numbers, strict=True)
    )
    assert say.round_chart.title(dataclasses.replace(held, rows=rows)) == (
        "2 further rounds brought uncertain items from 47.3% to 30.0% of 277"
    )


def test_a_settled_label_is_called_a_persons_word(make, report):
    settled = report.sections["rounds"]
    panel = dataclasses.replace(settled.rows[4], number=5, kind="panel", raters=3)
    both = dataclasses.replace(settled, rows=(*settled.rows, panel))
    asked = make(rounds=dataclasses.replace(settled, rows=settled.rows[:4]))

    assert say.settlement.text(both) == (
        "A label is final when the adjudicator agrees with a rater or the panel decides (its lower "
        "median). It counts as certain and is not inferred, so the share of uncertain items falls "
        "there by definition, not because raters agree."
    )
    named = dataclasses.replace(both, ordered=False)
    assert "the panel decides (its most frequent vote)" in say.settlement.text(named)
    expert = dataclasses.replace(panel, raters=1)
    alone = dataclasses.replace(settled, rows=(*settled.rows[:4], expert))
    assert expert.name == "one expert"
    assert "final when an expert decides, alone." in say.settlement.text(alone)
    assert "person’s word" in say.items.settled_text(report)
    assert "person’s word" in dict(say.methods.paragraphs(report))["Labels"]
    assert "person’s word" not in render_html(asked)


def test_rounds_that_helped_nobody_are_not_praised(report):
    rows = (
        report.sections["rounds"].rows[1],
        dataclasses.replace(report.sections["rounds"].rows[2], uncertain=0.4),
    )

    assert "did not lower" in say.round_chart.title(Rounds(rows=rows))


def test_the_cost_has_its_unit_and_says_what_it_is_the_sum_of(report):
    known = report.sections["rounds"].rows[1:]
    free = [dataclasses.replace(row, cost=None) for row in known]

    assert say.rounds.cost_text(report.sections["rounds"]) == (
        "The 4 rounds of known cost took 527 minutes together."
    )
    assert say.rounds.cost_text(Rounds(rows=known)) == (
        "All rounds together cost 527 as the registry of raters counts cost."
    )
    assert say.rounds.cost_text(Rounds(rows=tuple(free))) == ""


def test_decisions_are_printed_with_when_who_what_and_why(make, report):
    page = render_html_of_rounds(report)

    for words in ("12 November 2026, 08:05 UTC", "Kim", "More asked for: 3 more days", "holiday"):
        assert words in page
    assert "Decisions by the lead" not in render_html(make(decisions=None))
    assert "Decisions by the lead" in render_html(make(rounds=None))


def test_a_decision_names_its_dimensions_as_they_are_printed(report):
    target = DecisionTarget(raters=["R03"], dimensions=["layout"])
    decision = report[say.decisions.Decisions].rows[0]._replace(kind="recalibrate", target=target)

    assert say.decisions.what(report, decision) == ("Recalibration, then new items: R03, on Layout")


def test_every_decision_of_a_lead_has_its_words(report):
    decision = report[say.decisions.Decisions].rows[0]
    words = {
        say.decisions.what(report, decision._replace(kind=kind, target=DecisionTarget()))
        for kind in DECISIONS
    }

    assert len(words) == len(DECISIONS)
    assert words.isdisjoint(DECISIONS)


# Methods


def test_provenance_holds_every_hash_whole(report):
    rows = dict(say.methods.provenance(report))

    assert rows["Pool"] == f"sha256 {report.identity.pool_hash.removeprefix('sha256:')}"
    assert rows["Issued"] == "20 November 2026, 09:30 UTC"


@pytest.mark.parametrize(
    ("dates", "printed"),
    [
        ("2026-11-20", "2026년 11월 20일"),
        ("2026-11-20/2026-12-01", "2026년 11월 20일~2026년 12월 1일"),
        ("autumn 2026", "autumn 2026"),
        ("2026/11", "2026/11"),
    ],
)
def test_days_of_the_pool_are_printed_in_the_language_of_the_report(make, report, dates, printed):
    origin = Origin(dates=dates)
    identity = dataclasses.replace(report.identity, origin=origin)

    with speaking("ko"):
        rows = dict(say.methods.provenance(make(identity=identity)))

    assert printed in rows.values()


def test_where_all_weights_are_equal_no_item_is_said_to_be_drawn_more_often(report):
    census = dataclasses.replace(report.sections["sampling"], weight_low=1.0, weight_high=1.0)
    alike = dataclasses.replace(report, sections={**report.sections, "sampling": census})

    assert "drawn more often" in say.methods.naive_text(report)
    assert "drawn" not in say.methods.naive_text(alike)


def test_the_naive_mean_is_called_wrong_and_only_where_there_is_a_design(make, report):
    assert "not quoted" in say.methods.naive_text(report)
    only = dataclasses.replace(report.headline, items_only=True)
    assert say.methods.naive_text(make(headline=only)) is None


@pytest.mark.parametrize(
    ("method", "words"), [("dawid_skene", "Dawid and Skene"), ("majority_vote", "majority vote")]
)
def test_methods_name_what_was_used(make, report, method, words):  # one case
    rounds = dataclasses.replace(report.sections["rounds"], truth_method=method)

    said = {row.title: row.text for row in say.methods.paragraphs(make(rounds=rounds))}

    assert words in said["Labels"]
    assert "asked again" in said["Labels"]


def test_a_ratio_mean_is_not_called_a_regression_estimate(make, report):
    ratio = dataclasses.replace(report.headline.sources, estimator="Hajek")
    headline = dataclasses.replace(report.headline, sources=ratio)

    said = {row.name: row.text for row in say.statement.rows(make(headline=headline))}

    assert said["Estimator"].startswith("Hájek’s ratio mean of ratings")


def test_a_number_on_a_continuous_scale_has_no_more_decimals_than_a_rater_means():
    continuous = ScaleLabels(levels=(0, 100), text="interval 0 to 100", kind="interval")

    assert [continuous.name(value) for value in (61.9565, 2.77818, 100.0, 62.5)] == [
        *("62", "2.78", "100", "62.5")
    ]


def test_a_phrase_of_the_gate_bears_the_printed_name_wherever_it_stands(report):
    text = phrase("{dimension} first", dimension=report.dimensions[0].key)
    nested = phrase("What of it: {text}?", text=text)

    assert said(report.with_names(nested)) == f"What of it: {report.dimensions[0].name} first?"


def test_a_type_of_many_items_is_marked_for_its_few_cases(report):
    rows = tuple(
        dataclasses.replace(row, few=True, n=n)
        for row, n in zip(report.types, (20, 12, 12), strict=False)
    )
    estimates = tuple(dataclasses.replace(row, types=rows) for row in report.estimates)
    small = tuple(dataclasses.replace(row, types=rows[1:]) for row in report.estimates)

    legend = say.document_types.subtitle(dataclasses.replace(report, estimates=estimates))

    assert "or under 10 lie on the smaller side of the share" in legend
    assert "smaller side" not in say.document_types.subtitle(
        dataclasses.replace(report, estimates=small)
    )


def test_one_item_that_stays_uncertain_is_spoken_of_as_one(report):
    one = dataclasses.replace(report.sections["rounds"], unresolved=1)

    assert say.settlement.unresolved_text(one) == (
        "1 item stayed uncertain after the last round: its most probable label so far is kept."
    )


def test_the_finding_on_severe_raters_names_the_dimension(make):
    found = say.summary.findings(make(trend=None, field_errors=None, groups=None, metrics=None))

    [severe] = [finding for finding in found if "rates low" in finding.title]
    assert severe.text.startswith("Difference from colleagues on the same items, on Meaning, in")
