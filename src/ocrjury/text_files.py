"""Text files as people save them: UTF-8, with or without a mark, or CP949."""

from pathlib import Path

from ocrjury.errors import InputError

ENCODINGS = ("utf-8-sig", "cp949")
"""Encodings tried in this order; one in which every byte is text, such as Latin-1, is not."""


def read_text(path: Path) -> str:
    """Read a file in the first encoding that fits.

    Raises
    ------
    InputError
        If it cannot be read, or is text in neither encoding.
    """
    try:
        body = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    return decode_text(body, source=path)


def decode_text(body: bytes, *, source: object) -> str:
    """Decode the content of a file in the first encoding that fits; `source` names it in errors."""
    for encoding in ENCODINGS:
        try:
            return body.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise InputError(f"{source} is neither UTF-8 nor CP949 text; save it again as UTF-8.")
