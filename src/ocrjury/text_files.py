"""Files as people hand them in; texts in UTF-8, with or without a mark, or CP949."""

from contextlib import suppress
from pathlib import Path

from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_BYTES
from ocrjury.surrogates import HALF

ENCODINGS = ("utf-8-sig", "cp949")
"""Encodings tried in this order; one in which every byte is text, such as Latin-1, is not."""


def read_text(path: Path, *, most: int = MAX_BYTES, remedy: str = "") -> str:
    """Read a file in the first encoding that fits.

    Raises
    ------
    InputError
        If it cannot be read, with what to do, is larger than `most` bytes, or is text in neither
        encoding.
    """
    return decode_text(read_bytes(path, most=most, remedy=remedy), source=path)


def read_bytes(path: Path, *, most: int | None = None, remedy: str = "") -> bytes:
    """Read a file; `InputError` if it cannot be read, with what to do, or has more than `most`."""
    try:
        with path.open("rb") as file:
            body = file.read(-1 if most is None else most + 1)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}. {remedy}".rstrip()) from error
    if most is not None and len(body) > most:
        raise InputError(
            f"{path} is larger than {most >> 20} MB; split it, or leave out what is not needed."
        )
    return body


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
