"""The sheet that a rater fills in."""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from openpyxl.formatting.rule import Rule
from openpyxl.styles import Font, PatternFill
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from ocrjury.campaign.rubric import Rubric
from ocrjury.frontends.sheets.assigned_rows import AssignedRow
from ocrjury.frontends.sheets.columns import RULE_WIDTH, SheetColumn, validation_of
from ocrjury.frontends.sheets.rule_cells import ABOVE, ToldRules, rule_formula
from ocrjury.frontends.sheets.signatures import Manifest
from ocrjury.frontends.sheets.styles import DONE, STARTED, put
from ocrjury.frontends.sheets.words import words_of
from ocrjury.pages.catalogues import Say

HEADER_ROW = 4
LINE, HIGHEST = 15.0, 405.0
"""Points of a line of text, and of the highest row that programs show."""
_LOOK = {"fact": "fact", "text": "text", "rating": "choice", "confidence": "choice"}


class Content(NamedTuple):
    """Content of one rater's sheet; `images` are links by the key of a row.

    `told_at` is the first column of what is told of field rules, in the hidden sheet.
    """

    rubric: Rubric
    manifest: Manifest
    columns: tuple[SheetColumn, ...]
    rows: Sequence[AssignedRow]
    images: Mapping[str, str]
    names_at: Mapping[str, str]
    told: ToldRules
    told_at: int

    @property
    def say(self) -> Say:
        """Texts in the rater's language."""
        return words_of(self.manifest.language)

    @property
    def bound_letters(self) -> list[str]:
        """Letters of the columns that field rules may bind."""
        letters = letters_of(self.columns)
        return [letters[name] for name in self.told.bound]


def fill_rating_sheet(sheet: Worksheet, content: Content) -> None:
    """Write the sheet: a title, what to do, a header that stays in sight, and the rows."""
    say, columns, facts = content.say, content.columns, content.manifest
    title = say(
        "title",
        evaluation=facts.evaluation,
        round=facts.round,
        rater=facts.rater,
        rows=f"{facts.rows:,}",
    )
    put(sheet, (1, 1), title, look="title")
    put(sheet, (2, 1), say("how_1"), look="note")
    put(sheet, (3, 1), say("how_3"), look="note")
    for place, column in enumerate(columns, start=1):
        look = "header_in" if column.filled_in else "header"
        put(sheet, (HEADER_ROW, place), column.header, look=look)
        sheet.column_dimensions[get_column_letter(place)].width = column.width
    # As much room in every row, so that no height tells what a rule says.
    heights = [lines_of(cells.text, RULE_WIDTH) for cells in content.told.cells.values()]
    least = max(heights, default=1)
    for number, row in enumerate(content.rows, start=1):
        _write_row(sheet, HEADER_ROW + number, row, content=content, number=number)
        height = _height(row.shown(say), columns, least=least)
        sheet.row_dimensions[HEADER_ROW + number].height = height
    sheet.row_dimensions[1].height, sheet.row_dimensions[HEADER_ROW].height = 24, 48
    _arrange(sheet, content)


def _write_row(
    sheet: Worksheet, place: int, row: AssignedRow, *, content: Content, number: int
) -> None:
    """Write one row."""
    shown = row.shown(content.say)
    facts = {"number": number, "session": row.assignment.session}
    odd = "_odd" if number % 2 else ""
    for at, column in enumerate(content.columns, start=1):
        if column.name == "image" and row.key in content.images:
            cell = put(sheet, (place, at), content.say("open_image"), look=f"link{odd}")
            cell.hyperlink = content.images[row.key]
            # Setting a link takes the program's own style of links; ours has the contrast.
            cell.style = f"ocrjury link{odd}"
        elif column.part == "key":
            put(sheet, (place, at), row.key, look=f"key{odd}")
        elif column.part == "rule":
            cell = put(sheet, (place, at), "", look=f"rule{odd}")
            cell.value = rule_formula(
                content.bound_letters, place, at=content.told_at, hidden_row=number
            )
        else:
            value = facts.get(column.name, shown.get(column.name, ""))
            look = _LOOK.get(column.part, "remark")
            put(sheet, (place, at), value, look=f"{look}{odd}")


def letters_of(columns: Sequence[SheetColumn]) -> dict[str, str]:
    """Letters of columns by their names."""
    return {column.name: get_column_letter(at) for at, column in enumerate(columns, start=1)}


def _arrange(sheet: Worksheet, content: Content) -> None:
    """Set what programs do with the sheet: lists, locks, panes, print."""
    columns, first, last = content.columns, HEADER_ROW + 1, HEADER_ROW + len(content.rows)
    letters = letters_of(columns)
    for column in (column for column in columns if column.filled_in):
        validation = validation_of(
            column,
            content.rubric,
            language=content.manifest.language,
            names_at=content.names_at,
        )
        validation.add(f"{letters[column.name]}{first}:{letters[column.name]}{last}")
        sheet.add_data_validation(validation)
    _mark_progress(sheet, columns, letters, rows=f"{first}:{last}")
    sheet.freeze_panes = f"B{first}"
    sheet.auto_filter.ref = f"A{HEADER_ROW}:{get_column_letter(len(columns))}{last}"
    protection = sheet.protection
    protection.sheet = True
    protection.formatColumns = protection.formatRows = protection.autoFilter = False
    sheet.sheet_view.showGridLines = False
    sheet.sheet_view.zoomScale = 100
    sheet.page_setup.orientation, sheet.page_setup.paperSize = "landscape", 9
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_title_rows = f"{HEADER_ROW}:{HEADER_ROW}"


def _mark_progress(
    sheet: Worksheet, columns: Sequence[SheetColumn], letters: Mapping[str, str], *, rows: str
) -> None:
    """Colour the number of a row that is rated, and of one that is only begun."""
    first, _, last = rows.partition(":")
    rating_columns = [letters[column.name] for column in columns if column.part == "rating"]
    given = f"COUNTA(${rating_columns[0]}{first}:${rating_columns[-1]}{first})"
    flagged = f'${letters["flag"]}{first}<>""'
    rules = {f"OR({given}={len(rating_columns)},{flagged})": DONE, f"{given}>0": STARTED}
    for formula, (ink, fill) in rules.items():
        look = DifferentialStyle(
            font=Font(bold=True, color=f"FF{ink}"), fill=PatternFill("solid", bgColor=f"FF{fill}")
        )
        rule = Rule("expression", formula=[formula], dxf=look, stopIfTrue=True)
        sheet.conditional_formatting.add(f"A{first}:A{last}", rule)
    if "rule" in letters:
        column, (ink, fill) = letters["rule"], STARTED
        look = DifferentialStyle(
            font=Font(bold=True, color=f"FF{ink}"), fill=PatternFill("solid", bgColor=f"FF{fill}")
        )
        formula = f'LEFT(${column}{first},{len(ABOVE)})="{ABOVE}"'
        rule = Rule("expression", formula=[formula], dxf=look)
        sheet.conditional_formatting.add(f"{column}{first}:{column}{last}", rule)


def _height(shown: Mapping[str, str], columns: Sequence[SheetColumn], *, least: int) -> float:
    """Height of a row that shows its texts, in points, with room for the `least` lines."""
    texts = [(shown[column.name], column.width) for column in columns if shown.get(column.name)]
    lines = max((lines_of(text, width) for text, width in texts), default=1)
    # Words that do not fit are carried over whole, which takes a little more room.
    return min(max(lines + (lines > 3), 2, least) * LINE, HIGHEST)


def lines_of(text: str, width: float) -> int:
    r"""Approximate number of lines of a text in a column; widths count narrow characters.

    Examples
    --------
    >>> lines_of("보험금 청구서", 8.0), lines_of("a\nb", 40.0)
    (2, 2)
    """
    lines = text.split("\n")
    wide = [
        sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) for line in lines
    ]
    return sum(max(1, -(-total // max(int(width) - 1, 1))) for total in wide)
