"""Records of a CSV file, in which a quoted empty cell is not an absent one.

An empty cell without quotes is missing (None); ``""`` is the empty text. Python's csv module
cannot tell them apart, hence this reader. Cells follow RFC 4180: quotes around cells that hold a
delimiter, quote or line break, quotes within doubled.
"""

import re
from collections.abc import Iterator
from typing import IO

from ocrjury.errors import InputError
from ocrjury.readers.cells import check_columns, own_names
from ocrjury.readers.limits import MAX_LINE
from ocrjury.readers.problems import Problems
from ocrjury.readers.sources import Place, bounded_lines, open_text

Cells = list[str | None]

_DELIMITERS = (",", ";", "\t")
_CELL = {
    delimiter: re.compile(rf'(?:"([^"]*(?:""[^"]*)*)"|([^"{delimiter}]*))({delimiter}|\Z)')
    for delimiter in _DELIMITERS
}
_QUOTE_REMEDY = 'Put quotes around the cell and write each quote in it as "".'
_CELLS_REMEDY = "Put quotes around cells that hold the delimiter or a line break."
# A record that long is a quote that nobody closed; no page of text is.
_LONGEST_RECORD = 20_000_000


def csv_records(
    path: Place, encoding: str, problems: Problems
) -> Iterator[tuple[int, dict[str, str | None]]]:
    """Yield number of its first line and named cells of every row.

    A row with more or fewer cells than the header, or with a stray quote, is noted.
    """
    with open_text(path, encoding, newline="") as file:
        records = _records(file, problems)
        _, header = next(records, (0, ""))
        if not header.strip():
            raise InputError(f"{path} is empty; its first row must name the columns.")
        delimiter = _delimiter(header)
        names = own_names(_header(split_cells(header, delimiter), str(path)))
        check_columns(names, str(path))
        for number, record in records:
            cells = split_cells(record, delimiter)
            if cells is None:
                problems.add(number, "a quote within a cell", remedy=_QUOTE_REMEDY)
            elif len(cells) != len(names):
                what = f"not {len(names)} cells as the first row has"
                problems.add(number, what, found=len(cells), remedy=_CELLS_REMEDY)
            else:
                row = {name: cell for name, cell in zip(names, cells, strict=True) if name}
                row["hypothesis"] = row["hypothesis"] or ""
                yield number, row


def split_cells(record: str, delimiter: str) -> Cells | None:
    """Cells of a record without its line end, None if quotes are out of place.

    >>> split_cells('a,,"","say ""hi"", 한글"', ",")
    ['a', None, '', 'say "hi", 한글']
    """
    if '"' not in record:
        return [cell or None for cell in record.split(delimiter)]
    cells: Cells = []
    place, ended = 0, False
    while not ended:
        match = _CELL[delimiter].match(record, place)
        if match is None:
            return None
        quoted, bare, end = match.groups()
        cells.append(bare or None if quoted is None else quoted.replace('""', '"'))
        place, ended = match.end(), not end
    return cells


def _records(file: IO[str], problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield each record without its line end, and the number of its first line."""
    lines: list[str] = []
    size, inside, first = 0, False, 0
    for number, line in bounded_lines(file):
        if line is None:
            what = f"a line of more than {MAX_LINE:,} characters"
            problems.add(number, what, remedy=_QUOTE_REMEDY)
            lines, size, inside = [], 0, False
            continue
        if not inside and not line.strip("\r\n"):
            continue
        first = number if not lines else first
        lines.append(line)
        size += len(line)
        inside ^= bool(line.count('"') % 2)
        if inside and size > _LONGEST_RECORD:
            break
        if not inside:
            yield first, "".join(lines).rstrip("\r\n")
            lines, size = [], 0
    if inside:
        problems.add(first, "a quote that is never closed", remedy=_QUOTE_REMEDY)


def _delimiter(header: str) -> str:
    """Delimiter that the first row has most of."""
    return max(_DELIMITERS, key=header.count)


def _header(cells: Cells | None, source: str) -> list[str]:
    """Names of the columns, empty where a column has none."""
    if cells is None:
        raise InputError(f"{source}: the first row has a quote within a cell.")
    names = [(cell or "").strip() for cell in cells]
    named = [name for name in names if name]
    double = sorted({name for name in named if named.count(name) > 1})
    if double:
        raise InputError(
            f"{source}: column {', '.join(map(repr, double))} comes more than once; rename one."
        )
    return names
