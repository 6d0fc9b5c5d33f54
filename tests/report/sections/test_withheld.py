import dataclasses
import re

import pytest

from ocrjury.findings.systems import Systems
from ocrjury.report import render_html
from ocrjury.report.outcome import outcome_of
from ocrjury.report.sections import certainty, cover, ratings, systems, withheld


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

    assert withheld.dimensions(nothing) == list(names)
    assert "No result is shown while" in cover.outcome_text(nothing)
    assert "is printed" not in cover.outcome_text(nothing)


def test_what_was_computed_and_is_not_printed_is_named(failed, report):
    assert withheld.text(failed) == (
        "The raters do not agree well enough on Meaning. For that reason this was computed and is "
        "not printed: means and shares, the headline, document types and the trend, and every "
        "score that combines it with others."
    )
    assert withheld.text(failed) in ratings.trusted_text(failed)
    assert withheld.dimensions(report) == ["layout"]


def test_where_all_is_printed_nothing_is_withheld(make, report):
    passed = make(verdict=decided(report))

    assert withheld.text(passed) is None
    assert withheld.cover_text(passed) is None
    unreleased = make(verdict=dataclasses.replace(report.verdict, release=None))
    assert withheld.dimensions(unreleased) == ["meaning", "layout", "readability"]
    assert withheld.text(unreleased).startswith("The gate did not pass, and nobody released the")
    assert withheld.text(unreleased) in ratings.trusted_text(unreleased)
