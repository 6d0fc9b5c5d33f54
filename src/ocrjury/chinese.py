"""Blanks of Chinese text: one between Chinese and Latin letters or digits, none elsewhere."""

import re
from collections.abc import Iterable
from functools import reduce
from typing import Final

_LATIN: Final = re.compile(r"[A-Za-z0-9%\u0370-\u03ff]|[+±\u2212-](?=\d)")
_CHINESE: Final = re.compile(r"[\u3400-\u9fff]")
_WIDE: Final = re.compile(r"[\u2018-\u201d\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


def with_blanks(pieces: Iterable[str]) -> str:
    """Pieces of a sentence, with a blank where two of them meet only if Chinese sets one.

    What is inside a piece is left alone: it may be data.

    Examples
    --------
    >>> with_blanks(["维度 ", "语义", " 上有", "20", "个项目"])
    '维度语义上有 20 个项目'
    """
    return reduce(_meeting, (piece for piece in pieces if piece), "")


def _meeting(before: str, after: str) -> str:
    """Two pieces side by side."""
    left, right = before.rstrip(" "), after.lstrip(" ")
    if not (left and right):
        return before + after
    last, first = left[-1], right[0]
    if _WIDE.match(last) and _WIDE.match(first):
        return left + right
    if {bool(_CHINESE.match(sign)) for sign in last + first} == {True, False}:
        latin = right if _CHINESE.match(last) else last
        if _LATIN.match(latin):
            return f"{left} {right}"
    return before + after
