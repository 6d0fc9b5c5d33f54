"""Records of a CSV file that keep an empty text apart from a missing cell.

An empty cell without quotes is missing (None); ``""`` is the empty text. Python's csv module
cannot distinguish them, hence this reader. Cells follow RFC 4180: quotes around cells that contain
a delimiter, quote or line break, with quotes inside doubled.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import IO

from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_LINE
from ocrjury.ratings.csv_rows import SEPARATORS, separator_of
from ocrjury.readers.cells import checked_columns
from ocrjury.readers.problems import Problems
from ocrjury.readers.sources import Place, bounded_lines, open_text

Cells = list[str | None]

_CELL = {
    delimiter: re.compile(rf'(?:"([^"]*(?:""[^"]*)*)"|([^"{delimiter}]*))({delimiter}|\Z)')
    for delimiter in SEPARATORS
}
_TAKEN = {
    delimiter: re.compile(
        rf'(?:"[^"]*(?:""[^"]*)*(?:"[^{delimiter}]*|(\Z))|[^{delimiter}]*)({delimiter}?)'
    )
    for delimiter in SEPARATORS
}
"""A cell as far as a line goes, however quotes are misplaced in it; the first group: it goes on."""
_UNCLOSED = "a quote that is never closed"
_QUOTE_REMEDY = 'Put quotes around the cell and write each quote in it as "".'
_CELLS_REMEDY = "Put quotes around cells that contain the delimiter or a line break."
_NUMBER_REMEDY = f"{_CELLS_REMEDY} If every row begins with its number, name that column too."


def csv_records(
    path: Place, encoding: str, problems: Problems, *, references: bool = False
) -> Iterator[tuple[int, dict[str, str | None]]]:
    """Yield the number of the first line and the named cells of every row.

    A row with more or fewer cells than the header, or with a stray quote, is a problem.
    """
    with open_text(path, encoding, newline="") as file:
        records = _records(file, problems)
        _, _, header = next(records, (0, 0, ""))
        delimiter, declared = separator_of(header)
        if declared:
            _, _, header = next(records, (0, 0, ""))
        if not header.strip():
            raise InputError(f"{path} is empty; its first row must name the columns.")
        given = _header(split_cells(header, delimiter), str(path))
        names = checked_columns(given, str(path), references=references)
        for number, last, record in records:
            cells = split_cells(record, delimiter)
            if cells is None:
                problems.add(number, "a quote within a cell", remedy=_QUOTE_REMEDY, last=last)
            elif cells.count(None) == len(cells):
                continue  # spreadsheets leave such rows at the end
            elif len(cells) != len(names):
                problem = f"not {len(names)} cells as in the first row"
                numbered = len(cells) == len(names) + 1 and (cells[0] or "").isdecimal()
                remedy = _NUMBER_REMEDY if numbered else _CELLS_REMEDY
                problems.add(number, problem, value=len(cells), remedy=remedy, last=last)
            else:
                row = {name: cell for name, cell in zip(names, cells, strict=True) if name}
                row["hypothesis"] = row.get("hypothesis") or ""
                yield number, row


def split_cells(record: str, delimiter: str) -> Cells | None:
    """Cells of a record without its line end, None if a quote is misplaced.

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


def _records(file: IO[str], problems: Problems) -> Iterator[tuple[int, int, str]]:
    """Yield the numbers of its first and last line and the text of each record, without line end.

    A quote that does not begin a cell is an error of its own line, and takes in no line after it.
    """
    lines: list[str] = []
    size, inside, first, number, delimiter = 0, False, 0, 0, ""
    for number, line in bounded_lines(file):
        if line is None:
            problem = f"a line of more than {MAX_LINE:,} characters"
            problems.add(number, problem, remedy=_QUOTE_REMEDY)
            lines, size, inside = [], 0, False
            continue
        if not inside and not line.strip("\r\n"):
            continue
        first = number if not lines else first
        lines.append(line)
        size += len(line)
        if '"' in line:
            inside = _goes_on(line, delimiter, inside=inside)
        if inside and size > MAX_LINE:  # nobody closes it any more
            problems.add(first, _UNCLOSED, remedy=_QUOTE_REMEDY, last=number)
            lines, size, inside = [], 0, False
        elif not inside:
            record = "".join(lines).rstrip("\r\n")
            yield first, number, record
            delimiter = delimiter or separator_of(record)[0]
            lines, size = [], 0
    if inside:
        problems.add(first, _UNCLOSED, remedy=_QUOTE_REMEDY, last=number)


def _goes_on(line: str, delimiter: str, *, inside: bool) -> bool:
    """Return whether a cell in quotes goes on after a line, which may begin inside of one."""
    if not delimiter:  # of the header it is not known yet
        return inside ^ bool(line.count('"') % 2)
    text, place = f'"{line}' if inside else line, 0
    while True:
        cell = _TAKEN[delimiter].match(text, place)
        assert cell is not None  # noqa: S101  # it takes any text
        if not cell[2]:
            return cell[1] is not None
        place = cell.end()


def _header(cells: Cells | None, source: str) -> list[str]:
    """Names of the columns, empty for an unnamed column."""
    if cells is None:
        raise InputError(f"{source}: the first row has a quote within a cell.")
    names = [(cell or "").strip() for cell in cells]
    repeated = sorted(name for name, count in Counter(names).items() if name and count > 1)
    if repeated:
        raise InputError(
            f"{source}: column {', '.join(map(repr, repeated))} comes more than once; rename one."
        )
    return names
