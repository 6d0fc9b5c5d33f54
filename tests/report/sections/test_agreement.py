import dataclasses
import math
import re

import pandas as pd
import pytest

from ocrjury import Estimate, RatingTable, Scale
from ocrjury.bias.findings import BiasFinding
from ocrjury.findings.agreement import JudgeAgreement, PairKappa
from ocrjury.findings.dimensions import Composites, DimensionsFinding
from ocrjury.findings.measurement.agreement import measure_dimension
from ocrjury.findings.measurement.dimensions import measure_dimensions
from ocrjury.gate.verdict import VERDICT_WORDS
from ocrjury.language import speaking
from ocrjury.report.html import render_html
from ocrjury.report.sections import agreement
from ocrjury.report.sections.agreement import agreement_of
from ocrjury.report.sections.cover import verdict_word
from ocrjury.report.sections.differences import DIVIDED_SHOWN, differences_of
from ocrjury.report.sections.joint_dimensions import joint_dimensions_of

LIKERT = Scale.likert(1, 5)
FRAME = pd.DataFrame(
    [
        (f"d{n}", rater, dimension, 1 + (n + shift + extra) % 5)
        for n in range(30)
        for dimension, extra in (("meaning", 0), ("layout", 1))
        for rater, shift in (("R01", 0), ("R02", n % 7 == 0), ("R03", n % 11 == 0))
    ],
    columns=["item", "rater", "dimension", "rating"],
).astype({"rating": int})


@pytest.fixture(scope="module")
def findings():
    return [
        measure_dimension(str(name), RatingTable.from_long(of, scale=LIKERT))
        for name, of in FRAME.groupby("dimension", sort=False)
    ]


@pytest.fixture(scope="module")
def together(findings):
    return measure_dimensions(FRAME, findings, scale=LIKERT)


def test_the_section_prints_the_findings_and_the_items_that_divide_most(findings, together):
    section = agreement_of(findings, together, dimension="layout", basis="all")
    items = differences_of(findings, FRAME, scale=LIKERT, doc_types={"d4": "bill"})

    assert section.dimensions == tuple(findings)
    assert section.pairs == findings[1].pairs.rows
    assert section.pairs_dimension == "layout"
    assert section.pairs_statistic == "cohen_kappa_quadratic"
    assert section.means["icc"].n == 2
    assert 0 < len(items.divided) <= DIVIDED_SHOWN
    assert items.divided[0].ratings[0].rater == "R01"
    assert items.double_rated == 30


def test_the_halo_is_that_of_all_raters(together):
    halo = BiasFinding("halo", None, None, 0.2, "residual correlation")
    other = BiasFinding("halo", "R01", None, 0.2, "residual correlation")

    section = joint_dimensions_of(together, Composites(), [other, halo])

    assert section.halo is halo
    assert section.correlations == together.correlations


def test_with_nothing_to_say_there_is_no_section():
    assert joint_dimensions_of(DimensionsFinding(), Composites(), []) is None


def test_statistics_and_judges_end_where_they_must(findings, together):
    wild = Estimate(0.5, -5.853, 3.0)
    row = dataclasses.replace(
        findings[0],
        estimates=dict.fromkeys(findings[0].estimates, wild),
        judges=(JudgeAgreement("judge", wild, wild),),
        pairs=dataclasses.replace(findings[0].pairs, rows=(PairKappa("R01", "R02", wild),)),
    )

    section = agreement_of([row], together, dimension=row.dimension, basis="all")

    (shown,), ((_, judge),), (pair,) = section.dimensions, section.judges, section.pairs
    assert (shown.get("krippendorff_alpha").low, shown.get("adjacent_agreement").low) == (-1, 0)
    assert (judge.alignment.low, judge.alignment.high, judge.ceiling.high) == (0, 1, 1)
    assert (pair.estimate.low, pair.estimate.high) == (-1, 1)


def test_a_statistic_that_no_dimension_has_is_left_out_and_said_once(report):
    held = report.sections["agreement"]

    def without(*keys):
        nothing = {key: Estimate(math.nan, reason="fewer_than_two_raters") for key in keys}
        rows = tuple(
            dataclasses.replace(row, estimates={**row.estimates, **nothing})
            for row in held.dimensions
        )
        section = dataclasses.replace(held, dimensions=rows)
        return dataclasses.replace(report, sections={**report.sections, "agreement": section})

    assert agreement.known_columns(report) == agreement.COLUMNS
    assert agreement.unknown_text(report) == ""
    assert "icc" not in agreement.known_columns(without("icc"))
    assert agreement.unknown_text(without("icc")) == (
        "Without a value (fewer than two raters): ICC(2,1)."
    )
    alone = without(*agreement.COLUMNS)
    assert agreement.unknown_text(alone) == (
        "No measure of agreement has a value: fewer than two raters."
    )
    with speaking("ko"):
        assert "평가자" in agreement.unknown_text(without("icc"))
    assert 'id="agreement-dimensions"' not in render_html(alone)


@pytest.mark.parametrize("decision", VERDICT_WORDS)
@pytest.mark.parametrize("language", ["en", "ko", "zh"])
def test_the_table_of_dimensions_says_a_verdict_as_the_cover_does(report, decision, language):
    rows = [dataclasses.replace(row, decision=decision) for row in report.verdict.dimensions]
    verdict = dataclasses.replace(report.verdict, dimensions=tuple(rows))

    identity = dataclasses.replace(report.identity, language=language)

    html = render_html(dataclasses.replace(report, verdict=verdict, identity=identity))

    with speaking(language):
        word = verdict_word(decision)
    table = html.partition('id="agreement-dimensions"')[2].partition("</table>")[0]
    pills = re.findall(r'<span class="pill [a-z]+">([^<]*)</span>', table)
    assert pills == [word] * len(report.verdict.dimensions)


def test_reasons_of_the_gate_have_the_minus_of_the_tables(make, report):
    reason = "On Layout, Krippendorff's alpha is -0.084 on R-2 in 2026-11."
    page = render_html(make(verdict=dataclasses.replace(report.verdict, reasons=(reason,))))

    assert "On Layout, Krippendorff’s alpha is −0.084 on R-2 in 2026-11." in page


def test_agreement_below_chance_is_no_part_of_the_way_to_perfect(report):
    section = report.sections["agreement"]
    below = [
        dataclasses.replace(
            row, estimates=row.estimates | {"human_agreement_corrected": Estimate(-0.04)}
        )
        for row in section.dimensions
    ]
    told = dataclasses.replace(
        report,
        sections=report.sections
        | {"agreement": dataclasses.replace(section, dimensions=tuple(below))},
    )

    assert "of the way from chance" in agreement.chance_text(report)
    assert agreement.chance_text(told).endswith("; observed is 0.92.")


def test_coefficients_of_items_that_were_drawn_unequally_are_called_weighted(make, report):
    drawn = tuple(dataclasses.replace(row, weighted=True) for row in report.counts)
    alike = tuple(dataclasses.replace(row, weighted=False) for row in report.counts)
    shown, equal = render_html(make(counts=drawn)), render_html(make(counts=alike))

    # Under the table, beside the kappas of pairs, with correlations, and in the methods.
    assert shown.count("Items are weighted as drawn.") == 4
    assert "Items are weighted as drawn." not in equal
