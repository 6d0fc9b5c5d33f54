"""Google Document AI: a ``Document``, or an answer that contains one.

Texts are ranges of the whole text; a missing start is 0. Typed fields are entities (of extractors)
and form fields (of the form parser).
"""

from collections.abc import Iterator
from operator import itemgetter

from ocrjury.readers.boxes import RELATIVE, Frame, google_box
from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.json_values import Value, parse_json
from ocrjury.readers.ocr_pages import Line, Page, TypedField, Word, with_whole_text, words_between

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
        raise BadContentError("not a document of Document AI: it needs text and pages")
    if document["error"]["code"] or document["error"]["message"]:
        raise BadContentError("a document that was not processed", document["error"].place)
    whole = document["text"].text
    pages = list(document["pages"])
    if not pages and document["documentLayout"]["blocks"]:
        return _layout_pages(document["documentLayout"])
    if not pages:
        return [Page([Line(row) for row in whole.split("\n") if row])]
    fields = [numbered for entity in document["entities"] for numbered in _entity_fields(entity)]
    read = [
        _page(page, whole, [field for at, field in fields if at == place])
        for place, page in enumerate(pages)
    ]
    return with_whole_text(read, whole, document["pages"].place)


def _page(page: Value, whole: str, fields: list[TypedField]) -> Page:
    frame = Frame(page["dimension"]["width"].number, page["dimension"]["height"].number)
    tokens = [token for token in page["tokens"] if token["layout"].exists]
    parts = next((page[name] for name in ("lines", "paragraphs", "blocks") if page[name]), None)
    lines = _whole_page(page, whole) if parts is None else _lines(parts, tokens, whole, frame=frame)
    forms = [_form_field(field, whole, frame) for field in page["formFields"]]
    own = page["layout"]["confidence"].share()
    return Page(lines, [*forms, *fields], confidence=own, aspect=frame.aspect)


def _whole_page(page: Value, whole: str) -> list[Line]:
    """Lines of a page without lines, paragraphs and blocks."""
    return [Line(row) for row in _text(page["layout"], whole).split("\n") if row]


def _lines(parts: Value, tokens: list[Value], whole: str, *, frame: Frame) -> list[Line]:
    """Lines, each with the tokens that start in it."""
    words = sorted(
        ((_start(token), _word(token, whole, frame)) for token in tokens), key=itemgetter(0)
    )
    lines = []
    for part in parts:
        layout = part["layout"]
        inside: list[Word] = []
        for start, end in _segments(layout):
            inside += words_between(words, start, end)
        box = google_box(layout["boundingPoly"], frame)
        known = tuple(word for word in inside if word.text)
        text = _flat(_text(layout, whole))
        lines.append(Line(text, known, layout["confidence"].share(), box))
    return lines


def _word(token: Value, whole: str, frame: Frame) -> Word:
    """Word of a token, without its trailing white space."""
    layout = token["layout"]
    written = _text(layout, whole)
    box = google_box(layout["boundingPoly"], frame)
    spaced = written != written.rstrip()
    return Word(written.strip(), layout["confidence"].share(), box, spaced)


def _start(token: Value) -> float:
    """Start of a token in the text, -1 if it has none."""
    segments = _segments(token["layout"])
    return segments[0][0] if segments else -1


def _segments(layout: Value) -> list[tuple[int, int]]:
    """Starts and ends of a layout's ranges of the text."""
    return [
        (int(segment["startIndex"].number), int(segment["endIndex"].number))
        for segment in layout["textAnchor"]["textSegments"]
    ]


def _text(layout: Value, whole: str) -> str:
    for start, end in (segments := _segments(layout)):
        if not 0 <= start <= end <= len(whole):
            raise BadContentError(
                "a range outside the text", layout["textAnchor"]["textSegments"].place
            )
    return "".join(whole[start:end] for start, end in segments)


def _form_field(field: Value, whole: str, frame: Frame) -> TypedField:
    name, value = field["fieldName"], field["fieldValue"]
    kind = {"date": "date", "number": "amount"}.get(field["valueType"].text)
    return TypedField(
        name="pair",
        label=_flat(_text(name, whole)),
        text=_flat(_text(value, whole)),
        kind=kind,
        confidence=value["confidence"].share(),
        box=google_box(value["boundingPoly"], frame),
    )


def _entity_fields(entity: Value) -> Iterator[tuple[int, TypedField]]:
    """Yield index of the page and field, for an entity or the properties within it."""
    properties = list(entity["properties"])
    if not properties:
        yield _entity_field(entity)
    for inner in properties:
        yield from _entity_fields(inner)


def _entity_field(entity: Value) -> tuple[int, TypedField]:
    """Index of the page and field."""
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
    return " ".join(text.split())


def _layout_pages(layout: Value) -> list[Page]:
    """Pages of the layout parser: texts in blocks, without confidences or boxes."""
    texts = [text for block in layout["blocks"] for text in _layout_texts(block, 1)]
    last = max((page for page, _ in texts), default=1)
    return [
        Page([Line(row) for at, text in texts if at == page for row in text.split("\n") if row])
        for page in sorted({1, last, *(page for page, _ in texts)})
    ]


def _layout_texts(block: Value, page: int) -> Iterator[tuple[int, str]]:
    """Yield page and text of a block and of the blocks within it, in reading order."""
    page = int(block["pageSpan"]["pageStart"].number) or page
    text = block["textBlock"]
    if text["text"].text:
        yield page, text["text"].text
    inner = list(text["blocks"])
    inner += [part for entry in block["listBlock"]["listEntries"] for part in entry["blocks"]]
    table = block["tableBlock"]
    rows = [*table["headerRows"], *table["bodyRows"]]
    inner += [part for row in rows for cell in row["cells"] for part in cell["blocks"]]
    for part in inner:
        yield from _layout_texts(part, page)
