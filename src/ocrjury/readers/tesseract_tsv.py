"""Tesseract's table of words (``tesseract IMAGE NAME tsv``): twelve columns with a header.

The table does not say where white space is. It separates words of alphabetic scripts; Korean,
Chinese and Japanese words come in pieces, and their spacing must be taken from elsewhere.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from ocrjury.readers.boxes import Frame
from ocrjury.readers.content_errors import BadContentError
from ocrjury.readers.encodings import decoded
from ocrjury.readers.limits import check_rows, check_size
from ocrjury.readers.measures import number, share
from ocrjury.readers.ocr_pages import Line, Page, Word, line_of_words

CONFIDENCE = "conf of words, 0 to 100 (-1: none)"
COLUMNS = (
    *("level", "page_num", "block_num", "par_num", "line_num", "word_num"),
    *("left", "top", "width", "height", "conf", "text"),
)
_PAGE, _WORD = "1", "5"


class _Row(NamedTuple):
    place: str
    level: str
    page: str
    line: tuple[str, ...]
    sides: tuple[float, float, float, float]
    conf: str
    text: str


def read_tesseract_tsv(data: bytes, encoding: str | None = None) -> list[Page]:
    """Pages of Tesseract's table of words."""
    check_size(data)
    check_rows(data)
    rows = _rows(decoded(data, encoding))
    return [_page(list(of_page)) for _, of_page in groupby(rows, key=lambda row: row.page)]


def _rows(text: str) -> Iterator[_Row]:
    lines = text.split("\n")  # str.splitlines would also split at other characters
    if tuple(lines[0].rstrip("\r").split("\t")) != COLUMNS:
        raise BadContentError(f"the first row must be {' '.join(COLUMNS)}, with tabs", "line 1")
    for place, line in enumerate(lines[1:], start=2):
        if line.strip("\r"):
            yield _row(line.rstrip("\r"), f"line {place}")


def _row(line: str, place: str) -> _Row:
    """One row; the cell of an empty text may be missing."""
    cells = line.split("\t", len(COLUMNS) - 1)
    if len(cells) < len(COLUMNS) - 1:
        raise BadContentError(f"not {len(COLUMNS)} cells, but {len(cells)}", place)
    left, top, width, height = (number(cell, place) for cell in cells[6:10])
    text = cells[11] if len(cells) == len(COLUMNS) else ""
    sides = (left, top, left + width, top + height)
    return _Row(place, cells[0], cells[1], tuple(cells[2:5]), sides, cells[10], text)


def _page(rows: list[_Row]) -> Page:
    size = next((row.sides for row in rows if row.level == _PAGE), (0.0, 0.0, 0.0, 0.0))
    frame = Frame(size[2], size[3])
    words = [row for row in rows if row.level == _WORD and row.text.strip()]
    lines: list[Line] = [
        line_of_words([_word(row, frame) for row in of_line])
        for _, of_line in groupby(words, key=lambda row: row.line)
    ]
    return Page(lines, aspect=frame.aspect, spacing_known=False)


def _word(row: _Row, frame: Frame) -> Word:
    """Word of a row; a confidence of -1 means none."""
    conf = None if row.conf.strip() in ("-1", "-1.0", "-1.000000") else row.conf
    confidence = share(conf, row.place, top=100)
    return Word(row.text.strip(), confidence, frame.box(row.sides, row.place))
