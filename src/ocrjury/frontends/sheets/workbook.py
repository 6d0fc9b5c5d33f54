"""A rater's workbook as bytes: the sheet to fill in, the guide, and a hidden manifest.

No sheet is ever in a temporary file, where a kill would leave its texts.
"""

# ruff: noqa: SLF001  # openpyxl offers no other way past its temporary files
import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook
from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
from openpyxl.utils import get_column_letter
from openpyxl.workbook.protection import WorkbookProtection
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter

from ocrjury.campaign.guideline import (
    DimensionGuide,
    Guideline,
    RuleGuide,
    guideline,
    level_text,
)
from ocrjury.campaign.rubric import Rubric
from ocrjury.frontends.sheets.assigned_rows import AssignedRow
from ocrjury.frontends.sheets.columns import scale_list, sheet_columns
from ocrjury.frontends.sheets.rating_sheet import (
    HIGHEST,
    LINE,
    Content,
    fill_rating_sheet,
    lines_of,
)
from ocrjury.frontends.sheets.rule_cells import ToldRules
from ocrjury.frontends.sheets.signatures import MANIFEST, Manifest
from ocrjury.frontends.sheets.styles import add_styles, put
from ocrjury.frontends.sheets.texts import shown_text
from ocrjury.frontends.sheets.words import confidence_words, flag_words, words_of
from ocrjury.pages.catalogues import Say
from ocrjury.scales import Scale


class InMemoryWriter(ExcelWriter):
    """openpyxl's writer of workbooks, with sheets in memory instead of the temporary folder."""

    _archive: ZipFile

    def write_worksheet(self, ws: Any) -> None:
        """Add a sheet to the archive, as openpyxl does but for the file in between."""
        ws._drawing = SpreadsheetDrawing()
        ws._drawing.charts = ws._charts
        ws._drawing.images = ws._images
        writer: Any = WorksheetWriter(ws, out=io.BytesIO())
        writer.write()
        ws._rels = writer._rels
        self._archive.writestr(ws.path[1:], writer.read())
        self.manifest.append(ws)


def archived(book: Workbook) -> bytes:
    """File of a workbook."""
    file = io.BytesIO()
    InMemoryWriter(book, ZipFile(file, "w", ZIP_DEFLATED, allowZip64=True)).save()
    return file.getvalue()


_NAMES_COLUMN = 4
_GUIDE_WIDTHS = (24.0, 14.0, 100.0)


def write_workbook(
    rows: Sequence[AssignedRow],
    manifest: Manifest,
    *,
    rubric: Rubric,
    dimensions: Sequence[str],
    images: Mapping[str, str],
    rules: ToldRules,
    key: bytes,
    now: datetime,
    reference: bool = True,
) -> bytes:
    """Workbook in which one rater rates some rows.

    `images` are links to pictures by the key of a row, `rules` what the field rules say about it;
    `key` is that of the store; `reference` says whether raters see it.
    """
    book, say = Workbook(), words_of(manifest.language)
    add_styles(book, say("font"))
    scales = list(dict.fromkeys(rubric.scales.values()))
    columns = sheet_columns(
        rubric,
        dimensions,
        language=manifest.language,
        sessions=manifest.sessions,
        reference=reference,
    )
    content = Content(
        rubric,
        manifest,
        columns,
        rows,
        images,
        names_at={
            name: _names_at(scales.index(scale), scale) for name, scale in rubric.scales.items()
        },
        told=rules,
        told_at=_NAMES_COLUMN + len(scales),
    )
    ratings = book.worksheets[0]
    ratings.title = say("ratings")
    fill_rating_sheet(ratings, content)
    guide = guideline(rubric, dimensions, language=manifest.language)
    _fill_guide_sheet(book.create_sheet(say("guide")), guide_lines(guide, say=say))
    _hide_manifest(book, manifest.cells(key), scales)
    _hide_rules(book, content)
    book.security = WorkbookProtection(lockStructure=True)
    facts = book.properties
    facts.creator, facts.title = "ocrjury", f"{manifest.evaluation} {manifest.rater}"
    facts.created = facts.modified = now.replace(tzinfo=None)
    return archived(book)


def _names_at(number: int, scale: Scale) -> str:
    """Place of a scale's values in the hidden sheet, a column for each scale."""
    letter = get_column_letter(_NAMES_COLUMN + number)
    return f"{MANIFEST}!${letter}$1:${letter}${max(len(scale.categories), 1)}"


def _hide_manifest(
    book: Workbook, cells: Sequence[tuple[str, str]], scales: Sequence[Scale]
) -> None:
    """Write the hidden sheet: names and texts, and the values of scales for long lists."""
    sheet = book.create_sheet(MANIFEST)
    for place, (name, text) in enumerate(cells, start=1):
        put(sheet, (place, 1), name, look="text")
        put(sheet, (place, 2), text, look="text")
    for column, scale in enumerate(scales, start=_NAMES_COLUMN):
        for place, name in enumerate(scale_list(scale), start=1):
            put(sheet, (place, column), name, look="text")
    sheet.protection.sheet = True
    sheet.sheet_state = "veryHidden"


def _hide_rules(book: Workbook, content: Content) -> None:
    """Write what the field rules say into the hidden sheet, a row for each row of the ratings."""
    for place, row in enumerate(content.rows, start=1):
        cells = content.told.cells[row.key]
        put(book[MANIFEST], (place, content.told_at), cells.text, look="text")
        for at, limit in enumerate(cells.limits, start=content.told_at + 1):
            put(book[MANIFEST], (place, at), limit, look="text")


class GuideLine(NamedTuple):
    """A line of the guide: up to three cells, and how they look."""

    cells: tuple[str, ...]
    look: str = "text"


def guide_lines(guide: Guideline, *, say: Say) -> list[GuideLine]:
    """Lines of the guide: dimensions, the meaning of every value, and the rules that bind it."""
    how = (say(f"how_{number}") for number in range(1, 8))
    return [
        GuideLine((say("purpose"),), "heading"),
        GuideLine(("", "", guide.purpose)),
        GuideLine((say("filling_in"),), "heading"),
        *(GuideLine(("", f"{number}", text)) for number, text in enumerate(how, start=1)),
        GuideLine((say("dimensions"),), "heading"),
        *(line for dimension in guide.dimensions for line in _dimension_lines(dimension, say=say)),
        GuideLine((say("confidence"), say("level"), say("meaning")), "header"),
        *(GuideLine(("", str(number), w)) for number, w in confidence_words(say).items()),
        GuideLine((say("flag"),), "heading"),
        *(GuideLine(("", "", text)) for text in flag_words(say)),
        *_rule_lines(guide.rules, say=say),
        *_case_lines(guide, say=say),
    ]


def _fill_guide_sheet(sheet: Worksheet, lines: Sequence[GuideLine]) -> None:
    """Write the guide; nothing in it can be changed."""
    for letter, width in zip("ABC", _GUIDE_WIDTHS, strict=True):
        sheet.column_dimensions[letter].width = width
    for place, line in enumerate(lines, start=1):
        for at, text in enumerate(line.cells, start=1):
            put(sheet, (place, at), shown_text(text), look=line.look)
        widths = zip(line.cells, _GUIDE_WIDTHS, strict=False)
        height = max(lines_of(text, width) for text, width in widths) * LINE + 3
        sheet.row_dimensions[place].height = 28 if line.look == "heading" else min(height, HIGHEST)
    sheet.sheet_view.showGridLines = False
    sheet.protection.sheet = True
    sheet.protection.formatColumns = sheet.protection.formatRows = False
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)


def _dimension_lines(guide: DimensionGuide, *, say: Say) -> Iterator[GuideLine]:
    """Yield what is said about a dimension."""
    yield GuideLine((guide.title, say("level"), say("meaning")), "header")
    yield GuideLine(("", "", guide.description))
    for level, meaning in guide.anchors.items():
        yield GuideLine(("", level, meaning))
    for number, sentence in enumerate(guide.criteria):
        yield GuideLine(("", "" if number else say("look_at"), sentence))


def _rule_lines(rules: Sequence[RuleGuide], *, say: Say) -> Iterator[GuideLine]:
    """Yield the field rules with the highest rating that each allows."""
    if rules:
        yield GuideLine((say("rules"),), "heading")
        yield GuideLine((say("kind"), say("at_most"), say("rules")), "header")
    for rule, sentence in rules:
        bands = [f"≤ {band.up_to:.0%}: {level_text(band.at_most)}" for band in rule.bands]
        limit = ", ".join(bands) if rule.at_most is None else level_text(rule.at_most)
        yield GuideLine((say(f"kind_{rule.kind}"), limit, sentence))


def _case_lines(guide: Guideline, *, say: Say) -> Iterator[GuideLine]:
    """Yield the cases that were decided once for all, with their examples."""
    titles = {dimension.name: dimension.title for dimension in guide.dimensions}
    if guide.cases:
        yield GuideLine((say("cases"),), "heading")
        yield GuideLine((say("dimensions"), say("level"), say("case")), "header")
    for case in guide.cases:
        example = f"{case.example.reference} → {case.example.hypothesis}" if case.example else ""
        text = "\n".join(filter(None, (case.case, example, case.advice)))
        yield GuideLine((titles.get(case.dimension or "", ""), case.level, text))
