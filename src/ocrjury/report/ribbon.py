"""An alignment as a ribbon: where in a text the OCR replaced, added and left out."""

from dataclasses import dataclass
from itertools import groupby

from ocrjury.text.alignment import EditOp, Op, align
from ocrjury.text.options import TextOptions

WIDTH = 1000.0
_NARROWEST = 1.5
_PLACES: dict[Op, tuple[int, int]] = {"replace": (0, 16), "insert": (0, 7), "delete": (9, 7)}


@dataclass(frozen=True, slots=True)
class Ribbon:
    """Paths of an SVG, ``WIDTH`` wide and 16 high, one for each kind of edit that there is.

    Kinds differ in height as in colour: replaced text takes the whole height, added text the
    upper half, missing text the lower half.
    """

    paths: dict[Op, str]
    words: str


def ribbon(reference: str, hypothesis: str, *, options: TextOptions) -> Ribbon:
    """Ribbon of two texts.

    Examples
    --------
    >>> drawn = ribbon("가나다라", "가너다", options=TextOptions())
    >>> drawn.paths
    {'replace': 'M250 0h250v16h-250z', 'delete': 'M750 9h250v7h-250z'}
    >>> drawn.words
    '2 characters match, 1 replaced, 0 added, 1 missing'
    """
    ops = align(reference, hypothesis, options=options)
    total = sum(map(_length, ops))
    stretches: dict[Op, list[tuple[float, float]]] = {}
    place = 0
    for op in ops:
        start, place = place, place + _length(op)
        if op.op != "equal":
            ends = (WIDTH * start / total, WIDTH * place / total)
            stretches.setdefault(op.op, []).append(ends)
    paths = {op: _path(op, stretches[op]) for op in _PLACES if op in stretches}
    return Ribbon(paths, _words(ops))


def _length(op: EditOp) -> int:
    """Characters of the longer side of a stretch."""
    return max(op.ref_end - op.ref_start, op.hyp_end - op.hyp_start)


def _path(op: Op, stretches: list[tuple[float, float]]) -> str:
    """Outline of all stretches of a kind; those too near to be seen apart are one."""
    top, height = _PLACES[op]
    joined: list[list[float]] = []
    for start, stop in stretches:
        end = max(stop, min(start + _NARROWEST, WIDTH))
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(end, joined[-1][1])
        else:
            joined.append([start, end])
    return "".join(
        f"M{start:.5g} {top}h{end - start:.4g}v{height}h-{end - start:.4g}z"
        for start, end in joined
    )


def _words(ops: list[EditOp]) -> str:
    """Counts of a ribbon as people read them."""
    ordered = sorted(ops, key=lambda op: op.op)
    counts = {kind: sum(map(_length, of)) for kind, of in groupby(ordered, key=lambda op: op.op)}
    return (
        f"{counts.get('equal', 0):,} characters match, {counts.get('replace', 0):,} replaced, "
        f"{counts.get('insert', 0):,} added, {counts.get('delete', 0):,} missing"
    )
