"""Compare a sheet that came back with what was handed out, and read its answers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeVar

from openpyxl.utils import get_column_letter, range_boundaries

from ocrjury.frontends.sheets.answers import (
    CellProblem,
    read_comment,
    read_confidence,
    read_flag,
    read_level,
)
from ocrjury.frontends.sheets.assigned import AssignedRow
from ocrjury.frontends.sheets.columns import SheetColumn
from ocrjury.frontends.sheets.found import NOTHING, FoundCell, FoundRow, FoundSheet
from ocrjury.frontends.sheets.texts import matched, same_text
from ocrjury.frontends.sheets.words import Words
from ocrjury.scales import Scale

Level = Literal["problem", "note"]


class Finding(NamedTuple):
    """One thing to know: a ``problem`` keeps the whole file out, a ``note`` does not.

    `row` is the number that a spreadsheet shows, `column` a column's name and letter; either may
    be missing.
    """

    what: str
    row: int | None = None
    column: str | None = None
    level: Level = "problem"

    @property
    def where(self) -> str:
        """Place within the sheet.

        Examples
        --------
        >>> Finding("empty", 12, "meaning (F)").where
        'row 12, column meaning (F)'
        """
        parts = [f"row {self.row}" if self.row else "", f"column {self.column}"]
        return ", ".join(parts[: 2 if self.column else 1]).strip(", ")


class Answer(NamedTuple):
    """What a rater said in one row; a dimension has a value or a reason why it has none."""

    assignment: str
    row: int
    values: dict[str, float]
    flags: dict[str, str]
    confidence: float | None
    comment: str


class SheetReport(NamedTuple):
    """What an import of one file found, and did.

    Attributes
    ----------
    handed_out, answered
        Items that the sheet was made with, and rows of it that are rated.
    new, changed, same
        Of these: rated for the first time, otherwise than before, and as before.
    stored
        Whether they are in the store now.
    again
        Whether this very file was imported before; nothing is done then.
    complete
        Whether nothing of the round is open any more.
    """

    file: str
    evaluation: str
    round: int
    rater: str
    sheet: str
    handed_out: int
    answered: int = 0
    new: int = 0
    changed: int = 0
    same: int = 0
    findings: tuple[Finding, ...] = ()
    stored: bool = False
    again: bool = False
    complete: bool = False

    @property
    def problems(self) -> tuple[Finding, ...]:
        """Findings that keep the file out."""
        return tuple(one for one in self.findings if one.level == "problem")

    def line(self, finding: Finding) -> str:
        """Finding with its whole place."""
        where = ", ".join(part for part in (self.file, self._sheet(), finding.where) if part)
        return f"{where}: {finding.what}"

    def _sheet(self) -> str:
        """Sheet's title."""
        return f"sheet {self.sheet}" if self.sheet else ""


T = TypeVar("T")


class HandedOut(NamedTuple):
    """What the sheet of one rater was made of, and the keys of everybody else's rows."""

    columns: Sequence[SheetColumn]
    rows: Mapping[str, AssignedRow]
    others: Mapping[str, AssignedRow]
    scale: Scale
    words: Words


class Checked(NamedTuple):
    """The answers of a sheet, and what there is to know about it."""

    answers: tuple[Answer, ...]
    findings: tuple[Finding, ...]
    keys: frozenset[str]


class _Places(NamedTuple):
    """Where the columns of a sheet are, from 0, by their name."""

    at: Mapping[str, int]

    def label(self, name: str) -> str:
        """Name of a column in messages."""
        return f"{name} ({get_column_letter(self.at[name] + 1)})" if name in self.at else name

    def cell(self, row: FoundRow, name: str) -> FoundCell:
        """Cell of a column, nothing if the column is gone."""
        return row.at(self.at[name]) if name in self.at else NOTHING


def check_sheet(sheet: FoundSheet, handed: HandedOut) -> Checked:
    """Answers of a sheet; every problem is among the findings, by row and column."""
    places, findings = _find_columns(sheet, handed.columns)
    findings += _merged(sheet, places, handed.columns)
    answers: list[Answer] = []
    seen: dict[str, int] = {}
    for row in sheet.rows:
        key = places.cell(row, "key").text.strip()
        problem = _row_problem(row, key, places=places, handed=handed)
        if problem is None and key in seen:
            problem = f"it has the key of row {seen[key]}; a row stands here once"
        if problem is not None:
            findings.append(Finding(problem, row.number, places.label("key")))
            continue
        if key:
            seen[key] = row.number
            answer, found = _answer(row, handed.rows[key], places=places, handed=handed)
            findings += found
            answers += [answer] if answer else []
    if sheet.hidden & set(seen.values()):
        findings.append(Finding("rows that a filter hides were read like all others", level="note"))
    return Checked(tuple(answers), tuple(findings), frozenset(seen))


def _find_columns(
    sheet: FoundSheet, columns: Sequence[SheetColumn]
) -> tuple[_Places, list[Finding]]:
    """Places of the columns, whatever their order, and the problems with them."""
    headers = [matched(cell.text) for cell in sheet.header.cells]
    findings: list[Finding] = []
    at: dict[str, int] = {}
    for one in columns:
        there = [place for place, text in enumerate(headers) if text == matched(one.header)]
        if len(there) == 1:
            at[one.name] = there[0]
            continue
        what = "stands above several columns" if there else "is gone from the header"
        level: Level = "problem" if there or one.part in ("rating", "key") else "note"
        findings.append(
            Finding(f'"{one.header}" {what}', sheet.header.number, one.name, level=level)
        )
        if there:
            at[one.name] = there[0]
    known = set(at.values())
    strange = [n for n, text in enumerate(headers) if text and n not in known]
    findings += [
        Finding("an added column; it was not read", column=get_column_letter(n + 1), level="note")
        for n in strange
    ]
    return _Places(at), findings


def _merged(
    sheet: FoundSheet, places: _Places, columns: Iterable[SheetColumn]
) -> Iterator[Finding]:
    """Yield merged cells that touch what is read; only one of them keeps its content."""
    read = {
        places.at[one.name] + 1 for one in columns if one.part != "fact" and one.name in places.at
    }
    for reference in sheet.merged:
        try:
            left, top, right, bottom = (int(edge or 0) for edge in range_boundaries(reference))
        except ValueError:
            continue
        if bottom > sheet.header.number and read & set(range(left, min(right, 300) + 1)):
            what = f"cells {reference[:30]} are merged; undo that, and fill in each cell by itself"
            yield Finding(what, max(top, sheet.header.number + 1))


def _row_problem(row: FoundRow, key: str, *, places: _Places, handed: HandedOut) -> str | None:
    """Problem with the key of a row; None for a row of this sheet or an empty one."""
    if not key:
        written = [one for one in handed.columns if not places.cell(row, one.name).empty]
        filled = any(one.filled_in for one in written)
        return "the row has answers and no key" if filled else None
    if key in handed.rows:
        return None
    other = handed.others.get(key)
    if other is None:
        return f'"{key[:40]}" is no key of this sheet; it was changed, or comes from elsewhere'
    whose, number = other.assignment.rater, other.assignment.round
    return f"the row belongs to the sheet of {whose} in round {number}"


def _answer(
    row: FoundRow, asked: AssignedRow, *, places: _Places, handed: HandedOut
) -> tuple[Answer | None, list[Finding]]:
    """Answer of a row, unless its item was taken back."""
    if asked.assignment.state != "withdrawn":
        return _read_row(row, asked, places=places, handed=handed)
    filled = any(not places.cell(row, one.name).empty for one in handed.columns if one.filled_in)
    what = "the item was taken back meanwhile; the row was not read"
    return None, [Finding(what, row.number, level="note")] if filled else []


def _read_row(
    row: FoundRow, asked: AssignedRow, *, places: _Places, handed: HandedOut
) -> tuple[Answer | None, list[Finding]]:
    """Answer of a row; None if it is not finished, and what there is to know."""
    findings = list(_changed_texts(row, asked, places=places, handed=handed))
    problems = len(findings)

    def read(name: str, how: Callable[[FoundCell], T]) -> T | None:
        cell = places.cell(row, name)
        if cell.empty:
            return None
        try:
            return how(cell)
        except CellProblem as problem:
            findings.append(Finding(str(problem), row.number, places.label(name)))
            return None

    names = [one.name for one in handed.columns if one.part == "rating"]
    found = {name: read(name, lambda cell: read_level(cell, handed.scale)) for name in names}
    values = {name: value for name, value in found.items() if value is not None}
    confidence = read("confidence", read_confidence)
    flag = read("flag", read_flag)
    comment = read("comment", read_comment) or ""
    if len(findings) > problems or problems:
        return None, findings
    left = [name for name in names if name not in values]
    if flag is not None and not left:
        what = "there is a reason why the row cannot be rated, and a rating on every dimension"
        return None, [*findings, Finding(f"{what}; clear one", row.number, places.label("flag"))]
    if left and flag is None:
        begun = bool(values) or confidence is not None or bool(comment)
        what = f"no rating on {', '.join(left)}; the row stays as it was"
        note = Finding(what, row.number, level="note")
        return None, [*findings, note] if begun else findings
    flags = {} if flag is None else dict.fromkeys(left, flag)
    name = asked.assignment.assignment
    return Answer(name, row.number, values, flags, confidence, comment), findings


def _changed_texts(
    row: FoundRow, asked: AssignedRow, *, places: _Places, handed: HandedOut
) -> Iterator[Finding]:
    """Yield texts that are not those of the row's item: somebody sorted or pasted a part."""
    for name, text in asked.shown(handed.words).items():
        if name not in places.at:
            continue
        found = places.cell(row, name)
        if found.kind == "f" or not same_text(found.text.removeprefix("'"), text.removeprefix("'")):
            yield Finding(
                "the text is not the one that was handed out with this row; if a part of the table "
                "was sorted or pasted, the ratings may stand beside other items. Undo that, or "
                "copy the ratings into a fresh sheet",
                row.number,
                places.label(name),
            )
