"""A workbook as bytes; no sheet is ever in a temporary file, where a kill would leave its texts."""

# ruff: noqa: SLF001  # openpyxl offers no other way past its temporary files
import io
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook
from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.writer.excel import ExcelWriter


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
