"""Opening the files of a pool, local or remote, compressed or not, and detecting their encoding."""

import codecs
import contextlib
import io
import os
import re
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from ocrjury.errors import InputError, MissingDependencyError
from ocrjury.file_limits import MAX_BYTES, MAX_LINE
from ocrjury.readers.addresses import EXTRAS
from ocrjury.readers.content_errors import FileError
from ocrjury.readers.encodings import NAME_IT
from ocrjury.readers.limits import TOO_LARGE, check_growth
from ocrjury.readers.wrapped_file import WrappedFile
from ocrjury.text_files import ENCODINGS, UNLIKELY, fits, marked_encoding

PathLike = str | os.PathLike[str]

_BLOCK = 1 << 20
_GZIP = b"\x1f\x8b"

DAMAGED = (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError)
"""Exceptions from reading a damaged or encrypted archive."""


class Source(NamedTuple):
    """A file in a folder, in an archive or matched by a pattern."""

    name: str
    """Full address, for messages."""
    relative: str
    """Address relative to the folder or archive searched, with ``/``."""
    opener: Callable[[], IO[bytes]]
    sibling: Callable[[str], "Source | None"]
    """File of a given name in the same folder, None if there is none."""

    def __str__(self) -> str:
        """Full address."""
        return self.name


Place = PathLike | Source


def open_binary(place: Place) -> IO[bytes]:
    """Open local path or source; a file compressed by gzip is unpacked while it is read."""
    raw = place.opener() if isinstance(place, Source) else open_local(place)
    return _unpacked(raw, str(place))


def open_local(path: PathLike) -> IO[bytes]:
    """Open local file; anything but a regular file is an error."""
    try:
        mode = Path(path).stat().st_mode
        if stat.S_ISREG(mode):  # opening a pipe would block
            return Path(path).open("rb")
    except OSError as error:
        raise InputError(f"{path} cannot be opened: {error.strerror or error}.") from error
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{str(path)!r} is not a path: {error}.") from error
    kind = "a folder, not a file" if stat.S_ISDIR(mode) else "not a regular file"
    raise InputError(f"{path} is {kind}.")


@contextlib.contextmanager
def address_errors(address: str) -> Iterator[None]:
    """Turn exceptions of fsspec into an error that names the address."""
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
    protocols = re.findall(r"(?<![a-z0-9])([a-z0-9]++)://", address)
    extra = next((EXTRAS[protocol] for protocol in protocols if protocol in EXTRAS), None)
    remedy = "" if extra is None else f' Run: pip install "ocrjury[{extra}]"'
    return f"{address} cannot be opened: {error}.{remedy}"


def _unpacked(raw: IO[bytes], name: str) -> IO[bytes]:
    """File, unpacked if it is compressed by gzip."""
    if not raw.seekable():
        return raw
    with address_errors(name):
        magic = raw.read(len(_GZIP))
        raw.seek(0)
    if magic != _GZIP:
        return raw
    import gzip  # noqa: PLC0415  # few pools are compressed

    return guarded(gzip.GzipFile(fileobj=raw), name, packed=raw.tell, under=raw)


def guarded(
    file: Any, name: str, *, packed: Callable[[], int], under: IO[bytes] | None = None
) -> IO[bytes]:
    """Packed file that raises an error when it expands like a bomb or is damaged.

    Parameters
    ----------
    packed
        Returns the number of packed bytes read so far, or in all.
    under
        Underlying file, closed with this one.
    """
    watched = _Guarded([file] if under is None else [file, under], name, packed)
    return io.BufferedReader(watched, 1 << 16)


class _Guarded(WrappedFile):
    """A packed file whose size and errors are checked at every read."""

    def __init__(self, files: list[Any], name: str, packed: Callable[[], int]) -> None:
        super().__init__(files[0], name)
        self._files = files
        self._packed = packed

    def readinto(self, buffer: Any, /) -> int:
        try:
            block = self._file.read(len(buffer))
            size = self._file.tell()
        except DAMAGED as error:
            raise InputError(f"{self._name} is damaged or cannot be unpacked: {error}.") from error
        check_growth(size, packed=self._packed(), name=self._name)
        buffer[: len(block)] = block
        return len(block)

    def close(self) -> None:
        for file in self._files:
            file.close()
        super().close()


def read_bytes(place: Place) -> bytes:
    """Content of an OCR file of at most `MAX_BYTES`."""
    with open_binary(place) as file:
        try:
            data = file.read(MAX_BYTES + 1)
        except DAMAGED as error:
            raise InputError(f"{place} cannot be read: {error}.") from error
    if len(data) > MAX_BYTES:
        raise FileError(str(place), TOO_LARGE)
    return data


def detect_encoding(place: Place) -> str:
    """Encoding of a text file: UTF-16 by its mark, else the first of UTF-8 and CP949 that fits."""
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
    raise InputError(f"{place} is text neither in {' nor in '.join(failures)}; {NAME_IT}.")


def _first_failure(place: Place, encoding: str) -> str | None:
    """Position of the first byte that an encoding cannot decode, or why the file is not in it.

    None if the encoding fits.
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    done = 0
    characters: Counter[str] = Counter()
    with open_binary(place) as file:
        while True:
            block = file.read(_BLOCK)
            pending = len(decoder.getstate()[0])
            try:
                text = decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                return f"byte {done - pending + error.start + 1}"
            if encoding == "cp949":
                characters.update(text)
            if not block:
                return None if fits(encoding, characters) else UNLIKELY
            done += len(block)


@contextlib.contextmanager
def open_text(place: Place, encoding: str, *, newline: str) -> Iterator[IO[str]]:
    """Open a file as text; bytes that the encoding cannot decode are an `InputError`."""
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
                f"{place} is not {encoding} text: {error}. Name another encoding, or none to have "
                "it detected."
            ) from error


def bounded_lines(file: IO[str]) -> Iterator[tuple[int, str | None]]:
    """Yield number and text of every line, None as the text of an overlong line."""
    number = 0
    while line := file.readline(MAX_LINE):
        number += 1
        if len(line) < MAX_LINE or line.endswith("\n"):
            yield number, line
            continue
        while line and not line.endswith("\n"):
            line = file.readline(MAX_LINE)
        yield number, None
