"""Bias and drift of judges, in the words of the report."""

import math

import pytest

from ocrjury import Estimate
from ocrjury.findings.judges import JudgeBias, JudgeBiases
from ocrjury.findings.trend import TrendRow
from ocrjury.report.html import render_html
from ocrjury.report.sections import judge_bias

NONE = Estimate(math.nan)


def biases(*rows, dimension="meaning", judge="LLM"):
    found = JudgeBias(
        judge=judge,
        rows=tuple(
            TrendRow(evaluation=f"e{place}", period=f"p{place}", mean=mean, change=change)
            for place, (mean, change) in enumerate(rows)
        ),
    )
    return judge_bias.Biases((JudgeBiases(dimension=dimension, judges=(found,)),))


def with_biases(report, make, found):
    return make(sections={**report.sections, "judge_bias": found})


@pytest.mark.parametrize(
    ("mean", "change", "words"),
    [
        (Estimate(0.21, 0.1, 0.32), NONE, "LLM is 0.21 points above the raters on Meaning"),
        (
            *(Estimate(-0.4, -0.5, -0.3), Estimate(-0.3, -0.4, -0.2)),
            (
                "LLM is 0.40 points below the raters on Meaning; LLM moved by −0.30 on Meaning "
                "since the evaluation before"
            ),
        ),
        (
            *(Estimate(0.02, -0.1, 0.14), Estimate(0.01, -0.1, 0.12)),
            "No judge is clearly above or below the raters",
        ),
        (NONE, NONE, "No judge can be compared with the raters"),
    ],
)
def test_the_title_names_the_judge_farthest_from_the_raters(report, make, mean, change, words):
    assert judge_bias.title(with_biases(report, make, biases((mean, change)))) == words


def test_every_evaluation_has_a_line_with_its_change(report, make):
    first = (Estimate(0.21, 0.1, 0.32, n_items=198), NONE)
    second = (Estimate(0.1, 0.0, 0.2, n_items=150), Estimate(-0.11, -0.2, -0.02))

    text = render_html(with_biases(report, make, biases(first, second)))

    table = text.partition("LLM is 0.10 points above")[2]
    assert not table  # 0 is in the interval of the newest
    table = text.partition("Judge less raters</th>")[2].partition("</table>")[0]
    assert "+0.21" in table
    assert "+0.10 to +0.32" in table
    assert "−0.20 to −0.02" in table
    assert "Judge less rater" not in render_html(report)


def test_nothing_is_printed_of_a_dimension_on_which_raters_disagree(report, make):
    found = biases((Estimate(0.21, 0.1, 0.32), NONE), dimension="layout")

    assert judge_bias.lines(with_biases(report, make, found)) == []
