import dataclasses
import html

import pytest

from ocrjury.campaign.owners import Owner
from ocrjury.report.data import ScaleLabels
from ocrjury.report.html import SENTENCES, render_html
from ocrjury.report.outcome import outcome_of
from ocrjury.report.sections.request import Request
from ocrjury.scales import Scale

say = SENTENCES.request


def asked(report, **changes):
    return dict(say.facts(dataclasses.replace(report, **changes)))


def test_the_cover_asks_somebody_for_a_decision_by_a_day(report):
    assert asked(report)["Owner"] == "Head of claims"
    assert asked(report)["By"] == "4 December 2026"
    page = html.unescape(render_html(report))
    assert "<dd>Head of claims</dd>" in page
    assert f"<dd>{asked(report)['Decision']}</dd>" in page


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [(4.05, 4.3, "Accept"), (3.2, 3.6, "Have the OCR improved"), (3.9, 4.2, "Have more rated")],
)
def test_the_decision_follows_from_the_outcome(report, low, high, words):
    estimate = dataclasses.replace(report.headline.others, value=4.1, low=low, high=high)
    outcome = outcome_of(estimate, report.target, trusted=True)

    assert asked(report, outcome=outcome)["Decision"].startswith(words)


def test_of_a_pool_without_further_items_no_more_items_are_asked_for(report):
    estimate = dataclasses.replace(report.headline.others, value=4.1, low=3.9, high=4.2)
    outcome = outcome_of(estimate, report.target, trusted=True)
    census = dataclasses.replace(report.sections["sampling"], n=1525)
    sections = {**report.sections, "sampling": census}

    decision = asked(report, outcome=outcome, sections=sections)["Decision"]

    assert decision.startswith("Have the items rated by more raters")


def decided(report, release, **decisions):
    rows = tuple(
        dataclasses.replace(row, decision=decisions.get(row.dimension, "FAIL"))
        for row in report.verdict.dimensions
    )
    return dataclasses.replace(report.verdict, release=release, dimensions=rows)


@pytest.mark.parametrize("decision", ["PASS", "INCONCLUSIVE"])
def test_while_agreement_is_in_doubt_a_release_is_offered(report, decision):
    doubted = decided(report, None, meaning=decision)

    assert asked(report, verdict=doubted)["Decision"].startswith("Improve the raters’ agreement")


@pytest.mark.parametrize("released", [True, False])
def test_where_raters_do_not_agree_no_release_is_asked_for(report, released):
    failed = decided(report, report.verdict.release if released else None, layout="PASS")
    outcome = outcome_of(report.headline.others, report.target, trusted=False)

    decision = asked(report, verdict=failed, outcome=outcome)["Decision"]

    assert decision.startswith("Have the rubric made clearer, the raters trained and the items")
    assert asked(report, verdict=failed, outcome=None)["Decision"] != decision
    nothing = decided(report, failed.release)
    assert asked(report, verdict=nothing, outcome=None)["Decision"] == decision


def test_without_a_target_one_is_asked_for(report):
    assert asked(report, outcome=None)["Decision"].startswith("Set a target")


def test_of_categories_without_an_order_no_target_is_asked_for(report):
    """A campaign refuses one."""
    scale = ScaleLabels.of(Scale.nominal(["correct", "wrong", "lost"]))
    nominal = {"scale": scale, "dimensions": report.dimensions[:1], "outcome": None}

    assert asked(report, **nominal)["Decision"].startswith("Decide from the shares of the categ")
    ordered = dataclasses.replace(report.dimensions[1], scale=report.scale)
    mixed = {**nominal, "dimensions": (report.dimensions[0], ordered)}
    assert asked(report, **mixed)["Decision"].startswith("Set a target")


def test_an_owner_whom_nobody_named_is_said_to_be_missing(report):
    nobody = {**report.sections, "request": Request(owner=Owner(), days=1)}

    assert asked(report, sections=nobody)["Owner"] == "not named in the campaign"


def test_ratings_without_a_campaign_ask_nobody(report):
    bare = {key: value for key, value in report.sections.items() if key != "request"}

    assert asked(report, sections=bare) == {}


def test_one_name_is_that_of_who_decides():
    assert Owner.model_validate("Head of claims").decision == "Head of claims"
    assert Owner.model_validate({"ocr": "Vendor"}).of("ocr") == "Vendor"
    assert Owner().of("decision") is None
