"""How much of a file is taken into memory before anything is known about it.

A megabyte of brackets or tags becomes a hundred megabytes of objects; they are counted before a
parser sees them. With these limits reading one file takes at most about 500 MB.
"""

import re

from ocrjury.readers.content_errors import BadContentError, line_at

MAX_BYTES = 64 << 20
"""Bytes of one OCR file, unpacked. Pools of any size are streamed; pages are not that large."""

MAX_TAGS = 2_000_000
"""Tags and attributes of an XML or HTML file."""

MAX_VALUES = 3_000_000
"""Values of a JSON file."""

MAX_ROWS = 500_000
"""Lines or words of one OCR file."""

MAX_LINE = 20_000_000
"""Characters of a line or record of a table; no page of text has as many."""

LONGEST_TAG = 100_000
"""Bytes between two ends of tags in HTML, whose parser takes time by the square of attributes."""


def check_size(data: bytes) -> None:
    """Refuse a file that is larger than any page."""
    if len(data) > MAX_BYTES:
        raise BadContentError(
            f"more than {MAX_BYTES >> 20} MB, which no page of text has; split the file"
        )


def check_tags(data: bytes) -> None:
    """Refuse markup with more tags, attributes or lines than any page."""
    check_rows(data, MAX_TAGS)
    if data.count(b"<") + data.count(b"=") > MAX_TAGS:
        raise BadContentError(f"more than {MAX_TAGS:,} tags and attributes; split the file")


def check_rows(data: bytes, most: int = MAX_ROWS) -> None:
    """Refuse a file with more lines and form feeds than any document."""
    if data.count(b"\n") + data.count(b"\r") + data.count(b"\f") > most:
        raise BadContentError(f"more than {most:,} lines; split the file")


def check_values(data: bytes | str) -> None:
    """Refuse JSON with more values than any page."""
    if isinstance(data, str):
        found = sum(data.count(mark) for mark in "{[,:")
    else:
        found = sum(data.count(mark) for mark in (b"{", b"[", b",", b":", b"\\n", b"\\u000"))
    if found > MAX_VALUES:
        raise BadContentError(f"more than {MAX_VALUES:,} values; split the file")


def check_longest_tag(data: bytes) -> None:
    """Refuse HTML with a tag that takes minutes to parse."""
    start = 0
    for end in re.finditer(rb">", data):
        if end.start() - start > LONGEST_TAG:
            break
        start = end.start()
    else:
        if len(data) - start <= LONGEST_TAG:
            return
    raise BadContentError(f"a tag or text of more than {LONGEST_TAG:,} bytes", line_at(data, start))
