"""What auxiliaries saved, in the words of the report."""

import dataclasses

import pytest

from ocrjury.findings.pool_estimates import Saving
from ocrjury.report.html import render_html
from ocrjury.report.sections import savings


def test_every_source_has_a_row_and_all_together_come_last(report):
    assert savings.rows(report) == [
        ("Error rate", ["× 1.62", "× 1.20"]),
        ("LLM", ["× 1.31", "—"]),
        ("Document type", ["× 0.99", "—"]),
        ("All of these", ["× 3.90", "—"]),
    ]


def test_the_title_says_what_was_saved_in_all(report):
    assert (
        savings.title(report) == "What is known of the whole pool saved 74% of the items on Meaning"
    )


@pytest.mark.parametrize("needed", [0.98, 1.0, 1.0004, 1.0049])
def test_a_source_that_saves_nothing_is_said_to(report, make, needed):
    row = dataclasses.replace(report.estimates[0], savings=(Saving(source="LLM", needed=needed),))

    assert savings.title(make(estimates=(row,))) == (
        "What is known of the whole pool saved nothing on Meaning"
    )


def test_a_source_that_does_harm_is_said_to_cost_items(report, make):
    saving = Saving(source=None, needed=0.72)  # 72 of 100 items would have been enough
    row = dataclasses.replace(report.estimates[0], savings=(saving,))

    assert savings.title(make(estimates=(row,))) == (
        "What is known of the whole pool cost 28% of the items on Meaning"
    )


def test_without_auxiliaries_there_is_no_table(report, make):
    row = dataclasses.replace(report.estimates[0], savings=())

    assert "Known of the whole pool" not in render_html(make(estimates=(row,)))
    assert "Known of the whole pool" in render_html(report)
