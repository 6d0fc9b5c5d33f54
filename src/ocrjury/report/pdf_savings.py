"""Work of WeasyPrint and the libraries under it that a page can do without."""

import re
import zlib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pydyf
from cssselect2 import Matcher
from pydyf import PDF
from tinyhtml5 import inputstream
from weasyprint.html import UA_STYLESHEET

LEVEL = 6
"""Compression level: 2 to 3% more bytes than pydyf's 9, in a quarter to a third of the time."""
_NOTES = {"footnote-call", "footnote-marker", "note-call", "note-marker", "note-callback"}


class Patterns(dict[tuple[str, bool], re.Pattern[str]]):
    """Patterns that match until, or while, one of some characters comes.

    The parser means to remember them, stores each under itself in place of its characters, and
    builds one anew for every name and value of an attribute.
    """

    def __missing__(self, key: tuple[str, bool]) -> re.Pattern[str]:
        """Pattern for some characters, kept."""
        characters, while_they_come = key
        listed = "".join(f"\\x{ord(character):02x}" for character in characters)
        self[key] = re.compile(f"[{'' if while_they_come else '^'}{listed}]+")
        return self[key]


class References:
    """References to the pages of a PDF, listed anew only when it has another page.

    Each tag asks for those of all pages and takes one: the time grew with the square of the pages.
    """

    def __init__(self, listed: Callable[[Any], tuple[bytes, ...]]) -> None:
        self.listed = listed

    def __get__(self, pdf: Any, kind: type[Any]) -> tuple[bytes, ...]:
        """References to the pages that a PDF has by now."""
        known: dict[int, tuple[bytes, ...]] = vars(pdf).setdefault("_references_of", {})
        count = len(pdf.pages["Kids"])
        if count not in known:
            known[count] = self.listed(pdf)
        return known[count]


def remember_patterns() -> None:
    """Let the parser build each of its patterns once in this process."""
    inputstream.characters_until_regex = Patterns()


def remember_references() -> None:
    """Let PDFs list the references to their pages once."""
    listed = vars(PDF)["page_references"]
    if isinstance(listed, property) and listed.fget:
        PDF.page_references = References(listed.fget)


def compress_less() -> None:
    """Let PDFs be compressed at a level that is worth its time."""
    at_level = SimpleNamespace(**vars(zlib))
    at_level.compressobj = lambda *, level: zlib.compressobj(min(level, LEVEL))
    pydyf.zlib = at_level


def by_kind(converted: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    """``_to_bytes`` of pydyf that asks for the kind of an item once.

    Examples
    --------
    >>> to_bytes = by_kind(repr)
    >>> to_bytes(b"q"), to_bytes("/Span"), to_bytes(2.50), to_bytes(4.0), to_bytes(-0.0)
    (b'q', b'/Span', b'2.5', b'4', b'0')
    """

    def to_bytes(item: Any) -> bytes:
        kind = type(item)
        if kind is bytes:
            return item  # type: ignore[no-any-return]
        if kind is str:
            return item.encode("ascii")  # type: ignore[no-any-return]
        if kind is float:
            return (b"%d" % item) if item.is_integer() else (b"%f" % item).rstrip(b"0")
        return converted(item)

    return to_bytes


def convert_by_kind() -> None:
    """Let PDFs write what they are made of, in millions of pieces, without asking twice."""
    pydyf._to_bytes = by_kind(pydyf._to_bytes)  # noqa: SLF001


def style_markers_of_lists(matcher: Matcher = UA_STYLESHEET.matcher) -> None:
    """Let no element have a marker but an entry of a list, and none a call or mark of a note.

    WeasyPrint's own style sheet gives six of them, with a style each, to every element. They are
    asked for where the display is that of a list's entry, and where an element floats to the notes
    of a page, of which no template of ours has any.
    """
    of_all = matcher.other_selectors
    entries = [marker for marker in of_all if marker[3] == "marker"]
    matcher.lower_local_name_selectors.setdefault("li", []).extend(entries)
    matcher.other_selectors = [marker for marker in of_all if marker[3] not in {"marker", *_NOTES}]
