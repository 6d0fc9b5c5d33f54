"""Problems of a file: collected into one error, or quarantined file by file and row by row."""

from dataclasses import dataclass, field

from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_CHARACTERS
from ocrjury.readers.content_errors import FileError

LIMIT = 10_000
"""Most entries stored; further ones are only counted."""

LONG_ROW = f"more than {MAX_CHARACTERS:,} characters in a row"
SHORTER_ROWS = "Split the document, such as page by page."

Entry = dict[str, str | None]


@dataclass
class Quarantine:
    """Files and rows left out, in reading order; ``count`` includes those beyond the limit."""

    entries: list[Entry] = field(default_factory=list)
    count: int = 0

    def add(self, path: str, reason: str, position: str | None = None) -> None:
        """Note a file or row that is left out."""
        self.count += 1
        if self.count <= LIMIT:
            self.entries.append({"path": path, "reason": reason, "position": position})

    def add_error(self, path: str, error: InputError) -> None:
        """Note the file that an error concerns."""
        if isinstance(error, FileError):
            self.add(error.path, error.reason, error.position)
        else:
            self.add(path, str(error).removeprefix(f"{path}: ").rstrip("."))


_SHOWN = 10


@dataclass(slots=True)
class _Problem:
    """One kind of problem: its rows, their number, the first value and the remedy."""

    kind: str
    remedy: str
    first: str
    rows: list[int] = field(default_factory=list)
    count: int = 0


class Problems:
    """Problems of one file, by kind, with their rows.

    Parameters
    ----------
    source
        Name of the file.
    row_word
        Word for a row in this format, for example ``"line"``.
    """

    def __init__(self, source: str, row_word: str) -> None:
        self.source = source
        self.row_word = row_word
        self._by_kind: dict[str, _Problem] = {}

    def add(
        self, row: int, kind: str, *, remedy: str, value: object = None, last: int | None = None
    ) -> None:
        """Note a problem of a row; for each kind the first value is kept."""
        del last  # the first line of a row is enough for whoever fixes them all
        first = "" if value is None else f" (first found: {_short(value)})"
        problem = self._by_kind.setdefault(kind, _Problem(kind, remedy, first))
        problem.count += 1
        if len(problem.rows) < _SHOWN:
            problem.rows.append(row)

    def raise_any(self) -> None:
        """Raise one error that names every kind of problem with its rows."""
        if self._by_kind:
            lines = [self._line(problem) for problem in self._by_kind.values()]
            raise InputError(
                f"{self.source}: nothing was imported, because of\n" + "\n".join(lines)
            )

    def _line(self, problem: _Problem) -> str:
        """Line of the message about one kind of problem."""
        rows = ", ".join(map(str, problem.rows))
        more = problem.count - len(problem.rows)
        where = f"{self.row_word}{'s' if problem.count > 1 else ''} {rows}"
        if more:
            where += f" and {more} more ({problem.count} in all)"
        return f"- {where}: {problem.kind}{problem.first}. {problem.remedy}"


def _short(value: object) -> str:
    """Value as text of at most 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


class RowProblems(Problems):
    """Problems of a file's rows, each of which goes to the quarantine.

    Parameters
    ----------
    places
        File and position of each row, for rows numbered from 0; None: the row's number is its
        position in the file.
    """

    def __init__(
        self,
        source: str,
        row_word: str,
        *,
        quarantine: Quarantine,
        places: list[tuple[str, str | None]] | None = None,
    ) -> None:
        super().__init__(source, row_word)
        self.rows: set[int] = set()
        self._quarantine = quarantine
        self._places = places

    def add(
        self, row: int, kind: str, *, remedy: str, value: object = None, last: int | None = None
    ) -> None:
        """Quarantine a row, which may go on to a last line, with its first problem."""
        del value  # may be text of a document
        if row in self.rows:
            return
        self.rows.add(row)
        path, position = self.source, f"{self.row_word} {row}"
        if last is not None and last > row:
            position = f"{self.row_word}s {row} to {last}"
        if self._places is not None:
            path, position = self._places[row][0], self._places[row][1] or ""
        self._quarantine.add(path, f"{kind}. {remedy}".rstrip("."), position or None)

    def raise_any(self) -> None:
        """Raise nothing: the problems are in the quarantine."""
