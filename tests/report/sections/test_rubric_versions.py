import dataclasses
from datetime import UTC, datetime

from ocrjury.report.html import render_html
from ocrjury.report.sections import rubric_versions
from ocrjury.report.sections.rubric_versions import RubricVersions, VersionRow
from tests.report.test_golden import words_of

AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
FACTS = {"item": "d<1>", "dimension": "meaning", "reason": "<b>Raters</b> differ."}
VERSIONS = RubricVersions(
    rows=(
        VersionRow(version=1, change="opening", ratings=120, at=AT, actor="lead"),
        VersionRow(version=2, change="case", ratings=80, at=AT, actor="J. K", level="3", **FACTS),
        VersionRow(version=3, change="undo", ratings=120, at=AT, actor="J. K", undoes=2, **FACTS),
    ),
    at_gate=2,
    on_cases=3,
    at_gate_on_cases=1,
)


def test_a_report_without_changes_says_nothing_of_versions(report):
    assert "Versions of the rubric" not in words_of(render_html(report))


def test_the_report_says_what_changed_and_that_the_gate_covers_two_rubrics(report):
    sections = {**report.sections, "rubric_versions": VERSIONS}

    page = render_html(dataclasses.replace(report, sections=sections))

    text = " ".join(words_of(page).split())
    assert "Boundary case added: d<1>, Meaning, level 3" in text
    assert "Boundary case of version 2 taken back: d<1>, Meaning" in text
    assert "covers ratings by 2 different rubrics" in text
    assert "3 ratings are of items that were boundary cases of their rubric" in text
    assert "<b>Raters</b>" not in page


def test_one_rubric_at_the_gate_is_said_to_be_one():
    text = rubric_versions.about(dataclasses.replace(VERSIONS, at_gate=1, on_cases=0))

    assert "All ratings by which the gate judges know the same rubric." in text
    assert "boundary case" not in text


def test_a_first_version_that_a_flow_made_is_the_campaigns():
    first, second, _ = VERSIONS.rows

    assert rubric_versions.author(dataclasses.replace(first, actor="campaign")) == "Campaign"
    assert rubric_versions.author(first) == "lead"
    assert rubric_versions.author(dataclasses.replace(second, actor="campaign")) == "campaign"
