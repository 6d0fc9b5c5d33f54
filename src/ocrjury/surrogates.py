"""Lone surrogates: halves of a character, which no UTF-8 file, page or database can hold.

JSON, YAML and workbooks can spell them, so they are refused where a text comes in.
"""

import re
from collections.abc import Mapping

_SURROGATE = re.compile("[\ud800-\udfff]")
HALF = "a lone surrogate (half a character)"
"""Name of a lone surrogate in error messages."""


def has_surrogate(value: object) -> bool:
    r"""Return whether a text, or any text inside lists and mappings, has a lone surrogate.

    Examples
    --------
    >>> has_surrogate("\ud800"), has_surrogate({"a": ["b", {"\udc00": 1}]}), has_surrogate("😀")
    (True, True, False)
    """
    left = [value]
    while left:
        part = left.pop()
        if isinstance(part, str) and _SURROGATE.search(part):
            return True
        if isinstance(part, Mapping):
            left += [*part.keys(), *part.values()]
        elif isinstance(part, list | tuple):
            left += part
    return False
