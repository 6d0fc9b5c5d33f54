"""An alignment as lines of plain text, for a terminal, a log or a notebook."""

import unicodedata
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from ocrjury.errors import InputError
from ocrjury.text.alignment import Op, Units, align, split_units
from ocrjury.text.grapheme_clusters import split_graphemes
from ocrjury.text.options import TextOptions

_LABELS = ("REF: ", "HYP: ", "     ")
_GAP = "*"
_MARKS: dict[Op, str] = {"equal": "", "replace": "S", "insert": "I", "delete": "D"}
_JOINERS = "\u200c\u200d"


class _Cell(NamedTuple):
    """One unit of each side and the kind of edit, all of one width."""

    reference: str
    hypothesis: str
    mark: str


def render_alignment(
    reference: str,
    hypothesis: str,
    *,
    units: Units = "words",
    width: int | None = None,
    options: TextOptions = TextOptions(),  # noqa: B008  # frozen
) -> str:
    r"""Both texts, one above the other, with a letter under every edit.

    The form is that of ``visualize_alignment`` in jiwer 4.

    Parameters
    ----------
    width
        Columns of a line; a longer alignment goes on below, after an empty line. None: one line.

    Returns
    -------
    str
        Three lines for each part: reference, hypothesis, and ``S`` (substituted), ``D`` (deleted)
        or ``I`` (inserted) at the right end of what differs. A side that lacks a unit shows ``*``.
        A Korean, Chinese or Japanese character takes two columns, as in a terminal; a character
        that cannot be printed is written as an escape, such as ``\n``.

    Examples
    --------
    >>> print(render_alignment("quite a bit of longer text", "quite bit of an longest text"))
    REF: quite a bit of **  longer text
    HYP: quite * bit of an longest text
               D         I       S
    >>> print(render_alignment("3월 15일", "3웛 15", units="characters"))
    REF: 3월 15일
    HYP: 3웛 15**
           S    D
    """
    if width is not None and width <= len(_LABELS[0]):
        raise InputError(f"width must be above {len(_LABELS[0])}, or None; found {width!r}.")
    cells = list(_cells(reference, hypothesis, units=units, options=options))
    separator = " " if units == "words" else ""
    parts = _parts(cells, separator, width)
    return "\n\n".join(_lines(part, separator) for part in parts)


def _cells(
    reference: str, hypothesis: str, *, units: Units, options: TextOptions
) -> Iterator[_Cell]:
    """Yield what stands in each column."""
    ref = split_units(reference, units=units, options=options)
    hyp = split_units(hypothesis, units=units, options=options)
    for op in align(reference, hypothesis, units=units, options=options):
        sides = ref[op.ref_start : op.ref_end], hyp[op.hyp_start : op.hyp_end]
        for pair in zip_longest(*sides, fillvalue=""):
            shown = [_printable(unit) for unit in pair]
            columns = max(map(_columns, shown))
            left, right = (_right(unit or _GAP * columns, columns) for unit in shown)
            yield _Cell(left, right, _MARKS[op.op].rjust(columns))


def _parts(cells: list[_Cell], separator: str, width: int | None) -> list[list[_Cell]]:
    """Cells of each line; a cell wider than a line has a line of its own."""
    parts: list[list[_Cell]] = [[]]
    taken = len(_LABELS[0])
    for cell in cells:
        columns = len(cell.mark)
        if width is not None and parts[-1] and taken + columns > width:
            parts.append([])
            taken = len(_LABELS[0])
        parts[-1].append(cell)
        taken += columns + len(separator)
    return parts


def _lines(cells: list[_Cell], separator: str) -> str:
    """Reference, hypothesis and marks of one part."""
    rows = [separator.join(cell[side] for cell in cells) for side in range(len(_LABELS))]
    return "\n".join((label + row).rstrip() for label, row in zip(_LABELS, rows, strict=True))


def _printable(unit: str) -> str:
    """Text in which a line end or an override of direction is seen and does nothing."""
    return "".join(
        sign if sign.isprintable() or sign in _JOINERS else sign.encode("unicode_escape").decode()
        for sign in unit
    )


def _right(text: str, columns: int) -> str:
    return " " * (columns - _columns(text)) + text


def _columns(text: str) -> int:
    """Columns that a terminal gives a text: two for a wide character, one for any other."""
    return sum(
        2 if any(unicodedata.east_asian_width(sign) in "WF" for sign in cluster) else 1
        for cluster in split_graphemes(text)
    )
