"""Reference and OCR output, marked where they differ, fit to print."""

from collections.abc import Callable, Iterable
from itertools import groupby

from ocrjury.pages.document_text import mask, visible
from ocrjury.report.evidence import Mark, MarkedText, Piece
from ocrjury.text.alignment import align, split_units
from ocrjury.text.options import TextOptions

CONTEXT = 18
GAP = " … "


def marked_text(
    reference: str | None,
    hypothesis: str,
    *,
    length: int = 160,
    masked: bool = False,
    options: TextOptions = TextOptions(),  # noqa: B008  # frozen
) -> MarkedText:
    """Both texts in pieces, as the scores compared them.

    Parameters
    ----------
    reference
        None where there is no reference: nothing can be marked.
    length
        Characters printed of each line. A longer text shows the places that differ with some
        characters around them; what was left out is an ellipsis.
    masked
        Print shapes in place of letters and digits. Marks stay where they are.

    Examples
    --------
    >>> text = marked_text("금액 1,200원", "금액 1.200")
    >>> [(piece.mark, piece.text) for piece in text.reference]
    [('equal', '금액 1'), ('replace', ','), ('equal', '200'), ('delete', '원')]
    >>> [piece.text for piece in marked_text("금액 1,200원", "", masked=True).reference]
    ['○○ □,□□□○']
    """
    form = _form(masked=masked)
    if reference is None:
        return MarkedText(
            None, _line([("equal", split_units(hypothesis, options=options))], length, form)
        )
    sides = split_units(reference, options=options), split_units(hypothesis, options=options)
    short = max(map(len, sides)) <= length
    above: list[tuple[Mark, list[str]]] = []
    below: list[tuple[Mark, list[str]]] = []
    for op in align(reference, hypothesis, options=options):
        if op.op == "equal" and not short:
            first, last = op.ref_start == 0, op.ref_end == len(sides[0])
            run = _shortened(sides[0][op.ref_start : op.ref_end], first=first, last=last)
            above += run
            below += run
            continue
        above.append((op.op, sides[0][op.ref_start : op.ref_end]))
        below.append((op.op, sides[1][op.hyp_start : op.hyp_end]))
    return MarkedText(_line(above, length, form), _line(below, length, form))


def _form(*, masked: bool) -> Callable[[str], str]:
    return (lambda text: visible(mask(text))) if masked else visible


def _shortened(units: list[str], *, first: bool, last: bool) -> list[tuple[Mark, list[str]]]:
    """An equal run; of a long one only what stands next to a difference."""
    head = [] if first else units[:CONTEXT]
    tail = [] if last else units[len(units) - CONTEXT :]
    if len(head) + len(tail) >= len(units):
        return [("equal", units)]
    return [("equal", head), ("gap", [GAP]), ("equal", tail)]


def _line(
    runs: Iterable[tuple[Mark, list[str]]], length: int, form: Callable[[str], str]
) -> tuple[Piece, ...]:
    """One line, cut at its length, neighbouring runs of one mark joined."""
    left = length
    kept: list[tuple[Mark, str]] = []
    for mark, units in runs:
        if left <= 0 and units:
            kept.append(("gap", GAP))
            break
        kept.append((mark, "".join(units[:left]) + ("…" if len(units) > left else "")))
        left -= len(units)
    grouped = groupby((run for run in kept if run[1]), key=lambda run: run[0])
    return tuple(Piece(mark, form("".join(text for _, text in group))) for mark, group in grouped)
