import dataclasses
import re

import pytest

from ocrjury.findings.systems import Systems
from ocrjury.report import render_html
from ocrjury.report.outcome import outcome_of
from ocrjury.report.sections import (
    certainty,
    cover,
    item_means,
    joint_dimensions,
    plan,
    rating_chart,
    ratings,
    sampling,
    systems,
    withheld_results,
)


def decided(report, **decisions):
    """The verdict with these decisions on dimensions."""
    rows = tuple(
        dataclasses.replace(row, decision=decisions.get(row.dimension, "PASS"))
        for row in report.verdict.dimensions
    )
    return dataclasses.replace(report.verdict, dimensions=rows)


@pytest.fixture
def failed(make, report):
    """Release of an evaluation whose raters do not agree on the headline's dimension."""
    verdict = decided(report, meaning="FAIL")
    shown = verdict.shows("meaning")
    return make(
        verdict=verdict, outcome=outcome_of(report.headline.others, report.target, trusted=shown)
    )


def test_one_policy_holds_on_all_pages(failed, report):
    # A single item may have that mean, too.
    page = re.sub(r' data-value="[^"]*: 1 item"', "", render_html(failed))
    page = re.sub(r"\([^()]* to [^()]*\)", "", page)  # nor do intervals of raters count

    assert failed.shown_headline is None
    assert failed.outcome.word == "NOT SHOWN"
    assert "No result on Meaning is printed." in cover.outcome_text(failed)
    assert [row.dimension for row in certainty.shown(failed)] == ["layout", "readability"]
    compared = tuple(Systems(name, (), ()) for name in ("meaning", "layout"))
    of_systems = dataclasses.replace(failed, systems=compared)
    assert [row.dimension for row in systems.shown(of_systems)] == ["layout"]
    assert "4.02" not in page  # the mean without gold
    assert "81.0%" not in page  # the share usable

    assert report.shown_headline is not None


def test_the_cover_says_once_that_nothing_is_printed(make, report):
    names = ("meaning", "layout", "readability")
    nothing = make(
        verdict=decided(report, **dict.fromkeys(names, "FAIL")),
        outcome=outcome_of(report.headline.others, report.target, trusted=False),
    )

    assert withheld_results.dimensions(nothing) == list(names)
    assert "No result is shown: no release prints" in cover.outcome_text(nothing)
    assert "is printed" not in cover.outcome_text(nothing)
    waiting = dataclasses.replace(
        nothing, verdict=dataclasses.replace(nothing.verdict, release=None)
    )
    assert "No result is shown while" in cover.outcome_text(waiting)


def test_what_was_computed_and_is_not_printed_is_named(failed, report):
    assert withheld_results.text(failed) == (
        "The raters do not agree well enough on Meaning. For that reason this was computed and is "
        "not printed: means and shares, the headline, document types and the trend, and every "
        "score that combines it with others."
    )
    assert withheld_results.text(failed) in ratings.trusted_text(failed)
    assert withheld_results.dimensions(report) == ["layout"]


def test_where_all_is_printed_nothing_is_withheld(make, report):
    passed = make(verdict=decided(report))

    assert withheld_results.text(passed) is None
    assert withheld_results.cover_text(passed) is None
    unreleased = make(verdict=dataclasses.replace(report.verdict, release=None))
    assert withheld_results.dimensions(unreleased) == ["meaning", "layout", "readability"]
    assert withheld_results.text(unreleased).startswith(
        "The gate did not pass, and nobody released the"
    )
    assert withheld_results.text(unreleased) in ratings.trusted_text(unreleased)
    assert "A release would not print Layout, on which" in withheld_results.text(unreleased)


@pytest.fixture
def all_failed(make, report):
    """Release of an evaluation whose raters agree on no dimension."""
    names = ("meaning", "layout", "readability")
    return make(verdict=decided(report, **dict.fromkeys(names, "FAIL")))


def test_estimates_that_are_not_printed_are_not_called_free_of_cautions(all_failed):
    page = render_html(all_failed)

    assert certainty.lead(all_failed).startswith("No estimate is printed, so none is checked")
    assert "No caution goes with the estimates" not in page
    assert "There is none:" not in page


def test_the_plan_tells_no_range_of_a_mean_that_is_not_printed(all_failed, report):
    kept = report.sections["plan"]

    assert plan.title(all_failed, kept) == "Planned and achieved"
    rows = {row.what: row.achieved for row in plan.rows(all_failed, kept)}
    assert {text for what, text in rows.items() if "range" in what} == {"not printed"}
    assert rows["Items rated"] == "197"


def test_ratings_without_agreement_are_counted_and_stand_for_no_others(all_failed, report):
    shown = rating_chart.charts(report, ratings.counts(report))
    [rows] = rating_chart.charts(all_failed, ratings.counts(all_failed))
    [means] = rating_chart.charts(all_failed, item_means.shown(all_failed))

    assert [[row.dimension for row in chart] for chart in shown] == [
        ["meaning", "readability"],
        ["layout"],
    ]
    assert not any(rating_chart.low_texts(all_failed, [*rows, *means]))
    for text in (rating_chart.reading(all_failed, rows), item_means.reading(all_failed, means)):
        assert "Agreement was not shown: the bars speak of these items only." in text
        assert "95% ranges" not in text


def test_ratings_with_agreement_are_not_said_to_lack_it(make, report):
    """Nobody released an evaluation because of another dimension."""
    verdict = decided(report, layout="INCONCLUSIVE")
    doubted = make(
        verdict=dataclasses.replace(verdict, decision="INCONCLUSIVE", release=None), outcome=None
    )
    rows = {row.dimension: row for row in ratings.counts(doubted)}
    correlations = report.sections["joint_dimensions"]

    reason = "Agreement on Layout was not shown, and nobody released the evaluation"
    for shown in (["meaning"], ["meaning", "layout"]):
        text = rating_chart.alone_text(doubted, [rows[name] for name in shown])
        assert text == f"{reason}: the bars speak of these items only."
    assert rating_chart.alone_text(doubted, [rows["layout"]]).startswith("Agreement was not shown:")
    assert joint_dimensions.unshown_text(doubted, correlations) == (
        f"{reason}: correlations speak of these items only."
    )


def test_parts_of_the_draw_have_no_mean_where_no_headline_is_printed(make, all_failed, report):
    parts = report.sections["sampling"]

    assert sampling.means_text(report, parts)
    assert sampling.means_text(all_failed, parts) is None
    assert sampling.means_text(make(headline=None), parts) is None


def test_an_hour_that_was_expected_is_one(report):
    kept = dataclasses.replace(report.sections["plan"], hours=1.2)

    assert plan.text(report, kept).endswith(
        "About 1 working hour of all raters together was expected."
    )
