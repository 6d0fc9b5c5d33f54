"""Edits between two texts of any length, at a cost that grows with their length.

A shortest list of edits takes time in proportion to the product of both lengths, so that is only
sought up to a limit (`ocrjury.text.edit_limits`). Of longer texts the paths are sought that stray
little from the diagonal: if few edits are needed, one of these is the shortest. Otherwise window
after window is aligned, and the first half of each kept: edits that turn one text into the other,
but may be more than the fewest.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rapidfuzz.distance import Editops, Levenshtein

from ocrjury.text import edit_limits
from ocrjury.text.edit_limits import is_too_long

Edit = tuple[str, int, int]
"""Kind of an edit, and its place in both texts."""


class Step(NamedTuple):
    """A stretch of both texts that is equal, replaced, inserted or deleted, as rapidfuzz has it."""

    tag: str
    src_start: int
    src_end: int
    dest_start: int
    dest_end: int


class Part(NamedTuple):
    """Edits of a part of two texts, with places counted from where the part begins in each."""

    row: int
    column: int
    edits: list[Edit]


def edit_distance(
    reference: Sequence[str], hypothesis: Sequence[str], *, hint: int | None = None
) -> int:
    """Number of edits between two texts or lists of words.

    A good guess of it as ``hint`` makes this faster.
    """
    if not is_too_long(len(reference), len(hypothesis)):
        return Levenshtein.distance(reference, hypothesis, score_hint=hint)
    few = _few_edits(reference, hypothesis)
    if few is not None:
        return few
    return sum(len(part.edits) for part in _windows(reference, hypothesis))


def edit_parts(reference: Sequence[str], hypothesis: Sequence[str]) -> Iterator[Part]:
    """Yield the edits, in order, that turn a text or list of words into another."""
    hint = None
    if is_too_long(len(reference), len(hypothesis)):
        hint = _few_edits(reference, hypothesis)
        if hint is None:
            yield from _windows(reference, hypothesis)
            return
    yield Part(0, 0, _edits(reference, hypothesis, hint=hint))


def edit_steps(reference: Sequence[str], hypothesis: Sequence[str]) -> list[Step]:
    """Steps, in order, that turn a text or list of words into another."""
    edits: Any = [
        (kind, part.row + row, part.column + column)
        for part in edit_parts(reference, hypothesis)
        for kind, row, column in part.edits
    ]
    # rapidfuzz does not declare all that it can do.
    whole: Any = Editops(edits, len(reference), len(hypothesis))
    return [Step(*step) for step in whole.as_opcodes()]


def _few_edits(reference: Sequence[str], hypothesis: Sequence[str]) -> int | None:
    """Number of edits if it is so small that the paths near the diagonal tell; None if not."""
    most = edit_limits.EXACT_CELLS // max(len(reference), len(hypothesis))
    distance = Levenshtein.distance(reference, hypothesis, score_cutoff=most)
    return distance if distance <= most else None


def _edits(
    reference: Sequence[str], hypothesis: Sequence[str], *, hint: int | None = None
) -> list[Edit]:
    """Shortest list of edits."""
    edits: Any = Levenshtein.editops(reference, hypothesis, score_hint=hint).as_list()
    return list(edits)


def _windows(reference: Sequence[str], hypothesis: Sequence[str]) -> Iterator[Part]:
    """Yield the edits of each window up to its middle in either text, where the next one begins."""
    size, row, column = edit_limits.WINDOW, 0, 0
    while (len(reference) - row) * (len(hypothesis) - column) > size * size:
        edits = _edits(reference[row : row + size], hypothesis[column : column + size])
        kept = edits[: bisect_left(edits, size // 2, key=_farther)]
        yield Part(row, column, kept)
        down, right = _end(kept[-1]) if kept else (0, 0)
        equal = size // 2 - max(down, right)
        row, column = row + down + equal, column + right + equal
    yield Part(row, column, _edits(reference[row:], hypothesis[column:]))


def _farther(edit: Edit) -> int:
    """Place of an edit in the text in which it is farther from the beginning."""
    return max(edit[1], edit[2])


def _end(edit: Edit) -> tuple[int, int]:
    """Places in both texts after an edit."""
    kind, row, column = edit
    return row + (kind != "insert"), column + (kind != "delete")
