"""Typed fields of Textract's expenses and identity documents, and what kind of value they hold."""

from collections.abc import Iterable, Iterator

from ocrjury.readers.cloud_boxes import corner_box
from ocrjury.readers.json_values import Value
from ocrjury.readers.ocr_pages import TypedField

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


def kind_of(name: str) -> str | None:
    """Return what kind of value a field of a standard name holds, None if the name does not say.

    >>> kind_of("TOTAL"), kind_of("DUE_DATE"), kind_of("VENDOR_NAME")
    ('amount', 'date', None)
    """
    kinds = {"amount": _AMOUNTS, "code": _CODES, "date": _DATES}
    return next((kind for kind, names in kinds.items() if name in names), None)


def expense_fields(documents: Iterable[Value]) -> Iterator[tuple[int, TypedField]]:
    """Yield page number and field for the summary and the items of expenses."""
    for document in documents:
        for one in document["SummaryFields"]:
            yield _expense_field(one, one["Type"]["Text"].text)
        for group in document["LineItemGroups"]:
            for row, item in enumerate(group["LineItems"], start=1):
                for one in item["LineItemExpenseFields"]:
                    yield _expense_field(one, f"item-{row}/{one['Type']['Text'].text}")


def _expense_field(one: Value, name: str) -> tuple[int, TypedField]:
    """One field of an expense."""
    found = one["ValueDetection"]
    field = TypedField(
        name=name or "field",
        label=one["LabelDetection"]["Text"].text,
        text=found["Text"].text,
        kind=kind_of(name.rpartition("/")[2]),
        confidence=found["Confidence"].share(100),
        box=corner_box(found),
    )
    return int(one["PageNumber"].number) or 1, field


def identity_fields(documents: Iterable[Value]) -> Iterator[tuple[int, TypedField]]:
    """Yield page number and field of identity documents; document n is taken for page n."""
    for document in documents:
        page = int(document["DocumentIndex"].number) or 1
        for one in document["IdentityDocumentFields"]:
            name, found = one["Type"]["Text"].text, one["ValueDetection"]
            is_date = found["NormalizedValue"]["ValueType"].text == "Date"
            kind = "date" if is_date else kind_of(name)
            confidence = found["Confidence"].share(100)
            yield page, TypedField(name or "field", found["Text"].text, kind, confidence)
