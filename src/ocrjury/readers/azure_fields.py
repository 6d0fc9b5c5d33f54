"""Typed fields in the answers of Azure: of trained models, and pairs of keys and values."""

from collections.abc import Iterator, Mapping

from ocrjury.readers.boxes import Frame
from ocrjury.readers.cloud_boxes import azure_box
from ocrjury.readers.json_values import Value
from ocrjury.readers.ocr_pages import Box, TypedField

Frames = Mapping[int, Frame]
Numbered = tuple[int, TypedField]

_KINDS = {
    "address": "text",
    "currency": "amount",
    "date": "date",
    "integer": "amount",
    "number": "amount",
    "phoneNumber": "text",
}
_UNKNOWN = Frame(0.0, 0.0)


def document_fields(result: Value, frames: Frames) -> Iterator[Numbered]:
    """Yield page and field for each field of a model's documents, those of lists numbered."""
    for document in result["documents"]:
        for name, field in document["fields"].members():
            yield from _fields(name, field, frames)


def _fields(name: str, field: Value, frames: Frames) -> Iterator[Numbered]:
    """Yield page and field, for a field or those within it."""
    if not field.exists:
        return
    inner = field.first("valueObject", "value") if field["type"].text == "object" else None
    rows = field.first("valueArray", "value") if field["type"].text == "array" else None
    if inner is not None:
        for part, one in inner.members():
            yield from _fields(f"{name}/{part}", one, frames)
    elif rows is not None:
        for place, row in enumerate(rows, start=1):
            yield from _fields(f"{name}/{place}", row, frames)
    else:
        yield _field(name, field, frames)


def _field(name: str, field: Value, frames: Frames) -> Numbered:
    """Page and field; versions call its text and its page differently."""
    page, box = _region(field, frames)
    kind = _KINDS.get(field.first("type", "valueType").text)
    text = field.first("content", "text").text
    return page, TypedField(name, " ".join(text.split()), kind, field["confidence"].share(), box)


def _region(part: Value, frames: Frames) -> tuple[int, Box | None]:
    """Page and box where a part stands first; page 1 if it does not say."""
    region = next(iter(part["boundingRegions"]), part)
    page = int(region.first("pageNumber", "page").number) or 1
    polygon = region.first("polygon", "boundingBox")
    return page, azure_box(polygon, frames.get(page, _UNKNOWN))


def pair_fields(result: Value, frames: Frames) -> Iterator[Numbered]:
    """Yield page and field for keys and values that no model knows."""
    for pair in result["keyValuePairs"]:
        key, value = pair["key"], pair["value"]
        page, box = _region(value if value.exists else key, frames)
        text = " ".join(value["content"].text.split())
        label = " ".join(key["content"].text.split())
        confidence = pair["confidence"].share()
        yield page, TypedField("pair", text, None, confidence, box if value.exists else None, label)


def old_fields(result: Value, frames: Frames) -> list[Numbered]:
    """Pages and fields of Form Recognizer 2."""
    found = [
        one
        for document in result["documentResults"]
        for name, field in document["fields"].members()
        for one in _fields(name, field, frames)
    ]
    for sheet in result["pageResults"]:
        page = int(sheet["page"].number) or 1
        for pair in sheet["keyValuePairs"]:
            value = pair["value"]
            box = azure_box(value["boundingBox"], frames.get(page, _UNKNOWN))
            confidence, label = pair["confidence"].share(), pair["key"]["text"].text
            field = TypedField("pair", value["text"].text, None, confidence, box, label)
            found.append((page, field))
    return found
