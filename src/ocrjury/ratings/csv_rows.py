"""Rows of the text of a CSV file, within the limits of files."""

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_CELL, MAX_CELLS, MAX_COLUMNS

SEPARATORS = ",;\t"
_DECLARED = re.compile(f"sep=([{SEPARATORS}])")  # Excel writes and reads such a first line


def first_row(text: str) -> str:
    r"""First row that is not empty, with the line breaks in its quotes.

    Examples
    --------
    >>> first_row('\nitem;"rating\n1 to 5"\nd1;4\n')
    'item;"rating\n1 to 5"'
    """
    text = text.lstrip()
    start, inside = 0, False
    while (end := text.find("\n", start)) >= 0:
        inside ^= text.count('"', start, end) % 2 == 1
        if not inside:
            return text[:end]
        start = end + 1
    return text


def separator_of(text: str) -> tuple[str, bool]:
    r"""Separator of the cells, and whether a line for Excel above the header names it.

    Examples
    --------
    >>> separator_of("item;rater\n"), separator_of("sep=;\nitem;rater\n")
    ((';', False), (';', True))
    """
    first = first_row(text)
    declared = _DECLARED.fullmatch(first.strip(" \r"))
    return (declared[1], True) if declared else (max(SEPARATORS, key=first.count), False)


def rows_from_header(
    text: str, *, source: object, most: int | None = None, cells: int = MAX_CELLS
) -> Iterator[tuple[int, int, list[str]]]:
    """Yield number, last line and cells of each row, from the header on.

    Empty rows and a line that names the separator may stand above the header. The parameters are
    those of `each_row`.
    """
    separator, declared = separator_of(text)
    lines = each_row(text, separator, source=source, most=most, cells=cells)
    rows = ((number, line, row) for number, (line, row) in enumerate(lines, start=1))
    filled = (row for row in rows if any(map(str.strip, row[2])))
    yield from islice(filled, int(declared), int(declared) + 1)
    yield from rows


def each_row(
    text: str,
    separator: str,
    *,
    source: object,
    most: int | None = None,
    cells: int = MAX_CELLS,
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each row's last line in the text, and the row's cells.

    A row that goes on with empty cells beyond the last column that is read ends there.

    Parameters
    ----------
    source
        Name of the file, for its errors.
    most
        Rows that the file may have, its header included.
    cells
        Cells that it may have.

    Raises
    ------
    InputError
        If it is no CSV, or holds more than such a file may.
    """
    check_cells(text, separator, source=source, most=cells)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for number, row in enumerate(reader, start=1):
            if most is not None and number > most:
                raise InputError(
                    f"{source} has more than {most:,} rows; leave out what is not needed."
                )
            yield reader.line_num, _within(row, f"{source}, row {number}")
    except csv.Error as error:
        raise InputError(f"{source}, line {reader.line_num}: {_reason(error)}") from error


def check_cells(text: str, separator: str, *, source: object, most: int) -> None:
    """Refuse text with more cells than it may have, or in an encoding that was not seen."""
    if "\0" in text:
        raise InputError(
            f"{source} holds NUL characters, as UTF-16 without a byte order mark does; save it "
            "again as UTF-8."
        )
    if sum(map(text.count, (separator, "\n", "\r"))) > most:
        raise InputError(f"{source} has more than {most:,} cells; leave out what is not needed.")


def check_distinct_cells(number: int, *, source: object) -> None:
    """Refuse a table of ratings of which too many cells repeat no other of their column."""
    if number > MAX_CELLS:
        raise InputError(
            f"{source} has more than {MAX_CELLS:,} cells that no other of their column repeats; "
            "leave out columns that are not needed."
        )


def _within(row: list[str], where: str) -> list[str]:
    """Cells of a row that has no more than the columns of a table."""
    if len(row) <= MAX_COLUMNS:
        return row
    if any(cell.strip() for cell in row[MAX_COLUMNS:]):
        raise InputError(
            f"{where}: it has {len(row):,} cells, but a table has at most {MAX_COLUMNS} columns; "
            "leave out what is not needed, or give each rating a row of its own."
        )
    return row[:MAX_COLUMNS]


def _reason(error: csv.Error) -> str:
    """Sentence of a parser's error, with what to do."""
    if "field larger" in str(error):
        return (
            f"a cell has more than {MAX_CELL:,} characters; shorten it, or look for a quote that "
            "never ends."
        )
    return f"this is not CSV ({error}); look for a quote that never ends."
