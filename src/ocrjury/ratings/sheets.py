"""Sheets that raters fill in: what a row is called, and the ratings of known dimensions in it."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_SHEET_ROWS
from ocrjury.problem_lists import first_named
from ocrjury.ratings.csv_tables import Table, read_table

NAMES = ("item", "rater")
"""Columns that say whose assignment a row is."""
ORIGIN = ("evaluation", "row_code")
"""Columns that say where a row comes from: its evaluation, and what only its store can write."""
DESCRIPTION = ("session", "position", "doc_type", "reference", "hypothesis")
"""Columns of a sheet for the rater's eyes; whoever reads a filled sheet passes them over."""
LONG = ("dimension", "rating")
"""Columns of a table with one rating in each row."""
RESERVED = (*NAMES, *ORIGIN, *DESCRIPTION, *LONG)
"""Names that no dimension may bear, because a dimension is a column too."""


class RatingCell(NamedTuple):
    """One rating as text; `row` is the row of the file that a spreadsheet shows.

    `evaluation` and `row_code` are None where the file has no such column.
    """

    item: str
    rater: str
    dimension: str
    rating: str
    row: int
    evaluation: str | None = None
    row_code: str | None = None


def row_code(assignment: str) -> str:
    """Name of a sheet's row that says nothing about its item, nor how often it was seen before.

    It begins with a letter, because spreadsheets take ``1e5`` for a number.

    Examples
    --------
    >>> row_code("claims-2026w47/1/R01/0/d7")
    'if0718f7762'
    """
    return f"i{blake2b(assignment.encode(), digest_size=5).hexdigest()}"


def read_sheet(text: str, *, source: str, dimensions: Sequence[str]) -> list[RatingCell]:
    """Read the ratings of a filled sheet, long or with a column for each dimension.

    An empty rating is left out. A long sheet may hold other columns; they are ignored.

    Parameters
    ----------
    source
        Name of the file, for its errors.
    dimensions
        Those that are rated.

    Raises
    ------
    InputError
        If it is no such table.
    """
    table = read_table(text, source=source)
    if len(table.numbers) > MAX_SHEET_ROWS:
        raise InputError(
            f"{source} has more than {MAX_SHEET_ROWS:,} rows; split it and import each part."
        )
    columns = {name.casefold(): name for name in table.header if name}
    if not set(NAMES) <= set(columns):
        raise InputError(
            f"{source}: a table of ratings needs the columns item and rater, and either "
            f"dimension and rating or one column for each dimension; found {first_named(columns)}."
        )
    table.check_distinct([name.casefold() for name in table.header if name])
    if not set(LONG) <= set(columns):
        _refuse_strange_columns(table, columns, dimensions)
    return list(_each_cell(table, columns, dimensions))


def _each_cell(
    table: Table, columns: Mapping[str, str], dimensions: Sequence[str]
) -> Iterator[RatingCell]:
    """Yield each rating of a table, row by row."""
    items, raters = (table.columns[columns[name]] for name in NAMES)
    origins = [table.columns[columns[name]] if name in columns else None for name in ORIGIN]
    if set(LONG) <= set(columns):
        names, ratings = (table.columns[columns[name]] for name in LONG)
        rated = [(names, ratings)]
    else:
        n_rows = len(table.numbers)
        rated = [
            ([name] * n_rows, table.columns[columns[name]])
            for name in dimensions
            if name in columns
        ]
    for place, number in enumerate(table.numbers):
        evaluation, code = (None if cells is None else cells[place].strip() for cells in origins)
        for names, ratings in rated:
            if rating := ratings[place].strip():
                rater, name = raters[place].strip(), names[place].strip()
                yield RatingCell(items[place], rater, name, rating, number, evaluation, code)


def _refuse_strange_columns(
    table: Table, columns: Mapping[str, str], dimensions: Sequence[str]
) -> None:
    """Refuse a sheet in which a column that is no dimension holds anything."""
    known = {*NAMES, *ORIGIN, *DESCRIPTION, *dimensions}
    strange = [
        name
        for name, column in columns.items()
        if name not in known and any(map(str.strip, table.columns[column]))
    ]
    if strange:
        absent = [name for name in dimensions if name not in columns]
        renamed = f"No column is called {' or '.join(absent)}: was it renamed? " if absent else ""
        raise InputError(
            f"{table.source}: there is no dimension {first_named(strange)}; there are "
            f"{', '.join(dimensions)}. {renamed}Remove all other columns. Nothing was stored."
        )
