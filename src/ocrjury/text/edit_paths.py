"""Edits between two texts of any length, at a cost that grows with their length.

A shortest list of edits takes time in proportion to the product of both lengths, so that is only
sought up to a limit (`ocrjury.text.edit_limits`). Of longer texts the paths are sought that stray
little from the diagonal: if few edits are needed, one of these is the shortest. Otherwise window
after window is aligned, and the first half of each kept: edits that turn one text into the other,
but may be more than the fewest.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein, Opcode

from ocrjury.text import edit_limits
from ocrjury.text.edit_limits import is_too_long


class Step(NamedTuple):
    """A stretch of both texts that is equal, replaced, inserted or deleted, as rapidfuzz has it."""

    tag: str
    src_start: int
    src_end: int
    dest_start: int
    dest_end: int

    @property
    def edits(self) -> int:
        """Number of edits."""
        if self.tag == "equal":
            return 0
        return max(self.src_end - self.src_start, self.dest_end - self.dest_start)


def edit_distance(
    reference: Sequence[str], hypothesis: Sequence[str], *, hint: int | None = None
) -> int:
    """Number of edits between two texts or lists of words.

    A good guess of it as ``hint`` makes this faster.
    """
    if not is_too_long(len(reference), len(hypothesis)):
        return Levenshtein.distance(reference, hypothesis, score_hint=hint)
    few = _few_edits(reference, hypothesis)
    return sum(step.edits for step in _windows(reference, hypothesis)) if few is None else few


def edit_steps(reference: Sequence[str], hypothesis: Sequence[str]) -> list[Step]:
    """Steps, in order, that turn a text or list of words into another."""
    if not is_too_long(len(reference), len(hypothesis)):
        return _exact(reference, hypothesis)
    few = _few_edits(reference, hypothesis)
    if few is None:
        return list(_joined(_windows(reference, hypothesis)))
    return _exact(reference, hypothesis, hint=few)


def _few_edits(reference: Sequence[str], hypothesis: Sequence[str]) -> int | None:
    """Number of edits if it is so small that the paths near the diagonal tell; None if not."""
    most = edit_limits.EXACT_CELLS // max(len(reference), len(hypothesis))
    distance = Levenshtein.distance(reference, hypothesis, score_cutoff=most)
    return distance if distance <= most else None


def _exact(
    reference: Sequence[str], hypothesis: Sequence[str], *, hint: int | None = None
) -> list[Step]:
    """Steps of a shortest list of edits."""
    return [Step(*step) for step in Levenshtein.opcodes(reference, hypothesis, score_hint=hint)]


def _windows(reference: Sequence[str], hypothesis: Sequence[str]) -> Iterator[Step]:
    """Yield the steps of each window up to its middle, where the next one begins."""
    size, row, column = edit_limits.WINDOW, 0, 0
    while (len(reference) - row) * (len(hypothesis) - column) > size * size:
        window = reference[row : row + size], hypothesis[column : column + size]
        steps = list(_first_half(Levenshtein.opcodes(*window), row, column))
        yield from steps
        row, column = steps[-1].src_end, steps[-1].dest_end
    yield from _moved(Levenshtein.opcodes(reference[row:], hypothesis[column:]), row, column)


def _first_half(window: Iterable[Opcode], row: int, column: int) -> Iterator[Step]:
    """Yield the steps of a window up to the middle in one of the texts."""
    for step in _moved(window, row, column):
        over = max(step.src_end - row, step.dest_end - column) - edit_limits.WINDOW // 2
        if over >= 0:
            src_end = max(step.src_end - over, step.src_start)
            dest_end = max(step.dest_end - over, step.dest_start)
            yield step._replace(src_end=src_end, dest_end=dest_end)
            return
        yield step


def _joined(steps: Iterator[Step]) -> Iterator[Step]:
    """Yield steps, those of one kind that follow each other as one."""
    last: Step | None = None
    for step in steps:
        if last is not None and step.tag == last.tag:
            last = last._replace(src_end=step.src_end, dest_end=step.dest_end)
            continue
        if last is not None:
            yield last
        last = step
    if last is not None:
        yield last


def _moved(window: Iterable[Opcode], row: int, column: int) -> Iterator[Step]:
    """Yield the steps of a window, counted from the beginning of both texts."""
    for step in window:
        yield Step(
            step.tag,
            step.src_start + row,
            step.src_end + row,
            step.dest_start + column,
            step.dest_end + column,
        )
