"""How much of a pool was read: whole files, and of a table how far it is."""

import contextlib
import os
from typing import IO, Any

from ocrjury.readers.sources import Source


class FilesRead:
    """Files of a pool done and expected; each counts the same."""

    def __init__(self) -> None:
        self._expected = 0
        self._done = 0
        self._file: IO[bytes] | None = None
        self._rows: tuple[int, int] | None = None

    def expect(self, files: int) -> None:
        """Note how many files there are."""
        self._expected += files

    def finish(self) -> None:
        """Note that a file was read, or cannot be."""
        self._done += 1
        self._file = self._rows = None

    def watched(self, source: Source) -> Source:
        """Table whose place in the file is followed."""

        def opened() -> IO[bytes]:
            self._file = source.opener()
            return self._file

        return source._replace(opener=opened)

    def at_row(self, number: int, rows: int) -> None:
        """Note the row of a table whose number of rows is known."""
        self._rows = number, rows

    @property
    def share(self) -> float | None:
        """Share that was read, 0 to 1; None before anything is known."""
        if not self._expected:
            return None
        return min((self._done + self._within()) / self._expected, 1.0)

    def _within(self) -> float:
        """Share of the file that is being read."""
        if self._rows is not None:
            number, rows = self._rows
            return number / max(rows, 1)
        if self._file is None or self._file.closed:
            return 0.0
        size = _size(self._file)
        return self._file.tell() / size if size else 0.0


def _size(file: Any) -> int:
    """Bytes of an open file, 0 where they are not known, as in an archive."""
    with contextlib.suppress(OSError, AttributeError):
        return os.fstat(file.fileno()).st_size
    return int(getattr(file, "size", 0) or 0)
