"""Readers of OCR formats, and the source of each format's confidence."""

from collections.abc import Callable

from ocrjury.readers import (
    alto,
    azure,
    document_ai,
    google_vision,
    hocr,
    page_xml,
    plain_text,
    tesseract_tsv,
    textract,
)
from ocrjury.readers.format_names import TABLES, Format
from ocrjury.readers.ocr_pages import Page

READERS: dict[Format, Callable[[bytes, str | None], list[Page]]] = {
    "page": page_xml.read_page_xml,
    "alto": alto.read_alto,
    "hocr": hocr.read_hocr,
    "tsv": tesseract_tsv.read_tesseract_tsv,
    "text": plain_text.read_plain_text,
    "textract": textract.read_textract,
    "docai": document_ai.read_document_ai,
    "vision": google_vision.read_google_vision,
    "azure": azure.read_azure,
}
CONFIDENCES: dict[Format, str] = {
    "page": page_xml.CONFIDENCE,
    "alto": alto.CONFIDENCE,
    "hocr": hocr.CONFIDENCE,
    "tsv": tesseract_tsv.CONFIDENCE,
    "textract": textract.CONFIDENCE,
    "docai": document_ai.CONFIDENCE,
    "vision": google_vision.CONFIDENCE,
    "azure": azure.CONFIDENCE,
    **dict.fromkeys(TABLES, "column confidence, 0 to 1"),
}
"""Source and scale of each format's confidence, before it was converted to a share."""
