"""The guide of a sheet: what is rated, what every value means, and the rules that bind it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from ocrjury.campaign.field_rules import FieldRule
from ocrjury.campaign.rubric import Dimension, Rubric
from ocrjury.campaign.texts import in_language
from ocrjury.frontends.sheets.columns import SURE
from ocrjury.frontends.sheets.rating_sheet import lines_of
from ocrjury.frontends.sheets.styles import put
from ocrjury.frontends.sheets.texts import shown_text
from ocrjury.frontends.sheets.words import KINDS, Words

_WIDTHS = (24.0, 14.0, 100.0)
_LINE = 15.0


class GuideLine(NamedTuple):
    """A line of the guide: up to three cells, and how they look."""

    cells: tuple[str, ...]
    look: str = "text"


def guide_lines(
    rubric: Rubric, dimensions: Sequence[str], *, words: Words, language: str
) -> list[GuideLine]:
    """Guide of a round, from top to bottom."""
    asked = [rubric.dimension(name) for name in dimensions]
    return [
        GuideLine((words.purpose,), "heading"),
        GuideLine(("", "", _said(rubric.purpose, language))),
        GuideLine((words.filling_in,), "heading"),
        *(GuideLine(("", f"{n}", text)) for n, text in enumerate(words.how, start=1)),
        GuideLine((words.dimensions,), "heading"),
        *(line for one in asked for line in _dimension_lines(one, words=words, language=language)),
        GuideLine((words.confidence, words.level, words.meaning), "header"),
        *(GuideLine(("", str(n), t)) for n, t in zip(SURE, words.confidences, strict=True)),
        GuideLine((words.flag,), "heading"),
        *(GuideLine(("", "", text)) for text in words.flags),
        *_rule_lines(rubric, dimensions, words=words, language=language),
        *_case_lines(rubric, asked, words=words, language=language),
    ]


def fill_guide_sheet(sheet: Worksheet, lines: Sequence[GuideLine]) -> None:
    """Write the guide; nothing in it can be changed."""
    for letter, width in zip("ABC", _WIDTHS, strict=True):
        sheet.column_dimensions[letter].width = width
    for place, line in enumerate(lines, start=1):
        for at, text in enumerate(line.cells, start=1):
            put(sheet, (place, at), shown_text(text), look=line.look)
        high = max(lines_of(text, width) for text, width in zip(line.cells, _WIDTHS, strict=False))
        heading = line.look == "heading"
        sheet.row_dimensions[place].height = 28 if heading else min(high * _LINE + 3, 405)
    sheet.sheet_view.showGridLines = False
    sheet.protection.sheet = True
    sheet.protection.formatColumns = sheet.protection.formatRows = False
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)


def _dimension_lines(one: Dimension, *, words: Words, language: str) -> Iterator[GuideLine]:
    """Yield what is said about a dimension."""
    title = _said(one.title, language)
    yield GuideLine((title, words.level, words.meaning), "header")
    yield GuideLine(("", "", _said(one.description, language)))
    for level, texts in one.anchors.items():
        yield GuideLine(("", level, _said(texts, language)))
    criteria = in_language(one.criteria, language) or ()
    for number, sentence in enumerate(criteria):
        yield GuideLine(("", "" if number else words.look_at, sentence))


def _rule_lines(
    rubric: Rubric, dimensions: Sequence[str], *, words: Words, language: str
) -> Iterator[GuideLine]:
    """Yield the field rules of some dimensions."""
    rules = [one for one in rubric.field_rules if one.dimension in {None, *dimensions}]
    if rules:
        yield GuideLine((words.rules,), "heading")
        yield GuideLine((words.kind, words.at_most, words.rules), "header")
    for rule in rules:
        kind = words.kinds[KINDS.index(rule.kind)]
        yield GuideLine((kind, _limit(rule), _said(rule.sentence, language)))


def _limit(rule: FieldRule) -> str:
    """Highest rating that a rule allows."""
    if rule.at_most is not None:
        return _level(rule.at_most)
    return ", ".join(f"≤ {band.up_to:.0%}: {_level(band.at_most)}" for band in rule.bands)


def _case_lines(
    rubric: Rubric, asked: Sequence[Dimension], *, words: Words, language: str
) -> Iterator[GuideLine]:
    """Yield the cases that were decided once for all, with their examples."""
    titles = {one.name: _said(one.title, language) for one in asked}
    cases = [one for one in rubric.boundary_cases if one.dimension in {None, *titles}]
    if cases:
        yield GuideLine((words.cases,), "heading")
        yield GuideLine((words.dimensions, words.level, words.case), "header")
    for case in cases:
        said = [_said(case.case, language)]
        if case.example is not None:
            said.append(f"{case.example.reference} → {case.example.hypothesis}")
        said.append(_said(case.advice, language))
        title = titles.get(case.dimension or "", "")
        yield GuideLine((title, _level(case.level), "\n".join(filter(None, said))))


def _said(texts: Mapping[str, str] | None, language: str) -> str:
    """Text in a language, or the nearest there is."""
    return "" if texts is None else in_language(texts, language) or ""


def _level(level: float | str) -> str:
    """Level as people write it."""
    return f"{level:g}" if isinstance(level, float) else str(level)
