import dataclasses
import math

import pytest

from ocrjury import Estimate
from ocrjury.bias.findings import BiasFinding
from ocrjury.findings.dimensions import Correlation
from ocrjury.report.html import render_html
from ocrjury.report.sections import joint_dimensions
from ocrjury.report.sections.joint_dimensions import JointDimensions

SCORE = Estimate(4.05, 3.9, 4.2)
HALO = BiasFinding(
    *("halo", None, None, 0.27, "residual correlation"),
    low=0.17,
    high=0.37,
    p_adjusted=0.002,
    flagged=True,
    level="medium",
)


def test_the_two_that_go_together_most_are_the_title(report):
    assert joint_dimensions.title(report, report.sections["joint_dimensions"]) == (
        "Meaning and Readability go together most: r = 0.83"
    )


def test_two_dimensions_have_one_correlation(report):
    only = JointDimensions(report.sections["joint_dimensions"].correlations[:1])
    undefined = Correlation("meaning", "layout", 1, Estimate(math.nan))
    unknown = JointDimensions((undefined,))
    one_known = JointDimensions((*only.correlations, undefined))

    assert joint_dimensions.title(report, only) == "Layout and Meaning correlate by 0.61"
    assert joint_dimensions.title(report, one_known) == "Layout and Meaning correlate by 0.61"
    assert joint_dimensions.title(report, unknown) == "How dimensions go together cannot be told"


def test_no_two_go_together_most_whose_ranges_meet_those_of_others(report):
    row, _ = report.sections["joint_dimensions"].correlations
    alike = tuple(
        dataclasses.replace(row, estimate=Estimate(r, r - 0.03, r + 0.03))
        for r in (0.88, 0.87, 0.83)
    )

    assert (
        joint_dimensions.title(report, JointDimensions(alike))
        == "Dimensions correlate by 0.83 to 0.88"
    )


def test_correlations_of_dimensions_without_agreement_speak_of_no_other_items(make, report):
    rows = report.sections["joint_dimensions"].correlations
    shown = [row for row in rows if "layout" not in {row.dimension_a, row.dimension_b}]

    assert joint_dimensions.unshown_text(report, JointDimensions(tuple(rows))) == (
        "Correlations with Layout, on which agreement was not shown, speak of these items only."
    )
    assert joint_dimensions.unshown_text(report, JointDimensions(tuple(shown))) is None


@pytest.mark.parametrize(
    ("halo", "words"),
    [
        (
            HALO,
            "the correlation is +0.27 (0.17 to 0.37): part of it is halo, a medium effect.",
        ),
        (
            dataclasses.replace(HALO, effect=0.08, low=-0.01, high=0.17, level="low"),
            "The one-sided test finds halo, a small effect; the two-sided interval includes 0.",
        ),
        (
            dataclasses.replace(HALO, flagged=False, effect=0.03, low=-0.05, high=0.11),
            "+0.03 (−0.05 to 0.11), no more than chance explains: no evidence of halo.",
        ),
        (
            dataclasses.replace(HALO, effect=-0.3, low=-0.4, high=-0.2),
            "raters set dimensions apart more than the items do.",
        ),
        (
            BiasFinding(
                *("halo", None, None, math.nan, "residual correlation"),
                status="not_identifiable",
                reason="too_few_items",
            ),
            "Halo cannot be tested here: too few items.",
        ),
        (None, "Halo was not tested."),
    ],
)
def test_a_high_correlation_is_halo_or_truth(halo, words):
    said = joint_dimensions.meaning(JointDimensions(halo=halo))

    assert said.startswith("A high correlation is truth where items")
    assert said.endswith(words)


def test_a_score_says_what_it_is_made_of(report):
    weighted, component = report.sections["joint_dimensions"].composites
    fallback = dataclasses.replace(
        component, used="mean", loadings=None, note="mean instead: only 8 complete rows"
    )

    assert joint_dimensions.made_of(report, weighted) == "Meaning 60% and Readability 40%"
    assert joint_dimensions.made_of(report, component) == (
        "Loadings Meaning 0.72, Readability 0.69; 78% of the variance"
    )
    assert joint_dimensions.made_of(report, fallback) == "Mean instead: only 8 complete rows."


def test_how_much_the_way_of_making_a_score_matters_is_its_title(report):
    first, second = report.sections["joint_dimensions"].composites
    other = dataclasses.replace(second, others=Estimate(3.9, 3.7, 4.1))

    assert joint_dimensions.composites_title(report, report.sections["joint_dimensions"]) == (
        "All dimensions as one score: 4.05, however it is made"
    )
    assert joint_dimensions.composites_title(
        report, JointDimensions(composites=(first, other))
    ) == ("All dimensions as one score: 3.90 to 4.05, depending on how it is made")
    assert joint_dimensions.composites_title(report, JointDimensions(composites=(first,))) == (
        "All dimensions as one score"
    )


def test_a_score_that_uses_a_failed_dimension_is_marked_and_has_no_number(make, report):
    rows = tuple(
        dataclasses.replace(
            row, weights={**row.weights, "layout": 0.2}, others=Estimate(3.33, 3.1, 3.5)
        )
        for row in report.sections["joint_dimensions"].composites
    )
    page = render_html(
        make(
            joint_dimensions=dataclasses.replace(
                report.sections["joint_dimensions"], composites=rows
            )
        )
    )

    table = page.partition("All dimensions as one score")[2].partition("</table>")[0]
    assert table.count("agreement not shown: it uses Layout") == 2
    assert "3.33" not in table


def test_a_score_of_dimensions_that_passed_is_printed(html):
    rows = html.partition("All dimensions as one score")[2].partition("</table>")[0]

    assert "4.05" in rows
    assert "3.90 to 4.20" in rows
    assert "agreement not shown" not in rows
