"""A rater's workbook as bytes: the sheet to fill in, the guide, and a hidden manifest.

No sheet is ever in a temporary file, where a kill would leave its texts.
"""

# ruff: noqa: SLF001  # openpyxl offers no other way past its temporary files
import io
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook
from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
from openpyxl.workbook.protection import WorkbookProtection
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.writer.excel import ExcelWriter

from ocrjury.campaign.rubric import Rubric
from ocrjury.frontends.sheets.assigned import AssignedRow
from ocrjury.frontends.sheets.columns import scale_list, sheet_columns
from ocrjury.frontends.sheets.guide_sheet import fill_guide_sheet, guide_lines
from ocrjury.frontends.sheets.manifest import MANIFEST, Manifest
from ocrjury.frontends.sheets.rating_sheet import Content, fill_rating_sheet
from ocrjury.frontends.sheets.styles import add_styles, put
from ocrjury.frontends.sheets.words import words_of


class InMemoryWriter(ExcelWriter):
    """openpyxl's writer of workbooks, with sheets in memory instead of the temporary folder."""

    _archive: ZipFile

    def write_worksheet(self, ws: Any) -> None:
        """Add a sheet to the archive, as openpyxl does but for the file in between."""
        ws._drawing = SpreadsheetDrawing()
        ws._drawing.charts = ws._charts
        ws._drawing.images = ws._images
        writer: Any = WorksheetWriter(ws, out=io.BytesIO())
        writer.write()
        ws._rels = writer._rels
        self._archive.writestr(ws.path[1:], writer.read())
        self.manifest.append(ws)


def archived(book: Workbook) -> bytes:
    """File of a workbook."""
    file = io.BytesIO()
    InMemoryWriter(book, ZipFile(file, "w", ZIP_DEFLATED, allowZip64=True)).save()
    return file.getvalue()


_NAMES_COLUMN = 4


def write_workbook(
    rows: Sequence[AssignedRow],
    manifest: Manifest,
    *,
    rubric: Rubric,
    dimensions: Sequence[str],
    images: Mapping[str, str],
    key: bytes,
    now: datetime,
) -> bytes:
    """Workbook in which one rater rates some rows.

    Parameters
    ----------
    images
        Links to pictures by the key of a row.
    key
        That of the store, see `ocrjury.frontends.sheets.signatures`.
    """
    book, words = Workbook(), words_of(manifest.language)
    add_styles(book, words.font)
    names = scale_list(rubric.scale)
    columns = sheet_columns(
        rubric, dimensions, language=manifest.language, sessions=manifest.sessions
    )
    content = Content(
        rubric,
        manifest,
        columns,
        rows,
        images,
        words,
        names_at=f"{MANIFEST}!$D$1:$D${max(len(names), 1)}",
    )
    ratings = book.worksheets[0]
    ratings.title = words.ratings
    fill_rating_sheet(ratings, content)
    lines = guide_lines(rubric, dimensions, words=words, language=manifest.language)
    fill_guide_sheet(book.create_sheet(words.guide), lines)
    _hide_manifest(book, manifest.cells(key), names)
    book.security = WorkbookProtection(lockStructure=True)
    facts = book.properties
    facts.creator, facts.title = "ocrjury", f"{manifest.evaluation} {manifest.rater}"
    facts.created = facts.modified = now.replace(tzinfo=None)
    return archived(book)


def _hide_manifest(book: Workbook, cells: Sequence[tuple[str, str]], names: Sequence[str]) -> None:
    """Write the hidden sheet: names and texts, and the scale's values for long lists."""
    sheet = book.create_sheet(MANIFEST)
    for place, (name, text) in enumerate(cells, start=1):
        put(sheet, (place, 1), name, look="text")
        put(sheet, (place, 2), text, look="text")
    for place, name in enumerate(names, start=1):
        put(sheet, (place, _NAMES_COLUMN), name, look="text")
    sheet.protection.sheet = True
    sheet.sheet_state = "veryHidden"
