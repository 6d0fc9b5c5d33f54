import json

import pytest

from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.google_vision import read_google_vision
from tests.readers.ocr_files import DATA

ANSWER = json.loads((DATA / "vision.json").read_text(encoding="utf-8"))


def read(answer):
    return read_google_vision(json.dumps(answer).encode())


def test_lines_end_at_breaks_and_a_hyphen_is_printed():
    first, _ = read(ANSWER)

    assert first.text + "\n" == ANSWER["responses"][0]["fullTextAnnotation"]["text"]


def test_an_answer_without_text_is_a_page_without_text():
    assert [page.text for page in read(ANSWER)] == ["Zusam-\nmen 합계", ""]
    assert [page.text for page in read({"responses": []})] == [""]


def test_confidences_and_boxes_are_those_of_words():
    first, _ = read(ANSWER)

    assert first.mean_confidence == pytest.approx((0.75 + 0.25 + 1 + 1) / 4)
    assert [word.box for line in first.lines for word in line.words][:2] == [
        (0.0, 0.0, 0.5, 0.2), (0.5, 0.5, 0.75, 0.75),
    ]  # fmt: skip


def test_one_answer_alone_is_read():
    assert read(ANSWER["responses"][0])[0] == read(ANSWER)[0]


def test_without_the_full_text_the_first_annotation_is_it():
    answer = {"textAnnotations": [{"description": "a b\nc\n"}, {"description": "a"}]}

    assert read(answer)[0].text == "a b\nc"


def test_without_pages_the_full_text_is_it():
    assert read({"fullTextAnnotation": {"text": "a b\nc\n"}})[0].text == "a b\nc"


def test_numbers_stand_for_breaks_as_protocol_buffers_write_them():
    text = json.dumps(ANSWER)
    for name, number in [("SPACE", 1), ("HYPHEN", 4), ("LINE_BREAK", 5)]:
        text = text.replace(f'"type": "{name}"', f'"type": {number}')

    assert read_google_vision(text.encode()) == read(ANSWER)


@pytest.mark.parametrize(
    ("answer", "reason", "position"),
    [
        ({"responses": [{"error": {"code": 7, "message": "no"}}]}, "error", "responses[0].error"),
        ({"context": {}}, "not an answer of Google Vision", None),
        ({"fullTextAnnotation": "text"}, "not an object", "fullTextAnnotation"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(answer, reason, position):
    with pytest.raises(BadContentError, match=reason) as caught:
        read(answer)

    assert caught.value.position == position
