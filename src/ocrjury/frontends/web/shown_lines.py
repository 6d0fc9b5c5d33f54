"""Reference and OCR outputs of an item, line by line of the reference, as raters see them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from ocrjury.frontends.web.marked_texts import (
    Line,
    TextPiece,
    mark_texts,
    plain_text,
    too_long,
)

Lines = Sequence[Line]


class ShownTexts(NamedTuple):
    """Lines of the reference, None without one, and of each output; whether differences are marked.

    Beside one output the reference is marked, too. Several outputs have all marks in themselves.
    """

    reference: Lines | None
    outputs: Sequence[Lines]
    marked: bool = False


def shown_lines(reference: str | None, outputs: Sequence[str], *, marked: bool) -> ShownTexts:
    r"""Texts of an item; what raters may not compare, or what is too long, stays in one piece.

    Examples
    --------
    >>> _, outputs, marked = shown_lines("ab\ncd", ["ab cd", "b\nxd"], marked=True)
    >>> [["|".join(text for _, text in line) for line in output] for output in outputs]
    [['ab|␣', 'cd'], ['a|b\n', 'x|d']]
    >>> shown_lines("ab", ["a b"], marked=False).outputs
    [[[TextPiece(mark='equal', text='a b')]]]
    """
    if reference is None or not marked or too_long(reference, *outputs):
        plain = [_one_line(plain_text(text)) for text in (reference or "", *outputs)]
        return ShownTexts(None if reference is None else plain[0], plain[1:])
    if len(outputs) > 1:
        return ShownTexts(*_side_by_side(reference, outputs), marked=True)
    lines = [line for line in mark_texts(reference, outputs[0]).lines if any(line)]
    above, below = ([line[side] for line in lines] for side in (0, 1))
    return ShownTexts(above if reference else [], [below if outputs[0] else []], marked=True)


def _side_by_side(reference: str, outputs: Sequence[str]) -> tuple[Lines, Sequence[Lines]]:
    """Lines of a reference and of several outputs."""
    lines = [plain_text(line) for line in re.split(r"(?<=\n)", reference)]
    texts = [lines, *(mark_texts(reference, text).merged for text in outputs)]
    if not any(text[-1] for text in texts):
        texts = [text[:-1] for text in texts]
    above, *below = (text if any(text) else [] for text in texts)
    return above, below


def _one_line(pieces: Sequence[TextPiece]) -> list[Line]:
    """Text in one piece; nothing of an empty one."""
    return [list(pieces)] if pieces else []
