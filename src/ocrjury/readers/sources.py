"""Opening a file of the pool, and finding out its format and encoding."""

import codecs
import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Literal, get_args

from ocrjury.errors import InputError, MissingDependencyError

Format = Literal["jsonl", "csv", "parquet"]
PathLike = str | os.PathLike[str]

_SUFFIXES: dict[str, Format] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_ENCODINGS = ("utf-8-sig", "cp949")
_BLOCK = 1 << 20


def open_binary(path: PathLike) -> IO[bytes]:
    """Return an open file of this machine, or of any address that fsspec knows."""
    if "://" in str(path):
        return _open_address(str(path))
    if Path(path).is_dir():
        raise InputError(
            f"{path} is a folder; read_pool needs one file: {', '.join(get_args(Format))}."
        )
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise InputError(f"{path} cannot be opened: {error.strerror or error}.") from error
    except ValueError as error:  # a NUL in the name
        raise InputError(f"{str(path)!r} is no path: {error}.") from error


def _open_address(address: str) -> IO[bytes]:
    """Return an open remote file."""
    import fsspec  # noqa: PLC0415  # only remote pools need it

    try:
        opened: IO[bytes] = fsspec.open(address, "rb").open()
    except ImportError as error:
        raise MissingDependencyError(f"{address}: {error}.") from error
    except (OSError, ValueError) as error:
        raise InputError(f"{address} cannot be opened: {error}.") from error
    return opened


def detect_format(path: PathLike) -> Format:
    """Return the format of a file, by its first bytes, else by its name."""
    with open_binary(path) as file:
        head = file.read(4096)
    if head.startswith(b"PAR1"):
        return "parquet"
    start = head.removeprefix(codecs.BOM_UTF8).lstrip()
    if start.startswith(b"{"):
        return "jsonl"
    if start.startswith(b"["):
        raise InputError(
            f"{path} is one JSON array; write one JSON object per line instead (JSONL)."
        )
    suffix = Path(str(path)).suffix.lower()
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if b"doc_id" in start.split(b"\n", 1)[0]:
        return "csv"
    raise InputError(
        f"{path}: neither content nor suffix {suffix!r} tells the format; pass format= one of "
        f"{', '.join(map(repr, get_args(Format)))}."
    )


def detect_encoding(path: PathLike) -> str:
    """Return the first of UTF-8 (with or without a mark) and CP949 in which a file is text."""
    failures = []
    for encoding in _ENCODINGS:
        failure = _first_failure(path, encoding)
        if failure is None:
            return encoding
        failures.append(f"{encoding.removesuffix('-sig')} ({failure})")
    raise InputError(
        f"{path} is text neither in {' nor in '.join(failures)}; pass encoding=, or save it as "
        "UTF-8."
    )


def _first_failure(path: PathLike, encoding: str) -> str | None:
    """Return where a file is no text in an encoding, None if it is text throughout."""
    decoder = codecs.getincrementaldecoder(encoding)()
    done = 0
    with open_binary(path) as file:
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
def open_text(path: PathLike, encoding: str, *, newline: str) -> Iterator[IO[str]]:
    """Open a file as text; bytes that are none in this encoding are an `InputError`."""
    with open_binary(path) as file:
        try:
            with io.TextIOWrapper(file, encoding=encoding, newline=newline) as text:
                yield text
        except LookupError as error:
            raise InputError(
                f"encoding {encoding!r} is unknown; use a name such as 'utf-8' or 'cp949'."
            ) from error
        except UnicodeError as error:
            raise InputError(
                f"{path} is no {encoding} text: {error}. Leave encoding= out to have it detected."
            ) from error
