"""White space in Korean, Chinese and Japanese, whose words come in pieces.

Tesseract writes a table, hOCR or ALTO in which every syllable or two is a "word" with white space
behind it, whatever the page has. Its plain text (``-c preserve_interword_spaces=1``) has the white
space of the page; without that text, gaps between the boxes tell most of it.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from statistics import median

from ocrjury.readers.ocr_pages import Line, Page, Word, joined, line_of_words

GAP = 0.35
"""Share of a line's median height above which a gap is white space.

On 72 Korean pages read by Tesseract 5.3 this finds 92 % of the places between two syllables right,
where white space everywhere is right at 27 % and none anywhere at 73 %.
"""

_ENOUGH = 8

_CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef"
    "\U00020000-\U0003ffff]"
)


def spaced_as(page: Page, text: str) -> Page | None:
    """Page with white space where a text has it.

    None if the text has other characters; then it is not the same reading of the page.
    """
    words = [word for line in page.lines for word in line.words]
    if "".join(squeezed for word in words for squeezed in word.text.split()) != "".join(
        text.split()
    ):
        return None
    follows = _white_space_after(text)
    place = 0
    lines = []
    for line in page.lines:
        spaced = []
        for word in line.words:
            place += len("".join(word.text.split()))
            spaced.append(word._replace(spaced=place in follows))
        lines.append(_again(line, spaced))
    return replace(page, lines=lines, spacing_known=True)


def spaced_by_gaps(page: Page) -> Page | None:
    """Page with white space as the gaps between its words tell.

    Only places beside a Korean, Chinese or Japanese character change. None if nothing does, or if
    the file says where white space is and the gaps do not contradict it.
    """
    places = [pair for line in page.lines for pair in _places(line, page.aspect)]
    if not places or (page.spacing_known and not _contradicted(places)):
        return None
    return replace(
        page,
        lines=[_by_gaps(line, page.aspect) for line in page.lines],
        spacing_known=True,
    )


def _white_space_after(text: str) -> set[int]:
    """After how many characters, white space not counted, white space follows."""
    found = set()
    place = 0
    for part in text.split():
        place += len(part)
        found.add(place)
    return found


def _places(line: Line, aspect: float | None) -> Iterator[tuple[bool, bool]]:
    """Yield for each place beside such a character: white space said, white space by the gap."""
    height = _median_height(line)
    for one, other in pairwise(line.words if line.text == joined(line.words) else ()):
        if _is_cjk(one.text[-1:]) or _is_cjk(other.text[:1]):
            yield one.spaced, _gap_is_space(one, other, aspect=aspect, height=height)


def _contradicted(places: list[tuple[bool, bool]]) -> bool:
    """Whether white space is said everywhere and most gaps, of enough, are none."""
    if len(places) < _ENOUGH or not all(said for said, _ in places):
        return False
    return 2 * sum(gap for _, gap in places) < len(places)


def _by_gaps(line: Line, aspect: float | None) -> Line:
    """Line with white space as its gaps tell."""
    height = _median_height(line)
    words = list(line.words)
    for place, (one, other) in enumerate(pairwise(line.words)):
        if _is_cjk(one.text[-1:]) or _is_cjk(other.text[:1]):
            spaced = _gap_is_space(one, other, aspect=aspect, height=height)
            words[place] = one._replace(spaced=spaced)
    return _again(line, words)


def _gap_is_space(one: Word, other: Word, *, aspect: float | None, height: float) -> bool:
    """Whether the gap between two words, in either direction, is white space.

    Without boxes none is: between two syllables that is right more often.
    """
    if one.box is None or other.box is None or aspect is None:
        return not (_is_cjk(one.text[-1:]) and _is_cjk(other.text[:1]))
    across = max(other.box[0] - one.box[2], one.box[0] - other.box[2]) * aspect
    down = max(other.box[1] - one.box[3], one.box[1] - other.box[3])
    return max(across, down) > GAP * height


def _median_height(line: Line) -> float:
    """Median height of a line's words."""
    heights = [word.box[3] - word.box[1] for word in line.words if word.box is not None]
    return median(heights) if heights else 0.0


def _is_cjk(character: str) -> bool:
    """Whether a character is of a script that has no spaces or is read in pieces."""
    return _CJK.match(character) is not None


def _again(line: Line, words: list[Word]) -> Line:
    """Line with other white space; one whose text is not that of its words stays."""
    if line.text != joined(line.words):
        return line
    return line_of_words(words, confidence=line.confidence, box=line.box, name=line.name)
