"""Files as people hand them in; texts in UTF-8, UTF-16 with a byte order mark, or CP949."""

import codecs
import json
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from ocrjury.errors import InputError
from ocrjury.file_limits import MAX_BYTES
from ocrjury.surrogates import HALF

ENCODINGS = ("utf-8-sig", "cp949")
"""Encodings tried in this order; one in which every byte is text, such as Latin-1, is not."""

_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_FAULTS: Final[Mapping[str, str]] = {
    "Expecting property name enclosed in double quotes": "a key in double quotes is missing",
    "Illegal trailing comma before end of object": "a comma stands before the closing brace",
    "Illegal trailing comma before end of array": "a comma stands before the closing bracket",
    "Expecting ',' delimiter": "a comma is missing",
    "Expecting ':' delimiter": "a colon is missing after a key",
    "Expecting value": "a value is missing, or it is a text without double quotes",
    "Extra data": "something stands behind its end",
    "Invalid control character at": "a text holds a control character, such as a tab",
    "Invalid \\escape": "a backslash stands before a character that needs none",
    "Invalid \\uXXXX escape": "\\u stands without four digits behind it",
}
"""Meaning of what the parser of JSON says."""
CUT_OFF: Final = "it breaks off before it is complete"

_NO_TEXTS: Final[Mapping[bytes, str]] = {
    b"PK\x03\x04": "an archive, such as a workbook; save its sheet",
    b"\xd0\xcf\x11\xe0": "a file of an office program, such as an old workbook; save its sheet",
    b"PAR1": "a Parquet file; save its table",
}
"""Files that are handed in as text, by their first bytes, and what to do."""

UNLIKELY = "it would not be Korean"
"""Reason to doubt a text that CP949 decodes."""


def marked_encoding(head: bytes) -> str | None:
    """UTF-16 if its byte order mark is present, else None."""
    return "utf-16" if head.startswith(_MARKS) else None


def read_text(path: Path, *, most: int = MAX_BYTES, remedy: str = "") -> str:
    """Read a file in the first encoding that fits.

    Raises
    ------
    InputError
        If it cannot be read, with what to do, is larger than `most` bytes, or is text in no
        encoding that is tried.
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
    marked = marked_encoding(body)
    for encoding in ENCODINGS if marked is None else (marked,):
        try:
            text = body.decode(encoding)
        except UnicodeDecodeError as error:
            _refuse_surrogate(body, error.start, source=source)
        else:
            if fits(encoding, Counter(text)):
                return text
    other = next((name for start, name in _NO_TEXTS.items() if body.startswith(start)), None)
    if other is not None:
        raise InputError(f"{source} is neither UTF-8 nor CP949 text but {other} as CSV in UTF-8.")
    raise InputError(f"{source} is neither UTF-8 nor CP949 text; save it again as UTF-8.")


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Object of a JSON text, for ``object_pairs_hook``; a key that comes twice is a `ValueError`.

    >>> unique_keys([("a", 1), ("a", 2)])
    Traceback (most recent call last):
    ValueError: the key 'a' comes twice
    """
    record = dict(pairs)
    if len(record) < len(pairs):
        name = next(name for name, count in Counter(n for n, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {name[:60]!r} comes twice")
    return record


def json_fault(error: Exception) -> str:
    """Fault of a JSON text in plain words, by the error of its parser.

    >>> try:
    ...     json.loads('{"doc_id": "d1", "hypothesis": "a')
    ... except ValueError as error:
    ...     json_fault(error)
    'it breaks off before it is complete'
    """
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if not isinstance(error, json.JSONDecodeError):
        return str(error)
    if not error.doc.strip():
        return "it is empty"
    if error.msg.startswith("Unterminated string") or error.pos >= len(error.doc.rstrip()):
        return CUT_OFF
    if error.msg == "Expecting value" and not error.doc[: error.pos].strip():
        return "it does not begin with { or ["
    return _FAULTS.get(error.msg, error.msg)


def fits(encoding: str, characters: Mapping[str, int]) -> bool:
    """Return whether a text was plausibly written in the encoding that decoded it.

    CP949 decodes much of Chinese in GB18030 and Western quotes before a letter, to syllables and
    ideographs that Korean hardly has.

    >>> fits("cp949", Counter("진료비"))
    True
    >>> fits("cp949", Counter("数据".encode("gb18030").decode("cp949")))
    False
    """
    if encoding != "cp949":
        return True
    common = rare = early = late = 0
    for character, count in characters.items():
        if not "\u3131" <= character < "\ufb00":  # no letter, syllable or ideograph
            continue
        lead, trail = character.encode(encoding)
        if trail < 0xA1 or lead < 0xA1:  # syllables beyond the 2,350 of KS X 1001
            rare += count
        elif lead <= 0xC8:
            common += count
        elif lead <= 0xD7:  # the first quarter of ideographs here, nearly all that are common in GB
            early += count
        else:
            late += count
    chinese = early > 2 * late and early > (common + rare + early + late) / 10
    return not chinese and rare <= common + late


def _refuse_surrogate(body: bytes, start: int, *, source: object) -> None:
    """Raise if nothing but lone surrogates, the first at `start`, keeps a body from being UTF-8."""
    with suppress(UnicodeDecodeError):
        body.decode("utf-8", "surrogatepass")
        line = body.count(b"\n", 0, start) + 1
        raise InputError(f"{source}, line {line}: {HALF}; remove it and save the file again.")
