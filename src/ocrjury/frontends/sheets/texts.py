"""Texts as a cell can hold them, and cells as the texts that were meant.

OCR output is hostile until proven otherwise: it holds characters that XML forbids, escapes of the
file format, formulas, and more than fits into a cell.
"""

import re

from ocrjury.normal_forms import normal_form

LONGEST = 32_000
"""Characters of a cell as spreadsheets count them (UTF-16); 767 below what they allow."""

_ILLEGAL = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LINE_END = re.compile("\r\n?")
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_LOOKS_ESCAPED = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_FORMULA = re.compile(r"[=+\-@＝＋－＠\t\r\n']")
# They act unseen: zero-width characters, the mark of the byte order, soft hyphens.
_ESCAPED_AGAIN = 5
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")


def shown_text(text: str, *, cut: str = "…") -> str:
    r"""Text as a sheet shows it: what no cell can hold becomes ``\ufffd``.

    Parameters
    ----------
    cut
        What stands at the end of a text that is too long.

    Examples
    --------
    >>> shown_text("a\r\nb\x00")
    'a\nb\ufffd'
    """
    clean = _ILLEGAL.sub("\ufffd", _LINE_END.sub("\n", text))
    if len(clean) + sum(sign > "\uffff" for sign in clean) <= LONGEST:
        return clean
    room = LONGEST - len(cut)
    return clean.encode("utf-16-le")[: 2 * room].decode("utf-16-le", "ignore") + cut


def escaped(text: str) -> str:
    """Text in which nothing is taken for an escape of the file format.

    Examples
    --------
    >>> escaped("_x0041_"), unescaped("_x005F_x0041_")
    ('_x005F_x0041_', '_x0041_')
    """
    return _LOOKS_ESCAPED.sub("_x005F_", text)


def unescaped(text: str) -> str:
    """Text of a cell as it is shown."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def looks_like_formula(text: str) -> bool:
    """Return whether a program might run a text, or remove a character from its beginning.

    Examples
    --------
    >>> looks_like_formula("=1+1"), looks_like_formula("보험금")
    (True, False)
    """
    return bool(_FORMULA.match(text.lstrip(" ")))


def same_text(text: str, shown: str) -> bool:
    r"""Return whether a cell still holds a text, whatever a program did to its spaces.

    Examples
    --------
    >>> same_text("보험금 \n청구", "보험금\r\n청구 "), same_text("보험금", "보험료")
    (True, False)
    """
    return _bare(text) == _bare(shown)


def plain(text: str) -> str:
    """Text as meant: wide characters made narrow, no spaces around it, no invisible characters.

    Examples
    --------
    >>> plain(" ４ "), plain("④")
    ('4', '4')
    """
    return _UNSEEN.sub("", normal_form("NFKC", text)).strip()


def matched(text: str) -> str:
    """Text for comparing names: plain, in lower case, without spaces."""
    return "".join(plain(text).casefold().split())


def _bare(text: str) -> str:
    """Text without spaces and escapes, in composed characters."""
    # Some programs escape once more than they read, which hardly any do twice.
    for _ in range(_ESCAPED_AGAIN):
        text = unescaped(text)
    return normal_form("NFC", "".join(text.split()))
