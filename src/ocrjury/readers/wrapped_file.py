"""A binary file around another, for readers that watch what they read."""

import io
from typing import Any


class WrappedFile(io.RawIOBase):
    """A file that is read where another one stands; how it is read is left to `readinto`."""

    def __init__(self, file: Any, name: str) -> None:
        self._file, self._name = file, name

    def readable(self) -> bool:
        """Return True: the file is open for reading."""
        return True

    def seekable(self) -> bool:
        """Return whether the file within can be read from any place."""
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a place."""
        return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        """Place in bytes."""
        return int(self._file.tell())
