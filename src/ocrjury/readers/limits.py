"""Limits on files, checked before parsing.

A parser turns a megabyte of brackets or tags into a hundred megabytes of objects, so they are
counted first. With these limits reading one file takes at most about 500 MB.
"""

import re

from ocrjury.readers.content_errors import BadContentError, line_at

MAX_BYTES = 64 << 20
"""Bytes of one unpacked OCR file. Tables are streamed and have no such limit."""

MAX_TAGS = 2_000_000
"""Tags and attributes of an XML or HTML file."""

MAX_VALUES = 3_000_000
"""Values of a JSON file."""

MAX_ROWS = 500_000
"""Lines or words of one OCR file."""

MAX_LINE = 20_000_000
"""Characters of a line or record of a table; no page of text is as long."""

MAX_COLUMNS = 500
"""Columns of a pool, its own and all others that any of its rows has."""

MAX_CHARACTERS = 2_000_000
"""Characters of a row of a pool in all its columns, which are about a thousand pages."""

MAX_LABEL = 1_000
"""Characters of an id, a label or the name of an image in a pool; reports print them."""

LONGEST_TAG = 100_000
"""Bytes between two ends of tags in HTML; parsing time is quadratic in a tag's attributes."""


def check_size(data: bytes) -> None:
    """Reject a file larger than any page."""
    if len(data) > MAX_BYTES:
        raise BadContentError(
            f"more than {MAX_BYTES >> 20} MB, too large for a page of text; split the file"
        )


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
