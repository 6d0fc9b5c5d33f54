"""The columns of the sheets that raters fill in, and cells that no spreadsheet takes for formulas.

OCR output is text of strangers: a cell such as ``=HYPERLINK(...)`` would run on a rater's machine.
"""

import re
from hashlib import blake2b

NAMES = ("item", "rater")
"""Columns that say whose assignment a row is."""
DESCRIPTION = ("session", "position", "doc_type", "reference", "hypothesis")
"""Columns for the rater's eyes; whoever reads a filled sheet passes them over."""
LONG = ("dimension", "rating")
"""Columns of a table with one rating in each row."""
RESERVED = (*NAMES, *DESCRIPTION, *LONG)
"""Names that no dimension may bear, because a dimension is a column too."""

# Wide signs count too: some spreadsheets take them for narrow ones.
_FORMULA = r"(?:\s*[=+\-@＝＋－＠]|[\t\r\n])"
_HARMFUL, _GUARDED = re.compile(f"'*{_FORMULA}"), re.compile(f"''*{_FORMULA}")


def row_code(assignment: str) -> str:
    """Name for a row that says nothing about its item, nor how often it was seen before.

    It begins with a letter, because spreadsheets take ``1e5`` for a number.

    Examples
    --------
    >>> row_code("claims-2026w47/1/R01/0/d7")
    'if0718f7762'
    """
    return f"i{blake2b(assignment.encode(), digest_size=5).hexdigest()}"


def guarded(text: str) -> str:
    """Text that a spreadsheet shows as it is: an apostrophe before what looks a formula.

    Examples
    --------
    >>> guarded("=1+1"), guarded("-500"), guarded("보험금"), guarded("'tis")
    ("'=1+1", "'-500", '보험금', "'tis")
    """
    return f"'{text}" if _HARMFUL.match(text) else text


def unguarded(text: str) -> str:
    """Text that `guarded` was given.

    Examples
    --------
    >>> unguarded("'=1+1"), unguarded("'tis"), unguarded("=1+1")
    ('=1+1', "'tis", '=1+1')
    """
    return text[1:] if _GUARDED.match(text) else text
