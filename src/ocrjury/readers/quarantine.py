"""What a pool holds but cannot be used: which file or row, where in it, and why."""

from dataclasses import dataclass, field

from ocrjury.errors import InputError
from ocrjury.readers.content_errors import FileError
from ocrjury.readers.problems import Problems

LIMIT = 10_000
"""Entries that are kept; further ones are only counted."""

Entry = dict[str, str | None]


@dataclass
class Quarantine:
    """Files and rows left out, in the order they came; ``count`` is how many there are."""

    entries: list[Entry] = field(default_factory=list)
    count: int = 0

    def add(self, path: str, reason: str, position: str | None = None) -> None:
        """Note what is left out."""
        self.count += 1
        if self.count <= LIMIT:
            self.entries.append({"path": path, "reason": reason, "position": position})

    def add_error(self, path: str, error: InputError) -> None:
        """Note a file that an error is about."""
        if isinstance(error, FileError):
            reason = error.reason.partition("; pass format=")[0]  # there is one for all files
            self.add(error.path, reason, error.position)
        else:
            self.add(path, str(error).removeprefix(f"{path}: ").rstrip("."))


class RowProblems(Problems):
    """Problems of a file's rows, which go to the quarantine one by one.

    Parameters
    ----------
    places
        File and position of each row that is numbered from 0; without them rows are numbered as
        the file does.
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

    def add(self, row: int, what: str, *, remedy: str, found: object = None) -> None:
        """Quarantine a row; of its problems the first counts."""
        del found  # may be a text of a document
        if row in self.rows:
            return
        self.rows.add(row)
        path, position = self.source, f"{self.row_word} {row}"
        if self._places is not None:
            path, position = self._places[row][0], self._places[row][1] or ""
        self._quarantine.add(path, f"{what}. {remedy}".rstrip("."), position or None)

    def raise_any(self) -> None:
        """Raise nothing: what is wrong is in the quarantine."""
