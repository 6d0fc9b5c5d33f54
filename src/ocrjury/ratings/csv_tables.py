"""CSV files as tables of text cells, none of which a spreadsheet takes for a formula.

OCR output is text of strangers: a cell such as ``=HYPERLINK(...)`` would run on a rater's machine.
What is written gets an apostrophe before it; what is read loses it again. A spreadsheet that splits
at semicolons or tabs knows nothing of our quotes, so that a cell may begin inside of one of ours:
there, too.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, compress, islice
from numbers import Number
from typing import IO, NamedTuple, TypeVar

from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_CELLS, MAX_COLUMNS
from ocrjury.problem_lists import NAMED, first_named
from ocrjury.ratings.csv_rows import (
    check_cells,
    check_distinct_cells,
    first_row,
    rows_from_header,
    separator_of,
)
from ocrjury.ratings.unquoted_csv import unquoted_columns

Cell = TypeVar("Cell")
_AT_ONCE = 250  # rows; many more at a time would set off the garbage collector
# Full-width characters count too: some spreadsheets take them for narrow ones.
_SIGN = r"[=+\-@＝＋－＠]"
_FORMULA = rf"(?:\s*{_SIGN}|[\t\r\n])"
_HARMFUL, _GUARDED = re.compile(f"'*{_FORMULA}"), re.compile(f"''*{_FORMULA}")
# Where somebody else's cell may begin, up to the character that makes it a formula.
_SPLIT = r"(?<=[;\t\r\n])"
_INSIDE = rf"(?='*(?:[^\S\t\r\n]|\")*{_SIGN})"
_HARMFUL_INSIDE, _GUARDED_INSIDE = re.compile(_SPLIT + _INSIDE), re.compile(f"{_SPLIT}'{_INSIDE}")
TITLE = (
    "The first row that is not empty must name every column; if a title stands above the names, "
    "remove it."
)
"""What to do about a first row that names too little."""
_QUOTE = "Put quotes around a cell that contains the separator, or remove what is not needed."
_NAME_THE_FIRST = (
    "All rows have one cell more than the header: if each begins with its number or name, name "
    "that column too; if numbers have a decimal comma, write a point."
)


class Line(NamedTuple):
    """A row by its number in the file, as a spreadsheet counts, and its cells by column."""

    number: int
    cells: dict[str, str]


class Table(NamedTuple):
    """The rows of a file that are not empty, column by column.

    ``numbers`` are those of the rows in the file, as a spreadsheet counts.
    """

    source: str
    header: list[str]
    numbers: list[int]
    columns: dict[str, list[str]]

    @property
    def lines(self) -> list[Line]:
        """The rows."""
        rows = zip(*self.columns.values(), strict=True)
        cells = (dict(zip(self.columns, row, strict=True)) for row in rows)
        return [Line(*line) for line in zip(self.numbers, cells, strict=True)]

    def stripped(self) -> "Table":
        """The same table without spaces around its cells."""
        columns = {name: each_cell(cells, str.strip) for name, cells in self.columns.items()}
        return self._replace(columns=columns)

    def chosen(self, where: Mapping[str, str]) -> "Table":
        """Rows with these cells, by column; refuses to choose none."""
        self.check_columns(where)
        if not where:
            return self
        rows = zip(*(self.columns[name] for name in where), strict=True)
        keep = [cells == tuple(where.values()) for cells in rows]
        if not any(keep):
            wanted = " and ".join(f"{name}={cell}" for name, cell in where.items())
            raise InputError(f"{self.source} has no row with {wanted}.")
        columns = {name: list(compress(cells, keep)) for name, cells in self.columns.items()}
        return self._replace(numbers=list(compress(self.numbers, keep)), columns=columns)

    def check_columns(self, names: Iterable[str | None]) -> None:
        """Refuse a column that the file does not have."""
        absent = [name for name in names if name is not None and name not in self.columns]
        if absent:
            raise InputError(
                f"{self.source} has no column {first_named(absent)}; found "
                f"{first_named(self.header)}."
            )

    def check_named(self) -> None:
        """Refuse a column without a name, unless it is the first, which may hold ids."""
        number = self.header[1:].count("")
        if number:
            columns = "a column has cells" if number == 1 else f"{number} columns have cells"
            raise InputError(f"{self.source}: {columns}, but no name. {TITLE}")

    def check_distinct(self, names: Sequence[str]) -> None:
        """Refuse names of columns that stand there twice."""
        counts = Counter(names)
        if counts[""] > 1:
            self.check_named()
        twice = next((name for name in names if counts[name] > 1), None)
        if twice is not None:
            raise InputError(
                f"{self.source}: column {twice!r:.60} stands there twice; name each once."
            )

    def check_filled(self, *columns: str) -> None:
        """Refuse a row without a cell in one of these columns."""
        empty = [
            (self.columns[name].index(""), place)
            for place, name in enumerate(columns)
            if "" in self.columns[name]
        ]
        if empty:
            row, place = min(empty)
            raise InputError(
                f"{self.source}, row {self.numbers[row]}: column {columns[place]!r} is empty. "
                "Fill it in every row, also where cells were merged."
            )


def read_table(text: str, *, source: str, most: int = MAX_CELLS) -> Table:
    """Parse the text of a file of at most so many cells: comma, semicolon or tab between them.

    Raises
    ------
    InputError
        If it is no table, holds more than a table may, or rows are longer than the header; names
        the file by ``source``.
    """
    separator, declared = separator_of(text)
    check_cells(text, separator, source=source, most=most)
    plain = not declared and first_row(text).count(separator) < MAX_COLUMNS
    columns = unquoted_columns(text, separator, source=source) if plain else None
    if columns is not None:
        header, cells = [column[0] for column in columns], [column[1:] for column in columns]
        numbers = list(range(2, len(columns[0]) + 1))
    else:
        header, numbers, cells = _any_columns(text, source=source, most=most)
    if not all(map(str.strip, set(cells[0]))):
        keep = [any(cell.strip() for cell in row) for row in zip(*cells, strict=True)]
        numbers = list(compress(numbers, keep))
        cells = [list(compress(column, keep)) for column in cells]
    header = [unguarded(name).strip() for name in header]
    header, cells = _used_columns(header, cells)
    if "'" in text:
        cells = [each_cell(column, unguarded) for column in cells]
    return Table(source, header, numbers, dict(zip(header, cells, strict=True)))


def _used_columns(header: list[str], cells: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Columns with a name or a cell: a spreadsheet may save empty ones beside a table."""
    if "" not in header:
        return header, cells
    used = [
        bool(name) or any(map(str.strip, set(column)))
        for name, column in zip(header, cells, strict=True)
    ]
    if not any(used):
        return header, cells
    return list(compress(header, used)), list(compress(cells, used))


def _any_columns(
    text: str, *, source: str, most: int
) -> tuple[list[str], list[int], list[list[str]]]:
    """Header, numbers of the rows, and cells column by column."""
    rows = rows_from_header(text, source=source, cells=most)
    top, _, header = next(rows, (0, 0, []))
    if not top:
        raise InputError(f"{source} is empty; its first row must name the columns.")
    columns = _columns(rows, len(header), source=source)
    return header, list(range(top + 1, top + 1 + len(columns[0]))), columns


def _columns(
    rows: Iterator[tuple[int, int, list[str]]], width: int, *, source: str
) -> list[list[str]]:
    """Cells column by column; short rows are filled, and equal cells of a column are one object."""
    columns: list[list[str]] = [[] for _ in range(width)]
    known: list[dict[str, str]] = [{} for _ in range(width)]
    long: dict[int, int] = {}
    n_filled = 0
    filling = [""] * width
    while some := list(islice(rows, _AT_ONCE)):
        filled = []
        for number, _, row in some:
            n_filled += any(cell.strip() for cell in row)
            if len(row) > width and any(cell.strip() for cell in row[width:]):
                long[number] = len(row)
            filled.append(row if len(row) == width else [*row, *filling][:width])
        for cells, same, column in zip(columns, known, zip(*filled, strict=True), strict=True):
            cells.extend(map(same.setdefault, column, column))
        check_distinct_cells(sum(map(len, known)), source=source)
    _refuse_long_rows(long, width, every=len(long) == n_filled, source=source)
    return columns


def each_cell(cells: list[str], function: Callable[[str], str]) -> list[str]:
    """Cells after a function, which is called once for each distinct cell.

    Examples
    --------
    >>> each_cell(["a ", "b", "a "], str.strip)
    ['a', 'b', 'a']
    """
    changed = {cell: new for cell in set(cells) if (new := function(cell)) != cell}
    return [changed.get(cell, cell) for cell in cells] if changed else cells


def each_times(cells: list[Cell], times: int) -> list[Cell]:
    """Every cell several times.

    Examples
    --------
    >>> each_times(["a", "b"], 2)
    ['a', 'a', 'b', 'b']
    """
    if times == 1:
        return cells
    return list(chain.from_iterable(zip(*[cells] * times, strict=True)))


def write_table(file: IO[str], header: Iterable[str], rows: Iterable[Iterable[object]]) -> int:
    """Write a table as CSV in which no text is a formula; return the number of rows."""
    file.write(_csv_line(map(_inert, header)))
    count = 0
    for row in rows:
        file.write(_csv_line(map(_inert, row)))
        count += 1
    return count


def _inert(cell: object) -> object:
    """Cell as it is if it is a number or empty, and a text that nothing runs otherwise."""
    return cell if cell is None or isinstance(cell, Number) else guarded(str(cell))


def guarded(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would take for a formula.

    Examples
    --------
    >>> guarded("=1+1"), guarded("-500"), guarded("보험금"), guarded("'tis")
    ("'=1+1", "'-500", '보험금', "'tis")
    >>> guarded("total;=1+1"), guarded("a; b"), guarded("a-b")
    ("total;'=1+1", 'a; b', 'a-b')
    """
    inside = _HARMFUL_INSIDE.sub("'", text)
    return f"'{inside}" if _HARMFUL.match(text) else inside


def unguarded(text: str) -> str:
    """Undo `guarded`.

    Examples
    --------
    >>> unguarded("'=1+1"), unguarded("'tis"), unguarded("=1+1")
    ('=1+1', "'tis", '=1+1')
    """
    if "'" not in text:
        return text
    whole = _GUARDED_INSIDE.sub("", text)
    return whole[1:] if whole[:1] == "'" and _GUARDED.match(whole) else whole


def _csv_line(cells: Iterable[object]) -> str:
    """One row as CSV, with the end of line that command-line tools expect."""
    line = io.StringIO(newline="")
    # With "\n" for an end, the module would leave a lone "\r" in a cell without quotes.
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue().removesuffix("\r\n") + "\n"


def _refuse_long_rows(sizes: Mapping[int, int], width: int, *, every: bool, source: str) -> None:
    """Refuse rows with a cell beyond the last column, by their numbers; names the first ten."""
    if sizes:
        long = [
            f"row {number}: it has {size} cells; the file has {width} columns"
            for number, size in islice(sizes.items(), NAMED)
        ]
        rest = f"; and {len(sizes) - NAMED:,} more" if len(sizes) > NAMED else ""
        remedy = _NAME_THE_FIRST if every and {*sizes.values()} == {width + 1} else _QUOTE
        remedy = TITLE if every and width == 1 else remedy
        raise InputError(f"{source}, {'; '.join(long)}{rest}. {remedy} Nothing was read.")
