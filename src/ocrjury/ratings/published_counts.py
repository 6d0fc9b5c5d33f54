"""Tables of counts as publications print them, in CSV files.

Counts: one row per item, one column per category, in each cell the number of raters who chose it.
Cross table: one row per category of the first rater, one column per category of the second, in each
cell the number of items.
"""

from collections import Counter
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from ocrjury.errors import InputError
from ocrjury.normal_forms import normal_form
from ocrjury.ratings.csv_tables import Table, read_table
from ocrjury.ratings.files import SINGLE, RatingFile
from ocrjury.ratings.id_columns import names_items
from ocrjury.text_files import read_text

_MOST_ITEMS = 1_000_000  # behind a cross table; each becomes two ratings
_MOST_DIGITS = 15  # of a count


class Counts(NamedTuple):
    """Counts with the labels of their rows and columns, as text."""

    rows: list[str]
    columns: list[str]
    numbers: list[list[int]]


def read_counts(path: Path, *, item: str | None = None) -> Counts:
    """Counts of raters by item and category.

    Parameters
    ----------
    item
        Column that names the items; None: the first if it bears a usual name such as ``item``, else
        items are numbered by row.

    Raises
    ------
    InputError
        If the file has no rows, or a cell is no count.
    """
    table = _table(path)
    table.check_columns([item])
    if item is None and names_items(table.header[0]):
        item = table.header[0]
    columns = [name for name in table.header if name != item]
    hint = "" if item else f" If {columns[0]!r} names the items, say so: --item {columns[0]!r}."
    return Counts(
        [str(place) for place in range(1, len(table.numbers) + 1)]
        if item is None
        else table.columns[item],
        columns,
        _numbers(table, columns, hint=hint),
    )


def read_crosstab(path: Path) -> Counts:
    """Counts of items by the answers of two raters; the first column names the first's categories.

    Raises
    ------
    InputError
        If the file has no rows, names a category twice, or a cell is no count.
    """
    table = _table(path)
    rows = table.columns[table.header[0]]
    if len(set(rows)) < len(rows):
        counts = Counter(rows)
        twice = next(row for row in rows if counts[row] > 1)
        raise InputError(
            f"{path}: the category {twice!r:.60} has two rows. The first column of a cross table "
            "names each category of the first rater once."
        )
    columns = table.header[1:]
    return Counts(rows, columns, _numbers(table, columns))


def crosstab_ratings(counts: Counts, *, source: str) -> RatingFile:
    """Ratings behind a cross table: raters A and B on as many items as it counts."""
    n_items = sum(map(sum, counts.numbers))
    if not 0 < n_items <= _MOST_ITEMS:
        raise InputError(
            f"{source} counts {n_items:,} items; a cross table has 1 to {_MOST_ITEMS:,}."
        )
    both = [
        (row, column)
        for row, numbers in zip(counts.rows, counts.numbers, strict=True)
        for column, number in zip(counts.columns, numbers, strict=True)
        for _ in range(number)
    ]
    places = [place for place in range(1, n_items + 1) for _ in "AB"]
    return RatingFile(
        item=[str(place) for place in places],
        rater=["A", "B"] * n_items,
        dimension=[SINGLE] * len(places),
        rating=list(chain.from_iterable(both)),
        row=places,
        shape=f"cross table of two raters, {n_items:,} items",
        aside={},
    )


def _table(path: Path) -> Table:
    table = read_table(normal_form("NFC", read_text(path)), source=str(path)).stripped()
    table.check_distinct(table.header)
    if not table.numbers or len(table.header) < 2:
        raise InputError(
            f"{path} needs a row of category names and at least one row of counts, with two "
            "columns or more."
        )
    return table


def _numbers(table: Table, columns: list[str], *, hint: str = "") -> list[list[int]]:
    """Counts row by row; an empty cell counts 0."""
    counts = []
    for name in columns:
        cells = table.columns[name]
        distinct = set(cells)
        wrong = {cell for cell in distinct if cell and not _is_count(cell)}
        if wrong:
            place = next(place for place, cell in enumerate(cells) if cell in wrong)
            raise InputError(
                f"{table.source}, row {table.numbers[place]}, column {name!r:.60}: "
                f"{cells[place]!r:.60} is no count. Every cell is a whole number, or empty for "
                f"0.{hint}"
            )
        number = {cell: int(cell or 0) for cell in distinct}
        counts.append([number[cell] for cell in cells])
    return [list(row) for row in zip(*counts, strict=True)]


def _is_count(cell: str) -> bool:
    return cell.isascii() and cell.isdecimal() and len(cell) <= _MOST_DIGITS
