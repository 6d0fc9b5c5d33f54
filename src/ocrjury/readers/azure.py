"""Azure: Document Intelligence (2023 and later), Form Recognizer, Read and the older OCR.

Offsets of words in the whole text are only compared with those of lines, never used to slice it:
Azure counts them in characters, UTF-16 units or graphemes, as the caller chose.
"""

from collections.abc import Iterator, Mapping
from operator import itemgetter

from ocrjury.readers.boxes import Frame
from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.json_values import Value, parse_json
from ocrjury.readers.measures import number
from ocrjury.readers.ocr_pages import (
    Box,
    Line,
    Page,
    TypedField,
    Word,
    line_of_words,
    with_whole_text,
    words_between,
)

CONFIDENCE = "confidence of words, 0 to 1"
_FINISHED = {"", "succeeded", "partiallysucceeded", "partiallycompleted"}
_Frames = Mapping[int, Frame]
_Numbered = tuple[int, TypedField]

_KINDS = {
    "address": "text",
    "currency": "amount",
    "date": "date",
    "integer": "amount",
    "number": "amount",
    "phoneNumber": "text",
}
_UNKNOWN = Frame(0.0, 0.0)


def read_azure(data: bytes, encoding: str | None = None) -> list[Page]:
    """Pages of an answer of Azure."""
    root = parse_json(data, encoding)
    if root["status"].text.lower() not in _FINISHED:
        raise BadContentError("an answer without a result: it has not succeeded", "status")
    result = root["analyzeResult"] if root["analyzeResult"].exists else root
    if result["pages"].exists:
        return _new_pages(result)
    for name in ("readResults", "recognitionResults"):
        if result[name].exists:
            return _read_pages(result, result[name])
    if result["readResult"].exists:
        return [_image_page(result)]
    if result["regions"].exists:
        return [_ocr_page(result)]
    if result["content"].exists:
        return [Page([Line(row) for row in result["content"].text.split("\n") if row])]
    raise BadContentError("not an answer of Azure: it needs analyzeResult, readResult or regions")


def _new_pages(result: Value) -> list[Page]:
    """Pages of Document Intelligence, which lists words and lines separately."""
    pages = list(result["pages"])
    frames = {_page_number(page): _frame(page) for page in pages}
    fields = [*_document_fields(result, frames), *_pair_fields(result, frames)]
    read = [
        _new_page(page, [field for at, field in fields if at == _page_number(page)])
        for page in pages
    ]
    return with_whole_text(read, result["content"].text, result["pages"].place)


def _new_page(page: Value, fields: list[TypedField]) -> Page:
    frame = _frame(page)
    words = sorted(
        ((word["span"]["offset"].number, _word(word, frame, "content")) for word in page["words"]),
        key=itemgetter(0),
    )
    lines = [_new_line(line, words, frame) for line in page["lines"]]
    if not lines and words:
        lines = [line_of_words([word for _, word in words])]
    return Page(lines, fields, aspect=frame.aspect)


def _new_line(line: Value, words: list[tuple[float, Word]], frame: Frame) -> Line:
    """Line with the words whose offset is in one of its spans."""
    inside: list[Word] = []
    for span in line["spans"]:
        begin, end = span["offset"].number, span["offset"].number + span["length"].number
        inside += words_between(words, begin, end)
    return Line(line["content"].text, tuple(inside), box=_box(line, frame))


def _read_pages(result: Value, pages: Value) -> list[Page]:
    """Pages of Read 2 and 3 and Form Recognizer 2, whose lines contain their words."""
    frames = {_page_number(page): _frame(page) for page in pages}
    fields = _old_fields(result, frames)
    return [
        Page(
            [_read_line(line, frames[_page_number(page)]) for line in page["lines"]],
            [field for at, field in fields if at == _page_number(page)],
            aspect=frames[_page_number(page)].aspect,
        )
        for page in pages
    ]


def _image_page(result: Value) -> Page:
    """Page of Image Analysis 4."""
    frame = Frame(result["metadata"]["width"].number, result["metadata"]["height"].number)
    blocks = result["readResult"]["blocks"]
    lines = [_read_line(line, frame) for block in blocks for line in block["lines"]]
    return Page(lines, aspect=frame.aspect)


def _ocr_page(result: Value) -> Page:
    """Page of the older OCR, which gives neither confidences nor the page's size."""
    lines = [line for region in result["regions"] for line in region["lines"]]
    return Page(
        [line_of_words([Word(word["text"].text) for word in line["words"]]) for line in lines]
    )


def _read_line(line: Value, frame: Frame) -> Line:
    """Line that contains its words."""
    words = tuple(_word(word, frame, "text") for word in line["words"])
    return Line(line["text"].text, words, box=_box(line, frame))


def _word(word: Value, frame: Frame, name: str) -> Word:
    """Word; "Low" and "High" of Read 2 are not comparable confidences and are dropped."""
    confidence = word["confidence"]
    known = None if isinstance(confidence.value, str) else confidence.share()
    return Word(word[name].text, known, _box(word, frame))


def _box(part: Value, frame: Frame) -> Box | None:
    return _polygon_box(part.first("polygon", "boundingPolygon", "boundingBox"), frame)


def _frame(page: Value) -> Frame:
    """Size of a page, in the unit of its polygons (pixels or inches)."""
    return Frame(page["width"].number, page["height"].number)


def _page_number(page: Value) -> int:
    """Number of a page, from 1."""
    written = page.first("pageNumber", "page")
    return int(number(1 if written.value is None else written.value, written.place))


def _document_fields(result: Value, frames: _Frames) -> Iterator[_Numbered]:
    """Yield page and field for each field of a model's documents; list members are numbered."""
    for document in result["documents"]:
        for name, field in document["fields"].members():
            yield from _fields(name, field, frames)


def _fields(name: str, field: Value, frames: _Frames) -> Iterator[_Numbered]:
    """Yield page and field, for a field or the fields within it."""
    if not field.exists:
        return
    inner = field.first("valueObject", "value") if field["type"].text == "object" else None
    rows = field.first("valueArray", "value") if field["type"].text == "array" else None
    if inner is not None:
        for part, member in inner.members():
            yield from _fields(f"{name}/{part}", member, frames)
    elif rows is not None:
        for place, row in enumerate(rows, start=1):
            yield from _fields(f"{name}/{place}", row, frames)
    else:
        yield _field(name, field, frames)


def _field(name: str, field: Value, frames: _Frames) -> _Numbered:
    """Page and field; the names of its text and page depend on the version."""
    page, box = _region(field, frames)
    kind = _KINDS.get(field.first("type", "valueType").text)
    text = field.first("content", "text").text
    return page, TypedField(name, " ".join(text.split()), kind, field["confidence"].share(), box)


def _region(part: Value, frames: _Frames) -> tuple[int, Box | None]:
    """Page and box of a part's first region; page 1 if none is given."""
    region = next(iter(part["boundingRegions"]), part)
    page = int(region.first("pageNumber", "page").number) or 1
    polygon = region.first("polygon", "boundingBox")
    return page, _polygon_box(polygon, frames.get(page, _UNKNOWN))


def _pair_fields(result: Value, frames: _Frames) -> Iterator[_Numbered]:
    """Yield page and field for pairs of key and value that belong to no model."""
    for pair in result["keyValuePairs"]:
        key, value = pair["key"], pair["value"]
        page, box = _region(value if value.exists else key, frames)
        text = " ".join(value["content"].text.split())
        label = " ".join(key["content"].text.split())
        confidence = pair["confidence"].share()
        yield page, TypedField("pair", text, None, confidence, box if value.exists else None, label)


def _old_fields(result: Value, frames: _Frames) -> list[_Numbered]:
    """Pages and fields of Form Recognizer 2."""
    fields = [
        numbered
        for document in result["documentResults"]
        for name, member in document["fields"].members()
        for numbered in _fields(name, member, frames)
    ]
    for sheet in result["pageResults"]:
        page = int(sheet["page"].number) or 1
        for pair in sheet["keyValuePairs"]:
            value = pair["value"]
            box = _polygon_box(value["boundingBox"], frames.get(page, _UNKNOWN))
            confidence, label = pair["confidence"].share(), pair["key"]["text"].text
            field = TypedField("pair", value["text"].text, None, confidence, box, label)
            fields.append((page, field))
    return fields


def _polygon_box(polygon: Value, frame: Frame) -> Box | None:
    """Box around Azure's polygon: eight numbers, or points of ``x`` and ``y``."""
    points = list(polygon)
    if points and isinstance(points[0].value, dict):
        corners = [(point["x"].number, point["y"].number) for point in points]
    else:
        if len(points) % 2:
            raise BadContentError("a polygon with an odd number of coordinates", polygon.place)
        numbers = [point.number for point in points]
        corners = list(zip(numbers[::2], numbers[1::2], strict=True))
    return frame.around(corners, polygon.place)
