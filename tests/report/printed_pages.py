"""Pages of a PDF: how full they are, how small their type is, and what lies on what."""

import re
import subprocess
from typing import NamedTuple

LEAST_TYPE = 7.0
LINE = 1.448
"""Height of a word's box by its type size: ascent and descent of Noto Sans CJK."""
LEFT, RIGHT, TOP, BOTTOM = 45.3, 549.9, 45.3, 800.8
"""Body of a page in points."""
WORD = re.compile(r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>')


class Word(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float
    text: str

    @property
    def size(self):
        return (self.bottom - self.top) / LINE

    def lies_on(self, other):
        """Whether the ink of two words meets: two thirds of a type size about the middle."""
        apart = abs(self.top + self.bottom - other.top - other.bottom) / 2
        wide = min(self.right, other.right) - max(self.left, other.left)
        return wide > 1 and apart < (self.size + other.size) / 3


def printed_pages(pdf):
    """The words of every page."""
    command = ["pdftotext", "-bbox", str(pdf), "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return [
        [Word(*map(float, found[:4]), found[4]) for found in WORD.findall(page)]
        for page in done.stdout.split("<page ")[1:]
    ]


def empty_shares(pages):
    """The share of every page's body that is empty below the last word."""
    ends = [max(word.bottom for word in page if word.bottom < BOTTOM + 1) for page in pages]
    return [(BOTTOM - end) / (BOTTOM - TOP) for end in ends]


def faults(pages):
    """What is set too small, lies on something else or leaves its page."""
    return [*too_small(pages), *on_one_another(pages), *outside(pages)]


def too_small(pages):
    """The words that are set smaller than seven points, with their pages."""
    return {
        (number, word.text)
        for number, page in enumerate(pages, start=1)
        for word in page
        if round(word.size, 1) < LEAST_TYPE
    }


def on_one_another(pages):
    """The words of which one lies on another, with their pages."""
    return [
        (number, one.text, other.text)
        for number, page in enumerate(pages, start=1)
        for place, one in enumerate(page)
        for other in page[place + 1 :]
        if one.lies_on(other)
    ]


def outside(pages):
    """The words that leave the body of a page other than the cover."""
    return [
        (number, word.text)
        for number, page in enumerate(pages[1:], start=2)
        for word in page
        if word.left < LEFT - 1 or word.right > RIGHT + 1
    ]
