"""Reference and OCR output in pieces that say where they differ; spaces and line ends show."""

from collections.abc import Sequence
from typing import NamedTuple

from ocrjury.text.alignment import align, split_units
from ocrjury.text.options import TextOptions

AS_WRITTEN = TextOptions(whitespace="keep")
LONGEST = 20_000
_SIGNS = {"\n": "⏎\n", " ": "␣", "\t": "⇥", "\u3000": "␣", "\u00a0": "␣"}


class TextPiece(NamedTuple):
    """A run of characters; `mark` is equal, replace, insert or delete."""

    mark: str
    text: str


class MarkedTexts(NamedTuple):
    """Both texts in pieces; without a reference, nothing is marked."""

    reference: Sequence[TextPiece] | None
    hypothesis: Sequence[TextPiece]

    @property
    def differ(self) -> bool:
        """Return whether anything is marked."""
        return any(piece.mark != "equal" for piece in (*(self.reference or ()), *self.hypothesis))


def mark_texts(reference: str | None, hypothesis: str) -> MarkedTexts:
    """Return both texts in pieces, character by character as people count them.

    Examples
    --------
    >>> marked = mark_texts("금액 1,200", "금액1.200")
    >>> [(piece.mark, piece.text) for piece in marked.reference]
    [('equal', '금액'), ('delete', '␣'), ('equal', '1'), ('replace', ','), ('equal', '200')]
    >>> mark_texts(None, "text").reference is None
    True
    """
    if reference is None:
        return MarkedTexts(None, _plain(hypothesis))
    if max(len(reference), len(hypothesis)) > LONGEST:
        return MarkedTexts(_plain(reference), _plain(hypothesis))
    above = split_units(reference, options=AS_WRITTEN)
    below = split_units(hypothesis, options=AS_WRITTEN)
    first, second = [], []
    for op in align(reference, hypothesis, options=AS_WRITTEN):
        first.append(_piece(op.op, above[op.ref_start : op.ref_end]))
        second.append(_piece(op.op, below[op.hyp_start : op.hyp_end]))
    return MarkedTexts([one for one in first if one.text], [one for one in second if one.text])


def _plain(text: str) -> list[TextPiece]:
    """Return a text without marks."""
    return [TextPiece("equal", text)] if text else []


def _piece(mark: str, units: Sequence[str]) -> TextPiece:
    """Return a run; where it differs, what nobody would see becomes a sign."""
    if mark == "equal":
        return TextPiece(mark, "".join(units))
    return TextPiece(mark, "".join(_SIGNS.get(unit, unit) for unit in units))
