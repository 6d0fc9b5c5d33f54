"""Files at addresses of fsspec, which are not waited for without an end.

The library behind a bucket limits the time between two bytes, if any: a server that sends one byte
at a time would hold a run for ever. Its connections are its own, so what takes too long is left
behind in a thread, which does not keep the process from ending.
"""

import io
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from threading import Thread
from typing import IO, Any, Final, TypeVar

from ocrjury.errors import InputError
from ocrjury.readers.wrapped_file import WrappedFile

LONGEST: Final = 300.0
"""Seconds that an answer may take as a whole, or a part of a file."""
_PART: Final = 1 << 20
"""Bytes of such a part: 3.5 kB a second are enough."""
_REQUESTS: Final = frozenset(
    {
        *("cat_file", "exists", "find", "glob", "isdir", "ls"),
        *("makedirs", "mv", "pipe_file", "rm_file", "rmdir"),
    }
)
"""Methods of a file system that send a request to its server."""

Answer = TypeVar("Answer")


def system_at(address: str) -> tuple[Any, str]:
    """File system of fsspec for an address, and the path in it; one elsewhere is patient."""
    import fsspec  # noqa: PLC0415  # only addresses need it

    system, path = within(LONGEST, fsspec.core.url_to_fs, address)
    return system if getattr(system, "local_file", False) else PatientFiles(system), path


def within(seconds: float, ask: Callable[..., Answer], *values: Any, **options: Any) -> Answer:
    """Answer of a function that is waited for a time at most.

    Raises
    ------
    TimeoutError
        The time was over.
    """
    answer: Future[Answer] = Future()

    def wait() -> None:
        try:
            answer.set_result(ask(*values, **options))
        except BaseException as error:  # noqa: BLE001  # raised where the answer is awaited
            answer.set_exception(error)

    Thread(target=copy_context().run, args=(wait,), daemon=True, name="request").start()
    try:
        return answer.result(seconds)
    except TimeoutError as error:
        if answer.done():  # its own
            raise
        raise TimeoutError(f"it did not answer within {seconds:g} seconds") from error


class PatientFiles:
    """A file system whose answers are waited for a time at most, and so are parts of its files."""

    def __init__(self, system: Any) -> None:
        self._system = system

    def __getattr__(self, name: str) -> Any:
        """Attribute of the file system."""
        own = getattr(self._system, name)
        return partial(within, LONGEST, own) if name in _REQUESTS else own

    def open(self, path: str, mode: str) -> IO[bytes]:
        """Open a file for reading."""
        raw = within(LONGEST, self._system.open, path, mode)
        return io.BufferedReader(_PatientFile(raw, self._system.unstrip_protocol(path)), _PART)


class _PatientFile(WrappedFile):
    """A file elsewhere, read in parts; one that does not come within the time is an error."""

    def readinto(self, buffer: Any, /) -> int:
        try:
            block = within(LONGEST, self._file.read, min(len(buffer), _PART))
        except TimeoutError as error:
            raise InputError(f"{self._name} cannot be read: {error}.") from error
        buffer[: len(block)] = block
        return len(block)

    def readall(self) -> bytes:
        return b"".join(iter(partial(self.read, _PART), b""))

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
