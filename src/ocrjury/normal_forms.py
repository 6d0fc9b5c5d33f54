"""Unicode normal forms in a time that grows with the text, however many marks follow a letter.

Python puts marks into their order by moving each past all before it, which takes quadratic time.
"""

import re
import unicodedata
from typing import Literal

Form = Literal["NFC", "NFKC"]

_DECOMPOSED: dict[Form, Literal["NFD", "NFKD"]] = {"NFC": "NFD", "NFKC": "NFKD"}
# Marks are no letters; two halfwidth letters become marks in NFKC.
_MANY = re.compile(r"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f]){100,}+")


def normal_form(form: Form, text: str) -> str:
    r"""Text in a normal form.

    Examples
    --------
    >>> normal_form("NFC", "e\u0301"), normal_form("NFKC", "４")
    ('é', '4')
    """
    if is_normal(form, text):  # most texts are, and to check it is cheap
        return text
    return unicodedata.normalize(form, _MANY.sub(lambda run: _ordered(form, run[0]), text))


def is_normal(form: Form, text: str) -> bool:
    """Return whether a text is in a normal form; False also where the check would take long."""
    return text.isascii() or (_MANY.search(text) is None and unicodedata.is_normalized(form, text))


def _ordered(form: Form, run: str) -> str:
    """Characters decomposed, and the marks between two that are none in their canonical order."""
    alone = {ord(each): unicodedata.normalize(_DECOMPOSED[form], each) for each in set(run)}
    apart = run.translate(alone)
    places = {each: place for each in set(apart) if (place := unicodedata.combining(each))}
    if len(set(places.values())) < 2:
        return apart
    marks = re.compile(f"[{re.escape(''.join(places))}]{{2,}}")
    return marks.sub(lambda some: "".join(sorted(some[0], key=places.__getitem__)), apart)
