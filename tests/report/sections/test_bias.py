import dataclasses

import pytest

from ocrjury.bias.findings import BiasFinding
from ocrjury.language import speaking
from ocrjury.pages.bias_rows import bias_rows
from ocrjury.report.html import render_html
from ocrjury.report.sections import bias


def with_bias(make, report, *findings):
    return make(raters=dataclasses.replace(report.sections["raters"], bias=bias_rows(findings)))


def untold(kind, unit, reason):
    nothing = float("nan")
    return BiasFinding(kind, None, None, nothing, unit, status="not_identifiable", reason=reason)


def test_the_lead_counts_tests_and_what_they_found(make, report):
    mild = BiasFinding("severity", "R01", "meaning", 0.1, "points", p_adjusted=0.6)
    quiet = with_bias(make, report, mild)
    unknown = with_bias(make, report, untold("halo", "residual correlation", "no_items"))

    assert bias.lead(report) == (
        "8 tests, of which 4 found something: severity, halo and straight-lining. 2 further tests "
        "could not be made."
    )
    assert bias.lead(quiet) == "1 test found nothing."
    assert bias.lead(unknown) == "The 1 test could not be made: no items were rated."


def test_findings_of_which_none_stands_are_said_to(make, report):
    found = {"status": "tested", "flagged": True, "p_adjusted": 0.01, "p_overall": 0.2}
    severe, mild = (
        BiasFinding("severity", rater, "meaning", -0.4, "points", **found)
        for rater in ("R01", "R02")
    )

    assert bias.overall_text(with_bias(make, report, severe)) == (
        "Adjusted for all 1 test of all kinds together, the 1 finding no longer stands."
    )
    assert "none of the 2 findings still stands" in bias.overall_text(
        with_bias(make, report, severe, mild)
    )


def test_one_reason_for_no_test_at_all_stands_in_place_of_the_table(make, report):
    kinds = ("halo", "residual correlation"), ("severity", "points")
    alike = with_bias(make, report, *(untold(*kind, "fewer_than_two_raters") for kind in kinds))
    unlike = with_bias(make, report, untold(*kinds[0], "no_items"), untold(*kinds[1], "no_order"))

    assert bias.lead(alike) == "None of 2 tests could be made: fewer than two raters."
    assert 'id="bias-tests"' not in render_html(alike)
    assert bias.lead(unlike) == "None of 2 tests could be made; the table says why."
    assert 'id="bias-tests"' in render_html(unlike)


@pytest.mark.parametrize(
    ("language", "lead", "outcome"),
    [
        (
            "ko",
            "검정 1건 중 1건에서 편향이 발견되었습니다: 엄격성.",
            "평가자 1명 중 1명에서 발견됨: R01, 다른 평가자보다 낮게 평가함",
        ),
        (
            "zh",
            "1 项检验中有 1 项发现偏差：严厉度。",
            "1 名评分者中的 1 名有此偏差：R01 评分低于其他评分者",
        ),
    ],
)
def test_a_finding_is_said_in_the_readers_language(make, report, language, lead, outcome):
    strict = BiasFinding(
        "severity", "R01", "meaning", -0.6, "points", p_adjusted=0.01, flagged=True
    )
    found = with_bias(make, report, strict)

    with speaking(language):
        assert bias.lead(found) == lead
        assert found.sections["raters"].bias[0].outcome == outcome


def test_every_status_has_its_row_and_its_words(html):
    rows = html.partition('id="bias"')[2].partition("</table>")[0]

    for words in (
        "R03 −0.43",
        "found on 1 of 5 raters: R03 rates lower than colleagues",
        "cannot be told on 1: too few items in common",
        "Meaning · each rater",
        "all · average rater",
        "cannot be told: the order of the ratings is not known",
        "&lt; 0.001",
        "Straight-lining",
    ):
        assert words in rows


def test_every_test_has_the_unit_of_its_effect(report, html):
    units = {row.name: row.words.unit for row in report.sections["raters"].bias}

    assert units["Straight-lining"] == "answers"
    assert "Straight-lining: identical answers in a row, the longest run" in bias.effects(report)
    assert units["Halo"] == "correlation"
    assert all(f"<td>{unit}</td>" in html for unit in units.values())
    assert bias.caption(report) == "All 10 tests"


def test_a_report_without_tests_has_no_such_chapter(make, report):
    page = render_html(with_bias(make, report))

    assert 'id="bias"' not in page
    assert "Tests for bias" not in page
