import dataclasses

import pytest

from ocrjury import Estimate
from ocrjury.report.certainty_section import SystemDifference, SystemMean, Systems
from ocrjury.report.html import render_html
from ocrjury.report.sentences import systems


def compared(estimate, dimension="meaning"):
    return Systems(
        dimension,
        (
            SystemMean("cloud", 60, Estimate(3.9, 3.7, 4.1, n_items=40)),
            SystemMean("<i>tess", 60, Estimate(3.5, 3.3, 3.7, n_items=40)),
        ),
        (SystemDifference("cloud", "<i>tess", 21, estimate),),
    )


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (
            Estimate(0.4, 0.1, 0.7),
            "Cloud is better than <i>tess on Meaning by 0.40 points.",
        ),
        (
            Estimate(-0.4, -0.7, -0.1),
            "<i>tess is better than cloud on Meaning by 0.40 points.",
        ),
        (
            Estimate(0.1, -0.2, 0.4),
            "No clear difference between cloud and <i>tess on the pages of this pool.",
        ),
        (Estimate(0.1), "No clear difference between cloud and <i>tess on the pages of this pool."),
    ],
)
def test_the_lead_names_clear_differences(make, estimate, words):
    assert systems.lead(make(systems=(compared(estimate),))) == words


def test_the_chapter_prints_means_and_differences_without_markup(make):
    page = render_html(make(systems=(compared(Estimate(0.4, 0.1, 0.7)),)))

    assert "OCR systems side by side" in page
    assert "<i>tess" not in page
    assert "+0.10 to +0.70" in page
    assert "21 pages" in page
    assert "3.70 to 4.10" in page


def test_a_difference_without_a_range_has_a_dash():
    one = compared(Estimate(0.1)).differences[0]

    assert (systems.difference(one), systems.difference_range(one)) == ("+0.10", "—")


def test_a_dimension_without_shown_agreement_has_no_comparison(make, report):
    failed = compared(Estimate(0.4, 0.1, 0.7), dimension="layout")

    assert systems.shown(make(systems=(failed,))) == []
    assert "side by side" not in render_html(make(systems=(failed,)))
    untrusted = dataclasses.replace(report.verdict, release=None)
    kept = compared(Estimate(0.4, 0.1, 0.7))
    assert systems.shown(make(systems=(kept,), verdict=untrusted)) == []
