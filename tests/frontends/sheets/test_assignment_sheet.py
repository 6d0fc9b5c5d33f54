import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.frontends.sheets.assignment_sheet import AssignmentSheet, SheetRow, write_sheet
from ocrjury.ratings.csv_tables import guarded, read_table, unguarded

SIGNS = "=+-@＝＋－＠"
HARMFUL = f"{SIGNS}\t\r\n"
CELLS = st.text(st.sampled_from(HARMFUL + "'a금 ,;\"\xa0")) | st.text()


def sheet_of(*rows):
    return AssignmentSheet(1, ("meaning", "layout"), tuple(rows))


def row_of(hypothesis, *, item="d1", rater="R01", reference="금액"):
    return SheetRow("e", item, rater, "k-a", 1, 1, "form", reference, hypothesis)


def read_again(sheet):
    text = io.StringIO(newline="")
    write_sheet(text, sheet)
    return list(csv.DictReader(io.StringIO(text.getvalue(), newline="")))


def test_a_row_has_what_a_rater_needs_and_an_empty_cell_for_every_dimension():
    [row] = read_again(sheet_of(row_of("금맥")))

    assert row == {
        "evaluation": "e",
        "item": "d1",
        "rater": "R01",
        "row_code": "k-a",
        "session": "1",
        "position": "1",
        "doc_type": "form",
        "reference": "금액",
        "hypothesis": "금맥",
        "meaning": "",
        "layout": "",
    }


def test_each_rater_has_a_part_in_the_order_of_the_whole():
    sheet = sheet_of(row_of("a", rater="R02"), row_of("b", rater="R01"), row_of("c", rater="R02"))

    assert sheet.raters == ("R02", "R01")
    assert [row.hypothesis for row in sheet.of("R02").rows] == ["a", "c"]


def test_ocr_output_never_becomes_a_formula():
    [row] = read_again(sheet_of(row_of('=HYPERLINK("http://x","y")', item="-7", reference="＠x")))

    assert row["hypothesis"] == '\'=HYPERLINK("http://x","y")'
    assert (row["item"], row["reference"]) == ("'-7", "'＠x")


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_spreadsheet_that_splits_elsewhere_finds_no_formula(separator):
    text = io.StringIO(newline="")
    hostile = f"x{separator}=cmd|' /C calc'!A0\n=1+1{separator}\"=2+2\"\r\n {separator} @x"
    write_sheet(text, sheet_of(row_of(hostile, item=f"d1{separator}+1")))

    lines = re.split(r"[\r\n]", text.getvalue())
    cells = [cell for line in lines for cell in line.split(separator)]

    assert [cell for cell in cells if cell.lstrip(' "').startswith(tuple(SIGNS))] == []
    [row] = read_table(text.getvalue(), source="x").lines
    assert row.cells["hypothesis"] == hostile


@given(text=CELLS)
def test_no_cell_begins_like_a_formula_and_every_text_comes_back(text):
    cell = guarded(text)

    # A quote at the start of the whole cell is doubled in the file: what follows begins no cell.
    assert not cell.lstrip(" \xa0\u3000").startswith(tuple(SIGNS))
    for begun in re.split(r"[;\t\r\n]", cell)[1:]:
        assert not begun.lstrip(' "\xa0\u3000').startswith(tuple(SIGNS))
    assert not cell.startswith(tuple(HARMFUL))
    assert unguarded(cell) == text


@given(
    hypothesis=st.text(st.sampled_from("\r\n\"',; a금"))
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
)
def test_line_breaks_and_quotes_survive_the_file(hypothesis):
    [row] = read_again(sheet_of(row_of(hypothesis)))

    assert unguarded(row["hypothesis"]) == hypothesis
