"""Reference and OCR output in pieces that say where they differ; spaces and line ends show."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ocrjury.text.alignment import align, split_units
from ocrjury.text.normalization import normalize_text
from ocrjury.text.options import TextOptions

AS_WRITTEN = TextOptions(whitespace="keep")
LONGEST = 20_000
_VISIBLE = {"\n": "⏎\n", " ": "␣", "\t": "⇥", "\u3000": "␣", "\u00a0": "␣"}


class TextPiece(NamedTuple):
    """A run of characters; `mark` is equal, replace, insert, delete, or gap: in the other text."""

    mark: str
    text: str


Line = list[TextPiece]
GAP = TextPiece("gap", "")


class MarkedTexts(NamedTuple):
    """Both texts in pieces; without a reference, nothing is marked."""

    reference: Sequence[TextPiece] | None
    hypothesis: Sequence[TextPiece]

    @property
    def differ(self) -> bool:
        """Whether anything is marked."""
        return any(piece.mark != "equal" for piece in (*(self.reference or ()), *self.hypothesis))

    @property
    def lines(self) -> list[tuple[Line, Line]]:
        r"""Lines of the reference, each with the stretch of the OCR output that belongs to it.

        There is one more of them than the reference has line ends, empty or not.

        Examples
        --------
        >>> texts = mark_texts("ab\ncd", "a cd")
        >>> [["|".join(text for _, text in side) for side in line] for line in texts.lines]
        [['a|b|⏎\n', 'a|␣|'], ['cd', 'cd']]
        """
        lines: list[tuple[Line, Line]] = [([], [])]
        left = list(self.hypothesis)
        for mark, text in self.reference or ():
            while left and left[0].mark == "insert":
                lines[-1][0].append(GAP)
                lines[-1][1].append(left.pop(0))
            beside = "" if mark == "delete" or not left else left.pop(0).text
            for above, below in _by_line(mark, text, beside):
                lines[-1][0].append(TextPiece(mark, above))
                lines[-1][1].append(TextPiece(mark, below) if below else GAP)
                if above.endswith("\n"):
                    lines.append(([], []))
        for piece in left:
            lines[-1][0].append(GAP)
            lines[-1][1].append(piece)
        return lines

    @property
    def merged(self) -> list[Line]:
        r"""The same lines of the OCR output, with what is missing from it in its place.

        Examples
        --------
        >>> [line] = mark_texts("abcdef", "axdef!").merged
        >>> [(piece.mark, piece.text) for piece in line]
        [('equal', 'a'), ('replace', 'x'), ('delete', 'c'), ('equal', 'def'), ('insert', '!')]
        >>> [["|".join(text for _, text in line)] for line in mark_texts("ab\ncd", "a cd").merged]
        [['a|␣|⏎\n'], ['cd']]
        """
        return [
            [
                first if first.mark == "delete" else second
                for first, second in zip(*line, strict=True)
                if first.mark == "delete" or second.text
            ]
            for line in self.lines
        ]


def mark_texts(reference: str | None, hypothesis: str) -> MarkedTexts:
    """Both texts in pieces, character by character as people count them.

    Examples
    --------
    >>> marked = mark_texts("금액 1,200", "금액1.200")
    >>> [(piece.mark, piece.text) for piece in marked.reference]
    [('equal', '금액'), ('delete', '␣'), ('equal', '1'), ('replace', ','), ('equal', '200')]
    >>> mark_texts(None, "text").reference is None
    True
    """
    if reference is None:
        return MarkedTexts(None, plain_text(hypothesis))
    if too_long(reference, hypothesis):
        return MarkedTexts(plain_text(reference), plain_text(hypothesis))
    above = split_units(reference, options=AS_WRITTEN)
    below = split_units(hypothesis, options=AS_WRITTEN)
    first, second = [], []
    for op in align(reference, hypothesis, options=AS_WRITTEN):
        first.append(_piece(op.op, above[op.ref_start : op.ref_end]))
        second.append(_piece(op.op, below[op.hyp_start : op.hyp_end]))
    return MarkedTexts(*([piece for piece in pieces if piece.text] for pieces in (first, second)))


def too_long(*texts: str) -> bool:
    """Return whether a text is too long for its differences to be marked."""
    return max(map(len, texts)) > LONGEST


def differ(reference: str | None, hypothesis: str) -> bool:
    """Return whether any character differs, in texts of any length, by what `mark_texts` counts.

    Examples
    --------
    >>> differ("1,200", ""), differ("a" * 20_001, "b" * 20_001), differ("1,200", "1,200")
    (True, True, False)
    """
    if reference is None:
        return False
    return normalize_text(reference, AS_WRITTEN) != normalize_text(hypothesis, AS_WRITTEN)


def plain_text(text: str) -> list[TextPiece]:
    """Text without marks."""
    return [TextPiece("equal", text)] if text else []


def _piece(mark: str, units: Sequence[str]) -> TextPiece:
    """A run; where it differs, characters that nobody would see become visible ones."""
    if mark == "equal":
        return TextPiece(mark, "".join(units))
    return TextPiece(mark, "".join(_VISIBLE.get(unit, unit) for unit in units))


def _by_line(mark: str, above: str, below: str) -> Iterator[tuple[str, str]]:
    """Yield a stretch of both texts in pieces that end with the lines of the reference."""
    lines = above.splitlines(keepends=True) or [above]
    if mark == "equal" and above == below:
        yield from ((line, line) for line in lines)
        return
    # What replaces a stretch is as long; where it ends does not matter beside a lost line end.
    for line in lines[:-1]:
        yield line, ""
    yield lines[-1], below
