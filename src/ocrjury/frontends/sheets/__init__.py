"""Spreadsheets: a workbook for each rater out and back again, and tables of ratings in CSV."""

from ocrjury.frontends.sheets.frontend import SheetsFrontend, sheets_folder
from ocrjury.frontends.sheets.handing_out import SheetSource, WrittenSheet, export_sheets
from ocrjury.frontends.sheets.importing import Imported, import_ratings
from ocrjury.frontends.sheets.notes import SheetNote, SheetReport
from ocrjury.frontends.sheets.origin import Sender
from ocrjury.frontends.sheets.returning import import_sheet

__all__ = [
    "Imported",
    "Sender",
    "SheetNote",
    "SheetReport",
    "SheetSource",
    "SheetsFrontend",
    "WrittenSheet",
    "export_sheets",
    "import_ratings",
    "import_sheet",
    "sheets_folder",
]
