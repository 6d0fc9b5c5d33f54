"""Plain text, with form feeds between pages as Tesseract writes them."""

from ocrjury.readers.encodings import decoded
from ocrjury.readers.limits import check_rows, check_size
from ocrjury.readers.ocr_pages import Line, Page


def read_plain_text(data: bytes, encoding: str | None = None) -> list[Page]:
    """Pages of a text; an empty file is one page without text."""
    check_size(data)
    check_rows(data)
    text = decoded(data, encoding).replace("\r\n", "\n").replace("\r", "\n")
    pages = text.split("\f")
    if len(pages) > 1 and not pages[-1].strip():
        pages.pop()  # a form feed also ends the last page
    return [_page(page.rstrip("\n")) for page in pages]


def _page(text: str) -> Page:
    """One page, its final line breaks already removed; Tesseract writes lines of one space."""
    return Page([Line(line) for line in text.split("\n") if line.strip()], own_text=text)
