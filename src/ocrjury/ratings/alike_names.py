"""Names of items and raters that look like one name, written in two ways.

A file that was put together from several may name one item ``A7`` here and ``a7`` there, or 7, 07
and 7.0, where a spreadsheet took an id for a number. Nobody but its owner knows whether these are
one; as they stand, they are two.
"""

import re
from collections.abc import Iterable

from ocrjury.normal_forms import normal_form

_UNSEEN = re.compile("[\\s\u00ad\u200b-\u200f\u2060\ufeff]+")
_ZEROS = re.compile(r"(?<![\d.])0+(?=\d)|(?<=\d)\.0+$")


def alike_names(names: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of different names that differ only in capitals, spaces, width or zeros.

    Examples
    --------
    >>> alike_names(["A7", "b1", "a7", "7", "07", "7.0", "doc 1", "doc1", "1.5"])
    [('A7', 'a7'), ('7', '07'), ('7', '7.0'), ('doc 1', 'doc1')]
    """
    first: dict[str, str] = {}
    pairs = []
    for name in dict.fromkeys(names):
        other = first.setdefault(_plainest(name), name)
        if other != name:
            pairs.append((other, name))
    return pairs


def _plainest(name: str) -> str:
    """Name without what the eye passes over."""
    plain = name if name.isascii() else normal_form("NFKC", name)
    return _ZEROS.sub("", _UNSEEN.sub("", plain).casefold())
