"""A report on the ratings of one rater says what one rater cannot show, and claims no more."""

import dataclasses
import math

import pytest

from ocrjury import Estimate
from ocrjury.findings.agreement import Disagreements
from ocrjury.report.html import SENTENCES
from ocrjury.report.outcome import outcome_of
from ocrjury.report.sections.agreement import Agreement
from tests.report.conftest import TARGET

say = SENTENCES
NONE = Disagreements(threshold=2, n_items=0, n=0, rate=math.nan)
UNKNOWN = Estimate(3.82, reason="fewer_than_two_raters")


def of_one(finding):
    return dataclasses.replace(finding, profiles=finding.profiles[:1], disagreements=NONE)


@pytest.fixture
def alone(report):
    """The report as it would be with one rater."""
    raters = report.sections["raters"]
    bias = tuple(dataclasses.replace(row, tested=0, flagged=0, standing=0) for row in raters.bias)
    agreement = report[Agreement]
    findings = tuple(map(of_one, agreement.dimensions))
    sources = dataclasses.replace(
        report.headline.sources,
        raters=report.headline.sources.raters[:1],
        df=math.nan,
        variance={},
    )
    headline = dataclasses.replace(
        report.headline, others=UNKNOWN, uncorrected=None, sources=sources
    )
    return dataclasses.replace(
        report,
        headline=headline,
        outcome=outcome_of(UNKNOWN, TARGET, trusted=True),
        sections={
            **report.sections,
            "raters": dataclasses.replace(raters, rows=raters.rows[:1], bias=bias),
            "agreement": dataclasses.replace(agreement, dimensions=findings),
        },
    )


def test_the_decision_is_a_second_rater(alone):
    assert say.request.decision(alone).startswith("Have a second rater rate the items")


def test_the_decision_is_a_second_rater_while_agreement_is_in_doubt(alone):
    verdict = dataclasses.replace(
        alone.verdict, decision="INCONCLUSIVE", dimensions=(), release=None
    )

    asked = say.request.decision(dataclasses.replace(alone, verdict=verdict))

    assert asked.startswith("Have a second rater rate the items")


def test_the_statement_takes_no_severity_off_and_has_no_variance_between_raters(alone):
    rows = {row.name: row.text for row in say.statement.rows(alone)}

    assert "the ratings of the one rater are taken as they were given" in rows["Estimator"]
    assert rows["Variance"].endswith("one rater does not show how raters differ.")
    assert rows["Degrees of freedom"] == "None: the headline has no range."


def test_tests_that_could_not_be_made_found_not_nothing(alone):
    raters = alone.sections["raters"]
    rows = tuple(dataclasses.replace(row, flags=()) for row in raters.rows)

    text = say.bias.tests_text(dataclasses.replace(raters, rows=rows))

    assert text == "No test of bias could be made."
    assert "Tests for bias" not in [method.title for method in say.methods.paragraphs(alone)]


def test_nobody_is_ranked_and_no_mean_is_taken_apart(alone):
    first = say.profiles.dimensions(alone)[0]

    assert say.profiles.lead(alone) == "1 rater on 3 dimensions."
    assert "Rank" not in [column.head for column in say.profiles.columns(first)]
    assert "strictest" not in say.profiles.reading(alone)
    assert say.sources.known(alone) is None


def test_signs_that_need_two_ratings_are_not_said_to_be_absent(alone):
    text = say.differences.no_signs_text(alone)

    assert text == "There are none: no rater with one and the same value throughout."
