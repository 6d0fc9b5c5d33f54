import dataclasses
import math

import pytest

from ocrjury import Estimate
from ocrjury.report.html import SENTENCES
from ocrjury.report.outcome import Target, outcome_of
from ocrjury.report.sections import (
    Histogram,
    Point,
    RatingCounts,
    Rounds,
    TypeEstimate,
)

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
    ],
)
def test_the_cover_says_the_outcome_and_why(make, low, high, title, why):  # one case
    estimate = Estimate((low + high) / 2, low, high)
    target = Target(dimension="meaning", value=4.0)
    report = make(outcome=outcome_of(estimate, target, trusted=True))

    assert say.cover.outcome_title(report) == title
    assert why in say.cover.outcome_text(report)


def test_a_share_is_spoken_of_as_a_share(make):
    target = Target(dimension="meaning", value=0.8, share_at_least=4)
    report = make(outcome=outcome_of(Estimate(0.85, 0.82, 0.88), target, trusted=True))

    assert say.cover.outcome_title(report) == "Target met: 80% rated 4 or better on Meaning"
    assert "82.0% to 88.0%" in say.cover.outcome_text(report)


def test_without_a_target_the_cover_speaks_of_the_gate(make):
    assert say.cover.outcome_word(make(outcome=None)) == "FAIL"
    assert "do not agree" in say.cover.outcome_title(make(outcome=None))


def test_a_release_names_person_day_and_reason(report):
    said = say.cover.outcome_text(report)

    assert said.endswith(
        "Released by Kim against the gate on 19 November 2026: layout is not used downstream"
    )


def test_no_headline_is_shown_while_the_gate_failed_and_nobody_released_it(make, report):
    held = make(verdict=gate(report, release=None))

    assert held.shown_headline is None
    assert not any("진료비영수증" in finding.title for finding in say.summary.findings(held))
    assert "No number is given" in say.ratings.lead(held)


def test_a_release_never_shows_a_dimension_that_failed(make, report):
    headline = dataclasses.replace(report.headline, dimension="layout")

    assert make(headline=headline).shown_headline is None


def test_facts_count_items_ratings_and_raters(report):
    facts = {noun: number for number, noun in say.cover.facts(report)}

    assert facts["items rated of 1,525"] == "200"
    assert facts["ratings"] == "4,680"
    assert facts["raters"] == "6"


# Summary


def test_findings_are_at_most_five_and_rest_on_the_data(report):
    found = say.summary.findings(report)

    assert 1 <= len(found) <= 5
    assert found[0].title == "Agreement: FAIL."
    assert "Layout α 0.56" in found[0].text
    assert found[1].title == "Mean rating of the whole pool on Meaning, 1 to 5: 4.12."
    assert "move the headline by +0.43 points" in found[1].text


def test_the_decision_table_hides_what_may_not_be_printed(make, report):
    outcome = outcome_of(report.outcome.estimate, report.target, trusted=False)
    rows = {row.criterion: row for row in say.summary.decisions(make(outcome=outcome))}

    assert rows["Target on Meaning"].result == "not printed"
    assert rows["Target on Meaning"].word == "NOT SHOWN"
    assert rows["Rater severity"].result == "1 of 6"
    assert rows["Recommended practice"].result == "7 of 8"
    assert rows["Agreement, lowest: Layout"].interval == "0.50 to 0.62"


# Sampling


def test_the_chart_of_strata_names_the_one_with_most_extra_weight(report):
    rows = report.sampling.strata
    extra = {row.stratum: row.sample / 200 - row.pool / 1525 for row in rows}

    assert say.sampling.chart_title(report.sampling).startswith(max(extra, key=extra.get))


def test_a_sample_like_the_pool_is_called_so(report):
    rows = tuple(
        dataclasses.replace(row, drawn={"random": round(row.pool * 200 / 1525)})
        for row in report.sampling.strata
    )
    sampling = dataclasses.replace(report.sampling, strata=rows)

    assert say.sampling.chart_title(sampling) == "The sample has the pool’s mix of document types"


def test_taking_the_whole_pool_needs_no_weights(report):
    sampling = dataclasses.replace(report.sampling, n=1525)

    assert say.sampling.lead(sampling) == "All 1,525 documents of the pool were drawn."


# Agreement


def test_the_chance_level_belongs_to_the_dimension_that_gains_most_from_it(report):
    said = say.agreement.chance_text(report)

    assert "Layout at random" in said
    assert "still reach 0.71; observed is 0.83, 41% of the way" in said


def test_the_weakest_pair_is_named(report):
    pairs = [p for p in report.agreement.pairs if p.estimate.defined]
    worst = min(pairs, key=lambda pair: pair.estimate.value)

    title = say.agreement.heat_title(report.agreement)

    assert title == f"{worst.rater_a} and {worst.rater_b} agree least: κ 0.39 on 46 items"
    assert "1 pair undefined" in say.agreement.heat_alternative(report)


def test_each_decision_of_the_gate_is_answered(make, report):
    rows = list(report.verdict.dimensions)
    rows[2] = dataclasses.replace(rows[2], decision="INCONCLUSIVE")

    said = say.agreement.lead(make(verdict=gate(report, dimensions=tuple(rows))))

    assert said.startswith("Yes on Meaning; no on Layout; not yet shown on Readability.")


# Raters


def test_a_rater_is_named_only_beyond_tolerance_with_an_interval_off_zero(report):
    raters = report.raters
    assert [row.rater for row in say.raters.outside(raters)] == ["R03"]
    assert say.raters.severity_title(raters) == "R03 rates low"

    unsure = dataclasses.replace(raters.rows[2], severity=Estimate(-0.43, -0.9, 0.1))
    rows = (*raters.rows[:2], unsure, *raters.rows[3:])
    calm = dataclasses.replace(raters, rows=rows)
    assert say.raters.severity_title(calm) == "Every rater is within ±0.25 of colleagues"


def test_the_severity_axis_holds_every_interval(report):
    reach = say.raters.severity_range(report.raters)

    assert all(abs(row.severity.low) <= reach for row in report.raters.rows)


def test_boxes_show_lowest_quartiles_and_highest(report):
    box = say.raters.boxes(report)[2]

    assert box.ends == (1, 3, 4, 5, 5)


# What the raters said


def test_the_dimension_with_most_low_ratings_is_named(report):
    assert say.ratings.distribution_title(report) == (
        "Layout draws the most low ratings: 23% are 1 or 2"
    )


def test_a_dimension_without_ratings_is_left_out(make):
    report = make(counts=(RatingCounts("meaning", ()), RatingCounts("layout", (1, 0, 0, 0, 3))))

    assert say.ratings.distribution_title(report) == "25% of the ratings are 1 or 2"
    assert "Meaning" not in say.ratings.distribution_alternative(report)


def test_document_types_differ_only_where_their_ranges_part():
    near = (
        TypeEstimate("A", 9, 9, Estimate(3.4, 3.0, 3.8)),
        TypeEstimate("B", 9, 9, Estimate(3.7, 3.3, 4.1)),
    )
    far = (*near[:1], TypeEstimate("B", 9, 9, Estimate(4.5, 4.2, 4.8)))

    assert say.ratings.forest_title(near).startswith("Document types do not differ clearly")
    assert say.ratings.forest_title(far) == "A is rated lowest (3.40), clearly below B (4.50)"


@pytest.mark.parametrize(
    ("rho", "word"), [(-0.83, "largely"), (-0.5, "partly"), (0.1, "hardly"), (NAN, "cannot")]
)
def test_the_scatter_says_how_far_the_error_rate_goes(report, rho, word):
    scores = dataclasses.replace(report.scores, rho=rho)

    assert word in say.ratings.scatter_title(scores)


def test_the_error_axis_ends_where_almost_all_points_are(report):
    points = tuple(Point(x / 100, 3.0, "random") for x in range(50))

    assert say.ratings.scatter_right(dataclasses.replace(report.scores, points=points)) == 0.5


def test_a_median_of_zero_is_no_error():
    edges, counts = (0.0, 0.1), (3,)

    assert "no error" in say.ratings.histogram_title(Histogram(edges, counts, 0.0, 0.05))
    assert "7.2%" in say.ratings.histogram_title(Histogram(edges, counts, 0.072, 0.1))


# Rounds


def test_the_rounds_say_what_asking_again_brought(report):
    assert say.rounds.chart_title(report.rounds) == (
        "3 further rounds brought uncertain items from 31.0% to 2.0%"
    )


def test_rounds_that_helped_nobody_are_not_praised(report):
    rows = (report.rounds.rows[1], dataclasses.replace(report.rounds.rows[2], uncertain=0.4))

    assert "did not lower" in say.rounds.chart_title(Rounds(rows=rows))


def test_the_cost_is_summed_only_where_every_round_has_one(report):
    assert say.rounds.cost_text(report.rounds) == ""
    known = dataclasses.replace(report.rounds, rows=report.rounds.rows[1:])
    assert say.rounds.cost_text(known) == "All rounds together cost 527 minutes."


# Methods


def test_provenance_holds_every_hash_whole(report):
    rows = dict(say.methods.provenance(report))

    assert rows["Pool"] == f"sha256 {report.identity.pool_hash.removeprefix('sha256:')}"
    assert rows["Seed"] == "20261120"


def test_the_naive_mean_is_called_wrong_and_only_where_there_is_a_design(make, report):
    assert "not quoted" in say.methods.naive_text(report)
    only = dataclasses.replace(report.headline, items_only=True)
    assert say.methods.naive_text(make(headline=only)) is None


@pytest.mark.parametrize(
    ("method", "words"), [("dawid_skene", "Dawid and Skene"), ("majority_vote", "majority vote")]
)
def test_methods_name_what_was_used(make, report, method, words):  # one case
    rounds = dataclasses.replace(report.rounds, truth_method=method)

    said = {row.title: row.text for row in say.methods.paragraphs(make(rounds=rounds))}

    assert words in said["Labels"]
    assert "asked again" in said["Labels"]


def test_a_ratio_mean_is_not_called_a_regression_estimate(make, report):
    ratio = dataclasses.replace(report.headline.others, method="Hajek, other raters")
    headline = dataclasses.replace(report.headline, others=ratio)

    said = {row.title: row.text for row in say.methods.paragraphs(make(headline=headline))}

    assert said["Estimation"].startswith("Means are Hájek’s ratio means")
