"""A workbook as it came back: its manifest, and the cells below the headers of its sheet."""

import io
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from lxml import etree
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from ocrjury.errors import InputError
from ocrjury.frontends.sheets.signatures import MANIFEST
from ocrjury.frontends.sheets.texts import matched, unescaped
from ocrjury.frontends.sheets.upload import Upload
from ocrjury.frontends.sheets.words import every_language

_HEADER_WITHIN, _WIDEST = 50, 80
_KEY_HEADERS = frozenset(matched(say("key")) for say in every_language())
# What openpyxl and what it calls raise on files that only look like workbooks.
_UNREADABLE = (
    *(KeyError, ValueError, TypeError, AttributeError, IndexError, OverflowError, SyntaxError),
    *(RecursionError, EOFError, OSError, NotImplementedError, StopIteration),
    *(zipfile.BadZipFile, zlib.error, etree.LxmlError, InvalidFileException),
)


class FoundCell(NamedTuple):
    """A cell: its value, and its type as the file has it (n s b d e f; empty for no cell).

    A number that is shown as a percentage has the type ``%``: its value is not what was typed.
    """

    value: Any
    kind: str

    @property
    def empty(self) -> bool:
        """Whether the cell is empty or blank."""
        if self.kind == "s" and isinstance(self.value, str):
            return not self.value.strip()
        return self.value is None

    @property
    def text(self) -> str:
        """Content of the cell as text."""
        if self.value is None:
            return ""
        if isinstance(self.value, float) and self.value.is_integer():
            return str(int(self.value))
        return unescaped(self.value) if isinstance(self.value, str) else str(self.value)


NOTHING = FoundCell(None, "")


class FoundRow(NamedTuple):
    """A row by the number that a spreadsheet shows."""

    number: int
    cells: tuple[FoundCell, ...]

    def at(self, place: int) -> FoundCell:
        """Cell at a place from 0."""
        return self.cells[place] if place < len(self.cells) else NOTHING


class FoundSheet(NamedTuple):
    """The sheet that a rater filled in; `header` is the row that names the columns."""

    title: str
    header: FoundRow
    rows: list[FoundRow]
    merged: Sequence[str]
    hidden: frozenset[int]


class FoundWorkbook(NamedTuple):
    """A workbook that came back; `manifest` is empty if it was lost."""

    sheet: FoundSheet
    manifest: Mapping[str, str]


def read_workbook(upload: Upload, *, source: str) -> FoundWorkbook:
    """Content of a workbook; `InputError` if no sheet has row keys, or two have."""
    try:
        with warnings.catch_warnings():
            # It warns of parts that it leaves out, such as pictures; none of them matters here.
            warnings.simplefilter("ignore")
            sheets, manifest = _read(upload)
    except _UNREADABLE as error:
        detail = (str(error).splitlines() or [""])[0][:100]
        raise InputError(
            f"{source} cannot be read as a workbook ({type(error).__name__}: {detail}). Open it in "
            "the spreadsheet program, save it as .xlsx and send it again."
        ) from error
    if not sheets:
        raise InputError(
            f"{source} has no sheet with row keys; it is no sheet of `ocrjury sheets export`, or "
            "the column with the keys was removed. Nothing can be told apart without it."
        )
    if len(sheets) > 1:
        titles = ", ".join(sheet.title for sheet in sheets)
        raise InputError(f"{source} has row keys on several sheets ({titles}); keep one of them.")
    return FoundWorkbook(sheets[0], manifest)


def _read(upload: Upload) -> tuple[list[FoundSheet], dict[str, str]]:
    """Sheets that have row keys, and the manifest."""
    book = load_workbook(io.BytesIO(upload.body), read_only=True, keep_links=False)
    try:
        manifest: dict[str, str] = {}
        sheets = []
        for sheet in book.worksheets:
            if sheet.title == MANIFEST:
                manifest = _pairs(sheet)
                continue
            sheet_found = _found_sheet(sheet, upload)
            if sheet_found is not None:
                sheets.append(sheet_found)
        return sheets, manifest
    finally:
        book.close()


def _found_sheet(sheet: Any, upload: Upload) -> FoundSheet | None:
    """Sheet from its header on; None if no row of it names the keys."""
    rows = _rows(sheet)
    header = next((row for row in islice(rows, _HEADER_WITHIN) if _key_places(row)), None)
    if header is None:
        return None
    # What stands to the right of the header is left out.
    inside = (row._replace(cells=row.cells[: len(header.cells)]) for row in rows)
    part = str(sheet._worksheet_path).lstrip("/")  # noqa: SLF001  # nothing public has it
    return FoundSheet(
        sheet.title,
        header,
        [row for row in inside if not all(cell.empty for cell in row.cells)],
        upload.merged.get(part, []),
        frozenset(upload.hidden.get(part, [])),
    )


def _rows(sheet: Any) -> Iterator[FoundRow]:
    """Yield the rows of a sheet; of those that the file leaves out in one place, the first."""
    # The size that a file claims for itself is often wrong.
    sheet.reset_dimensions()
    before: tuple[Any, ...] = ()
    for number, row in enumerate(sheet.iter_rows(max_col=_WIDEST), start=1):
        # openpyxl fills a gap with one and the same row, up to a million times.
        if row is before:
            continue
        before = row
        width = next((n for n in range(len(row), 0, -1) if row[n - 1].value is not None), 0)
        cells = (FoundCell(cell.value, _kind(cell)) for cell in row[:width])
        yield FoundRow(number, tuple(cells))


def _kind(cell: Any) -> str:
    """Type of a cell."""
    if cell.data_type == "n" and cell.value is not None and "%" in cell.number_format:
        return "%"
    return str(cell.data_type)


def _key_places(row: FoundRow) -> list[int]:
    """Places of the cells in a row that name the keys, as those of the header do."""
    texts = [cell.text if isinstance(cell.value, str) else "" for cell in row.cells]
    return [place for place, text in enumerate(texts) if text and matched(text) in _KEY_HEADERS]


def _pairs(sheet: Any) -> dict[str, str]:
    """Names and texts of the hidden sheet."""
    rows = [row for row in islice(_rows(sheet), _HEADER_WITHIN) if len(row.cells) > 1]
    return {row.cells[0].text: row.cells[1].text for row in rows if not row.cells[0].empty}


def read_keys(upload: Upload, *, source: str) -> list[str]:
    """Row keys of a workbook in which nobody may have written anything yet."""
    sheet = read_workbook(upload, source=source).sheet
    return [row.at(at).text.strip() for row in sheet.rows for at in _key_places(sheet.header)]
