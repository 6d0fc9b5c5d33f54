import dataclasses
import math

import pytest

from ocrjury import Estimate
from ocrjury.findings.agreement import JudgeAgreement
from ocrjury.findings.judges import Seat, SeatTest
from ocrjury.report.html import render_html
from ocrjury.report.sections import judges

UNSCORED = Estimate(math.nan, reason="no_items")


def judged(alignment, ceiling):
    return JudgeAgreement("LLM", alignment, ceiling)


def test_the_title_names_the_judge_farthest_below_what_raters_reach(report):
    assert judges.title(report) == "LLM agrees with the raters on Meaning to 0.86 of 0.92 possible"


def test_judges_that_are_equally_far_below_are_all_named(report, make):
    agreement = report.sections["agreement"]
    tied = tuple(
        JudgeAgreement(name, Estimate(reached), Estimate(0.9))
        for name, reached in (("LLM", 0.72), ("VLM", 0.7201), ("OCR", 0.85))
    )
    row = dataclasses.replace(agreement.dimensions[0], judges=tied)

    shown = make(agreement=dataclasses.replace(agreement, dimensions=(row,)))

    assert judges.title(shown) == (
        "LLM on Meaning and VLM on Meaning agree with the raters to 80% of what is possible"
    )


@pytest.mark.parametrize(
    ("alignment", "ceiling", "words"),
    [
        (Estimate(0.8, 0.78, 0.82), Estimate(0.9, 0.88, 0.92), "clearly below"),
        (Estimate(0.89, 0.86, 0.92), Estimate(0.9, 0.88, 0.92), "not clearly different"),
        (Estimate(0.96, 0.95, 0.97), Estimate(0.9, 0.88, 0.92), "clearly above"),
        (Estimate(0.96), Estimate(0.9, 0.88, 0.92), "too little to tell"),
        (UNSCORED, Estimate(0.9, 0.88, 0.92), "no rated item has a score"),
        (
            *(Estimate(math.nan, reason="fewer_than_two_categories"), UNSCORED),
            "fewer than two categories",
        ),
        (
            *(Estimate(0.8, 0.7, 0.9), Estimate(math.nan, reason="fewer_than_two_raters")),
            "fewer than two raters",
        ),
    ],
)
def test_a_judge_is_compared_with_the_raters_among_themselves(alignment, ceiling, words):
    assert judges.against(judged(alignment, ceiling)) == words


def test_the_table_prints_the_ceiling_and_no_number_for_a_judge_without_a_score(html):
    rows = html.partition("LLM agrees with the raters")[2].partition("</table>")[0]

    assert "0.86" in rows
    assert "0.84 to 0.88" in rows
    assert "0.90 to 0.94" in rows
    assert "no rated item has a score" in rows
    assert "nan" not in rows


def test_what_chance_would_reach_is_said_for_the_judged_dimensions_only(report):
    assert judges.chance_text(report) == (
        "A judge that gave every level as often as the raters do, but at random, would reach "
        "0.74 on Meaning."
    )


def test_a_report_without_judges_says_nothing_of_them(make, report):
    dimensions = tuple(
        dataclasses.replace(row, judges=()) for row in report.sections["agreement"].dimensions
    )
    alone = make(agreement=dataclasses.replace(report.sections["agreement"], dimensions=dimensions))

    assert judges.chance_text(alone) is None
    assert "Judge against raters" not in render_html(alone)


def test_judges_who_all_said_nothing_have_a_title_too(make, report):
    row = dataclasses.replace(
        report.sections["agreement"].dimensions[0], judges=(judged(UNSCORED, UNSCORED),)
    )
    silent = make(agreement=dataclasses.replace(report.sections["agreement"], dimensions=(row,)))

    assert judges.title(silent) == "Automatic judges gave nothing that can be compared"


def test_the_seat_is_answered_with_what_makes_the_test_easy(report, html):
    _, row = report.sections["agreement"].judges[0]

    assert judges.seat_text(row) == "yes: of 2 of 3 raters"
    assert judges.seat_text(judged(UNSCORED, UNSCORED)) == "—"
    notes = judges.seat_notes(report)
    assert "within 10% of the items (alternative annotator test)" in notes
    assert notes.endswith("LLM on Meaning: Most items have two ratings.")
    assert "yes: of 2 of 3 raters" in html


def test_a_test_that_fails_or_cannot_be_made_says_so():
    known = {"winning_rate": 0.0, "advantage": 0.5, "allowance": 0.1, "error": 0.05}
    seat = Seat(
        rater="R1", n_items=40, judge_wins=0.4, rater_wins=0.9, p_value=0.9, replaceable=False
    )

    assert SeatTest(passes=False, **known, seats=(seat,)).words == "no: of 0 of 1 rater"
    few = SeatTest(passes=None, **known, reason="too_few_common_items")
    assert few.words == "not known: too few items in common"
