"""The page on formats says what the code does."""

from pathlib import Path

from ocrjury import file_limits as limits
from ocrjury.readers.boxes import OVERHANG
from ocrjury.readers.format_names import FORMATS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")


def test_every_format_is_documented():
    assert all(f"`{form}`" in PAGE for form in FORMATS)


def test_every_limit_is_documented():
    assert f"{limits.MAX_BYTES >> 20} MB" in PAGE
    assert f"{limits.MAX_SHEET >> 20} MB, {limits.MAX_SHEET_ROWS:,} rows" in PAGE
    for limit in (limits.MAX_CELLS, limits.MAX_CELL, limits.MAX_RECORD):
        assert f"{limit:,}" in PAGE
    ratings, cells = limits.MAX_RATINGS, limits.MAX_TABLE_CELLS
    assert f"{limits.MAX_TABLE >> 20} MB, {ratings:,} ratings, {cells:,} cells" in PAGE
    of_tables = (limits.MAX_LINE, limits.MAX_CHARACTERS, limits.MAX_COLUMNS)
    for limit in (limits.MAX_TAGS, limits.MAX_VALUES, limits.MAX_ROWS, *of_tables):
        assert f"{limit:,}" in PAGE
    assert f"more than {OVERHANG:.0%} outside".replace("%", " %") in PAGE
