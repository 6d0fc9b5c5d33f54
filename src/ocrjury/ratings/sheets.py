"""Sheets that raters fill in: what a row is called, and the ratings of known dimensions in it."""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from ocrjury.errors import InputError
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
_NAMED = 10


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
    columns = {name.casefold(): name for name in table.header if name}
    if not set(NAMES) <= set(columns):
        raise InputError(
            f"{source}: a table of ratings needs the columns item and rater, and either "
            f"dimension and rating or one column for each dimension; found {_listed(columns)}."
        )
    table.check_distinct([name.casefold() for name in table.header if name])
    if set(LONG) <= set(columns):
        dimension, rating = (columns[name] for name in LONG)
        cells = [(line, line.cells[dimension], line.cells[rating]) for line in table.lines]
    else:
        _refuse_strange_columns(table, columns, dimensions)
        rated = [name for name in dimensions if name in columns]
        cells = [(line, name, line.cells[columns[name]]) for line in table.lines for name in rated]
    item, rater = (columns[name] for name in NAMES)
    return [
        RatingCell(
            *(line.cells[item], line.cells[rater].strip(), name.strip(), cell.strip(), line.number),
            *(line.cells[columns[each]].strip() if each in columns else None for each in ORIGIN),
        )
        for line, name, cell in cells
        if cell.strip()
    ]


def _refuse_strange_columns(
    table: Table, columns: Mapping[str, str], dimensions: Sequence[str]
) -> None:
    """Refuse a sheet in which a column that is no dimension holds anything."""
    known = {*NAMES, *ORIGIN, *DESCRIPTION, *dimensions}
    strange = [
        name
        for name, column in columns.items()
        if name not in known and any(line.cells[column].strip() for line in table.lines)
    ]
    if strange:
        raise InputError(
            f"{table.source}: {_listed(strange)} is no dimension; there are "
            f"{', '.join(dimensions)}. Remove what else there is. Nothing was stored."
        )


def _listed(names: Iterable[str]) -> str:
    """The first few names, each shortened."""
    shown = [f"{name!r:.60}" for name in names]
    rest = f" and {len(shown) - _NAMED} more" if len(shown) > _NAMED else ""
    return ", ".join(shown[:_NAMED]) + rest
