"""Google Document AI: a ``Document``, or the answer that holds one.

Texts are parts of the whole text, named by where they begin and end; a beginning that is left out
is 0. Typed fields are entities (of extractors) and form fields (of the form parser).
"""

from bisect import bisect_left
from collections.abc import Iterator

from ocrjury.readers.boxes import RELATIVE, Frame, google_box
from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.json_values import Value, parse_json
from ocrjury.readers.ocr_pages import Line, Page, TypedField, Word

CONFIDENCE = "layout.confidence of tokens, 0 to 1"
_KINDS = {
    "moneyValue": "amount",
    "integerValue": "amount",
    "floatValue": "amount",
    "dateValue": "date",
    "datetimeValue": "date",
    "addressValue": "text",
}


def read_document_ai(data: bytes, encoding: str | None = None) -> list[Page]:
    """Pages of a document of Document AI."""
    root = parse_json(data, encoding)
    document = root["document"] if root["document"].exists else root
    if not any(document[name].exists for name in ("pages", "text", "documentLayout")):
        raise BadContentError("no document of Document AI: it needs text and pages")
    if document["error"]["code"] or document["error"]["message"]:
        raise BadContentError("a document that was not processed", document["error"].place)
    whole = document["text"].text
    pages = list(document["pages"])
    if not pages and document["documentLayout"]["blocks"]:
        return _layout_pages(document["documentLayout"])
    if not pages:
        return [Page([Line(row) for row in whole.split("\n") if row])]
    fields = [one for entity in document["entities"] for one in _entity_fields(entity)]
    return [
        _page(page, whole, [one for at, one in fields if at == place])
        for place, page in enumerate(pages)
    ]


def _page(page: Value, whole: str, fields: list[TypedField]) -> Page:
    """One page."""
    frame = Frame(page["dimension"]["width"].number, page["dimension"]["height"].number)
    tokens = [token for token in page["tokens"] if token["layout"].exists]
    parts = next((page[name] for name in ("lines", "paragraphs", "blocks") if page[name]), None)
    lines = _whole_page(page, whole) if parts is None else _lines(parts, tokens, whole, frame=frame)
    forms = [_form_field(one, whole, frame) for one in page["formFields"]]
    own = page["layout"]["confidence"].share()
    return Page(lines, [*forms, *fields], confidence=own, aspect=frame.aspect)


def _whole_page(page: Value, whole: str) -> list[Line]:
    """Lines of a page that has no parts."""
    return [Line(row) for row in _text(page["layout"], whole).split("\n") if row]


def _lines(parts: Value, tokens: list[Value], whole: str, *, frame: Frame) -> list[Line]:
    """Lines, each with the tokens that begin in it."""
    words = sorted(
        ((_start(token), _word(token, whole, frame)) for token in tokens), key=lambda one: one[0]
    )
    lines = []
    for part in parts:
        layout = part["layout"]
        inside: list[Word] = []
        for start, end in _segments(layout):
            inside += [word for _, word in words[_first(words, start) : _first(words, end)]]
        box = google_box(layout["boundingPoly"], frame)
        known = tuple(word for word in inside if word.text)
        text = _flat(_text(layout, whole))
        lines.append(Line(text, known, layout["confidence"].share(), box))
    return lines


def _first(words: list[tuple[float, Word]], start: float) -> int:
    """Place of the first token that begins at or after a place of the text."""
    return bisect_left(words, start, key=lambda one: one[0])


def _word(token: Value, whole: str, frame: Frame) -> Word:
    """Token without the white space behind it."""
    layout = token["layout"]
    written = _text(layout, whole)
    box = google_box(layout["boundingPoly"], frame)
    spaced = written != written.rstrip()
    return Word(written.strip(), layout["confidence"].share(), box, spaced)


def _start(token: Value) -> float:
    """Return where a token begins."""
    segments = _segments(token["layout"])
    return segments[0][0] if segments else -1


def _segments(layout: Value) -> list[tuple[int, int]]:
    """Beginnings and ends of a layout's parts of the text."""
    return [
        (int(segment["startIndex"].number), int(segment["endIndex"].number))
        for segment in layout["textAnchor"]["textSegments"]
    ]


def _text(layout: Value, whole: str) -> str:
    """Text of a layout."""
    for start, end in (segments := _segments(layout)):
        if not 0 <= start <= end <= len(whole):
            raise BadContentError(
                "a part outside the text", layout["textAnchor"]["textSegments"].place
            )
    return "".join(whole[start:end] for start, end in segments)


def _form_field(one: Value, whole: str, frame: Frame) -> TypedField:
    """Key and its value."""
    name, value = one["fieldName"], one["fieldValue"]
    kind = {"date": "date", "number": "amount"}.get(one["valueType"].text)
    return TypedField(
        name="pair",
        label=_flat(_text(name, whole)),
        text=_flat(_text(value, whole)),
        kind=kind,
        confidence=value["confidence"].share(),
        box=google_box(value["boundingPoly"], frame),
    )


def _entity_fields(entity: Value) -> Iterator[tuple[int, TypedField]]:
    """Yield place of the page and field, for an entity and those within it."""
    properties = list(entity["properties"])
    if not properties:
        yield _entity_field(entity)
    for one in properties:
        yield from _entity_fields(one)


def _entity_field(entity: Value) -> tuple[int, TypedField]:
    """Place of the page and field."""
    anchor = next(iter(entity["pageAnchor"]["pageRefs"]), Value(None))
    normalized = entity["normalizedValue"]
    kind = next((kind for name, kind in _KINDS.items() if normalized[name].exists), None)
    field = TypedField(
        name=entity["type"].text or "field",
        text=_flat(entity["mentionText"].text or entity["textAnchor"]["content"].text),
        kind=kind,
        confidence=entity["confidence"].share(),
        box=google_box(anchor["boundingPoly"], RELATIVE),
    )
    return int(anchor["page"].number), field


def _flat(text: str) -> str:
    """Text in one line."""
    return " ".join(text.split())


def _layout_pages(layout: Value) -> list[Page]:
    """Pages of a layout, their blocks in order."""
    texts = [one for block in layout["blocks"] for one in _layout_texts(block, 1)]
    last = max((page for page, _ in texts), default=1)
    return [
        Page([Line(row) for at, text in texts if at == page for row in text.split("\n") if row])
        for page in sorted({1, last, *(page for page, _ in texts)})
    ]


def _layout_texts(block: Value, page: int) -> Iterator[tuple[int, str]]:
    """Yield page and text of a block and of those within it, as they are read."""
    page = int(block["pageSpan"]["pageStart"].number) or page
    text = block["textBlock"]
    if text["text"].text:
        yield page, text["text"].text
    inner = list(text["blocks"])
    inner += [one for entry in block["listBlock"]["listEntries"] for one in entry["blocks"]]
    table = block["tableBlock"]
    rows = [*table["headerRows"], *table["bodyRows"]]
    inner += [one for row in rows for cell in row["cells"] for one in cell["blocks"]]
    for one in inner:
        yield from _layout_texts(one, page)
