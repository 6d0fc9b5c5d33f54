"""Pages of the PDF: how full they are, how small their type is, and what lies on what."""

import re
import subprocess
from typing import NamedTuple

import pytest

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


@pytest.fixture(scope="module")
def pages(pdf):
    """Return the words of every page."""
    text = subprocess.run(
        ["pdftotext", "-bbox", str(pdf), "-"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout
    return [
        [Word(*map(float, found[:4]), found[4]) for found in WORD.findall(page)]
        for page in text.split("<page ")[1:]
    ]


def test_no_page_but_the_last_is_more_than_a_third_empty(pages):
    filled = [
        max(word.bottom for word in page if word.bottom < BOTTOM + 1) - TOP for page in pages[:-1]
    ]

    assert min(filled) >= (BOTTOM - TOP) * 2 / 3, filled


def test_nothing_is_set_smaller_than_seven_points(pages):
    small = {
        (number, word.text)
        for number, page in enumerate(pages, start=1)
        for word in page
        if round(word.size, 1) < LEAST_TYPE
    }

    assert not small


def test_no_word_lies_on_another(pages):
    on = [
        (number, one.text, other.text)
        for number, page in enumerate(pages, start=1)
        for place, one in enumerate(page)
        for other in page[place + 1 :]
        if one.lies_on(other)
    ]

    assert not on


def test_no_word_leaves_the_body_of_its_page(pages):
    out = [
        (number, word.text)
        for number, page in enumerate(pages[1:], start=2)
        for word in page
        if word.left < LEFT - 1 or word.right > RIGHT + 1
    ]

    assert not out
