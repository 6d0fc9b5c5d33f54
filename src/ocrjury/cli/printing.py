"""Output of commands: tables and sentences, in colour on a terminal, plain text elsewhere.

Plain text keeps the columns aligned, also for Korean and Chinese letters, and never breaks or
shortens a line, so that it can be searched and compared.
"""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple

from ocrjury.evaluation.frames import plain
from ocrjury.sentences import in_english

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

Ticker = Callable[[int], None]
"""Function that a long task calls with the number of parts that are done."""


class Column(NamedTuple):
    """Title of a column, and the side to which its cells are set."""

    title: str
    side: Literal["left", "right"] = "left"


class Cell(NamedTuple):
    """A text with a colour; the colour never says what the text does not."""

    text: str
    style: str = ""


GOOD, BAD, WARNING, QUIET, STRONG = "green", "red", "yellow", "dim", "bold"


def right(*titles: str) -> tuple[Column, ...]:
    """Columns of numbers."""
    return tuple(Column(title, "right") for title in titles)


def say(text: str = "") -> None:
    """Print a line of the answer."""
    print(shown(text))


def remark(text: str) -> None:
    """Print a line beside the answer, to stderr."""
    print(shown(text), file=sys.stderr, flush=True)


def tell_replaced(*paths: Path) -> None:
    """Say which of the files that are about to be written stand there already."""
    for path in paths:
        if path.is_file():
            remark(f"{path} was there already, and is replaced.")


def shown(text: str) -> str:
    r"""Text that tells a terminal nothing: names of files and cells may hold its commands.

    Examples
    --------
    >>> shown("a\tb\nc\x1b[2J\r")
    'a\tb\nc‹U+001B›[2J‹U+000D›'
    """
    if text.isascii() and text.isprintable():  # nearly always, and needs no other module
        return text
    from ocrjury.pages.document_text import harmless

    return str(harmless(text)).replace("\r", "‹U+000D›")


def money(amount: float) -> str:
    """Amount of money, with two decimals.

    >>> money(7.2), money(1025)
    ('7.20', '1,025.00')
    """
    return f"{amount:,.2f}"


def say_json(value: Any) -> None:
    """Print plain values as JSON with every letter as it is; ``nan`` is null."""
    text: list[str] = []
    _append_json(text, plain(in_english(value)), "\n")
    from ocrjury.pages.document_text import HARMFUL

    # JSON may hold them by their numbers, too.
    print(HARMFUL.sub(lambda match: f"\\u{ord(match[0]):04x}", "".join(text)))


_BRACKETED = frozenset({dict, list})


def _append_json(text: list[str], value: Any, end: str) -> None:
    """Append the text of plain values as ``json.dumps`` writes it with ``indent=2``.

    With an indent Python's encoder takes ten times as long, so it writes only what lies within
    the innermost brackets, without one. ``end`` is the line's end before the closing bracket.
    """
    inner = f"{end}  "
    if not isinstance(value, dict | list) or not value:
        text.append(_json_encoder(inner).encode(value))
        return
    named = isinstance(value, dict)
    parts = list(value.values()) if isinstance(value, dict) else value
    text.append(f"{'{' if named else '['}{inner}")
    if not _BRACKETED.isdisjoint(map(type, parts)):
        names = (f"{_json_encoder(inner).encode(name)}: " if named else "" for name in value)
        for place, (name, part) in enumerate(zip(names, parts, strict=True)):
            text.append(f",{inner}{name}" if place else name)
            _append_json(text, part, inner)
    else:
        text.append(_json_encoder(inner).encode(value)[1:-1])
    text.append(f"{end}{'}' if named else ']'}")


@cache
def _json_encoder(line: str) -> json.JSONEncoder:
    """Encoder that begins every part on a new line."""
    return json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(f",{line}", ": "))


def heading(text: str) -> None:
    """Print a heading with an empty line before it."""
    print()
    if sys.stdout.isatty():
        _console().print(shown(text), style=STRONG, markup=False, highlight=False)
    else:
        say(text)


def fields(pairs: Iterable[tuple[str, str]]) -> None:
    """Print names and values below each other."""
    rows = list(pairs)
    width = max((len(name) for name, _ in rows), default=0)
    for name, value in rows:
        say(f"{name.ljust(width)}  {value}")


def table(columns: Sequence[Column | str], rows: Iterable[Sequence[Cell | str]]) -> None:
    """Print a table."""
    titles = [Column(column) if isinstance(column, str) else column for column in columns]
    heads = [Column(shown(column.title), column.side) for column in titles]
    given = [[Cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    cells = [[Cell(shown(cell.text), cell.style) for cell in row] for row in given]
    if sys.stdout.isatty():
        _rich_table(heads, cells)
    else:
        _plain_table(heads, cells)


@contextmanager
def progress(what: str, *, total: int) -> Iterator[Ticker]:
    """Yield what to call after each part of a long task; a bar on a terminal's stderr."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    shown = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = _console(sys.stderr)
    with Progress(*shown, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda parts: bar.advance(task, parts)


@contextmanager
def waiting(what: str) -> Iterator["Waiting"]:
    """Yield the line that says what is waited for."""
    if not sys.stderr.isatty():
        yield Waiting()
        return
    from rich.status import Status
    from rich.text import Text

    with Status(Text(what), console=_console(sys.stderr)) as status:
        yield _Turning(status.update)


class Waiting:
    """Print what is waited for whenever that changes."""

    def __init__(self) -> None:
        self.said = ""

    def update(self, what: str, *, detail: str = "") -> None:
        """Say what is waited for; `detail` changes all the time and is for terminals only."""
        del detail
        if what != self.said:
            remark(what)
        self.said = what


class _Turning(Waiting):
    """Show what is waited for in one line that is written over."""

    def __init__(self, show: "Callable[[Text], None]") -> None:
        super().__init__()
        self.show = show

    def update(self, what: str, *, detail: str = "") -> None:
        """Write the line over."""
        from rich.text import Text

        self.show(Text(shown(f"{what}  {detail}".rstrip())))


def _console(file: IO[str] | None = None) -> "Console":
    """Console that takes texts as they are."""
    from rich.console import Console

    return Console(file=file or sys.stdout, soft_wrap=False)


def _rich_table(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        drawn.add_column(column.title, justify=column.side, overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(cell.text, style=cell.style) for cell in row))
    _console().print(drawn)


def _plain_table(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
    from rich.cells import cell_len

    texts = [[column.title for column in columns], *([cell.text for cell in row] for row in rows)]
    widths = [max(cell_len(row[place]) for row in texts) for place in range(len(columns))]
    for row in texts:
        line = []
        for text, width, column in zip(row, widths, columns, strict=True):
            padding = " " * (width - cell_len(text))
            line.append(padding + text if column.side == "right" else text + padding)
        print("  ".join(line).rstrip())
