import json

import pytest

from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.document_ai import read_document_ai
from tests.readers.ocr_files import DATA

DOCUMENT = json.loads((DATA / "docai.json").read_text(encoding="utf-8"))


def read(document):
    return read_document_ai(json.dumps(document).encode())


def snake(value):
    """A document as Google's Python library writes it."""
    if isinstance(value, list):
        return [snake(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        "".join(f"_{c.lower()}" if c.isupper() else c for c in name): snake(one)
        for name, one in value.items()
    }


def test_texts_are_parts_of_the_whole_text():
    first, second = read(DOCUMENT)

    assert first.text == "진료비 영수증\n합계: 3,000원"
    assert second.text == "second page"


def test_tokens_are_the_words_of_lines():
    first, second = read(DOCUMENT)

    assert [word.text for word in first.lines[0].words] == ["진료비", "영수증"]
    assert first.mean_confidence == pytest.approx((0.5 + 0.75 + 1 + 0.25) / 4)
    assert second.mean_confidence == 0.375


def test_a_coordinate_left_out_is_zero():
    first, _ = read(DOCUMENT)

    assert first.lines[0].box == (0.0, 0.0, 0.5, 0.25)
    assert first.lines[0].words[0].box == (0.0, 0.0, 0.25, 0.25)


def test_form_fields_and_entities_are_fields_of_their_page():
    first, second = read(DOCUMENT)

    assert [(field.name, field.label, field.text, field.kind) for field in first.fields] == [
        ("pair", "합계:", "3,000원", None),
        ("total_amount", "", "3,000원", "amount"),
    ]
    assert [(field.name, field.text, field.kind) for field in second.fields] == [
        ("line_item/date", "2026-11-20", "date")
    ]


def test_both_ways_of_writing_names_are_read():
    assert read(snake(DOCUMENT)) == read(DOCUMENT)


def test_an_answer_that_holds_the_document_is_read():
    assert read({"document": DOCUMENT, "humanReviewStatus": {}}) == read(DOCUMENT)


def test_blocks_of_the_layout_parser_are_read_in_order():
    def text(words, *inner):
        return {"text": words, "type": "paragraph", "blocks": list(inner)}

    cell = {"blocks": [{"textBlock": text("합계")}]}
    blocks = [
        {"textBlock": text("제목", {"textBlock": text("inner")}), "pageSpan": {"pageStart": 1}},
        {"tableBlock": {"bodyRows": [{"cells": [cell]}]}, "pageSpan": {"pageStart": 2}},
        {"listBlock": {"listEntries": [cell]}, "pageSpan": {"pageStart": 2}},
    ]

    pages = read({"documentLayout": {"blocks": blocks}})

    assert [page.text for page in pages] == ["제목\ninner", "합계\n합계"]


def test_a_document_of_text_only_is_one_page():
    (page,) = read({"text": "a\n\nb\n"})

    assert page.text == "a\nb"


def test_a_page_without_a_layout_has_the_whole_text():
    (page,) = read({"text": "a\n\nb\n", "pages": [{"pageNumber": 1}]})

    assert page.text == "a\nb"


@pytest.mark.parametrize(
    ("change", "reason", "position"),
    [
        ({"pages": [{"pageNumber": 1}, {}], "entities": []}, "2 pages without lines", "pages"),
        ({"text": "short"}, "a range outside the text", "pages[0].tokens[1]"),
        ({"error": {"code": 3}}, "a document that was not processed", "error"),
        ({"pages": [{"dimension": {"width": "wide"}}]}, "not a number", "pages[0].dimension.width"),
        ({"pages": {}}, "not a list", "pages"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(change, reason, position):
    with pytest.raises(BadContentError, match=reason) as caught:
        read(DOCUMENT | change)

    assert caught.value.position.startswith(position)


def test_other_json_is_no_document():
    with pytest.raises(BadContentError, match="not a document of Document AI"):
        read({"mimeType": "image/png"})
