"""Ratings as people have them in a CSV file, long or wide, as one long table of text cells.

Long: columns item and rater, and either rating (with or without dimension) or one column for each
dimension. Wide: one row per item, one column per rater, perhaps the items' ids in the first
column. Columns that hold no ratings are set aside, each cell beside the ratings of its row.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ocrjury.campaign.sheet_cells import DESCRIPTION
from ocrjury.cli.csv_tables import Line, Table, read_table
from ocrjury.cli.scale_option import MISSING
from ocrjury.errors import InputError

SINGLE = "rating"
"""Name of the dimension where a file has only one and does not name it."""
ORDER = ("session", "position", "submitted_at")
"""Columns of a long file that tell in which order raters worked."""
_NO_DIMENSIONS = (*DESCRIPTION, *ORDER)
_ID_NAMES = ("", "item", "item_id", "id", "doc", "doc_id", "document", "unit", "name", "no", "#")


class Names(NamedTuple):
    """Names of the columns of a long file; None: the usual ones."""

    item: str | None = None
    rater: str | None = None
    rating: str | None = None


class CellRow(NamedTuple):
    """One rating as text."""

    item: str
    rater: str
    dimension: str
    rating: str


class RatingFile(NamedTuple):
    """The ratings of a file, those that are missing left out, and how its shape was understood.

    ``aside`` has the cells of the columns that hold no ratings, one for each of ``rows``.
    """

    rows: list[CellRow]
    shape: str
    aside: Mapping[str, list[str]]

    @property
    def dimensions(self) -> list[str]:
        """Return the dimensions in the file's order."""
        return list(dict.fromkeys(row.dimension for row in self.rows))

    @property
    def raters(self) -> list[str]:
        """Return the raters in the file's order."""
        return list(dict.fromkeys(row.rater for row in self.rows))

    def values(self) -> list[str]:
        """Return the cells of all ratings."""
        return [row.rating for row in self.rows]

    def kept(self, wanted: Sequence[bool]) -> "RatingFile":
        """Return some of the ratings."""
        rows = [row for row, keep in zip(self.rows, wanted, strict=True) if keep]
        aside = {
            name: [cell for cell, keep in zip(cells, wanted, strict=True) if keep]
            for name, cells in self.aside.items()
        }
        return RatingFile(rows, self.shape, aside)


def read_ratings(
    path: Path,
    *,
    names: Names = Names(),  # noqa: B008  # frozen
    aside: Iterable[str] = (),
    where: Mapping[str, str] | None = None,
) -> RatingFile:
    """Return the ratings of a CSV file (comma, semicolon or tab; UTF-8 or CP949).

    Parameters
    ----------
    aside
        Columns that hold no ratings, besides those of which it is known; the file need not have
        them.
    where
        Cells by column; other rows are left out.

    Raises
    ------
    InputError
        If it is no table, lacks an item, a rater or a column of ``where``, or holds no rating.
    """
    table = read_table(path).chosen(where or {})
    others = {*aside, *(where or {})}
    long = _long_columns(table, names)
    found = (
        _from_wide(table, names.item, others) if long is None else _from_long(table, long, others)
    )
    if not found.rows and len(table.header) < 2:
        raise InputError(
            f"{path} holds no rating: it has one column, {table.header[0]!r}, and ratings need two "
            "or more, separated by commas, semicolons or tabs."
        )
    if not found.rows:
        raise InputError(f"{path} holds no rating: every cell is empty.")
    return found


def _long_columns(table: Table, names: Names) -> Names | None:
    """Return the columns of a long file, None if the file is wide."""
    lower = {name.lower(): name for name in table.header}
    table.check_columns(names)
    item, rater = names.item or lower.get("item"), names.rater or lower.get("rater")
    if rater is None and names.rating is None:
        return None
    if item is None or rater is None:
        raise InputError(
            f"{table.path}: a long table needs a column for the item and one for the rater; found "
            f"{', '.join(table.header)}. Name them with --item and --rater."
        )
    return Names(item, rater, names.rating or lower.get("rating"))


def _from_long(table: Table, columns: Names, others: set[str]) -> RatingFile:
    """Return the ratings of a long table."""
    item, rater, rating = str(columns.item), str(columns.rater), columns.rating
    table.check_filled(item, rater)
    named = next((name for name in table.header if name.lower() == "dimension"), None)
    if rating is None:
        passed = others | {name for name in table.header if name.lower() in _NO_DIMENSIONS}
        read = [name for name in table.header if name not in passed and name not in columns]
        cells = [(line, name, line.cells[name]) for line in table.lines for name in read]
        shape = f"long, with {len(read)} columns of ratings"
    else:
        read = [rating] if named is None else [rating, named]
        dimension = [SINGLE if named is None else line.cells[named] for line in table.lines]
        pairs = zip(table.lines, dimension, strict=True)
        cells = [(line, name, line.cells[rating]) for line, name in pairs]
        shape = "long, one row for each rating"
        table.check_filled(*read[1:])
    rows = [
        (CellRow(line.cells[item], line.cells[rater], name, cell), line)
        for line, name, cell in cells
    ]
    aside = [name for name in table.header if name not in read and name not in columns]
    return _file(table, rows, shape=shape, aside=aside)


def _from_wide(table: Table, item: str | None, others: set[str]) -> RatingFile:
    """Return the ratings of a wide table."""
    columns = [name for name in table.header if name not in others]
    ids = _id_column(columns, table.lines) if item is None else item
    if ids is not None:
        table.check_filled(ids)
    raters = [name for name in columns if name != ids]
    rows = [
        (
            CellRow(str(place) if ids is None else line.cells[ids], rater, SINGLE, cell),
            line,
        )
        for place, line in enumerate(table.lines, start=1)
        for rater, cell in ((name, line.cells[name]) for name in raters)
    ]
    about = f"items named by {ids!r}" if ids is not None else "items numbered by row"
    aside = [name for name in table.header if name in others]
    shape = f"wide, {len(raters)} raters, {about}"
    return _file(table, rows, shape=shape, aside=aside)


def _id_column(columns: Sequence[str], lines: Sequence[Line]) -> str | None:
    """Return the first column if it names the items.

    It does if it is called so, or if its cells are distinct words while all others are numbers.
    """
    if not columns:
        return None
    first = columns[0]
    if first.lower() in _ID_NAMES or first.lower().endswith("_id"):
        return first
    cells = [line.cells[first] for line in lines]
    rest = (line.cells[name] for line in lines for name in columns[1:])
    others = [cell for cell in rest if cell.lower() not in MISSING]
    words = not any(_is_number(cell) for cell in cells)
    distinct = len(set(cells)) == len(cells) and "" not in cells
    return first if words and distinct and all(map(_is_number, others)) else None


def _file(
    table: Table, found: Iterable[tuple[CellRow, Line]], *, shape: str, aside: Sequence[str]
) -> RatingFile:
    """Return a file's ratings without the missing ones; refuse two of the same."""
    there = [(row, line) for row, line in found if row.rating.lower() not in MISSING]
    first: dict[tuple[str, str, str], int] = {}
    for row, line in there:
        before = first.setdefault((row.item, row.rater, row.dimension), line.number)
        if before != line.number:
            raise InputError(
                f"{table.path}, row {line.number}: {row.rater} rated item {row.item!r} before, in "
                f"row {before}; keep one of the two."
            )
    return RatingFile(
        [row for row, _ in there],
        shape,
        {name: [line.cells[name] for _, line in there] for name in aside},
    )


def _is_number(text: str) -> bool:
    """Return whether a cell is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True
