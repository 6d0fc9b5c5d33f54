"""Alignment of two lists of lines in reading order, at the least cost.

The cheapest path of the following steps is found by dynamic programming, as Gale and Church (1993),
Computational Linguistics 19(1), 75-102, align the sentences of a text and its translation:

* a line with a line: the Levenshtein distance of their texts, plus a quarter of the longer one's
  length as far as their boxes lie apart, where both have boxes;
* a line with two to four of the other page, which merged or split it: the same of those joined,
  plus half the length of all of them but the longest, so that only text that is there is joined;
* a line alone, missed or invented: its length.

Texts of which less than two fifths agree are not paired, unless their boxes overlap: two unrelated
lines of Latin letters have a quarter in common. Texts are compared in NFKC, without case and white
space, since an engine may write digits at half the width of the page's. Only cells in a band around
the diagonal are computed (Ukkonen (1985), Information and Control 64, 100-118), so that time and
memory are proportional to the number of lines.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from ocrjury.normal_forms import normal_form
from ocrjury.readers.ocr_pages import Box

UNLIKE = 0.6
"""Share of the longer text that must change, above which two texts are not the same line."""

_APART, _JOINED, _OVERLAP = 0.25, 0.5, 0.5
_MOST = 4
_CELL = 4000.0
_KEPT = 4096
_Step = tuple[int, int]
_STEPS: tuple[_Step, ...] = (
    *((1, 1), (1, 0), (0, 1)),
    *(step for most in range(2, _MOST + 1) for step in ((1, most), (most, 1))),
)


class Snippet(NamedTuple):
    """A line, or a word, to be paired."""

    text: str
    box: Box | None = None


def compared(text: str) -> str:
    """Text as it is compared."""
    return "".join(normal_form("NFKC", text).casefold().split())


class Side:
    """Lines of a page, alone and joined with those before them."""

    def __init__(self, lines: Sequence[Snippet]) -> None:
        self.n = len(lines)
        self.lines = [Snippet(compared(line.text), line.box) for line in lines]
        self.lengths = [len(line.text) for line in self.lines]
        self._ends = [0, *accumulate(self.lengths)]
        self.total = self._ends[-1]
        self._joined: dict[_Step, str] = {}

    def ending(self, end: int, count: int) -> str:
        """Text of the line before a place, or of several joined."""
        if count == 1:
            return self.lines[end - 1].text
        known = self._joined.get((end, count))
        if known is None:
            if len(self._joined) == _KEPT:
                self._joined.clear()  # the band has left most of them behind
            parts = self.lines[end - count : end]
            known = self._joined[end, count] = "".join(part.text for part in parts)
        return known

    def text(self, lines: range) -> str:
        """Text of several lines."""
        return "".join(line.text for line in self.lines[lines.start : lines.stop])

    def length(self, lines: range) -> int:
        """Characters of several lines."""
        return self._ends[lines.stop] - self._ends[lines.start]


class Grid:
    """Costs of pairing the first i lines of one page with the first j of the other, in a band.

    Parameters
    ----------
    guide
        Places through which the band leads, in order; else it follows the diagonal.
    width
        Lines by which the path may leave the middle of the band.
    """

    def __init__(self, left: Side, right: Side, *, guide: Sequence[_Step], width: float) -> None:
        self.left, self.right = left, right
        centres = _centres([*guide, (left.n, right.n)])
        # From the row before to the row after, so that bands meet wherever the guide leads.
        ahead, behind = [*centres[1:], right.n], [0, *centres]
        self._first = [max(0, math.ceil(centre - width)) for centre in behind[:-1]]
        self._last = [min(right.n, math.floor(centre + width)) for centre in ahead]
        self._steps: list[bytes] = []
        before: list[list[float]] = []
        for i in range(left.n + 1):
            before = [*before[1 - _MOST :], self._row(i, before)]

    def path(self) -> Iterator[tuple[int, int, _Step]]:
        """Yield the steps of the cheapest path, the last first, with the place where they end."""
        i, j = self.left.n, self.right.n
        while i or j:
            step = _STEPS[self._steps[i][j - self._first[i]]]
            yield i, j, step
            i, j = i - step[0], j - step[1]

    def _row(self, i: int, before: Sequence[list[float]]) -> list[float]:
        """Costs of a row, from those of the rows before it."""
        first = self._first[i]
        costs: list[float] = []
        rows = [(first, costs)]
        rows += [(self._first[i - up], before[-up]) for up in range(1, len(before) + 1)]
        steps = [(code, step) for code, step in enumerate(_STEPS) if step[0] < len(rows)]
        chosen = bytearray()
        for j in range(first, self._last[i] + 1):
            best, best_code = (math.inf if i or j else 0.0), 0
            for code, step in steps:
                start, values = rows[step[0]]
                place = j - step[1] - start
                if 0 <= place < len(values) and values[place] < best:
                    cost = values[place] + self._cost(i, j, step)
                    if cost < best:
                        best, best_code = cost, code
            costs.append(best)
            chosen.append(best_code)
        self._steps.append(bytes(chosen))
        return costs

    def _cost(self, i: int, j: int, step: _Step) -> float:
        """Cost of a step; infinite for texts that are not the same line."""
        up, across = step
        if not up:
            return self.right.lengths[j - 1]
        if not across:
            return self.left.lengths[i - 1]
        left, right = self.left.ending(i, up), self.right.ending(j, across)
        length = max(len(left), len(right))
        parts, whole = self.left.lines[i - up : i], self.right.lines[j - 1].box
        if across > 1:
            parts, whole = self.right.lines[j - across : j], self.left.lines[i - 1].box
        overlap = None if whole is None else _overlap(parts, whole)
        most = length if overlap is not None and overlap >= _OVERLAP else int(UNLIKE * length)
        if abs(len(left) - len(right)) > most:
            return math.inf
        edits = Levenshtein.distance(left, right, score_cutoff=most)
        if edits > most:
            return math.inf
        lengths = [len(part.text) for part in parts]
        apart = 0.0 if overlap is None else _APART * (1 - overlap) * length
        return edits + apart + _JOINED * (sum(lengths) - max(lengths))


def _centres(guide: Sequence[_Step]) -> list[int]:
    """Column in the middle of the band for each row, on straight lines between places."""
    centres = [0]
    for (top, left), (bottom, right) in pairwise([(0, 0), *guide]):
        centres += [
            left + (right - left) * (row - top) // (bottom - top)
            for row in range(top + 1, bottom + 1)
        ]
    return centres


def _overlap(parts: Sequence[Snippet], whole: Box) -> float | None:
    """Share of text whose box is in another; None if a box is unknown, or there is no text."""
    total = sum(len(part.text) for part in parts)
    inside = 0.0
    for part in parts:
        if part.box is None or not total:
            return None
        inside += len(part.text) * _common(part.box, whole)
    return inside / total


def _common(left: Box, right: Box) -> float:
    """Common area of two boxes as a share of the smaller one."""
    width = min(left[2], right[2]) - max(left[0], right[0])
    height = min(left[3], right[3]) - max(left[1], right[1])
    return width * height / min(_area(left), _area(right)) if min(width, height) > 0 else 0.0


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def work(left: Side, right: Side) -> float:
    """Work for a band that is one column wide, in words of 64 characters compared."""
    mean = [side.total / max(side.n, 1) for side in (left, right)]
    longest = [max(side.lengths, default=0) for side in (left, right)]
    words = max(longest[0] * mean[1], longest[1] * mean[0]) / 64
    return least_work(left.n) + words * (left.n + 1)


def least_work(n: int) -> float:
    """The least that so many lines of the left page take, however short they are."""
    return _CELL * (n + 1)
