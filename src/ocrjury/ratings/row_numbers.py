"""First columns that number the rows and that nobody named, as pandas writes its index."""

import re
from collections.abc import Collection
from typing import Final

from ocrjury.ratings.csv_tables import Table
from ocrjury.ratings.id_columns import id_column

_UNNAMED: Final = re.compile(r"|Unnamed: \d+")  # the second is what pandas calls one that it reads
_RATER: Final = "rater"


def without_row_numbers(
    table: Table,
    *,
    names: Collection[str | None],
    others: Collection[str],
    missing: Collection[str],
) -> tuple[Table, str]:
    """Table without first columns that number its rows, and words on what was left out.

    A column stays if it is all that tells the items apart: then its numbers are their names.

    Parameters
    ----------
    names
        Names of the columns of items, raters and ratings, as far as they were given.
    others
        Columns of which it is known that they are none of these.
    missing
        Cells, in lower case, that stand for no rating.

    Examples
    --------
    >>> cells = {"": ["0", "1"], "item": ["d1", "d2"], "A": ["3", "4"], "B": ["3", "5"]}
    >>> table = Table("a.csv", list(cells), [2, 3], cells)
    >>> table, left_out = without_row_numbers(table, names=(), others=(), missing=("",))
    >>> table.header, left_out
    (['item', 'A', 'B'], '; the first column, which numbers the rows, was left out')
    """
    left_out = ""
    while _numbers_rows(table) and table.header[0] not in {*names, *others}:
        rest = _without(table, table.header[0])
        is_long = any(name.lower() == _RATER or name in names for name in rest.header)
        if not is_long and not _tells_items_apart(rest, others, missing):
            break
        table, left_out = rest, "; the first column, which numbers the rows, was left out"
    return table, left_out


def _numbers_rows(table: Table) -> bool:
    """Whether nobody named the first column, and it holds nothing but whole numbers."""
    first = table.header[0]
    numbers = all(cell.isascii() and cell.isdecimal() for cell in set(table.columns[first]))
    return _UNNAMED.fullmatch(first) is not None and numbers and len(table.header) > 1


def _without(table: Table, name: str) -> Table:
    columns = {other: cells for other, cells in table.columns.items() if other != name}
    return table._replace(header=list(columns), columns=columns)


def _tells_items_apart(table: Table, others: Collection[str], missing: Collection[str]) -> bool:
    """Whether a wide table has a column of items."""
    columns = [name for name in table.header if name not in others]
    ids = id_column(columns, table, missing=missing)
    return ids is not None and len(set(table.columns[ids])) == len(table.numbers)
