"""Whole evaluations, with simulated raters, on a real store."""

import re

import pytest

from ocrjury.evaluation.case import at_work
from ocrjury.report import build_report, render_html
from ocrjury.store.documents import list_items
from ocrjury.store.moves import list_moves
from ocrjury.store.reports import list_reports
from ocrjury.store.results import latest_results, latest_verdicts
from ocrjury.store.rounds import list_assignments, list_rounds
from tests.tasks.conftest import QUICK

RANDOM = {"simulation": {"default": {"careless": 0.9}, "raters": {}}}


def rows_of(chain):
    return [move.row for move in chain.stored(list_moves)]


def test_agreeing_raters_lead_to_a_closed_evaluation(chain, stored_pages):
    end = chain.write().open()

    assert (end.name, end.message) == ("Closed", chain.evaluation)
    rows = rows_of(chain)
    assert rows[:7] == ["1", "2", "4", "7", "9", "15", "21"]
    assert rows[-3:] == ["24", "29", "30"]
    assert "22" in rows
    kinds = [round_.kind for round_ in chain.stored(list_rounds)]
    assert kinds[:3] == ["main", "adaptive", "adjudication"]
    pairs = [(a.item, a.rater) for a in chain.stored(list_assignments)]
    assert len(set(pairs)) == len(pairs)  # no rater sees an item twice
    _estimates_lie_on_the_scale(chain.stored(latest_results, "estimate"))


def _estimates_lie_on_the_scale(bodies):
    assert list(bodies) == ["layout", "meaning", "readability"]
    for body in bodies.values():
        these, others = body["these"], body["others"]
        assert 1 < others["low"] <= these["low"] < these["value"] < these["high"] <= others["high"]
        assert 0 <= body["unusable"]["value"] < body["usable"]["value"] <= 1
        assert sum(kind["n"] for kind in body["types"]) == 90


def test_a_fail_gives_an_interim_report_and_a_released_one_goes_on_to_the_end(chain, stored_pages):
    held = chain.write(**RANDOM).open()
    assert held.name == "Held"
    assert held.message.startswith("gate_failed: ")
    assert chain.stored(latest_verdicts)[0].decision == "FAIL"
    _the_interim_report_has_no_headline(chain)

    end = chain.decide("proceed")

    assert end.name == "Closed"
    report, html = _newest_report(chain)
    assert report.kind == "final"
    for words in ("J. Kim", "as the chair said", "against the gate"):
        assert words in html
    rows = rows_of(chain)
    assert rows[:9] == ["1", "2", "4", "7", "9", "15", "20", "25", "21"]
    assert "22" in rows
    assert rows[-3:] == ["24", "29", "30"]
    _verdicts_are_said_in_words(chain)


def _verdicts_are_said_in_words(chain):
    for language in ("ko", "zh"):
        with at_work() as work:
            page = render_html(build_report(work.store, chain.evaluation, language=language))
        text = re.sub(r"<style.*?</style>|<script.*?</script>|<[^>]+>", " ", page, flags=re.DOTALL)
        assert re.findall(r".{0,9}\b(?:PASS|FAIL|INCONCLUSIVE)\b.{0,9}", text) == []


def _the_interim_report_has_no_headline(chain):
    assert len(chain.stored(list_reports)) == 1
    report, html = _newest_report(chain)
    with at_work() as work:
        data = build_report(work.store, chain.evaluation, kind="interim")
    assert (report.kind, report.version) == ("interim", 1)
    assert "Interim report" in html
    assert data.headline is None
    assert data.estimates == ()


def _newest_report(chain):
    report = chain.stored(list_reports)[-1]
    with at_work() as work:
        return report, work.store.files.path(report.html_uri).read_text("utf-8")


def test_on_fail_proceed_needs_no_lead_and_abort_ends(small):
    end = small.write(**RANDOM, rounds=QUICK["rounds"], gate={"on_fail": "abort"}).open()

    assert end.name == "Aborted"
    assert rows_of(small)[-2:] == ["15", "31"]


def test_an_inconclusive_round_is_topped_up_with_the_next_documents(chain):
    chain.write(
        sampling={"n": 75},
        simulation={"default": {"careless": 0.06}, "raters": {}},
        adaptive=QUICK["adaptive"],
    ).open()
    rows = rows_of(chain)
    assert rows[:7] == ["1", "2", "4", "7", "9", "15", "18"], chain.stored(latest_verdicts)

    items = chain.stored(list_items)
    first, second, *_ = chain.stored(list_rounds)
    by_round = {number: set() for number in (first.round, second.round)}
    for one in chain.stored(list_assignments):
        if one.round in by_round:
            by_round[one.round].add(one.item)

    assert (second.kind, second.attempt) == ("main", 2)
    assert by_round[first.round] == {item.item for item in items[:75]}
    assert by_round[second.round] == {item.item for item in items[75:]}
    # Every probability is that of the larger sample.
    assert sum(1 / item.inclusion_probability for item in items) == pytest.approx(1525, rel=0.15)
    _verdicts_are_said_in_words(chain)
