"""Pools and plans that are possible but awkward: what an evaluation makes of them."""

import pytest

from ocrjury.evaluation.case import at_work
from ocrjury.store.results import latest_verdicts
from ocrjury.store.rounds import list_assignments
from tests.tasks.conftest import QUICK, closed, documents

TINY = {**QUICK, "gate": {"on_fail": "proceed"}, "sampling": {"n": None}}


@pytest.mark.parametrize("size", [1, 3])
def test_a_tiny_pool_is_drawn_whole_and_the_gate_does_not_ask_for_more_than_it_has(small, size):
    small.pool = documents(size)
    data, text = closed(small, **TINY)

    assert data.sections["sampling"].everything
    assert "Every item stands for itself." in text
    assert f"{50 - size} more items would be needed, and the pool has no more." in text
    assert "The whole pool is too small for the gate to decide on meaning" in text
    with at_work() as work:
        assert latest_verdicts(work.engine, small.evaluation)[0].needed_items is None
    assert ": a share within ±0.0 points" in text
    widths = data.sections["plan"].planned
    assert widths.width_others <= 4
    assert widths.width_these <= 4
    assert widths.width_share <= 1


def test_a_released_headline_is_printed_everywhere_with_what_is_said_of_it(small):
    small.pool = documents(3)
    data, text = closed(small, **TINY)

    headline = data.shown_headline
    assert headline.others.low >= 1
    assert headline.others.high <= 5
    assert "its estimates are printed because the evaluation was released" in text
    assert "no estimate is printed" not in text


def test_a_type_of_one_document_is_drawn_for_certain(small):
    small.pool[7]["doc_type"] = "solo"
    data, _ = closed(small, **QUICK, sampling={"n": 20})

    (solo,) = [row for row in data.sections["sampling"].strata if row.stratum == "solo"]
    assert (solo.pool, solo.sample) == (1, 1)


def test_a_top_up_for_the_gate_brings_two_ratings_where_the_design_asks_for_one(small):
    small.pool = documents(140)
    small.write(raters={"per_item": 1}, sampling={"n": 60}, rounds={"frontend": "file"}).open()
    small.rate()
    small.advance()

    assert small.rows()[-1] == "18"
    open_ = [one for one in small.stored(list_assignments) if one.state == "open"]
    assert len(open_) == 100
    assert len({one.item for one in open_}) == 50


def test_a_pool_made_from_an_export_may_have_the_columns_of_a_draw(small):
    for number, row in enumerate(small.pool):
        row |= {"inclusion_probability": 0.5, "draw_number": number, "stratum": "x", "reason": "y"}

    data, _ = closed(small, **QUICK)

    sampling = data.sections["sampling"]
    assert sampling.weight_high > 1
    assert {row.stratum for row in sampling.strata} == {"bill", "note"}


def test_a_pool_without_references_has_no_metrics_and_no_praise(small):
    for row in small.pool:
        row["reference"] = None
    _data, text = closed(small, **QUICK)

    assert "Groups of documents: nothing tells how well they are read" in text
    assert "read about equally well" not in text
    assert "Word error rate (WER) —" not in text
