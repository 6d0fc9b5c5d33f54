import json

import pytest

from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.textract import read_textract
from tests.readers.ocr_files import DATA


def read(name):
    return read_textract((DATA / f"textract-{name}.json").read_bytes())


def answer(*blocks, **more):
    return json.dumps({"Blocks": list(blocks), **more}).encode()


def test_lines_come_in_the_order_of_the_layout_and_pages_apart():
    first, second = read("text")

    assert first.text == "Invoice\nDue 2026-11-20"
    assert second.text == ""


def test_confidences_and_boxes_are_those_of_words():
    first, _ = read("text")

    assert first.mean_confidence == pytest.approx((0.95 + 0.9 + 0.85) / 3)
    assert first.lines[1].words[0].box == (0.25, 0.5, 0.375, 0.625)


def test_forms_and_queries_are_fields():
    (page,) = read("forms")

    assert [(field.name, field.label, field.text, field.confidence) for field in page.fields] == [
        ("pair", "Policy no.:", "AB-1", 0.75),
        ("pair", "Policy", "SELECTED", 0.6),
        ("INSURED", "Who is insured?", "윤하영", 0.5),
        ("query", "Since when?", "", None),
    ]
    assert page.fields[0].box == (0.5, 0.5, 0.75, 0.75)


def test_fields_of_expenses_have_the_kind_that_their_name_says():
    (page,) = read("expense")

    assert [(field.name, field.text, field.kind, field.confidence) for field in page.fields] == [
        ("TOTAL", "3,000원", "amount", 0.875),
        ("INVOICE_RECEIPT_DATE", "2026-11-20", "date", 0.75),
        ("VENDOR_NAME", "해오름의료원", None, 0.625),
        ("item-1/PRICE", "1,000", "amount", 0.5),
        ("item-2/PRICE", "2,000", "amount", 0.5),
    ]


def test_fields_of_identity_documents_have_a_kind():
    (page,) = read("id")

    assert [(field.name, field.kind) for field in page.fields] == [
        ("FIRST_NAME", None), ("DATE_OF_BIRTH", "date"), ("DOCUMENT_NUMBER", "code"),
        ("MIDDLE_NAME", None),
    ]  # fmt: skip


def test_an_answer_in_parts_is_one():
    parts = [
        {"Blocks": [{"BlockType": "LINE", "Id": "a", "Text": "one", "Page": 1}], "NextToken": "x"},
        {"Blocks": [{"BlockType": "LINE", "Id": "b", "Text": "two", "Page": 2}]},
    ]

    assert [page.text for page in read_textract(json.dumps(parts).encode())] == ["one", "two"]


def test_the_text_of_a_line_that_has_none_is_that_of_its_words():
    words = [{"BlockType": "WORD", "Id": name, "Text": name} for name in "ab"]
    line = {"BlockType": "LINE", "Id": "l", "Relationships": [{"Type": "CHILD", "Ids": ["a", "b"]}]}

    assert [page.text for page in read_textract(answer(line, *words))] == ["a b"]


def test_a_document_without_text_is_a_page_without_text():
    assert [page.text for page in read_textract(answer())] == [""]


@pytest.mark.parametrize(
    ("data", "reason", "position"),
    [
        (answer(JobStatus="IN_PROGRESS"), "an answer without a result", "JobStatus"),
        (b"{}", "not an answer of Textract", None),
        (answer(NextToken="x"), "an answer that goes on", "NextToken"),
        (b'[{"Blocks": []}, {"Blocks": [], "NextToken": "x"}]', "all parts", r"[1].NextToken"),
        (answer({"BlockType": "LINE", "Id": "a"}), "a LINE without Text", r"Blocks\[0\].Text"),
        (b'{"Blocks": 1}', "not a list", "Blocks"),
        (b'{"Blocks": [1]}', "not an object", r"Blocks\[0\]"),
        (
            answer({"BlockType": "LINE", "Id": "a", "Text": 7}),
            "not a text",
            r"Blocks\[0\].Text",
        ),
        (
            b'{"Blocks": [{"BlockType": "LINE", "Id": "a", "Text": "x", "Confidence": NaN}]}',
            "a confidence that is not a number",
            r"Blocks\[0\].Confidence",
        ),
        (
            answer(
                {
                    "BlockType": "LINE",
                    "Id": "a",
                    "Text": "x",
                    "Geometry": {
                        "BoundingBox": {"Left": 0.5, "Top": 0.5, "Width": -0.1, "Height": 0.1}
                    },
                }
            ),
            "a box of negative width",
            r"Blocks\[0\].Geometry.BoundingBox",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(data, reason, position):
    with pytest.raises(BadContentError, match=reason) as caught:
        read_textract(data)

    if position is None:
        assert caught.value.position is None
    else:
        assert caught.value.position == position.replace("\\", "")


def test_blocks_that_name_each_other_do_not_go_round():
    loop = {
        "BlockType": "KEY_VALUE_SET",
        "Id": "a",
        "EntityTypes": ["KEY"],
        "Relationships": [
            {"Type": "VALUE", "Ids": ["a"]},
            {"Type": "CHILD", "Ids": ["a", "ghost"]},
        ],
    }

    assert read_textract(answer(loop))[0].fields[0].text == ""
