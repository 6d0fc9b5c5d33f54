import dataclasses

import pytest

from ocrjury import Estimate
from ocrjury.findings.routing import RoutingFinding
from ocrjury.report.html import SENTENCES, render_html

say = SENTENCES.routing
FOUND = RoutingFinding(
    dimension="meaning",
    share=Estimate(0.55, 0.4, 0.7),
    threshold=0.93,
    wrong=Estimate(0.04, 0.01, 0.09),
    risk=0.1,
    all_wrong=Estimate(0.36, 0.3, 0.42),
    usable_level=4.0,
    pool=1525,
    unsure=12,
    error=5.0,
    check=0.5,
    currency="EUR",
)


@pytest.fixture
def routed(report):
    return dataclasses.replace(report, sections={**report.sections, "routing": FOUND})


def test_the_proven_share_is_what_is_promised(routed):
    assert say.title(routed, FOUND) == (
        "40% of the documents need no check: at most 10.0% of them are not usable"
    )
    assert say.title(routed, FOUND) in render_html(routed)


def test_savings_count_the_errors_that_nobody_finds(routed):
    said = say.text(routed, FOUND)

    # .4 x (.5 - 5 x .04) for a document; nothing checked: 5 x .36
    assert "saves up to about 120 EUR for each 1,000 documents" in said
    assert "so there tend to be more" in said
    assert "checking none would cost 1,800 EUR" in said
    assert "By the ratings, 55.0% (40.0% to 70.0%) could go unchecked" in said
    assert "Above an OCR confidence of 0.93, 4.0% (1.0% to 9.0%) are not usable" in said
    assert said.endswith("12 documents have no confidence and are always checked.")


def test_ends_that_meet_are_no_range(routed):
    whole = dataclasses.replace(FOUND, share=Estimate(0.85, 0.85, 0.85))
    nothing = dataclasses.replace(FOUND, share=Estimate(0.0, 0.0, 0.0))

    assert say.text(routed, whole).startswith("By the ratings, at least 85.0% could go unchecked:")
    assert say.text(routed, nothing).startswith("By the ratings, no document could go unchecked:")


def test_where_nothing_could_go_unchecked_no_share_of_it_is_called_confident(routed):
    found = dataclasses.replace(FOUND, share=Estimate(0.0, 0.0, 0.15))

    told = say.text(routed, found)
    assert told.startswith("By the ratings, no document could go unchecked: even of the most")
    assert "At the upper end of the 95% range, 15.0% could." in told


def test_the_reader_learns_why_nothing_is_proven_and_what_wrong_means_here(routed):
    none = dataclasses.replace(FOUND, share=Estimate(0.3, 0.0, 0.6))

    told = say.text(routed, none)

    assert "Too few documents were rated, or by too few raters, to prove it." in told
    assert "wrong means unlike the reference; here it means rated below 4." in told
    assert "Too few documents" not in say.text(routed, FOUND)


def test_nothing_proven_promises_nothing(routed):
    none = dataclasses.replace(FOUND, share=Estimate(0.3, 0.0, 0.6), unsure=0)

    assert say.title(routed, none).startswith("No document is shown to be safe without a check")
    assert "saves" not in say.text(routed, none)


def test_where_raters_do_not_agree_nothing_is_said(routed):
    doubted = dataclasses.replace(routed.verdict, decision="FAIL", release=None)

    assert say.shown(dataclasses.replace(routed, verdict=doubted)) is None
