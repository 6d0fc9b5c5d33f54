"""Ratings out of files, as spreadsheets and other tools write them."""

from ocrjury.frontends.sheets.importing import Imported, import_ratings

__all__ = ["Imported", "import_ratings"]
