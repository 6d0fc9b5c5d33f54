"""CSV files of ratings, raters, gold items and masks that are made to be expensive."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict

from benchmarks.worst_texts import Worst
from ocrjury.campaign.gold_file import read_gold
from ocrjury.campaign.registry import read_raters
from ocrjury.campaign.rubric import Rubric
from ocrjury.file_limits import (
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_SHEET,
    MAX_SHEET_ROWS,
    MAX_TABLE_CELLS,
)
from ocrjury.ratings.files import read_ratings
from ocrjury.ratings.published_counts import read_counts, read_crosstab
from ocrjury.ratings.sheets import read_sheet
from ocrjury.readers.masks import read_masks
from ocrjury.text_files import read_text


class Limits(TypedDict):
    """Limits of a process, as `Worst` has them."""

    seconds: int
    megabytes: int


_WIDE = 20_000
"""Columns of the files that were found to take minutes; a table has `MAX_COLUMNS`."""
_LARGE: Limits = {"seconds": 30, "megabytes": 1500}
"""Limits of a process that reads ratings for their agreement."""


def _file(read: Callable[[Path], object]) -> Callable[[str], object]:
    """Function that reads a text as a file."""

    def read_file(text: str) -> object:
        with TemporaryDirectory() as folder:
            path = Path(folder, "table.csv")
            path.write_text(text, "utf-8")
            return read(path)

    return read_file


def _wide(header: str, row: str, columns: int = _WIDE) -> str:
    """A header and one row that go on with columns nobody knows."""
    names = ",".join(f"k{number}" for number in range(columns))
    return f"{header},{names}\n{row}{',1' * columns}\n"


def _ratings(rows: int) -> str:
    """Ratings whose items and notes are all unlike, with columns in which every cell is alike."""
    same = ",".join(map(str, range(16)))
    names = ",".join(f"k{number}" for number in range(16))
    return f"item,rater,rating,note,{names}\n" + "".join(
        f'"{number}",R,4,n{number},{same}\n' for number in range(rows)
    )


def _rubric() -> Rubric:
    """Rubric with two dimensions."""
    scale = {"kind": "likert", "low": 1, "high": 5}
    dimensions = [
        {"name": name, "title": name, "description": "Is it right?"}
        for name in ("meaning", "layout")
    ]
    purpose = {"en": "Judge the output of OCR."}
    return Rubric.model_validate({"purpose": purpose, "scale": scale, "dimensions": dimensions})


def _sheet(path: Path) -> object:
    """Read ratings that are to be stored."""
    text = read_text(path, most=MAX_SHEET)
    return read_sheet(text, source=path.name, dimensions=["meaning"])


def _gold(path: Path) -> object:
    """Read known ratings."""
    return read_gold(path, _rubric())


READERS = (_sheet, read_ratings, read_counts, read_crosstab, _gold, read_raters, read_masks)
"""Whoever reads a table as a whole, from its path."""

INPUTS: dict[str, Worst] = {
    "sheet-wide": Worst(
        "ratings to store: a row of foreign columns",
        f"{_WIDE:,} columns, 0.2 MB",
        "17.8 s for 5,000, quadratic",
        lambda: _wide("item,rater,meaning", "a,R1,4"),
        _file(_sheet),
        "refused",
    ),
    "sheet-columns": Worst(
        "ratings to store: as many foreign columns and rows as are read",
        f"{MAX_COLUMNS} columns, 9,900 rows",
        "",
        lambda: _wide("item,rater,meaning", "a,R1,4", MAX_COLUMNS - 3) + "a,R1,4\n" * 9_900,
        _file(_sheet),
        "refused",
    ),
    "sheet-rows": Worst(
        "ratings to store: as many rows as are read",
        f"{MAX_SHEET_ROWS:,} rows of a quoted text",
        "",
        lambda: "item,rater,meaning,reference\n" + 'a,R1,4,"x;=1\ny"\n' * (MAX_SHEET_ROWS - 1),
        _file(_sheet),
    ),
    "ratings-wide": Worst(
        "agreement: a row of columns",
        f"{_WIDE:,} columns, 0.2 MB",
        "3.9 s, quadratic",
        lambda: _wide("item,rater,rating", "a,R1,4"),
        _file(read_ratings),
        "refused",
    ),
    "ratings-cells": Worst(
        "agreement: as many quoted cells as are read, a tenth of them unlike",
        f"{MAX_TABLE_CELLS:,} cells",
        "",
        lambda: _ratings(MAX_TABLE_CELLS // 20 - 20),
        _file(read_ratings),
        **_LARGE,
    ),
    "ratings-unlike": Worst(
        "agreement: more unlike cells than are read",
        f"{2 * MAX_CELLS:,} cells",
        "",
        lambda: "x,y\n" + "".join(f"a{n},b{n}\n" for n in range(MAX_CELLS - 1)),
        _file(read_ratings),
        "refused",
        **_LARGE,
    ),
    "crosstab-rows": Worst(
        "agreement: a cross table of rows that are all unlike",
        "1,000,000 rows",
        "3.4 s for 20,000, quadratic",
        lambda: "x,a\n" + "".join(f"{n},0\n" for n in range(1_000_000)),
        _file(read_crosstab),
    ),
    "gold-wide": Worst(
        "gold items: columns that nobody knows",
        f"{_WIDE:,} columns, 0.2 MB",
        "4.8 s, quadratic",
        lambda: _wide("doc_id,dimension,value", "d,meaning,4"),
        _file(_gold),
        "refused",
    ),
    "gold-names": Worst(
        "gold items: as many misspelt dimensions as rows are read",
        f"{MAX_SHEET_ROWS:,} rows",
        "",
        lambda: "doc_id,dimension,value\n" + "d,meanin,4\n" * (MAX_SHEET_ROWS - 1),
        _file(_gold),
        "refused",
    ),
    "raters-wide": Worst(
        "raters: columns that nobody knows",
        f"{_WIDE:,} columns, 0.2 MB",
        "2.7 s, an error of 3.3 MB",
        lambda: _wide("pseudonym", "R1"),
        _file(read_raters),
        "refused",
    ),
    "raters-rows": Worst(
        "raters: as many rows as are read, each cell wrong",
        f"{MAX_SHEET_ROWS:,} rows",
        "",
        lambda: "pseudonym,role,cost,email\n" + "1,ratr,x,y\n" * (MAX_SHEET_ROWS - 1),
        _file(read_raters),
        "refused",
    ),
    "masks-wide": Worst(
        "masks: a header of columns",
        f"{_WIDE:,} columns, 0.2 MB",
        "",
        lambda: _wide("page_id,x0,y0,x1", "p,0,0,1"),
        _file(read_masks),
        "refused",
    ),
}
