"""Limits on files, checked before parsing.

A parser turns a megabyte of brackets or tags into a hundred megabytes of objects, so they are
counted first. With these limits reading one file takes at most about 500 MB.
"""

import re

from ocrjury.errors import InputError
from ocrjury.file_limits import LONGEST_TAG, MAX_BYTES, MAX_ROWS, MAX_TAGS, MAX_VALUES
from ocrjury.readers.content_errors import BadContentError, line_at

TOO_LARGE = f"more than {MAX_BYTES >> 20} MB, too large for a page of text; split the file"
_MAX_GROWTH = 200
"""Largest ratio of unpacked to packed size; text reaches 3 to 20."""


def check_growth(size: int, *, packed: int, name: str) -> None:
    """Reject a file that unpacks like a bomb, by the bytes of it or of a part, unpacked and packed.

    What is no larger than an OCR file may be is harmless.
    """
    if size > max(MAX_BYTES, _MAX_GROWTH * max(packed, 1)):
        raise InputError(
            f"{name} unpacks to more than {_MAX_GROWTH} times its size, which text never does; it "
            "is not read."
        )


def check_size(data: bytes) -> None:
    """Reject a file larger than any page."""
    if len(data) > MAX_BYTES:
        raise BadContentError(TOO_LARGE)


def check_tags(data: bytes) -> None:
    """Reject markup with more tags, attributes or lines than any page."""
    check_rows(data, MAX_TAGS)
    if data.count(b"<") + data.count(b"=") > MAX_TAGS:
        raise BadContentError(f"more than {MAX_TAGS:,} tags and attributes; split the file")


def check_rows(data: bytes, most: int = MAX_ROWS) -> None:
    """Reject a file with more lines and form feeds than any document."""
    if data.count(b"\n") + data.count(b"\r") + data.count(b"\f") > most:
        raise BadContentError(f"more than {most:,} lines; split the file")


def check_values(data: bytes | str) -> None:
    """Reject JSON with more values than any page."""
    if isinstance(data, str):
        n_values = sum(data.count(mark) for mark in "{[,:")
    else:
        n_values = sum(data.count(mark) for mark in (b"{", b"[", b",", b":", b"\\n", b"\\u000"))
    if n_values > MAX_VALUES:
        raise BadContentError(f"more than {MAX_VALUES:,} values; split the file")


def check_longest_tag(data: bytes) -> None:
    """Reject HTML with a tag that takes minutes to parse."""
    start = 0
    for end in re.finditer(rb">", data):
        if end.start() - start > LONGEST_TAG:
            break
        start = end.start()
    else:
        if len(data) - start <= LONGEST_TAG:
            return
    raise BadContentError(f"a tag or text of more than {LONGEST_TAG:,} bytes", line_at(data, start))
