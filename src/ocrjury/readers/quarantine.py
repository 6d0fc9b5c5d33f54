"""Quarantine of a pool: unusable files and rows, with position and reason."""

from dataclasses import dataclass, field

from ocrjury.errors import InputError
from ocrjury.readers.content_errors import FileError
from ocrjury.readers.problems import Problems

LIMIT = 10_000
"""Most entries stored; further ones are only counted."""

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
            reason = error.reason.partition("; pass format=")[0]  # a format applies to all files
            self.add(error.path, reason, error.position)
        else:
            self.add(path, str(error).removeprefix(f"{path}: ").rstrip("."))


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

    def add(self, row: int, kind: str, *, remedy: str, value: object = None) -> None:
        """Quarantine a row with its first problem."""
        del value  # may be text of a document
        if row in self.rows:
            return
        self.rows.add(row)
        path, position = self.source, f"{self.row_word} {row}"
        if self._places is not None:
            path, position = self._places[row][0], self._places[row][1] or ""
        self._quarantine.add(path, f"{kind}. {remedy}".rstrip("."), position or None)

    def raise_any(self) -> None:
        """Raise nothing: the problems are in the quarantine."""
