"""Designs of a sample that a campaign may ask for."""

import zlib

import pytest

from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.draws import sampling_draw
from ocrjury.findings.sampling import RiskReason
from ocrjury.store.documents import list_items
from ocrjury.store.evaluations import read_evaluation
from tests.tasks.conftest import QUICK, QUIET, closed, documents


def test_a_stratified_design_draws_every_document_alike(small):
    data, text = closed(small, **QUICK, sampling={"n": 30, "design": "stratified", "floor": 0})

    probabilities = {round(one.inclusion_probability, 9) for one in small.stored(list_items)}
    assert probabilities == {0.5}
    assert [part.reason for part in data.sections["sampling"].parts] == ["stratified"]
    assert "Every item has the same inclusion probability" in text


def test_a_borderline_is_asked_about_more_often(small):
    wanted = {"risk": "borderline", "borderline": {"score": "confidence", "threshold": 0.5}}
    data, text = closed(small, **QUICK, sampling={"n": 30, **wanted})

    near = RiskReason("near", "confidence", 0.5)
    assert small.stored(read_evaluation).design.reasons == (near,)
    assert data.sections["sampling"].reasons == (near,)
    assert "Settle doubt: more often where confidence close to 0.5" in text


def test_the_combined_risk_names_its_reasons(small):
    wanted = {"risk": "combined", "borderline": {"score": "confidence", "threshold": 0.5}}
    _data, text = closed(small, **QUICK, sampling={"n": 30, **wanted})

    assert "error rate is high, confidence close to 0.5 or OCR confidence is low" in text
    assert "likely to be bad, or on which a rating tells most, were drawn" in text


def test_a_risk_that_nobody_knows_holds_the_plan(small):
    for row in small.pool:
        del row["confidence"]
    held = small.write(sampling={"n": 30, "risk": "confidence"}).open()

    assert held.message.startswith("plan: The risk rule 'confidence' needs confidence")


def test_the_design_target_learns_from_an_earlier_evaluation_and_keeps_what_it_learnt(small):
    small.pool = documents(120)
    small.at(6)
    sure = {row["doc_id"] for row in small.pool if row["confidence"] > 0.7}
    assert 30 < len(sure) < 100

    def say(one, _):
        return 5 if one.item in sure else 1 + zlib.crc32(one.item.encode()) % 4

    small.rated_by_people("p", say=say, sampling={"n": 60, "design": "target"}, **QUIET)
    assert "No earlier evaluation shows where the outcome varies" in small.report()[1]
    small.at(13)
    small.rated_by_people("q", say=say, sampling={"n": 50, "design": "target"}, **QUIET)
    design = small.stored(read_evaluation).design
    probabilities = {one.item: one.inclusion_probability for one in small.stored(list_items)}
    assert (design.spread_from, design.risk) == ("small-p", "expected spread")
    assert [reason.kind for reason in design.reasons] == ["spread"]
    assert len(set(probabilities.values())) > 1
    data, text = small.report()
    assert [part.reason for part in data.sections["sampling"].parts] == ["random", "error_focused"]
    assert "More often where small-p showed that the outcome varies" in text

    with at_work() as work:
        case = work.case(small.evaluation)
        draw = sampling_draw(case, case.pool())
    assert draw.frame.attrs["spread"] == design.spread.to_json()
    again = draw.probabilities(50).to_dict()
    assert {item: again[item] for item in probabilities} == pytest.approx(probabilities)
