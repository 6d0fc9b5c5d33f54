import dataclasses
import math

import pytest

from ocrjury.estimate import Estimate
from ocrjury.findings.agreement import Disagreements, Pattern, Suggestion
from ocrjury.report.data import ScaleLabels
from ocrjury.report.evidence import PrintedRating
from ocrjury.report.html import render_html
from ocrjury.report.sections import differences, item_means, rating_chart
from ocrjury.report.sections.differences import Differences, DividedRow
from ocrjury.report.sections.items import ratings_text

FAR = Disagreements(threshold=2, n_items=200, n=10, rate=0.05)
NOMINAL = ScaleLabels(
    levels=(0, 1), anchors=("stamp", "text"), text="nominal stamp, text", kind="nominal"
)


def with_dimensions(make, report, **changes):
    """The report whose first dimension is changed, and has no other."""
    row = dataclasses.replace(report.sections["agreement"].dimensions[0], **changes)
    return make(agreement=dataclasses.replace(report.sections["agreement"], dimensions=(row,)))


def test_the_lead_counts_items_that_divide_raters(make, report):
    assert differences.lead(report) == (
        "On 17 of 200 items with two or more ratings (8.5%), these lie two levels or more apart "
        "on some dimension. Weighted as drawn, that is 9.4%, 95% interval 5.8% to 14.8%."
    )
    alike = dataclasses.replace(report.sections["differences"], share=Estimate(0.085, 0.051, 0.135))
    assert differences.lead(make(differences=alike)).endswith(
        "apart on some dimension; 95% interval 5.1% to 13.5%."
    )
    assert differences.lead(make(differences=Differences())) == (
        "No item has two ratings, so nothing shows how raters differ."
    )
    continuous = dataclasses.replace(report.sections["differences"], disagreements=None)
    assert differences.lead(make(differences=continuous)) == "200 items have two or more ratings."


def test_the_title_names_the_dimension_with_the_highest_rate(make, report):
    nowhere = with_dimensions(make, report, disagreements=dataclasses.replace(FAR, n=0, rate=0.0))
    unknown = with_dimensions(
        make, report, disagreements=Disagreements(threshold=2, n_items=0, n=0, rate=math.nan)
    )

    assert differences.rows_title(report) == "Raters lie far apart most often on Layout: 10.2%"
    two = tuple(
        dataclasses.replace(row, disagreements=dataclasses.replace(FAR, n=17, rate=0.085))
        for row in report.sections["agreement"].dimensions[:2]
    )
    tied = make(agreement=dataclasses.replace(report.sections["agreement"], dimensions=two))
    assert differences.rows_title(tied) == (
        "Raters lie far apart on 8.5% of the items, by dimension"
    )
    one = make(agreement=dataclasses.replace(report.sections["agreement"], dimensions=two[:1]))
    alone = report.name(two[0].dimension)
    assert differences.rows_title(one) == f"Raters lie far apart on {alone}: 8.5%"
    near = dataclasses.replace(two[0].disagreements, rate=0.091)
    apart = (two[0], dataclasses.replace(two[1], disagreements=near))
    unclear = make(agreement=dataclasses.replace(report.sections["agreement"], dimensions=apart))
    assert differences.rows_title(unclear) == (
        "Raters lie far apart on 8.5% to 9.1% of the items, by dimension"
    )
    assert differences.rows_title(nowhere) == "Nowhere do raters lie far apart"
    assert differences.rows_title(unknown) == "How often raters lie far apart"


@pytest.mark.parametrize(
    ("kind", "threshold", "words"),
    [
        ("likert", 2, "2 or more levels apart"),
        ("interval", 50, "50 or more points apart"),
        ("binary", 1, "different"),
        ("nominal", 1, "different"),
    ],
)
def test_far_apart_means_what_the_scale_allows(make, report, kind, threshold, words):
    scale = ScaleLabels(levels=(0, 1), anchors=("a", "b"), kind=kind)
    found = dataclasses.replace(FAR, threshold=threshold)
    changed = with_dimensions(make, report, disagreements=found)

    [(_, _, far), *_] = differences.rows(dataclasses.replace(changed, scale=scale))

    assert far == words


def test_a_divided_item_shows_every_rating_in_the_order_of_the_dimensions(make, report):
    first, second = report.sections["differences"].divided

    assert ratings_text(report, first.ratings) == "R01 1/1/3 · R06 5/5/4"
    assert ratings_text(report, second.ratings) == "R02 –/2/– · R05 –/5/–"
    assert differences.where(report, first) == "Meaning and Layout"
    named = DividedRow("x", None, 1.0, ("meaning",), (PrintedRating("R01", {"meaning": 1.0}),))
    assert ratings_text(make(scale=NOMINAL), named.ratings) == "R01 text/–/–"


def test_signs_of_a_kind_share_their_advice(report):
    wide, single = differences.signs(report)

    assert [name for name, _ in wide.found] == ["Layout", "Readability"]
    assert wide.found[0][1] == "The ratings of 3 of 200 items are 4 or more points apart."
    assert wide.advice == "Read these items together before anything else."
    assert single.advice == "Ask whether the scale was understood."


def test_every_kind_of_sign_has_advice(make, report):
    kinds = ("wide_range", "split", "rater_means", "single_value")
    patterns = tuple(Pattern(kind, (), f"{kind}.") for kind in kinds)
    found = differences.signs(with_dimensions(make, report, patterns=patterns))

    assert len({sign.advice for sign in found}) == 4
    assert "Discuss it with the raters." not in {sign.advice for sign in found}


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("likert", "no item with ratings at both ends of the scale, no two raters"),
        ("binary", "There are none: no item on which raters are split, no rater with"),
        ("nominal", "There are none: no rater with one and the same value throughout."),
    ],
)
def test_without_a_sign_it_is_said_what_was_looked_for(make, kind, words):
    scale = ScaleLabels(levels=(0, 1), anchors=("a", "b"), kind=kind)

    assert words in differences.no_signs_text(make(scale=scale))


def test_suggestions_bear_their_dimension(make, report):
    said = Suggestion("fewer", "Only 21% of the pairs are equal: ask for pass or fail.")
    changed = with_dimensions(make, report, suggestions=(said,))

    assert differences.suggestions(report) == [
        ("Layout", "Add an anchor example for every level of the scale.")
    ]
    assert differences.suggestions(changed)[0][1].startswith("Only 21% of the pairs")


def test_the_chart_of_item_means_says_its_finding_and_its_numbers(make, report):
    one = with_dimensions(make, report)
    none = with_dimensions(make, report, item_means=())

    rows, apart = rating_chart.charts(report, item_means.shown(report))
    assert item_means.title(report, rows) == (
        "8% to 9% of the items have a mean of 1 or 2, by dimension"
    )
    assert item_means.title(report, apart) == "23% of the items have a mean of 1 or 2 on Layout"
    assert item_means.title(one, item_means.shown(one)) == (
        "8% of the items have a mean of 1 or 2 on Meaning"
    )
    assert "Meaning (200 items) 1: 3%, 2: 5%, 3: 11%, 4: 31%, 5: 51%" in (
        item_means.alternative(report, rows)
    )
    assert item_means.shown(none) == []


def test_one_item_divides_raters_and_several_divide_them(make, report):
    held = report.sections["differences"]
    alone = make(differences=dataclasses.replace(held, divided=held.divided[:1]))

    assert differences.divided_title(alone) == "The item that divides raters most"
    assert differences.divided_title(report) == "The 2 items that divide raters most"


def test_signs_of_trouble_have_the_apostrophes_of_the_report(make, report):
    sign = Pattern("single_value", ("R03",), "All of R03's ratings are 4.")

    page = render_html(with_dimensions(make, report, patterns=(sign,)))

    assert "All of R03’s ratings are 4." in page
