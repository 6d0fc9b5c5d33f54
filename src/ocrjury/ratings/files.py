"""Ratings as people have them in CSV files, long or wide, as one long table of text cells.

Long: columns item and rater, and either rating (with or without dimension) or one column for each
dimension. Wide: one row per item, one column per rater, perhaps the items' ids in the first
column. Columns that hold no ratings are set aside, each cell beside the ratings of its row.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ocrjury.errors import InputError
from ocrjury.ratings.csv_tables import Line, Table, read_table
from ocrjury.ratings.sheets import DESCRIPTION, RatingCell
from ocrjury.text_files import read_text

SINGLE = "rating"
"""Name of the dimension where a file has only one and does not name it."""
ORDER = ("session", "position", "submitted_at")
"""Columns of a long file that tell in which order raters worked."""
MISSING = ("", "na", "n/a", "nan", "*", ".")
"""Cells, in lower case, that stand for no rating."""
_NO_DIMENSIONS = (*DESCRIPTION, *ORDER)
_ID_NAMES = ("", "item", "item_id", "id", "doc", "doc_id", "document", "unit", "name", "no", "#")


class Names(NamedTuple):
    """Names of the columns of a long file; None: the usual ones."""

    item: str | None = None
    rater: str | None = None
    rating: str | None = None


class RatingFile(NamedTuple):
    """The ratings of a file, those that are missing left out, and how its shape was understood.

    ``aside`` has the cells of the columns that hold no ratings, one for each of ``rows``.
    """

    rows: list[RatingCell]
    shape: str
    aside: Mapping[str, list[str]]

    @property
    def dimensions(self) -> list[str]:
        """Dimensions in the file's order."""
        return list(dict.fromkeys(row.dimension for row in self.rows))

    @property
    def raters(self) -> list[str]:
        """Raters in the file's order."""
        return list(dict.fromkeys(row.rater for row in self.rows))

    def values(self) -> list[str]:
        """Cells of all ratings."""
        return [row.rating for row in self.rows]

    def kept(self, wanted: Sequence[bool]) -> "RatingFile":
        """Part of the ratings."""
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
    """Read the ratings of a CSV file (comma, semicolon or tab; UTF-8 or CP949).

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
    table = read_table(read_text(path), source=str(path)).stripped()
    table.check_distinct(table.header)
    if not table.lines:
        raise InputError(f"{path} needs a row of column names and at least one row of ratings.")
    table = table.chosen(where or {})
    others = {*aside, *(where or {})}
    columns = _long_columns(table, names)
    ratings = (
        _from_wide(table, names.item, others)
        if columns is None
        else _from_long(table, columns, others)
    )
    if not ratings.rows and len(table.header) < 2:
        raise InputError(
            f"{path} holds no rating: it has one column, {table.header[0]!r}, and ratings need two "
            "or more, separated by commas, semicolons or tabs."
        )
    if not ratings.rows:
        raise InputError(f"{path} holds no rating: every cell is empty.")
    return ratings


def _long_columns(table: Table, names: Names) -> Names | None:
    """Columns of a long file; None if the file is wide."""
    lower = {name.lower(): name for name in table.header}
    table.check_columns(names)
    item, rater = names.item or lower.get("item"), names.rater or lower.get("rater")
    if rater is None and names.rating is None:
        return None
    if item is None or rater is None:
        raise InputError(
            f"{table.source}: a long table needs a column for the item and one for the rater; "
            f"found {', '.join(table.header)}. Name them with --item and --rater."
        )
    return Names(item, rater, names.rating or lower.get("rating"))


def _from_long(table: Table, columns: Names, others: set[str]) -> RatingFile:
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
        table.check_filled(*read[1:])
        cells = [
            (line, SINGLE if named is None else line.cells[named], line.cells[rating])
            for line in table.lines
        ]
        shape = "long, one row for each rating"
    ratings = [
        RatingCell(line.cells[item], line.cells[rater], name, cell, line.number)
        for line, name, cell in cells
    ]
    aside = [name for name in table.header if name not in read and name not in columns]
    return _file(table, ratings, shape=shape, aside=aside)


def _from_wide(table: Table, item: str | None, others: set[str]) -> RatingFile:
    columns = [name for name in table.header if name not in others]
    ids = _id_column(columns, table.lines) if item is None else item
    if ids is not None:
        table.check_filled(ids)
    raters = [name for name in columns if name != ids]
    ratings = [
        RatingCell(
            str(place) if ids is None else line.cells[ids],
            rater,
            SINGLE,
            line.cells[rater],
            line.number,
        )
        for place, line in enumerate(table.lines, start=1)
        for rater in raters
    ]
    about = f"items named by {ids!r}" if ids is not None else "items numbered by row"
    aside = [name for name in table.header if name in others]
    shape = f"wide, {len(raters)} raters, {about}"
    return _file(table, ratings, shape=shape, aside=aside)


def _id_column(columns: Sequence[str], lines: Sequence[Line]) -> str | None:
    """The first column if it names the items.

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
    table: Table, cells: Iterable[RatingCell], *, shape: str, aside: Sequence[str]
) -> RatingFile:
    """Ratings of a file without the missing ones; refuses two of the same."""
    ratings = [cell for cell in cells if cell.rating.lower() not in MISSING]
    first: dict[tuple[str, str, str], int] = {}
    for rating in ratings:
        before = first.setdefault((rating.item, rating.rater, rating.dimension), rating.row)
        if before != rating.row:
            raise InputError(
                f"{table.source}, row {rating.row}: {rating.rater} rated item {rating.item!r} "
                f"before, in row {before}; keep one of the two."
            )
    lines = {line.number: line.cells for line in table.lines}
    return RatingFile(
        ratings,
        shape,
        {name: [lines[rating.row][name] for rating in ratings] for name in aside},
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
