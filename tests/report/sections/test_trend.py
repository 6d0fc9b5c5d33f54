import dataclasses
import math

import pytest

from ocrjury import Estimate
from ocrjury.findings.trend import Trend, TrendRow
from ocrjury.report.html import render_html
from ocrjury.report.outcome import PrintedTarget
from ocrjury.report.sections import summary, trend

NAN = math.nan


def changed(report, change, *, both=91, **more):
    rows = (
        *report.trend.rows[:-1],
        dataclasses.replace(report.trend.newest, change=change, both=both),
    )
    return dataclasses.replace(report.trend, mean=rows, **more)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            Estimate(0.16, 0.04, 0.28),
            "Since 2026w46, the mean on Meaning rose by 0.16 points (95% range +0.04 to +0.28).",
        ),
        (
            Estimate(-0.2, -0.3, -0.1),
            "Since 2026w46, the mean on Meaning fell by 0.20 points (95% range −0.30 to −0.10).",
        ),
        (
            Estimate(0.05, -0.1, 0.2),
            (
                "Since 2026w46, the mean on Meaning did not change clearly: +0.05 points (95% "
                "range −0.10 to +0.20)."
            ),
        ),
        (
            Estimate(0.05),
            "Since 2026w46, the mean on Meaning moved by +0.05 points, with an unknown range.",
        ),
        (Estimate(NAN), "How the mean on Meaning changed since 2026w46 cannot be told."),
    ],
)
def test_the_newest_change_is_told_with_its_range(report, change, words):
    assert trend.change_text(report, changed(report, change)) == words


def test_the_lead_says_on_how_many_documents_it_rests(report):
    assert trend.lead(report, report.trend).endswith(
        "91 items were rated in both and compared with themselves."
    )
    alone = changed(report, Estimate(0.1, 0, 0.2), both=0)
    assert "No item was rated in both" in trend.lead(report, alone)


def test_the_chart_is_titled_by_its_ends(report):
    assert trend.title(report, report.trend) == "Meaning between 3.90 (2026w45) and 4.12 (2026w47)"
    still = dataclasses.replace(report.trend, mean=report.trend.rows[-1:] * 2)
    assert trend.title(report, still) == "Meaning stands at 4.12 in every evaluation"
    again = dataclasses.replace(report.trend.newest, period="2026w45", evaluation="claims-again")
    twice = dataclasses.replace(report.trend, mean=(report.trend.rows[0], again))
    assert "4.12 (claims-again)" in trend.title(report, twice)
    even = dataclasses.replace(report.trend, mean=(*report.trend.rows, again))
    assert trend.title(report, even).endswith("and 4.12 (2026w47 and claims-again)")
    one = dataclasses.replace(report.trend, mean=report.trend.rows[-1:])
    assert trend.title(report, one) == "Too few evaluations have a number"


def test_the_chart_is_said_in_words(report, html):
    said = trend.alternative(report, report.trend)

    assert "2026w45 3.90 (3.70 to 4.10); 2026w46 3.96 (3.77 to 4.15)" in said
    assert f"<title>{said}</title>" in html


def test_the_axis_holds_numbers_and_target_and_stays_on_the_scale(report, make):
    low, high = trend.ends(report, report.trend)

    assert low <= 3.7
    assert 4.31 <= high <= 5
    nothing = dataclasses.replace(
        report.trend, mean=(dataclasses.replace(report.trend.newest, mean=Estimate(NAN)),)
    )
    assert trend.ends(make(target=None), nothing) == (1, 5)


def test_a_share_is_told_in_percentage_points(make):
    rows = (
        TrendRow(evaluation="a", period="a", mean=Estimate(0.7, 0.6, 0.8), change=Estimate(NAN)),
        TrendRow(
            evaluation="b",
            period="b",
            mean=Estimate(0.8, 0.7, 0.9),
            change=Estimate(0.1, 0.02, 0.18),
            both=1,
        ),
    )
    shares = Trend(dimension="meaning", mean=(), share=rows, share_at_least=4)
    target = PrintedTarget(dimension="meaning", value=0.8, share_at_least=4)
    report = make(trend=shares, target=target)

    assert trend.lead(report, shares) == (
        "Since a, the share rated 4 or better on Meaning rose by 10.0 percentage points (95% range "
        "+2.0 to +18.0). 1 item was rated in both and compared with itself."
    )
    assert trend.title(report, shares) == "Meaning between 70.0% (a) and 80.0% (b)"
    assert "Share of the pool rated 4 or better" in trend.subtitle(shares)
    low, high = trend.ends(report, shares)
    assert 0 <= low <= 0.6
    assert 0.9 <= high <= 1
    assert "percentage points" in render_html(report)


def test_another_rubric_and_evaluations_left_out_are_told(report, html):
    notes = trend.notes(report, report.trend)

    assert notes == [
        "Corrected by gold, as the headline is.",
        "The rubric differed in 2026w45; part of a change may come from that.",
        "korean-claims-2026w44 is left out, because the raters did not agree.",
    ]
    assert all(note in html for note in notes)


def test_the_summary_tells_the_change(report):
    found = [finding.title for finding in summary.findings(report)]

    assert trend.change_text(report, report.trend) in found
    assert len(found) == 5


def test_without_a_shown_headline_there_is_no_trend(make, report):
    verdict = dataclasses.replace(report.verdict, release=None)
    page = render_html(make(verdict=verdict))

    assert "Over time" not in page
    assert trend.change_text(report, report.trend) not in page


def test_the_range_of_a_change_is_not_said_to_be_short():
    """Raters who changed can make it longer than the ranges of both evaluations suggest."""
    assert "suggest" not in trend.READING
    assert "make the range of a change shorter." in trend.READING
    assert "raters who changed in unlike ways in between, which makes it longer." in trend.READING
