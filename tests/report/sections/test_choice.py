import dataclasses

import pytest

from ocrjury import Estimate
from ocrjury.findings.systems import SystemDifference, SystemMean, Systems
from ocrjury.report.html import render_html
from ocrjury.report.outcome import outcome_of
from ocrjury.report.sections import choice, request, summary


def compared(means, *, wider=0.0, **differences):
    """Systems on the headline's dimension; differences by ``a_b``, for others by so much wider."""
    pairs = tuple(
        SystemDifference(
            *pair.split("_"), 20, by, Estimate(by.value, by.low - wider, by.high + wider)
        )
        for pair, by in differences.items()
    )
    systems = tuple(
        SystemMean(name, 60, Estimate(mean, mean - 0.1, mean + 0.1)) for name, mean in means.items()
    )
    return Systems("meaning", systems, pairs)


CLEAR = compared({"cloud": 3.5, "tess": 4.3}, cloud_tess=Estimate(-0.8, -1.1, -0.5))
OPEN = compared({"cloud": 4.2, "tess": 4.3}, cloud_tess=Estimate(-0.1, -0.3, 0.1))
BEST = compared(
    {"a": 4.4, "b": 3.9, "c": 3.8},
    a_b=Estimate(0.5, 0.2, 0.8),
    a_c=Estimate(0.6, 0.3, 0.9),
    b_c=Estimate(0.1, -0.2, 0.4),
)
NO_BEST = compared(
    {"a": 4.4, "b": 4.3, "c": 3.8},
    a_b=Estimate(0.1, -0.2, 0.4),
    a_c=Estimate(0.6, 0.3, 0.9),
    b_c=Estimate(0.5, 0.2, 0.8),
)


TASTE = compared({"cloud": 3.5, "tess": 4.3}, wider=1, cloud_tess=Estimate(-0.8, -1.1, -0.5))
TASTES = compared(
    {"a": 4.4, "b": 3.9, "c": 3.8},
    wider=0.25,
    a_b=Estimate(0.5, 0.2, 0.8),
    a_c=Estimate(0.6, 0.3, 0.9),
    b_c=Estimate(0.1, -0.2, 0.4),
)


@pytest.mark.parametrize(
    ("row", "title", "text"),
    [
        (
            TASTE,
            (
                "These raters find tess better than cloud on Meaning by 0.80 points "
                "(0.50 to 1.10); other raters might not (−0.50 to +2.10)."
            ),
            "Mean ratings: tess 4.30 (4.20 to 4.40); cloud 3.50 (3.40 to 3.60).",
        ),
        (
            TASTES,
            "These raters find a the best of 3 systems on Meaning; other raters might not.",
            (
                "Differences: a less b +0.50 (−0.05 to +1.05); a less c +0.60 (+0.05 to +1.15); "
                "b less c +0.10 (−0.45 to +0.65)."
            ),
        ),
        (
            CLEAR,
            "Tess is better than cloud on Meaning by 0.80 points (0.50 to 1.10).",
            "Mean ratings: tess 4.30 (4.20 to 4.40); cloud 3.50 (3.40 to 3.60).",
        ),
        (
            OPEN,
            "cloud and tess cannot be told apart on Meaning.",
            (
                "Mean ratings: tess 4.30 (4.20 to 4.40); cloud 4.20 (4.10 to 4.30). "
                "Differences: cloud less tess −0.10 (−0.30 to +0.10)."
            ),
        ),
        (
            BEST,
            "a is the best of 3 systems on Meaning.",
            (
                "Differences: a less b +0.50 (+0.20 to +0.80); a less c +0.60 (+0.30 to +0.90); "
                "b less c +0.10 (−0.20 to +0.40)."
            ),
        ),
        (NO_BEST, "No system is clearly the best on Meaning.", "a less c +0.60 (+0.30 to +0.90)"),
    ],
)
def test_the_summary_says_which_system_is_better(make, row, title, text):
    findings = summary.findings(make(systems=(row,)))

    titles = [finding.title for finding in findings]
    pooled = next(place for place, text_ in enumerate(titles) if text_.startswith("Mean rating of"))
    assert titles.index(title) < pooled
    assert text in findings[titles.index(title)].text


def test_systems_of_which_too_few_items_are_rated_come_last():
    few = SystemMean("few", 60, Estimate(float("nan"), reason="too_few_items"))
    known = compared({"a": 3.9, "b": 4.4}, a_b=Estimate(-0.5, -0.8, -0.2))
    row = dataclasses.replace(known, systems=(known.systems[0], few, known.systems[1]))

    assert choice.text(row).startswith(
        "Mean ratings: b 4.40 (4.30 to 4.50); a 3.90 (3.80 to 4.00); few undefined"
    )


def test_the_decision_names_the_better_system_and_goes_by_its_own_outcome(make, report):
    inside = outcome_of(Estimate(3.9, 3.7, 4.1), report.target, trusted=True)

    def decision(row, **changes):
        return request.decision(make(systems=(row,), **{"outcome": inside} | changes))

    assert decision(CLEAR).startswith("Choose tess. Accept the OCR output")
    assert decision(BEST).startswith("Choose a. Accept the OCR output")
    for row in (OPEN, NO_BEST, TASTE, TASTES):
        assert decision(row).startswith("Have more rated")
    assert decision(CLEAR, outcome=None, target=None).startswith("Choose tess. Set a target")


def test_systems_on_different_pages_are_no_finding_and_no_choice(make, report):
    apart = compared({"cloud": 3.5, "tess": 4.3})

    assert choice.best(apart) is None
    assert summary.findings(make(systems=(apart,))) == summary.findings(report)


def test_a_system_is_not_chosen_on_a_dimension_that_is_not_printed(make, report):
    untrusted = dataclasses.replace(report.verdict, release=None)
    page = render_html(make(systems=(CLEAR,), verdict=untrusted))

    assert "Choose tess" not in page
    assert "is better than" not in page
