"""Without a store: a workbook is written, filled in, perhaps spoilt, and read again."""

import io
from functools import cache
from typing import NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook
from openpyxl.utils import get_column_letter

from ocrjury.campaign.flags import FLAGS
from ocrjury.campaign.rating_sections import RatingPage
from ocrjury.errors import InputError
from ocrjury.frontends.sheets.assigned_rows import AssignedRow
from ocrjury.frontends.sheets.checking import HandedOut, check_sheet
from ocrjury.frontends.sheets.columns import sheet_columns
from ocrjury.frontends.sheets.returned_workbook import read_workbook
from ocrjury.frontends.sheets.rule_cells import facts_of, tell_rules
from ocrjury.frontends.sheets.signatures import Manifest, row_key
from ocrjury.frontends.sheets.texts import escaped, shown_text
from ocrjury.frontends.sheets.upload import check_upload
from ocrjury.frontends.sheets.words import words_of
from ocrjury.frontends.sheets.workbook import write_workbook
from ocrjury.store.rounds import AssignmentRow
from tests.frontends.sheets.worked_sheets import (
    DIMENSIONS,
    FIRST,
    HEADER,
    NOW,
    an_item,
    bundled_campaign,
    columns_of,
)

KEY = bytes(range(32))
INPUTS = (*DIMENSIONS, "confidence", "flag", "comment")
HOSTILE = st.text(
    st.sampled_from("=+-@'\t\r\n_x0041d금😀\x00\x0b\ufffe ＝{}<>&]\u202e"), max_size=12
)
TEXT = HOSTILE | st.text(st.characters(), max_size=40)
SLOW = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}


def assigned(number, item, rater="R01"):
    name = f"e/1/{rater}/0/{item.item}"
    row = AssignmentRow(name, 1, item.item, rater, 0, number, 1, "open", "design", None)
    return AssignedRow(row_key(KEY, name), row, item)


def written(rows):
    """The workbook of some rows as bytes."""
    rubric = bundled_campaign().rubric
    manifest = Manifest(
        evaluation="e",
        round=1,
        rater="R01",
        rubric_hash=rubric.rubric_hash,
        language="en",
        rows=len(rows),
        sessions=False,
        exported_at="2026-11-20T09:00:00+00:00",
        version="0.1.0",
    )
    told = tell_rules(
        rows, rubric, DIMENSIONS, page=RatingPage(), language="en", facts=facts_of(rows, rubric)
    )
    return write_workbook(
        rows,
        manifest,
        rubric=rubric,
        dimensions=DIMENSIONS,
        images={},
        rules=told,
        key=KEY,
        now=NOW,
    )


def checked(body, rows, others=()):
    """The manifest and what was found in a workbook that came back."""
    book = read_workbook(check_upload(body, "r.xlsx"), source="r.xlsx")
    rubric = bundled_campaign().rubric
    handed = HandedOut(
        sheet_columns(rubric, DIMENSIONS, language="en", sessions=False),
        {row.key: row for row in rows},
        {row.key: row for row in (*rows, *others)},
        rubric.scale,
        words_of("en"),
    )
    return Manifest.read(book.manifest, key=KEY), check_sheet(book.sheet, handed)


def filled(body, answers):
    """A workbook with cells as a spreadsheet program stores what was typed."""
    book = load_workbook(io.BytesIO(body))
    sheet = book.worksheets[0]
    places = columns_of(sheet)
    for number, answer in enumerate(answers):
        for name, value in answer.items():
            cell = sheet.cell(FIRST + number, places[name])
            cell.value = escaped(value) if isinstance(value, str) else value
            if isinstance(value, str) and value:
                cell.data_type = "s"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def answers():
    level = st.integers(1, 5)
    wide = level.map(lambda n: chr(0xFF10 + n))
    comment = HOSTILE.map(shown_text)
    return st.fixed_dictionaries(
        {
            **{name: level | wide | level.map(str) for name in DIMENSIONS},
            "confidence": st.none() | st.integers(1, 3),
            "comment": st.none() | comment,
        }
    )


@settings(max_examples=25, **SLOW)
@given(
    texts=st.lists(st.tuples(TEXT, TEXT, answers()), min_size=1, max_size=4),
    flagged=st.sampled_from(["", *FLAGS]),
)
def test_what_was_filled_in_comes_back_whatever_the_texts_are(texts, flagged):
    rows = [
        assigned(n, an_item(f"d{n}", reference=one[0], hypothesis=one[1], doc_type=one[0]))
        for n, one in enumerate(texts)
    ]
    given_ = [dict(text[2]) for text in texts]
    if flagged:
        given_[0] |= {"meaning": None, "flag": flagged}

    _, found = checked(filled(written(rows), given_), rows)

    assert found.findings == ()
    assert len(found.answers) == len(rows)
    for row, said, answer in zip(rows, given_, found.answers, strict=True):
        assert answer.assignment == row.assignment.assignment
        meant = {name: float(int(said[name])) for name in DIMENSIONS if said[name] is not None}
        assert answer.values == meant
        assert answer.flags == ({"meaning": flagged} if said.get("flag") else {})
        sure = said["confidence"]
        assert answer.confidence == (None if sure is None else (sure - 1) / 2)
        assert answer.comment == (said["comment"] or "").strip()


@cache
def complete():
    """Four rows, a workbook in which all are rated, and what it says."""
    rows = tuple(
        assigned(n, an_item(f"d{n}", reference=f"금액 {n}", hypothesis=f"금맥 {n}", kind=None))
        for n in range(4)
    )
    said = [
        {**{name: (n + k) % 5 + 1 for k, name in enumerate(DIMENSIONS)}, "comment": f"c{n}"}
        for n in range(4)
    ]
    body = filled(written(rows), said)
    _, found = checked(body, rows)
    return rows, body, {answer.assignment: answer for answer in found.answers}


VALUES = st.sampled_from(
    [None, 0, 1, 3, 9, 4.5, "5", "x", "=1+1", "1/5", True, NOW.replace(tzinfo=None), " ", "금액 1"]
)


FOREIGN = assigned(9, an_item("d9"), rater="R02")


class Spoiling(NamedTuple):
    """One thing that goes wrong with a sheet; some kinds need no second row or column."""

    kind: str
    row: int
    other: int
    column: int
    second: int
    value: object


def edit(sheet, how):
    sheet.cell(how.row, how.column).value = how.value


def swap(sheet, how):
    exchange(sheet.cell(how.row, how.column), sheet.cell(how.other, how.column))


def exchange(one, two):
    one.value, two.value = two.value, one.value


def copy_row(sheet, how):
    for cell in list(sheet[how.row]):
        sheet.cell(how.other, cell.column).value = cell.value


def swap_columns(sheet, how):
    for number in range(HEADER, FIRST + 4):
        exchange(sheet.cell(number, how.column), sheet.cell(number, how.second))


def merge(sheet, how):
    top, bottom = sorted((how.row, how.other))
    letter = get_column_letter(how.column)
    sheet.merge_cells(f"{letter}{top}:{letter}{bottom}")


def foreign_key(sheet, how):
    sheet.cell(how.other, columns_of(sheet)["key"]).value = FOREIGN.key


KINDS = {
    "edit": edit,
    "swap": swap,
    "copy row": copy_row,
    "delete row": lambda sheet, how: sheet.delete_rows(how.row),
    "delete column": lambda sheet, how: sheet.delete_cols(how.column),
    "insert row": lambda sheet, how: sheet.insert_rows(how.row),
    "insert column": lambda sheet, how: sheet.insert_cols(how.column),
    "swap columns": swap_columns,
    "merge": merge,
    "foreign key": foreign_key,
    "manifest": lambda sheet, how: edit(
        sheet.parent["manifest"], how._replace(row=how.column, column=2)
    ),
}
ROWS, COLUMNS = st.integers(FIRST, FIRST + 3), st.integers(1, 13)
SPOILINGS = st.builds(
    Spoiling, st.sampled_from(list(KINDS)), ROWS, ROWS, COLUMNS, COLUMNS, VALUES
) | st.builds(Spoiling, st.just("edit"), st.just(HEADER), ROWS, COLUMNS, COLUMNS, VALUES)


def touched(sheet, how):
    """The cells for answers that are changed on purpose, as (row, column's name)."""
    names = {place: name for name, place in columns_of(sheet).items()}
    rows = {"edit": {how.row}, "swap": {how.row, how.other}}.get(how.kind, set())
    return {(row, names[how.column]) for row in rows if row >= FIRST}


@settings(max_examples=40, **SLOW)
@given(how=SPOILINGS)
def test_whatever_goes_wrong_once_is_noticed_or_does_no_harm(how):
    rows, body, meant = complete()
    book = load_workbook(io.BytesIO(body))
    cells = touched(book.worksheets[0], how)
    KINDS[how.kind](book.worksheets[0], how)
    file = io.BytesIO()
    book.save(file)

    try:
        manifest, found = checked(file.getvalue(), rows, others=[FOREIGN])
    except InputError:
        return
    if any(finding.level == "problem" for finding in found.findings):
        return
    said = {one.assignment: one for one in found.answers}
    gone = set(meant) - set(said)
    assert not gone or found.findings or manifest.rows > len(found.keys)
    typed = {(rows[n - FIRST].assignment.assignment, name) for n, name in cells}
    for assignment, answer in said.items():
        before = meant[assignment]
        for name in DIMENSIONS:
            if (assignment, name) not in typed and (assignment, "flag") not in typed:
                assert answer.values.get(name) == before.values[name] or found.findings
        if not any(one == assignment for one, _ in typed):
            assert answer.flags == before.flags
            assert answer.comment == before.comment or found.findings


@settings(max_examples=60, **SLOW)
@given(place=st.floats(0, 1, exclude_max=True), flip=st.integers(0, 255), cut=st.booleans())
def test_a_file_that_was_damaged_on_its_way_is_noticed_or_says_the_same(place, flip, cut):
    rows, body, meant = complete()
    at = int(place * len(body))
    spoilt = body[:at] if cut else body[:at] + bytes([body[at] ^ flip]) + body[at + 1 :]

    try:
        _, found = checked(spoilt, rows)
    except InputError:
        return
    if not any(finding.level == "problem" for finding in found.findings):
        assert {answer.assignment: answer for answer in found.answers} == meant
