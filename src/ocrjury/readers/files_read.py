"""Progress of reading a pool: files read, and the position within a table."""

import contextlib
import os
from typing import IO, Any

from ocrjury.readers.sources import Source


class FilesRead:
    """Numbers of files read and expected; each file counts the same."""

    def __init__(self) -> None:
        self._expected = 0
        self._done = 0
        self._file: IO[bytes] | None = None
        self._rows: tuple[int, int] | None = None

    def expect(self, files: int) -> None:
        """Add to the number of expected files."""
        self._expected += files

    def finish(self) -> None:
        """Note that a file was read or found unreadable."""
        self._done += 1
        self._file = self._rows = None

    def watched(self, source: Source) -> Source:
        """Table whose position in the open file is tracked."""

        def opened() -> IO[bytes]:
            self._file = source.opener()
            return self._file

        return source._replace(opener=opened)

    def at_row(self, number: int, rows: int) -> None:
        """Note the current row of a table with a known number of rows."""
        self._rows = number, rows

    @property
    def share(self) -> float | None:
        """Share read so far, 0 to 1; None before any file is expected."""
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
    """Bytes of an open file, 0 where unknown, as in an archive."""
    with contextlib.suppress(OSError, AttributeError):
        return os.fstat(file.fileno()).st_size
    return int(getattr(file, "size", 0) or 0)
