"""Compare a sheet that came back with what was handed out, and read its answers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from openpyxl.utils import get_column_letter, range_boundaries

from ocrjury.frontends.sheets.answers import (
    CellProblem,
    read_comment,
    read_confidence,
    read_flag,
    read_level,
)
from ocrjury.frontends.sheets.assigned_rows import AssignedRow
from ocrjury.frontends.sheets.columns import SheetColumn
from ocrjury.frontends.sheets.notes import Level, SheetNote
from ocrjury.frontends.sheets.returned_workbook import NOTHING, FoundCell, FoundRow, FoundSheet
from ocrjury.frontends.sheets.texts import matched, same_text
from ocrjury.pages.catalogues import Say
from ocrjury.scales import Scales, scale_of
from ocrjury.store.item_ratings import LatestAnswer

T = TypeVar("T")


class Answer(NamedTuple):
    """Answers of a rater in one row; a dimension has a value or a reason why it has none.

    `told` are the dimensions whose field rules the sheet showed beside it.
    """

    assignment: str
    row: int
    values: dict[str, float]
    flags: dict[str, str]
    confidence: float | None
    comment: str
    told: tuple[str, ...] = ()

    @property
    def latest(self) -> LatestAnswer:
        """The answer as the store has it once it is taken."""
        return LatestAnswer(self.values, self.flags, self.confidence, self.comment.strip())


class HandedOut(NamedTuple):
    """Contents of one rater's sheet when it was handed out, and the keys of all others' rows.

    `bound` are the dimensions that field rules may bind. `places` are those of the columns in the
    sheet that came back, from 0, by their name.
    """

    columns: Sequence[SheetColumn]
    rows: Mapping[str, AssignedRow]
    others: Mapping[str, AssignedRow]
    scale: Scales
    say: Say
    bound: Sequence[str] = ()
    places: Mapping[str, int] = MappingProxyType({})

    @property
    def rated(self) -> list[str]:
        """Dimensions that have a column."""
        return [column.name for column in self.columns if column.part == "rating"]

    def label(self, name: str) -> str:
        """Name of a column in messages."""
        place = self.places.get(name)
        return name if place is None else f"{name} ({get_column_letter(place + 1)})"

    def cell(self, row: FoundRow, name: str) -> FoundCell:
        """Cell of a column, nothing if the column is gone."""
        return row.at(self.places[name]) if name in self.places else NOTHING


class Checked(NamedTuple):
    """The answers of a sheet, and what there is to know about it."""

    answers: tuple[Answer, ...]
    findings: tuple[SheetNote, ...]
    keys: frozenset[str]


def check_sheet(sheet: FoundSheet, handed: HandedOut) -> Checked:
    """Answers of a sheet; every problem is among the findings, by row and column."""
    places, findings = _find_columns(sheet, handed.columns)
    handed = handed._replace(places=places)
    findings += _merged(sheet, handed)
    answers: list[Answer] = []
    seen: dict[str, int] = {}
    for row in sheet.rows:
        key = handed.cell(row, "key").text.strip()
        problem = _row_problem(row, key, handed)
        if problem is None and key in seen:
            problem = f"it has the key of row {seen[key]}; a row stands here once"
        if problem is not None:
            findings.append(SheetNote(problem, row.number, handed.label("key")))
            continue
        if key:
            seen[key] = row.number
            answer, result = _answer(row, handed.rows[key], handed)
            findings += result
            answers += [answer] if answer else []
    if sheet.hidden & set(seen.values()):
        findings.append(
            SheetNote("rows that a filter hides were read like all others", level="note")
        )
    return Checked(tuple(answers), tuple(findings), frozenset(seen))


def _find_columns(
    sheet: FoundSheet, columns: Sequence[SheetColumn]
) -> tuple[dict[str, int], list[SheetNote]]:
    """Places of the columns, whatever their order, and the problems with them."""
    headers = [matched(cell.text) for cell in sheet.header.cells]
    findings: list[SheetNote] = []
    at: dict[str, int] = {}
    for column in columns:
        same = [place for place, text in enumerate(headers) if text == matched(column.header)]
        if same:
            at[column.name] = same[0]
        if len(same) != 1:
            what = "stands above several columns" if same else "is gone from the header"
            level: Level = "problem" if same or column.part in ("rating", "key") else "note"
            text = f'"{column.header}" {what}'
            findings.append(SheetNote(text, sheet.header.number, column.name, level=level))
    for n, text in enumerate(headers):
        if text and n not in at.values():
            what = (
                f'"{sheet.header.cells[n].text.strip()[:40]}" is an added column; it was not read'
            )
            findings.append(SheetNote(what, column=get_column_letter(n + 1), level="note"))
    return at, findings


def _merged(sheet: FoundSheet, handed: HandedOut) -> Iterator[SheetNote]:
    """Yield merged cells that touch what is read; only one of them keeps its content."""
    facts = {column.name for column in handed.columns if column.part == "fact"}
    read = {place + 1 for name, place in handed.places.items() if name not in facts}
    for reference in sheet.merged:
        try:
            left, top, right, bottom = (int(edge or 0) for edge in range_boundaries(reference))
        except ValueError:
            continue
        if bottom > sheet.header.number and read & set(range(left, min(right, 300) + 1)):
            what = f"cells {reference[:30]} are merged; undo that, and fill in each cell by itself"
            yield SheetNote(what, max(top, sheet.header.number + 1))


def _row_problem(row: FoundRow, key: str, handed: HandedOut) -> str | None:
    """Problem with the key of a row; None for a row of this sheet or an empty one."""
    if not key:
        return "the row has answers and no key" if _filled_in(row, handed) else None
    if key in handed.rows:
        return None
    other = handed.others.get(key)
    if other is None:
        return f'"{key[:40]}" is no key of this sheet; it was changed, or comes from elsewhere'
    whose, number = other.assignment.rater, other.assignment.round
    return f"the row belongs to the sheet of {whose} in round {number}"


def _filled_in(row: FoundRow, handed: HandedOut) -> bool:
    """Return whether a rater wrote anything into a row."""
    names = [column.name for column in handed.columns if column.filled_in]
    return any(not handed.cell(row, name).empty for name in names)


class _Cells(NamedTuple):
    """Content of the cells of a row that a rater fills in, as far as it can be read."""

    values: dict[str, float]
    flag: str | None
    confidence: float | None
    comment: str


def _answer(
    row: FoundRow, assigned: AssignedRow, handed: HandedOut
) -> tuple[Answer | None, list[SheetNote]]:
    """Answer of a row; None if it is not finished or was taken back, and what there is to know.

    A row has a rating on every dimension, or a reason why the others have none.
    """
    if assigned.assignment.state == "withdrawn":
        what = "the item was taken back meanwhile; the row was not read"
        filled = _filled_in(row, handed)
        return None, [SheetNote(what, row.number, level="note")] if filled else []
    cells, unread = _read_cells(row, handed)
    if findings := [*_changed_texts(row, assigned, handed), *unread]:
        return None, findings
    left = [name for name in handed.rated if name not in cells.values]
    if left and cells.flag is None:
        return None, _unfinished(row, cells, handed, left=left)
    if cells.flag is not None and not left:
        what = "there is a reason why the row cannot be rated, and a rating on every dimension"
        return None, [SheetNote(f"{what}; clear one", row.number, handed.label("flag"))]
    answer = Answer(
        assigned.assignment.assignment,
        row.number,
        cells.values,
        flags={} if cells.flag is None else dict.fromkeys(left, cells.flag),
        confidence=cells.confidence,
        comment=cells.comment,
        told=_told(cells.values, handed),
    )
    return answer, []


def _read_cells(row: FoundRow, handed: HandedOut) -> tuple[_Cells, list[SheetNote]]:
    """Content of the cells that a rater fills in, and problems with those that are unreadable."""
    problems: list[SheetNote] = []

    def read(name: str, how: Callable[[FoundCell], T]) -> T | None:
        cell = handed.cell(row, name)
        if cell.empty:
            return None
        try:
            return how(cell)
        except CellProblem as problem:
            problems.append(SheetNote(str(problem), row.number, handed.label(name)))
            return None

    levels = {
        name: read(name, partial(read_level, scale=scale_of(handed.scale, name)))
        for name in handed.rated
    }
    confidence = read("confidence", read_confidence)
    flag = read("flag", partial(read_flag, say=handed.say))
    comment = read("comment", read_comment)
    values = {name: value for name, value in levels.items() if value is not None}
    return _Cells(values, flag, confidence, comment or ""), problems


def _unfinished(
    row: FoundRow, cells: _Cells, handed: HandedOut, *, left: Sequence[str]
) -> list[SheetNote]:
    """Note on a row that somebody began to rate; none on an untouched one."""
    # A column that is gone is told of once, above all rows.
    here = not handed.places.keys().isdisjoint(left)
    begun = cells.values or cells.confidence is not None or cells.comment
    what = f"no rating on {', '.join(left)}; the row stays as it was"
    return [SheetNote(what, row.number, level="note")] if here and begun else []


def _told(values: Mapping[str, float], handed: HandedOut) -> tuple[str, ...]:
    """Dimensions whose field rules the sheet showed, once all that they may bind are rated."""
    shown = "rule" in handed.places and values.keys() >= {*handed.bound}
    return tuple(handed.bound) if shown else ()


def _changed_texts(row: FoundRow, assigned: AssignedRow, handed: HandedOut) -> Iterator[SheetNote]:
    """Yield texts that are not those of the row's item: somebody sorted or pasted a part."""
    for name, text in assigned.shown(handed.say).items():
        if name not in handed.places:
            continue
        cell = handed.cell(row, name)
        if cell.kind == "f" or not same_text(cell.text.removeprefix("'"), text.removeprefix("'")):
            yield SheetNote(
                "the text is not the one that was handed out with this row; if a part of the table "
                "was sorted or pasted, the ratings may stand beside other items. Undo that, or "
                "copy the ratings into a fresh sheet",
                row.number,
                handed.label(name),
            )
