import json

import pytest

from ocrjury.readers.azure import read_azure
from ocrjury.readers.content_errors import BadContentError
from tests.readers.ocr_files import DATA

LAYOUT = json.loads((DATA / "azure-layout.json").read_text(encoding="utf-8"))


def read(name):
    return read_azure((DATA / f"azure-{name}.json").read_bytes())


def test_words_are_found_in_lines_by_their_place():
    first, second = read("layout")

    assert first.text == "😀 합계\n3,000원"
    assert [[word.text for word in line.words] for line in first.lines] == [
        ["😀", "합계"],
        ["3,000원"],
    ]
    assert second.text == "back"  # it has words only


def test_boxes_are_shares_in_inches_too():
    first, _ = read("layout")

    assert first.lines[0].box == (0.0, 0.0, 0.5, 0.25)
    assert first.mean_confidence == pytest.approx(0.75)


def test_fields_of_models_and_pairs_are_fields_of_their_page():
    first, second = read("layout")

    assert [
        (field.name, field.label, field.text, field.kind, field.confidence)
        for field in first.fields
    ] == [
        ("InvoiceTotal", "", "3,000원", "amount", 0.625),
        ("Items/1/Amount", "", "3,000", "amount", 0.25),
        ("pair", "합계", "3,000원", None, 0.875),
        ("pair", "empty", "", None, 0.1),
    ]
    assert [(field.name, field.kind) for field in second.fields] == [("InvoiceDate", "date")]


@pytest.mark.parametrize(
    ("name", "text", "confidence"),
    [
        ("form-2", "합계 3,000원", 0.75),
        ("read-2", "Tabs VS", None),  # "Low" is not a number
        ("image-4", "합계", 0.875),
        ("ocr", "A GOAL\nWITHOUT", None),
    ],
)
def test_older_answers_are_read(name, text, confidence):
    (page,) = read(name)

    assert page.text == text
    assert page.mean_confidence == confidence


def test_fields_of_form_recognizer_2_are_read():
    (page,) = read("form-2")

    assert [(field.name, field.label, field.text, field.kind) for field in page.fields] == [
        ("Total", "", "3,000원", "amount"),
        ("pair", "No:", "7", None),
    ]
    assert page.fields[0].box == (0.25, 0.0, 0.5, 0.2)


def test_the_result_alone_is_read():
    assert read_azure(json.dumps(LAYOUT["analyzeResult"]).encode()) == read("layout")


def test_a_page_without_lines_and_words_has_the_whole_content():
    answer = {"content": "a b\nc", "pages": [{"pageNumber": 1}]}

    assert [page.text for page in read_azure(json.dumps(answer).encode())] == ["a b\nc"]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"content": "a", "pages": [{"pageNumber": 1}, {"pageNumber": 2}]}, "without lines"),
        ({"status": "running"}, "an answer without a result"),
        ({"status": "succeeded"}, "not an answer of Azure"),
        ({"pages": [{"lines": [{"content": "x", "polygon": [1, 2, 3]}]}]}, "odd number"),
        ({"pages": [{"pageNumber": "one"}]}, "not a number"),
        ({"pages": [{"words": [{"content": "x", "confidence": 7}]}]}, "outside 0 to 1"),
    ],
)
def test_what_is_wrong_is_told(answer, reason):
    with pytest.raises(BadContentError, match=reason):
        read_azure(json.dumps(answer).encode())
