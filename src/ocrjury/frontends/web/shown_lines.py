"""Reference and OCR outputs of an item, line by line of the reference, as raters see them."""

import re
from collections.abc import Sequence

from ocrjury.frontends.web.marked_texts import Line, TextPiece, mark_texts, plain_text

Lines = Sequence[Line]


def shown_lines(
    reference: str | None, outputs: Sequence[str], *, marked: bool
) -> tuple[Lines | None, Sequence[Lines]]:
    r"""Lines of the reference, None without one, and those of each output that belong to them.

    Beside one output the reference is marked, too. Several outputs have all marks in themselves.
    What raters may not compare stays in one piece.

    Examples
    --------
    >>> _, outputs = shown_lines("ab\ncd", ["ab cd", "b\nxd"], marked=True)
    >>> [["|".join(text for _, text in line) for line in output] for output in outputs]
    [['ab|␣', 'cd'], ['a|b\n', 'x|d']]
    """
    if len(outputs) > 1:
        return _side_by_side(reference, outputs, marked=marked)
    texts = mark_texts(reference, outputs[0])
    if reference is None:
        return None, [_one_line(texts.hypothesis)]
    lines = [line for line in texts.lines if any(line)]
    above, below = ([line[side] for line in lines] for side in (0, 1))
    return above if reference else [], [below if outputs[0] else []]


def _side_by_side(
    reference: str | None, outputs: Sequence[str], *, marked: bool
) -> tuple[Lines | None, Sequence[Lines]]:
    """Lines of a reference and of several outputs."""
    if reference is None or not marked:
        plain = [_one_line(plain_text(text)) for text in (reference or "", *outputs)]
        return None if reference is None else plain[0], plain[1:]
    lines = [plain_text(line) for line in re.split(r"(?<=\n)", reference)]
    texts = [lines, *(mark_texts(reference, text).merged for text in outputs)]
    if not any(text[-1] for text in texts):
        texts = [text[:-1] for text in texts]
    above, *below = (text if any(text) else [] for text in texts)
    return above, below


def _one_line(pieces: Sequence[TextPiece]) -> list[Line]:
    """Text in one piece; nothing of an empty one."""
    return [list(pieces)] if pieces else []
