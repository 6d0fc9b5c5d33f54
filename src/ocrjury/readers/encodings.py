"""Decoding of text: UTF-8, UTF-16 with a byte order mark, or CP949."""

import codecs
from collections import Counter

from ocrjury.errors import InputError
from ocrjury.readers.content_errors import BadContentError, line_at
from ocrjury.text_files import ENCODINGS, UNLIKELY, fits, marked_encoding

NAME_IT = (
    "save it as UTF-8, or name its encoding: --encoding, pool.encoding in campaign.yaml, or "
    "encoding= in Python"
)
"""Remedy for a text whose encoding is not found."""


def known_encoding(encoding: str | None) -> str | None:
    """Canonical name of an encoding; for UTF-8 the variant that skips a byte order mark."""
    if encoding is None:
        return None
    try:
        name = codecs.lookup(encoding).name
    except LookupError as error:
        raise InputError(
            f"encoding {encoding!r} is unknown; use a name such as 'utf-8' or 'cp949'."
        ) from error
    return "utf-8-sig" if name == "utf-8" else name


def own_encoding(data: bytes, encoding: str | None) -> str | None:
    """Encoding of XML, HTML or JSON: UTF-8 if it can be decoded so, else the one that is named.

    A caller names an encoding for the plain texts of a folder, and these stand beside them.
    """
    if encoding is None or b"\0" in data:  # as in UTF-16
        return encoding
    try:
        data.decode()
    except UnicodeDecodeError:
        return encoding
    return "utf-8"


def decoded(data: bytes, encoding: str | None = None) -> str:
    """Bytes decoded in the given encoding, else in the first that fits."""
    marked = marked_encoding(data)
    tried = [encoding or marked] if encoding or marked else list(ENCODINGS)
    failures = []
    for name in tried:
        try:
            text = data.decode(name or "")
        except UnicodeDecodeError as error:
            failures.append(f"{(name or '').removesuffix('-sig')} (byte {error.start + 1})")
        except (LookupError, UnicodeError):
            raise BadContentError(f"the file names an unknown encoding, {name!r:.60}") from None
        else:
            if encoding is not None or fits(name or "", Counter(text)):
                return _checked(text)
            failures.append(f"{name} ({UNLIKELY})")
    raise BadContentError(f"text neither in {' nor in '.join(failures)}; {NAME_IT}")


def _checked(text: str) -> str:
    """Text without byte order mark; binary data that can be decoded are rejected."""
    place = text.find("\0")
    if place >= 0:
        raise BadContentError("a NUL character, which text never contains", line_at(text, place))
    return text.removeprefix("\ufeff")
