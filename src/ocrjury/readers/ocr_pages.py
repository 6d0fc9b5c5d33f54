"""Output of an OCR engine for a page, independent of the file format.

Texts are as printed: a word hyphenated at the end of a line remains in two parts. Confidences are
shares from 0 to 1. Boxes are left, top, right and bottom as shares of the page.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from ocrjury.readers.content_errors import BadContentError

Box = tuple[float, float, float, float]


class Word(NamedTuple):
    """A word of a line, and whether white space follows it."""

    text: str
    confidence: float | None = None
    box: Box | None = None
    spaced: bool = True
    name: str = ""


class Line(NamedTuple):
    """A line: its text, and its words if the file has them."""

    text: str
    words: tuple[Word, ...] = ()
    confidence: float | None = None
    box: Box | None = None
    name: str = ""


class TypedField(NamedTuple):
    """A field of a form: its key, its text and the kind of its value."""

    name: str
    text: str
    kind: str | None = None
    confidence: float | None = None
    box: Box | None = None
    label: str = ""


@dataclass(frozen=True)
class Page:
    """A page, its lines in reading order.

    Parameters
    ----------
    aspect
        Width over height; None if unknown.
    own_text
        The page's text where it differs from its lines, as in a plain text with empty lines.
    spacing_known
        Whether the file says where white space is; a table of words does not.
    """

    lines: Sequence[Line]
    fields: Sequence[TypedField] = ()
    confidence: float | None = None
    image: str | None = None
    aspect: float | None = None
    own_text: str | None = None
    spacing_known: bool = field(default=True)

    @cached_property
    def text(self) -> str:
        """Text of the page, its non-empty lines separated by line feeds."""
        if self.own_text is not None:
            return self.own_text
        return "\n".join(line.text for line in self.lines if line.text)

    @cached_property
    def mean_confidence(self) -> float | None:
        """Mean confidence of words, else of lines, else the page's own confidence."""
        words = mean(word.confidence for line in self.lines for word in line.words)
        if words is not None:
            return words
        lines = mean(line.confidence for line in self.lines)
        return self.confidence if lines is None else lines

    @cached_property
    def least_confidence(self) -> float | None:
        """Lowest confidence of a word, None if no word has one."""
        words = (word.confidence for line in self.lines for word in line.words)
        return min((confidence for confidence in words if confidence is not None), default=None)


def mean(values: Iterable[float | None]) -> float | None:
    """Mean of the known values, None if there are none."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def joined(words: Iterable[Word]) -> str:
    """Text of words, with white space after the spaced ones.

    >>> joined([Word("진료", spaced=False), Word("비"), Word("3,000원")])
    '진료비 3,000원'
    """
    return "".join(f"{word.text} " if word.spaced else word.text for word in words).rstrip(" ")


def line_of_words(
    words: Sequence[Word],
    *,
    confidence: float | None = None,
    box: Box | None = None,
    name: str = "",
) -> Line:
    """Line made of words; without a given box it has the box around them."""
    around = union(word.box for word in words) if box is None else box
    return Line(joined(words), tuple(words), confidence, around, name)


def words_between(words: Sequence[tuple[float, Word]], start: float, end: float) -> list[Word]:
    """Words whose offset lies in a half-open range; they are given in the order of offsets."""
    first, last = (bisect_left(words, offset, key=itemgetter(0)) for offset in (start, end))
    return [word for _, word in words[first:last]]


def union(boxes: Iterable[Box | None]) -> Box | None:
    """Box around boxes, None without boxes."""
    known = [box for box in boxes if box is not None]
    if not known:
        return None
    left, top, right, bottom = zip(*known, strict=True)
    return min(left), min(top), max(right), max(bottom)


def one_page(pages: Sequence[Page]) -> Page:
    """Several pages joined into one, without boxes and images, which belong to single pages."""
    if len(pages) == 1:
        return pages[0]
    lines = [line._replace(box=None) for page in pages for line in page.lines]
    fields = [field._replace(box=None) for page in pages for field in page.fields]
    text = "\n".join(page.text for page in pages if page.text)
    return Page(lines, fields, mean(page.confidence for page in pages), own_text=text)


def with_whole_text(pages: list[Page], whole: str, place: str) -> list[Page]:
    """Pages of an answer with its whole text, which may lack the layout of lines.

    Raises
    ------
    BadContentError
        If there are several pages, none of which has a line or a field.
    """
    if not whole.strip() or any(page.lines for page in pages):
        return pages
    if len(pages) == 1:
        rows = [Line(row) for row in whole.split("\n") if row.strip()]
        return [replace(pages[0], lines=rows)]
    if any(page.fields for page in pages):
        return pages
    raise BadContentError(
        f"a text of {len(pages)} pages without lines: nothing says which page has what of it", place
    )
