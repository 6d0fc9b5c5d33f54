"""Opening the files of a pool, local or remote, compressed or not, and detecting their encoding."""

import codecs
import contextlib
import io
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from ocrjury.errors import InputError, MissingDependencyError
from ocrjury.readers.content_errors import FileError
from ocrjury.readers.encodings import marked_encoding
from ocrjury.readers.limits import MAX_BYTES, MAX_LINE
from ocrjury.text_files import ENCODINGS

PathLike = str | os.PathLike[str]

_BLOCK = 1 << 20
_GZIP = b"\x1f\x8b"
_FREE = 64 << 20
_RATIO = 200
"""A packed file may grow to this many times its size; text grows to 3 to 20 times."""

DAMAGED = (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError)
"""Exceptions from reading a damaged or encrypted archive."""

EXTRAS = {
    **dict.fromkeys(("s3", "s3a"), "s3"),
    **dict.fromkeys(("gs", "gcs"), "gcs"),
    **dict.fromkeys(("az", "abfs"), "azure"),
    **dict.fromkeys(("http", "https"), "http"),
}
"""Optional extra of this package whose library opens the addresses of a protocol."""


class Source(NamedTuple):
    """A file that was found in a folder, an archive or by a pattern."""

    name: str
    """Its whole address, for messages."""
    relative: str
    """Its address below what was searched, with ``/``."""
    opener: Callable[[], IO[bytes]]
    sibling: Callable[[str], "Source | None"]
    """File of another name beside it, None if there is none."""

    def __str__(self) -> str:
        """Whole address."""
        return self.name


Place = PathLike | Source


def open_binary(place: Place) -> IO[bytes]:
    """Open file of this machine, or one that was found before, anywhere.

    One packed by gzip is unpacked on the way.
    """
    raw = place.opener() if isinstance(place, Source) else open_local(place)
    return _unpacked(raw, str(place))


def is_address(path: str) -> bool:
    """Whether a path is for fsspec."""
    return "://" in path or "::" in path


def open_local(path: PathLike) -> IO[bytes]:
    """Open file of this machine."""
    try:
        mode = Path(path).stat().st_mode
        if stat.S_ISREG(mode):  # opening a pipe would wait for ever
            return Path(path).open("rb")
    except OSError as error:
        raise InputError(f"{path} cannot be opened: {error.strerror or error}.") from error
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{str(path)!r} is no path: {error}.") from error
    what = "a folder where a file must be" if stat.S_ISDIR(mode) else "no regular file"
    raise InputError(f"{path} is {what}.")


@contextlib.contextmanager
def address_errors(address: str) -> Iterator[None]:
    """Turn what fsspec raises into an error that names the address."""
    try:
        yield
    except InputError:
        raise
    except ImportError as error:
        raise MissingDependencyError(_missing_library(address, error)) from error
    except (ValueError, KeyError, NotImplementedError, *DAMAGED) as error:
        raise InputError(f"{address} cannot be opened: {str(error) or type(error)}.") from error


def _missing_library(address: str, error: ImportError) -> str:
    """Sentence for an address whose library is not installed, with the command that installs it.

    >>> _missing_library("s3://claims/*.xml", ImportError("Install s3fs to access S3"))
    's3://claims/*.xml cannot be opened: Install s3fs to access S3. Run: pip install "ocrjury[s3]"'
    """
    protocols = re.findall(r"([a-z0-9]+)://", address)
    extra = next((EXTRAS[protocol] for protocol in protocols if protocol in EXTRAS), None)
    remedy = "" if extra is None else f' Run: pip install "ocrjury[{extra}]"'
    return f"{address} cannot be opened: {error}.{remedy}"


def _unpacked(raw: IO[bytes], name: str) -> IO[bytes]:
    """File, unpacked if it is packed."""
    if not raw.seekable():
        return raw
    with address_errors(name):
        magic = raw.read(len(_GZIP))
        raw.seek(0)
    if magic != _GZIP:
        return raw
    import gzip  # noqa: PLC0415  # few pools are packed

    return guarded(gzip.GzipFile(fileobj=raw), name, packed=raw.tell, under=raw)


def guarded(
    file: Any, name: str, *, packed: Callable[[], int], under: IO[bytes] | None = None
) -> IO[bytes]:
    """Packed file that stops where it grows like a bomb, or is damaged.

    Parameters
    ----------
    packed
        Returns how many bytes of the packed file were read so far, or are there at all.
    under
        What the file reads from, closed with it.
    """
    watched = _Guarded([file] if under is None else [file, under], name, packed)
    return io.BufferedReader(watched, 1 << 16)


class _Guarded(io.RawIOBase):
    """A packed file, with its size and its errors watched."""

    def __init__(self, files: list[Any], name: str, packed: Callable[[], int]) -> None:
        self._files = files
        self._file = files[0]
        self._name = name
        self._packed = packed

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def readinto(self, buffer: Any, /) -> int:
        try:
            block = self._file.read(len(buffer))
            size = self._file.tell()
        except DAMAGED as error:
            raise InputError(f"{self._name} is damaged or cannot be unpacked: {error}.") from error
        if size > _FREE and size > _RATIO * max(self._packed(), 1):
            raise InputError(
                f"{self._name} unpacks to more than {_RATIO} times its size, which text never "
                "does; it is not read."
            )
        buffer[: len(block)] = block
        return len(block)

    def close(self) -> None:
        for file in self._files:
            file.close()
        super().close()


def read_bytes(place: Place) -> bytes:
    """Whole OCR file, at most as much as any page has."""
    with open_binary(place) as file:
        try:
            data = file.read(MAX_BYTES + 1)
        except DAMAGED as error:
            raise InputError(f"{place} cannot be read: {error}.") from error
    if len(data) > MAX_BYTES:
        reason = f"more than {MAX_BYTES >> 20} MB, which no page of text has; split the file"
        raise FileError(str(place), reason)
    return data


def detect_encoding(place: Place) -> str:
    """First of UTF-8 (with or without a mark) and CP949 in which a file is text."""
    with open_binary(place) as file:
        marked = marked_encoding(file.read(4))
    if marked is not None:
        return marked
    failures = []
    for encoding in ENCODINGS:
        failure = _first_failure(place, encoding)
        if failure is None:
            return encoding
        failures.append(f"{encoding.removesuffix('-sig')} ({failure})")
    raise InputError(
        f"{place} is text neither in {' nor in '.join(failures)}; pass encoding=, or save it as "
        "UTF-8."
    )


def _first_failure(place: Place, encoding: str) -> str | None:
    """Return where a file is no text in an encoding, None if it is text throughout."""
    decoder = codecs.getincrementaldecoder(encoding)()
    done = 0
    with open_binary(place) as file:
        while True:
            block = file.read(_BLOCK)
            pending = len(decoder.getstate()[0])
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                return f"byte {done - pending + error.start + 1}"
            if not block:
                return None
            done += len(block)


@contextlib.contextmanager
def open_text(place: Place, encoding: str, *, newline: str) -> Iterator[IO[str]]:
    """Open a file as text; bytes that are none in this encoding are an `InputError`."""
    with open_binary(place) as file:
        try:
            with io.TextIOWrapper(file, encoding=encoding, newline=newline) as text:
                yield text
        except LookupError as error:
            raise InputError(
                f"encoding {encoding!r} is unknown; use a name such as 'utf-8' or 'cp949'."
            ) from error
        except UnicodeError as error:
            raise InputError(
                f"{place} is no {encoding} text: {error}. Leave encoding= out to have it detected."
            ) from error


def bounded_lines(file: IO[str]) -> Iterator[tuple[int, str | None]]:
    """Yield number and text of every line; None for one that no memory should hold."""
    number = 0
    while line := file.readline(MAX_LINE):
        number += 1
        if len(line) < MAX_LINE or line.endswith("\n"):
            yield number, line
            continue
        while line and not line.endswith("\n"):
            line = file.readline(MAX_LINE)
        yield number, None
