"""A CSV file as a table of text cells: comma, semicolon or tab; UTF-8 or CP949."""

import csv
import io
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from ocrjury.errors import InputError

_ENCODINGS = ("utf-8-sig", "cp949")
_DECLARED = re.compile(r"sep=([,;\t])")  # Excel writes and reads such a first line


class Line(NamedTuple):
    """A row by its number in the file, and its cells by column."""

    number: int
    cells: dict[str, str]


class Table(NamedTuple):
    """The rows of a file that are not empty."""

    path: Path
    header: list[str]
    lines: list[Line]

    def chosen(self, where: Mapping[str, str]) -> "Table":
        """Return the rows with these cells, by column; refuse to return none."""
        self.check_columns(where)
        lines = [
            line
            for line in self.lines
            if all(line.cells[name] == cell for name, cell in where.items())
        ]
        if not lines:
            wanted = " and ".join(f"{name}={cell}" for name, cell in where.items())
            raise InputError(f"{self.path} has no row with {wanted}.")
        return self._replace(lines=lines)

    def check_columns(self, names: Iterable[str | None]) -> None:
        """Refuse a column that the file does not have."""
        absent = [name for name in names if name is not None and name not in self.header]
        if absent:
            raise InputError(
                f"{self.path} has no column {', '.join(map(repr, absent))}; found "
                f"{', '.join(self.header)}."
            )

    def check_filled(self, *columns: str) -> None:
        """Refuse a row without a cell in one of these columns."""
        for line in self.lines:
            for name in columns:
                if not line.cells[name]:
                    raise InputError(f"{self.path}, row {line.number}: column {name!r} is empty.")


def read_table(path: Path) -> Table:
    """Return the table of a file.

    Raises
    ------
    InputError
        If it cannot be read as one, or has no row below the names of its columns.
    """
    text = _read_text(path)
    first = text.lstrip().partition("\n")[0]
    declared = _DECLARED.fullmatch(first.strip())
    separator = declared[1] if declared else max(",;\t", key=first.count)
    try:
        table = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        raise InputError(f"{path} is no table in CSV: {error}.") from error
    rows = {
        number: [cell.strip() for cell in row]
        for number, row in enumerate(table, start=1)
        if any(cell.strip() for cell in row)
    }
    if declared:
        del rows[min(rows)]
    if len(rows) < 2:
        raise InputError(f"{path} needs a row of column names and at least one row of ratings.")
    header = rows.pop(min(rows))
    _check_table(path, header, rows)
    lines = [
        Line(number, dict(zip(header, row + [""] * (len(header) - len(row)), strict=True)))
        for number, row in rows.items()
    ]
    return Table(path, header, lines)


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
