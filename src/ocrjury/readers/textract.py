"""AWS Textract: DetectDocumentText, AnalyzeDocument, AnalyzeExpense, AnalyzeID.

Pages of lines and words, in the order of ``LAYOUT`` blocks where the answer has them; typed fields
from forms (``KEY_VALUE_SET``), queries, expenses and identity documents. Answers that came in
parts may be one list.
"""

from collections.abc import Iterator

from ocrjury.readers.cloud_boxes import corner_box
from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.json_values import Value, parse_json
from ocrjury.readers.ocr_pages import Line, Page, TypedField, Word, line_of_words
from ocrjury.readers.textract_fields import expense_fields, identity_fields

CONFIDENCE = "Confidence of WORD, 0 to 100"
_FINISHED = {"", "SUCCEEDED", "PARTIAL_SUCCESS"}


def read_textract(data: bytes, encoding: str | None = None) -> list[Page]:
    """Pages of an answer of Textract."""
    root = parse_json(data, encoding)
    answers = list(root) if isinstance(root.value, list) else [root]
    for answer in answers:
        status = answer["JobStatus"]
        if status.text not in _FINISHED:
            raise BadContentError(
                "an answer without result: the job has not succeeded", status.place
            )
    blocks = [block for answer in answers for block in answer["Blocks"]]
    expenses = [one for answer in answers for one in answer["ExpenseDocuments"]]
    identities = [one for answer in answers for one in answer["IdentityDocuments"]]
    for document in (*expenses, *identities):
        blocks += document["Blocks"]
    if not any(answer[name].exists for answer in answers for name in _PARTS):
        raise BadContentError(f"no answer of Textract: it needs {', '.join(_PARTS)}")
    fields = [*expense_fields(expenses), *identity_fields(identities)]
    return _pages(blocks, fields)


_PARTS = ("Blocks", "ExpenseDocuments", "IdentityDocuments")
_Numbered = tuple[int, TypedField]


def _pages(blocks: list[Value], fields: list[_Numbered]) -> list[Page]:
    """Pages, their blocks and fields in the order of the answer."""
    by_page: dict[int, list[Value]] = {}
    for block in blocks:
        by_page.setdefault(int(block["Page"].number) or 1, []).append(block)
    numbers = sorted({*by_page, *(number for number, _ in fields)}) or [1]
    index = {block["Id"].text: block for block in blocks}
    return [
        _page(by_page.get(number, []), index, [one for page, one in fields if page == number])
        for number in numbers
    ]


def _page(blocks: list[Value], index: dict[str, Value], fields: list[TypedField]) -> Page:
    """One page."""
    lines = [_line(block, index) for block in _in_reading_order(blocks, index)]
    own = [*_form_fields(blocks, index), *_query_fields(blocks, index)]
    return Page(lines, [*own, *fields], aspect=None)


def _in_reading_order(blocks: list[Value], index: dict[str, Value]) -> Iterator[Value]:
    """Yield the lines: those within layout blocks, then the rest."""
    done: set[str] = set()
    layout = [block for block in blocks if block["BlockType"].text.startswith("LAYOUT_")]
    within = [line for block in layout for line in _related(block, "CHILD", index)]
    for line in [*within, *blocks]:
        name = line["Id"].text
        if line["BlockType"].text == "LINE" and name not in done:
            done.add(name)
            yield line


def _related(block: Value, kind: str, index: dict[str, Value]) -> Iterator[Value]:
    """Yield the blocks that a block names in one kind of relationship."""
    for relationship in block["Relationships"]:
        if relationship["Type"].text == kind:
            for name in relationship["Ids"]:
                if name.text in index:
                    yield index[name.text]


def _line(block: Value, index: dict[str, Value]) -> Line:
    """Line with its words; ids are new in every answer and pair nothing."""
    words = tuple(
        Word(word["Text"].text, word["Confidence"].share(100), corner_box(word))
        for word in _related(block, "CHILD", index)
        if word["BlockType"].text == "WORD"
    )
    confidence = block["Confidence"].share(100)
    return Line(block["Text"].text, words, confidence, corner_box(block))


def _form_fields(blocks: list[Value], index: dict[str, Value]) -> Iterator[TypedField]:
    """Yield keys and values of a form."""
    for block in blocks:
        types = [one.text for one in block["EntityTypes"]]
        if block["BlockType"].text != "KEY_VALUE_SET" or "KEY" not in types:
            continue
        values = list(_related(block, "VALUE", index))
        texts = [text for value in values if (text := _content(value, index))]
        first = values[0] if values else block
        yield TypedField(
            name="pair",
            label=_content(block, index),
            text=" ".join(texts),
            confidence=first["Confidence"].share(100),
            box=corner_box(first),
        )


def _query_fields(blocks: list[Value], index: dict[str, Value]) -> Iterator[TypedField]:
    """Yield queries and their first answer."""
    for block in blocks:
        if block["BlockType"].text != "QUERY":
            continue
        query = block["Query"]
        answer = next(_related(block, "ANSWER", index), Value(None))
        yield TypedField(
            name=query["Alias"].text or "query",
            label=query["Text"].text,
            text=answer["Text"].text,
            confidence=answer["Confidence"].share(100),
            box=corner_box(answer),
        )


def _content(block: Value, index: dict[str, Value]) -> str:
    """Words of a key or value; a box that can be ticked is its state."""
    parts = _related(block, "CHILD", index)
    return line_of_words(
        [Word(text) for one in parts if (text := one.first("Text", "SelectionStatus").text)]
    ).text
