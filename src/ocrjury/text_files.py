"""Files as people hand them in; texts in UTF-8, with or without a mark, or CP949."""

from contextlib import suppress
from pathlib import Path

from ocrjury.errors import InputError
from ocrjury.surrogates import HALF

ENCODINGS = ("utf-8-sig", "cp949")
"""Encodings tried in this order; one in which every byte is text, such as Latin-1, is not."""


def read_text(path: Path, *, remedy: str = "") -> str:
    """Read a file in the first encoding that fits.

    Raises
    ------
    InputError
        If it cannot be read, with what to do, or is text in neither encoding.
    """
    return decode_text(read_bytes(path, remedy=remedy), source=path)


def read_bytes(path: Path, *, most: int = -1, remedy: str = "") -> bytes:
    """Read `most` bytes of a file, or all; `InputError` if it cannot be read, with what to do."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}. {remedy}".rstrip()) from error


def decode_text(body: bytes, *, source: object) -> str:
    """Decode the content of a file in the first encoding that fits; `source` names it in errors."""
    for encoding in ENCODINGS:
        try:
            return body.decode(encoding)
        except UnicodeDecodeError as error:
            _refuse_surrogate(body, error.start, source=source)
    raise InputError(f"{source} is neither UTF-8 nor CP949 text; save it again as UTF-8.")


def _refuse_surrogate(body: bytes, start: int, *, source: object) -> None:
    """Raise if nothing but lone surrogates, the first at `start`, keeps a body from being UTF-8."""
    with suppress(UnicodeDecodeError):
        body.decode("utf-8", "surrogatepass")
        line = body.count(b"\n", 0, start) + 1
        raise InputError(f"{source}, line {line}: {HALF}; remove it and save the file again.")
