from ocrjury.report.sections.counts import (
    Counts,
    apart_text,
    fields_of_kind_text,
    fields_text,
    pool_text,
    rated_text,
)


def counted(**changes):
    whole = {"documents": 1525, "pages": 72, "drawn": 200, "rated": 200}
    return Counts(**{**whole, **changes})


def test_documents_and_pages_are_told_apart():
    assert pool_text(counted()) == "1,525 documents on 72 pages"
    assert pool_text(counted(pages=None)) == "1,525 documents"
    assert pool_text(counted(noun="output")) == "1,525 outputs on 72 pages"


def test_items_rated_are_told_from_items_drawn():
    assert rated_text(counted()) == "items rated, from 1,525 documents on 72 pages"
    assert rated_text(counted(rated=1, drawn=4, pages=None)) == (
        "item rated of 4 drawn, from 1,525 documents"
    )


def test_gold_and_pilot_are_counted_apart():
    assert apart_text(counted()) is None
    assert apart_text(counted(gold=24)) == "Not counted here: 24 gold items."
    assert apart_text(counted(gold=1, pilot=20)) == (
        "Not counted here: 1 gold item and 20 pilot items."
    )


def test_fields_that_several_systems_read_are_counted_as_outputs():
    assert fields_text(counted(), 820) == "820 fields"
    assert fields_text(counted(systems=2), 1640) == "1,640 outputs for fields"
    assert fields_of_kind_text(counted(), 1, "code") == "1 code field"
    assert fields_of_kind_text(counted(systems=2), 614, "code") == "614 outputs for code fields"
