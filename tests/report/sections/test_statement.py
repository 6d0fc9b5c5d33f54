"""The statement of the statistics tells what was done in this evaluation."""

import dataclasses

import pytest

from ocrjury import Estimate
from ocrjury.gate.policy import GatePolicy
from ocrjury.report.sections import document_types, response, statement


def stated(report):
    return dict(statement.rows(report))


def test_every_row_takes_its_values_from_the_evaluation(report):
    rows = stated(report)

    assert rows["Estimand"] == "Mean rating of the whole pool on Meaning by comparable raters."
    assert rows["Population"].startswith("N = 1,525 documents on 72 pages")
    assert "Random 50%, Stratified 30%, Error-focused 20%" in rows["Sampling design"]
    assert rows["Weights"] == "Inverse of the inclusion probability: 1.2 to 11.4, median 8.6."
    assert rows["Degrees of freedom"].startswith("12.3 (Satterthwaite")
    assert "8 tests for bias" in rows["Multiplicity"]
    assert "ranges of the groups of a column, which hold at once" in rows["Multiplicity"]
    assert "the intervals of the raters’ severities" in rows["Multiplicity"].partition("Not")[2]
    assert rows["Gold"] == "118 ratings of 20 gold items correct the raters’ level."
    assert rows["Seed and hashes"].startswith("seed 20261120; configuration c41d0b6be0f2")
    assert all(rows.values())


def test_a_share_is_called_one(make, report):
    share = dataclasses.replace(report.headline, share_at_least=4.0)

    assert stated(make(headline=share))["Estimand"] == (
        "Share of the pool that comparable raters would rate 4 or better on Meaning."
    )


def test_the_quantile_is_named_by_what_the_range_counts(make, report):
    without_gold = dataclasses.replace(report.headline, uncorrected=None)

    freedom = stated(make(headline=without_gold))["Degrees of freedom"]
    assert freedom.startswith("12.3 (Cochran and Cox, t quantile)")


@pytest.mark.parametrize("uncorrected", [None, Estimate(0.7, 0.6, 0.8)])
def test_the_range_of_a_share_is_not_said_to_be_cut(make, report, uncorrected):
    share = dataclasses.replace(report.headline, share_at_least=4.0, uncorrected=uncorrected)

    freedom = stated(make(headline=share))["Degrees of freedom"]
    assert "symmetric on the logit scale" in freedom
    assert "cut at the ends" not in freedom


def test_pages_that_were_drawn_are_the_units_of_the_draw(make, report):
    drawn = dataclasses.replace(report.sections["sampling"], pages=72, drawn_pages=30)
    rows = stated(make(sampling=drawn))

    assert rows["Sampling design"].startswith(
        "One draw of 30 pages with known probabilities, each with all its outputs, 200 documents "
        "in all: "
    )
    assert "Errors of a page’s outputs are added up before they are squared." in rows["Variance"]
    assert "squared" not in stated(report)["Variance"]


def test_gold_that_was_drawn_too_is_counted_apart(make, report):
    """The cover counts gold outside the sample only."""
    first, *others = report.estimates
    gold = dataclasses.replace(first.gold, n_items=29, n_sampled=9)
    both = make(estimates=(dataclasses.replace(first, gold=gold), *others))

    assert stated(both)["Gold"].startswith(
        "118 ratings of 29 gold items, 9 of them drawn into the sample, correct"
    )


def test_conditions_of_both_kinds_spend_an_error(make, report):
    policy = GatePolicy.preset("gdpval")
    rows = stated(make(verdict=dataclasses.replace(report.verdict, policy=policy)))

    assert rows["Looks of the gate"].startswith("Conditions that go by the value promise nothing")
    assert "The bounds have a confidence of 95%." in rows["Looks of the gate"]


def test_intervals_that_no_severity_has_are_no_family(make, report):
    held = report.sections["raters"]
    never = Estimate(0.0, reason="no_disagreement")
    rows = tuple(dataclasses.replace(row, severity=never) for row in held.rows)
    without = make(raters=dataclasses.replace(held, rows=rows))

    assert "the intervals of the raters’ severities" in stated(report)["Multiplicity"]
    assert "severities" not in stated(without)["Multiplicity"]


def test_ranges_that_nobody_has_are_no_family(make, report):
    alone = Estimate(3.4, reason="fewer_than_two_raters")
    first, *others = report.estimates
    types = tuple(dataclasses.replace(row, estimate=alone) for row in first.types)
    without = make(estimates=(dataclasses.replace(first, types=types), *others), groups=None)

    assert "document types" in stated(report)["Multiplicity"]
    assert "document types" not in stated(without)["Multiplicity"]
    subtitle = document_types.subtitle(without)
    assert subtitle.startswith("Mean rating on Meaning by document type")
    assert "ranges that all hold" not in subtitle
    assert "a square" not in subtitle


def test_what_is_not_printed_is_not_described(make, report):
    failed = dataclasses.replace(report.verdict, decision="FAIL", release=None)
    rows = stated(make(verdict=failed))

    assert rows["Estimand"].endswith("It is not printed: agreement was not shown.")
    assert rows["Estimator · Variance · Degrees of freedom"] == "No estimate is printed."
    assert "Bonferroni" not in rows["Multiplicity"]


def test_without_an_order_of_the_categories_nothing_is_estimated(make, report):
    held = report.sections["rounds"]
    asked = tuple(dataclasses.replace(row, asked=row.assignments + 3) for row in held.rows)
    rows = stated(make(headline=None, rounds=dataclasses.replace(held, rows=asked)))

    assert rows["Estimand"].startswith("The categories have no order")
    assert rows["Non-response"] == (
        "197 of 200 drawn items have a rating; 400 of 403 assignments of the main rounds were done."
    )
    uncounted = stated(make(headline=None))
    assert uncounted["Non-response"].startswith("Does not apply: nobody knows which ratings")


def test_without_an_estimate_none_is_said_to_be_there(make, report):
    raters = dataclasses.replace(report.sections["raters"], bias=(), rows=())
    agreement = dataclasses.replace(report.sections["agreement"], dimensions=())
    alone = dataclasses.replace(
        make(headline=None, raters=raters, agreement=agreement, groups=None),
        dimensions=report.dimensions[:1],
        estimates=(),
        systems=(),
        trend=None,
    )

    assert stated(alone)["Multiplicity"] == (
        "No estimate is printed, and the gate makes the only test."
    )


def looked(report, *rows):
    """The verdict after looks, each with its round, its number and how many were planned."""
    [(_, first), *_] = report.verdict.looks
    looks = tuple(
        (number, dataclasses.replace(first, look=look, planned=planned))
        for number, look, planned in rows
    )
    return dataclasses.replace(report.verdict, looks=looks)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([(1, 1, 1)], "1 look was made. The bounds"),
        ([(1, 1, 2), (2, 2, 2)], "2 looks were made. Every look"),
        ([(1, 1, 1), (3, 1, 1)], "2 looks were made. A recalibration begins the looks anew: those"),
        ([(1, 1, 2), (2, 2, 2), (4, 1, 2)], "3 looks were made. A recalibration begins the looks"),
    ],
)
def test_looks_before_a_recalibration_were_made_too(make, report, rows, words):
    assert stated(make(verdict=looked(report, *rows)))["Looks of the gate"].startswith(words)


def answered(report, **changes):
    first, *others = report.estimates
    changed = dataclasses.replace(first.response, **changes)
    return {"estimates": (dataclasses.replace(first, response=changed), *others)}


def test_ratings_that_a_recalibration_set_aside_were_given(make, report):
    aside = "44 more ratings on Meaning were given and set aside for a recalibration."
    some = make(**answered(report, aside=44))
    whole = stated(make(**answered(report, rated=200, given=356, aside=44)))["Non-response"]

    assert aside in stated(some)["Non-response"]
    assert response.text(some).endswith(aside)
    assert whole == (
        f"All 200 drawn items have a rating on Meaning; 356 of 400 ratings count. {aside}"
    )
    assert aside not in stated(report)["Non-response"] + response.text(report)


@pytest.mark.parametrize(
    ("weighted", "weights"),
    [
        (False, "Every item counts alike."),
        (True, "Inverse of the probability that was given with each item."),
    ],
)
def test_bare_ratings_have_no_design(make, report, weighted, weights):
    mean = Estimate(4.0, 3.8, 4.2, n_items=60)
    headline = dataclasses.replace(
        report.headline, others=mean, these=mean, items_only=True, sources=None, weighted=weighted
    )
    advisory = dataclasses.replace(report.verdict, advisory=True)
    rows = stated(
        make(headline=headline, verdict=advisory, sampling=None, counted=None, rounds=None)
    )

    assert rows["Population"].endswith("rated items; their pool is not known.")
    assert rows["Sampling design"] == "Not known: the items are taken as they came."
    assert rows["Weights"] == weights
    assert rows["Degrees of freedom"] == "Draws less one: 59."
    assert rows["Looks of the gate"] == "The gate is advisory here."
    assert rows["Adaptivity"] == "Does not apply: the ratings came in one file."


def test_a_small_pool_is_drawn_systematically(make, report):
    small = dataclasses.replace(report.sections["sampling"], pool_size=199, n=50)

    assert "Hartley and Rao" in stated(make(sampling=small))["Sampling design"]
    assert stated(make(sampling=dataclasses.replace(small, n=199)))["Weights"].startswith("All 1")


def test_the_population_tells_what_of_the_pool_could_not_be_read(make, report):
    counts = dataclasses.replace(report.sections["counted"], unread=3)

    population = stated(make(counted=counts))["Population"]

    assert "all of them in the frame. 3 files or rows of the pool could not be read" in population
