"""A CSV file of ratings, long or wide, as cells with the rows they stand in."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ocrjury.campaign.problems import shown
from ocrjury.campaign.sheet_cells import DESCRIPTION, unguarded
from ocrjury.errors import InputError
from ocrjury.frontends.ingest import Problem, refuse

LONG = ("dimension", "rating")
_ENCODINGS = ("utf-8-sig", "cp949")
_NAMED = 10


class RatingCell(NamedTuple):
    """One rating as text; `row` is the row of the file that a spreadsheet shows."""

    row: int
    item: str
    rater: str
    dimension: str
    rating: str


class _Row(NamedTuple):
    """A row that holds anything, and its number."""

    number: int
    cells: list[str]


def read_rating_table(body: bytes, *, source: str, dimensions: Sequence[str]) -> list[RatingCell]:
    """Return the ratings of a CSV file; an empty rating is left out.

    Parameters
    ----------
    body
        Comma, semicolon or tab between the cells; UTF-8 or CP949. Either long (columns item,
        rater, dimension, rating; others are ignored) or with one column for each dimension.
    source
        Name of the file, for its problems.
    dimensions
        Those that are rated.

    Raises
    ------
    InputError
        If it is no such table.
    """
    header, rows = _read_table(body, source)
    names = [name.strip().casefold() for name in header.cells]
    columns = {name: place for place, name in enumerate(names) if name}
    long = set(LONG) <= set(columns)
    _check_header(names, source)
    if not long:
        _refuse_strange_columns(columns, rows, source=source, dimensions=dimensions)
    read = _long_cells if long else _wide_cells
    return [
        cell
        for row in rows
        for cell in read(_full(row, header), columns, dimensions)
        if cell.rating
    ]


def _long_cells(
    row: _Row, columns: dict[str, int], _dimensions: Sequence[str]
) -> Iterator[RatingCell]:
    """Yield the one rating of a row."""
    item, rater, dimension, rating = (row.cells[columns[name]] for name in ("item", "rater", *LONG))
    yield RatingCell(row.number, item, rater.strip(), dimension.strip(), rating.strip())


def _wide_cells(
    row: _Row, columns: dict[str, int], dimensions: Sequence[str]
) -> Iterator[RatingCell]:
    """Yield the ratings of a row, one for each dimension that has a column."""
    item, rater = unguarded(row.cells[columns["item"]]), row.cells[columns["rater"]].strip()
    for name in dimensions:
        if name in columns:
            yield RatingCell(row.number, item, rater, name, row.cells[columns[name]].strip())


def _full(row: _Row, header: _Row) -> _Row:
    """Return a row with a cell for every column."""
    return row._replace(cells=row.cells + [""] * (len(header.cells) - len(row.cells)))


def _read_table(body: bytes, source: str) -> tuple[_Row, list[_Row]]:
    """Return the header and the rows that hold anything."""
    text = _decode(body, source)
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        table = [_Row(number, cells) for number, cells in enumerate(reader, start=1)]
    except csv.Error as error:
        raise InputError(f"{source} is no table in CSV: {error}.") from error
    filled = [row for row in table if any(cell.strip() for cell in row.cells)]
    if not filled:
        raise InputError(f"{source} is empty; its first row must name the columns.")
    header, *rows = filled
    problems = [
        Problem(
            f"row {row.number}", f"it has {len(row.cells)} cells for {len(header.cells)} columns"
        )
        for row in rows
        if any(cell.strip() for cell in row.cells[len(header.cells) :])
    ]
    refuse(problems, source=source)
    return header, rows


def _decode(body: bytes, source: str) -> str:
    """Return the text of a file in the first encoding that fits."""
    for encoding in _ENCODINGS:
        try:
            return body.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise InputError(f"{source} is neither UTF-8 nor CP949; save it as UTF-8.")


def _check_header(names: Sequence[str], source: str) -> None:
    """Raise if the columns are not those of a table of ratings."""
    if not {"item", "rater"} <= set(names):
        raise InputError(
            f"{source}: a table of ratings needs the columns item and rater, and either "
            f"dimension and rating or one column for each dimension; found {_listed(names)}."
        )
    twice = [name for name in dict.fromkeys(names) if name and names.count(name) > 1]
    if twice:
        raise InputError(f"{source}: {_listed(twice)} names more than one column; rename one.")


def _refuse_strange_columns(
    columns: dict[str, int], rows: Sequence[_Row], *, source: str, dimensions: Sequence[str]
) -> None:
    """Raise if a column that is no dimension holds anything."""
    known = {"item", "rater", *DESCRIPTION, *dimensions}
    strange = [
        name
        for name, place in columns.items()
        if name not in known and any("".join(row.cells[place : place + 1]).strip() for row in rows)
    ]
    if strange:
        raise InputError(
            f"{source}: {_listed(strange)} is no dimension; there are {', '.join(dimensions)}. "
            "Remove what else there is. Nothing was stored."
        )


def _listed(names: Sequence[str]) -> str:
    """Return the first few names."""
    rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(map(shown, names[:_NAMED])) + rest
