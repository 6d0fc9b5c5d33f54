"""AWS Textract: DetectDocumentText, AnalyzeDocument, AnalyzeExpense, AnalyzeID.

Pages of lines and words, in the order of ``LAYOUT`` blocks if the answer has them; typed fields
from forms (``KEY_VALUE_SET``), queries, expenses and identity documents. The parts of a paginated
answer may be given as one list.
"""

from collections.abc import Iterable, Iterator

from ocrjury.readers.boxes import RELATIVE
from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.json_values import Value, parse_json
from ocrjury.readers.ocr_pages import Box, Line, Page, TypedField, Word, line_of_words

CONFIDENCE = "Confidence of WORD, 0 to 100"
_FINISHED = {"", "SUCCEEDED", "PARTIAL_SUCCESS"}
_PARTS = ("Blocks", "ExpenseDocuments", "IdentityDocuments")
_AMOUNTS = {
    *("AMOUNT_DUE", "AMOUNT_PAID", "DISCOUNT", "GRATUITY", "PRICE", "PRIOR_BALANCE"),
    *("SERVICE_CHARGE", "SHIPPING_HANDLING_CHARGE", "SUBTOTAL", "TAX", "TOTAL", "UNIT_PRICE"),
}
_CODES = {
    *("ABN_NUMBER", "ACCOUNT_NUMBER", "CUSTOMER_NUMBER", "DOCUMENT_NUMBER", "GST_NUMBER"),
    *("INVOICE_RECEIPT_ID", "PAN_NUMBER", "PO_NUMBER", "PRODUCT_CODE", "TAX_PAYER_ID"),
    *("VAT_NUMBER", "ZIP_CODE", "ZIP_CODE_IN_ADDRESS", "MRZ_CODE"),
}
_DATES = {
    *("DATE_OF_BIRTH", "DATE_OF_ISSUE", "DELIVERY_DATE", "DUE_DATE", "EXPIRATION_DATE"),
    *("INVOICE_RECEIPT_DATE", "ORDER_DATE"),
}

_Numbered = tuple[int, TypedField]


def read_textract(data: bytes, encoding: str | None = None) -> list[Page]:
    """Pages of an answer of Textract."""
    root = parse_json(data, encoding)
    answers = list(root) if isinstance(root.value, list) else [root]
    for answer in answers:
        status = answer["JobStatus"]
        if status.text not in _FINISHED:
            raise BadContentError(
                "an answer without a result: the job has not succeeded", status.place
            )
    if answers and (further := answers[-1]["NextToken"]).exists:
        raise BadContentError(
            "an answer that goes on: NextToken asks for a further part. Put all parts into one "
            "list, in their order",
            further.place,
        )
    blocks = [block for answer in answers for block in answer["Blocks"]]
    expenses = [document for answer in answers for document in answer["ExpenseDocuments"]]
    identities = [document for answer in answers for document in answer["IdentityDocuments"]]
    for document in (*expenses, *identities):
        blocks += document["Blocks"]
    if not any(answer[name].exists for answer in answers for name in _PARTS):
        raise BadContentError(f"not an answer of Textract: it needs {', '.join(_PARTS)}")
    fields = [*_expense_fields(expenses), *_identity_fields(identities)]
    return _pages(blocks, fields)


def _pages(blocks: list[Value], fields: list[_Numbered]) -> list[Page]:
    """Pages, their blocks and fields in the order of the answer."""
    by_page: dict[int, list[Value]] = {}
    for block in blocks:
        by_page.setdefault(int(block["Page"].number) or 1, []).append(block)
    numbers = sorted({*by_page, *(number for number, _ in fields)}) or [1]
    index = {block["Id"].text: block for block in blocks}
    return [
        _page(by_page.get(number, []), index, [field for page, field in fields if page == number])
        for number in numbers
    ]


def _page(blocks: list[Value], index: dict[str, Value], fields: list[TypedField]) -> Page:
    lines = [_line(block, index) for block in _in_reading_order(blocks, index)]
    own = [*_form_fields(blocks, index), *_query_fields(blocks, index)]
    return Page(lines, [*own, *fields], aspect=None)


def _in_reading_order(blocks: list[Value], index: dict[str, Value]) -> Iterator[Value]:
    """Yield the lines: first those in layout blocks, then the rest."""
    done: set[str] = set()
    layout = [block for block in blocks if block["BlockType"].text.startswith("LAYOUT_")]
    within = [line for block in layout for line in _related(block, "CHILD", index)]
    for line in [*within, *blocks]:
        name = line["Id"].text
        if line["BlockType"].text == "LINE" and name not in done:
            done.add(name)
            yield line


def _related(block: Value, kind: str, index: dict[str, Value]) -> Iterator[Value]:
    """Yield the blocks to which a block has one kind of relationship."""
    for relationship in block["Relationships"]:
        if relationship["Type"].text == kind:
            for name in relationship["Ids"]:
                if name.text in index:
                    yield index[name.text]


def _line(block: Value, index: dict[str, Value]) -> Line:
    """Line with its words; ids are dropped, since they differ in every answer."""
    words = tuple(
        Word(word["Text"].text, word["Confidence"].share(100), _box(word))
        for word in _related(block, "CHILD", index)
        if word["BlockType"].text == "WORD"
    )
    text, confidence = block["Text"], block["Confidence"].share(100)
    if not text.exists and not words:
        raise BadContentError("a LINE without Text", text.place)
    written = text.text if text.exists else line_of_words(words).text
    return Line(written, words, confidence, _box(block))


def _form_fields(blocks: list[Value], index: dict[str, Value]) -> Iterator[TypedField]:
    """Yield the pairs of key and value of a form."""
    for block in blocks:
        types = [entity.text for entity in block["EntityTypes"]]
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
            box=_box(first),
        )


def _query_fields(blocks: list[Value], index: dict[str, Value]) -> Iterator[TypedField]:
    """Yield the queries with their first answers."""
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
            box=_box(answer),
        )


def _content(block: Value, index: dict[str, Value]) -> str:
    """Text of a key or value; a checkbox is represented by its state."""
    parts = _related(block, "CHILD", index)
    return line_of_words(
        [Word(text) for part in parts if (text := part.first("Text", "SelectionStatus").text)]
    ).text


def _kind_of(name: str) -> str | None:
    """Kind of value of a standard field, None if its name does not determine it.

    >>> _kind_of("TOTAL"), _kind_of("DUE_DATE"), _kind_of("VENDOR_NAME")
    ('amount', 'date', None)
    """
    kinds = {"amount": _AMOUNTS, "code": _CODES, "date": _DATES}
    return next((kind for kind, names in kinds.items() if name in names), None)


def _expense_fields(documents: Iterable[Value]) -> Iterator[_Numbered]:
    """Yield page number and field for the summaries and items of expenses."""
    for document in documents:
        for summary in document["SummaryFields"]:
            yield _expense_field(summary, summary["Type"]["Text"].text)
        for group in document["LineItemGroups"]:
            for row, item in enumerate(group["LineItems"], start=1):
                for part in item["LineItemExpenseFields"]:
                    yield _expense_field(part, f"item-{row}/{part['Type']['Text'].text}")


def _expense_field(expense: Value, name: str) -> _Numbered:
    value = expense["ValueDetection"]
    field = TypedField(
        name=name or "field",
        label=expense["LabelDetection"]["Text"].text,
        text=value["Text"].text,
        kind=_kind_of(name.rpartition("/")[2]),
        confidence=value["Confidence"].share(100),
        box=_box(value),
    )
    return int(expense["PageNumber"].number) or 1, field


def _identity_fields(documents: Iterable[Value]) -> Iterator[_Numbered]:
    """Yield page number and field of identity documents; document n is taken to be page n."""
    for document in documents:
        page = int(document["DocumentIndex"].number) or 1
        for field in document["IdentityDocumentFields"]:
            name, value = field["Type"]["Text"].text, field["ValueDetection"]
            is_date = value["NormalizedValue"]["ValueType"].text == "Date"
            kind = "date" if is_date else _kind_of(name)
            confidence = value["Confidence"].share(100)
            yield page, TypedField(name or "field", value["Text"].text, kind, confidence)


def _box(block: Value) -> Box | None:
    """Box of a block, None if it has none."""
    frame = block["Geometry"]["BoundingBox"]
    if not frame.exists:
        return None
    left, top = frame["Left"].number, frame["Top"].number
    sides = (left, top, left + frame["Width"].number, top + frame["Height"].number)
    return RELATIVE.box(sides, frame.place)
