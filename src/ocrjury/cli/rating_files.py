"""Ratings as people have them in a CSV file, long or wide, as one long table of text cells.

Long: columns item and rater, and either rating (with or without dimension) or one column for each
dimension. Wide: one row per item, one column per rater, perhaps the items' ids in the first
column.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ocrjury.cli.scale_option import MISSING
from ocrjury.errors import InputError

SINGLE = "rating"
"""Name of the dimension where a file has only one and does not name it."""
_ID_NAMES = ("", "item", "item_id", "id", "doc", "doc_id", "document", "unit", "name", "no", "#")
_ENCODINGS = ("utf-8-sig", "cp949")


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
    """The ratings of a file, those that are missing left out, and how its shape was understood."""

    rows: list[CellRow]
    shape: str

    @property
    def dimensions(self) -> list[str]:
        """Return the dimensions in the file's order."""
        return list(dict.fromkeys(row.dimension for row in self.rows))

    def values(self) -> list[str]:
        """Return the cells of all ratings."""
        return [row.rating for row in self.rows]

    def of(self, dimension: str) -> list[CellRow]:
        """Return the ratings of one dimension."""
        return [row for row in self.rows if row.dimension == dimension]


def read_ratings(path: Path, *, names: Names = Names()) -> RatingFile:  # noqa: B008  # frozen
    """Return the ratings of a CSV file (comma, semicolon or tab; UTF-8 or CP949).

    Raises
    ------
    InputError
        If it is no table, or holds no rating.
    """
    header, rows = _read_table(path)
    long = _long_columns(path, header, names)
    found = _from_wide(header, rows, names.item) if long is None else _from_long(header, rows, long)
    if not found.rows:
        raise InputError(f"{path} holds no rating: every cell is empty.")
    return found


def _read_table(path: Path) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows that are not empty, each as long as the header."""
    text = _read_text(path)
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    try:
        table = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        raise InputError(f"{path} is no table in CSV: {error}.") from error
    rows = {
        number: [cell.strip() for cell in row]
        for number, row in enumerate(table, start=1)
        if any(cell.strip() for cell in row)
    }
    if len(rows) < 2:
        raise InputError(f"{path} needs a row of column names and at least one row of ratings.")
    header = rows.pop(min(rows))
    _check_table(path, header, rows)
    return header, [row + [""] * (len(header) - len(row)) for row in rows.values()]


def _check_table(path: Path, header: list[str], rows: dict[int, list[str]]) -> None:
    """Refuse names that stand there twice and rows that are longer than the header."""
    twice = next((name for name in header if header.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{path}: column {twice!r} stands there twice; name each once.")
    for number, row in rows.items():
        if len(row) > len(header):
            raise InputError(
                f"{path}, row {number}: it has {len(row)} cells; the file has {len(header)} "
                "columns."
            )


def _read_text(path: Path) -> str:
    """Return the text of a file in the first encoding that fits."""
    try:
        body = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    for encoding in _ENCODINGS:
        try:
            return body.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise InputError(f"{path} is neither UTF-8 nor CP949 text; save it again as UTF-8.")


def _long_columns(path: Path, header: Sequence[str], names: Names) -> Names | None:
    """Return the columns of a long file, None if the file is wide."""
    lower = {name.lower(): name for name in header}
    absent = [name for name in names if name is not None and name not in header]
    if absent:
        raise InputError(
            f"{path} has no column {', '.join(map(repr, absent))}; found {', '.join(header)}."
        )
    item, rater = names.item or lower.get("item"), names.rater or lower.get("rater")
    if rater is None and names.rating is None:
        return None
    if item is None or rater is None:
        raise InputError(
            f"{path}: a long table needs a column for the item and one for the rater; found "
            f"{', '.join(header)}. Name them with --item and --rater."
        )
    return Names(item, rater, names.rating or lower.get("rating"))


def _from_long(header: list[str], rows: list[list[str]], columns: Names) -> RatingFile:
    """Return the ratings of a long table."""
    item, rater, rating = columns
    if rating is None:
        dimensions = [name for name in header if name not in columns]
        found = [
            CellRow(line[str(item)], line[str(rater)], name, line[name])
            for line in _lines(header, rows)
            for name in dimensions
        ]
        return _file(found, f"long, with {len(dimensions)} columns of ratings")
    named = next((name for name in header if name.lower() == "dimension"), None)
    found = [
        CellRow(line[str(item)], line[str(rater)], line[named] if named else SINGLE, line[rating])
        for line in _lines(header, rows)
    ]
    return _file(found, "long, one row for each rating")


def _from_wide(header: list[str], rows: list[list[str]], item: str | None) -> RatingFile:
    """Return the ratings of a wide table."""
    ids = _id_column(header, rows) if item is None else item
    raters = [name for name in header if name != ids]
    found = [
        CellRow(line[ids] if ids is not None else str(number), rater, SINGLE, line[rater])
        for number, line in enumerate(_lines(header, rows), start=1)
        for rater in raters
    ]
    about = f"items named by {ids!r}" if ids is not None else "items numbered by row"
    return _file(found, f"wide, {len(raters)} raters, {about}")


def _id_column(header: list[str], rows: list[list[str]]) -> str | None:
    """Return the first column if it names the items.

    It does if it is called so, or if its cells are distinct words while all others are numbers.
    """
    first = header[0]
    if first.lower() in _ID_NAMES or first.lower().endswith("_id"):
        return first
    cells = [row[0] for row in rows]
    others = [cell for row in rows for cell in row[1:] if cell.lower() not in MISSING]
    words = not any(_is_number(cell) for cell in cells)
    distinct = len(set(cells)) == len(cells) and "" not in cells
    return first if words and distinct and all(map(_is_number, others)) else None


def _lines(header: list[str], rows: list[list[str]]) -> Iterator[dict[str, str]]:
    """Yield rows by column name."""
    return (dict(zip(header, row, strict=True)) for row in rows)


def _file(found: list[CellRow], shape: str) -> RatingFile:
    """Return a file's ratings without the missing ones."""
    return RatingFile([row for row in found if row.rating.lower() not in MISSING], shape)


def _is_number(text: str) -> bool:
    """Return whether a cell is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True
