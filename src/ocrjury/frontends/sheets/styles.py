"""Styles of a sheet: few colours, each pair with a contrast of at least 4.5 to 1."""

from typing import NamedTuple, cast

from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Protection, Side
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from ocrjury.frontends.sheets.texts import escaped, looks_like_formula


class Look(NamedTuple):
    """Colours and form of a kind of cell; colours are RRGGBB, `fill` empty for none.

    Of a ``hidden`` cell, programs show what its formula says and not the formula.
    """

    ink: str = "1F2933"
    fill: str = ""
    bold: bool = False
    size: float = 10
    across: str = "left"
    down: str = "top"
    locked: bool = True
    hidden: bool = False
    framed: bool = True
    number: str = "General"


LOOKS = {
    "title": Look(ink="12355B", bold=True, size=14, down="center", framed=False),
    "heading": Look(ink="12355B", bold=True, size=12, framed=False),
    "note": Look(framed=False),
    "header": Look(ink="FFFFFF", fill="12355B", bold=True, across="center", down="center"),
    "header_in": Look(ink="FFFFFF", fill="7A4B00", bold=True, across="center", down="center"),
    "text": Look(),
    "text_odd": Look(fill="F1F5F9"),
    "fact": Look(across="center"),
    "fact_odd": Look(fill="F1F5F9", across="center"),
    "link": Look(ink="0B57A4", across="center"),
    "link_odd": Look(ink="0B57A4", fill="F1F5F9", across="center"),
    "key": Look(ink="5B6672", size=8),
    "key_odd": Look(ink="5B6672", fill="F1F5F9", size=8),
    "rule": Look(hidden=True),
    "rule_odd": Look(fill="F1F5F9", hidden=True),
    "choice": Look(fill="FFF8DC", across="center", size=11, locked=False),
    "choice_odd": Look(fill="FDF0C4", across="center", size=11, locked=False),
    "remark": Look(fill="FFF8DC", locked=False, number="@"),
    "remark_odd": Look(fill="FDF0C4", locked=False, number="@"),
}
DONE, STARTED = ("0B5D1E", "D9F2DF"), ("7A3E00", "FFE0B8")
"""Ink and fill of the number of a row that is rated, and of one that is begun."""


def add_styles(book: Workbook, font: str) -> None:
    """Give a workbook the styles that `put` names."""
    side = Side(style="thin", color="CBD5E1")
    for name, look in LOOKS.items():
        style = NamedStyle(
            name=f"ocrjury {name}",
            font=Font(name=font, size=look.size, bold=look.bold, color=f"FF{look.ink}"),
            alignment=Alignment(
                horizontal=look.across,
                vertical=look.down,
                wrap_text=name not in ("title", "note"),
            ),
            protection=Protection(locked=look.locked, hidden=look.hidden),
            number_format=look.number,
        )
        if look.fill:
            style.fill = PatternFill("solid", fgColor=f"FF{look.fill}")
        if look.framed:
            style.border = Border(left=side, right=side, top=side, bottom=side)
        book.add_named_style(style)


def put(sheet: Worksheet, place: tuple[int, int], text: str | float, *, look: str) -> Cell:
    """Write the cell of a row and column; a text is never run, whatever it begins with."""
    cell = cast("Cell", sheet.cell(*place))  # nothing is merged
    if isinstance(text, str):
        cell.value = escaped(text) or None
        if cell.value is not None:
            cell.data_type = "s"
    else:
        cell.value = text
    cell.style = f"ocrjury {look}"
    if isinstance(text, str) and looks_like_formula(text):
        cell.quotePrefix = True
    return cell
