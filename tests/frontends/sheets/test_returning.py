import datetime as dt
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest
from openpyxl import load_workbook
from openpyxl.comments import Comment
from sqlalchemy import select

from ocrjury.errors import InputError, StateError
from ocrjury.frontends.sheets.returning import read_returned
from ocrjury.frontends.sheets.signatures import signing_key
from ocrjury.store.audit import list_audit
from ocrjury.store.database import reading, writing
from ocrjury.store.quarantine import list_refused
from ocrjury.store.remarks import read_comment
from ocrjury.store.rounds import close_round, list_assignments, withdraw
from ocrjury.store.schema.rating import ratings
from tests.frontends.sheets.worked_sheets import (
    DIMENSIONS,
    FIRST,
    HEADER,
    NAME,
    NOW,
    Desk,
    all_rated,
    an_item,
    columns_of,
    notes_of,
    problems_of,
    small_rubric,
)
from tests.store_calls import list_rule_flags

A_DAY = dt.datetime(2026, 1, 5)  # noqa: DTZ001  # as openpyxl takes it


@pytest.fixture
def sheet(collecting):
    """The sheet of R01: items d1, d2 and d3."""
    return collecting.export()["R01"]


def revisions(desk, assignment):
    query = select(ratings.c.dimension, ratings.c.rev, ratings.c.value, ratings.c.flag).where(
        ratings.c.assignment == assignment
    )
    with reading(desk.store.engine) as connection:
        return sorted(tuple(row) for row in connection.execute(query))


def changed(desk, path, *changes):
    """The report of a sheet, all of which is rated, after some changes of its book."""

    def change(book):
        for change in changes:
            change(book.worksheets[0])

    return desk.take(desk.filled(path, {n: all_rated() for n in (1, 2, 3)}, change=change))


def test_what_was_filled_in_is_stored(collecting, sheet):
    path = collecting.filled(
        sheet,
        {
            1: {"meaning": 5, "layout": "４", "readability": " 3 ", "confidence": 2},
            2: {"flag": "unreadable", "meaning": 1, "comment": "=stamp over it"[1:]},
        },
    )

    report = collecting.take(path)

    assert report.stored
    assert (report.answered, report.new, report.handed_out) == (2, 2, 3)
    assert collecting.stored() == {
        ("d1", "R01", "meaning", 0): 5.0,
        ("d1", "R01", "layout", 0): 4.0,
        ("d1", "R01", "readability", 0): 3.0,
        ("d2", "R01", "meaning", 0): 1.0,
    }
    assert revisions(collecting, f"{NAME}/1/R01/0/d2") == [
        ("layout", 1, None, "unreadable"),
        ("meaning", 1, 1.0, None),
        ("readability", 1, None, "unreadable"),
    ]
    with reading(collecting.store.engine) as connection:
        assert read_comment(connection, f"{NAME}/1/R01/0/d2") == "stamp over it"
    [open_one] = [
        assignment.item
        for assignment in list_assignments(collecting.store.engine, NAME, state="open")
        if assignment.rater == "R01"
    ]
    assert open_one == "d3"


def test_a_dry_run_reports_the_same_and_stores_nothing(collecting, sheet):
    path = collecting.filled(sheet, {1: all_rated()})

    dry = collecting.take(path, dry_run=True)

    assert collecting.stored() == {}
    assert collecting.take(path) == dry._replace(stored=True)


def test_the_same_file_again_changes_nothing(collecting, sheet):
    path = collecting.filled(sheet, {1: all_rated()})
    collecting.take(path)

    again = collecting.take(path)

    assert again.again
    assert not again.stored
    assert len(revisions(collecting, f"{NAME}/1/R01/0/d1")) == 3


def test_going_on_in_the_file_adds_what_is_new_and_revises_what_changed(collecting, sheet):
    collecting.take(collecting.filled(sheet, {1: all_rated(), 2: all_rated()}))

    more = {1: all_rated(), 2: {**all_rated(), "layout": 2}, 3: all_rated(5)}
    report = collecting.take(collecting.filled(sheet, more))

    assert (report.same, report.changed, report.new) == (1, 1, 1)
    assert report.replaced == 1
    assert len(revisions(collecting, f"{NAME}/1/R01/0/d1")) == 3
    assert [row for row in revisions(collecting, f"{NAME}/1/R01/0/d2") if row[1] == 2] == [
        ("layout", 2, 2.0, None),
        ("meaning", 2, 4.0, None),
        ("readability", 2, 4.0, None),
    ]


def test_a_rating_can_go_there_and_back_again(collecting, sheet):
    for saved, value in enumerate((4, 5, 4, 5)):
        collecting.take(collecting.filled(sheet, {1: all_rated(value), 2: {"comment": saved}}))

    assert [
        row[2] for row in revisions(collecting, f"{NAME}/1/R01/0/d1") if row[0] == "meaning"
    ] == [
        4.0,
        5.0,
        4.0,
        5.0,
    ]


def test_a_comment_that_changes_alone_is_a_revision_too(collecting, sheet):
    for comment in ("first", "second", None):
        collecting.take(collecting.filled(sheet, {1: {**all_rated(), "comment": comment}}))

    assert [
        row[1:3] for row in revisions(collecting, f"{NAME}/1/R01/0/d1") if row[0] == "meaning"
    ] == [(1, 4.0), (2, 4.0), (3, 4.0)]
    with reading(collecting.store.engine) as connection:
        assert read_comment(connection, f"{NAME}/1/R01/0/d1") == ""


def test_a_round_is_complete_with_its_last_sheet(collecting):
    paths = collecting.export()
    full = {n: all_rated() for n in (1, 2, 3)}

    reports = [collecting.take(collecting.filled(paths[who], full)) for who in ("R01", "R02")]

    assert [report.complete for report in reports] == [False, True]


def test_one_problem_keeps_the_whole_file_out(collecting, sheet):
    path = collecting.filled(sheet, {1: all_rated(), 2: {**all_rated(), "meaning": 6}})

    report = collecting.take(path)

    assert report.line(report.problems[0]) == (
        'back-1.xlsx, sheet Ratings, row 6, column meaning (H): "6" is not on the scale '
        "(likert 1 to 5)"
    )
    assert collecting.stored() == {}
    [refused] = list_refused(collecting.store.engine, NAME)
    assert refused.row == "round 1, sheet of R01"
    assert refused.reason == "1 problem, the first at row 6, column meaning (H)"


def test_a_percentage_is_not_the_number_that_was_typed(collecting, sheet):
    path = collecting.filled(sheet, {1: {**all_rated(), "meaning": 4}})
    book = load_workbook(path)
    book.worksheets[0]["H5"].value, book.worksheets[0]["H5"].number_format = 1, "0%"  # 100% typed
    book.save(path)

    assert problems_of(collecting.take(path)) == {
        "row 5, column meaning (H)": (
            "the cell holds a percentage (100%), which a spreadsheet keeps as 1. Type the number "
            "alone in a cell without a format"
        )
    }


def test_every_problem_is_named_by_row_and_column(collecting, sheet):
    path = collecting.filled(
        sheet,
        {
            1: {**all_rated(), "meaning": A_DAY, "confidence": 9},
            2: {**all_rated(), "layout": "=4", "flag": "dunno"},
            3: {**all_rated(), "flag": "other"},
        },
    )

    assert problems_of(collecting.take(path)) == {
        "row 5, column meaning (H)": (
            "the cell holds a date or time (2026-01-05 00:00:00): the program made one of what was "
            "typed, such as 1/5. Type the value again in a cell without a format"
        ),
        "row 5, column confidence (L)": '"9" is none of 1, 2, 3',
        "row 6, column layout (I)": (
            "the cell holds a formula; formulas are never run. Type the value itself"
        ),
        "row 6, column flag (M)": (
            '"dunno" is no reason of the list (cannot judge, unreadable, wrong image, '
            "wrong reference, privacy, another reason)"
        ),
        "row 7, column flag (M)": (
            "there is a reason why the row cannot be rated, and a rating on every dimension; "
            "clear one"
        ),
    }


def test_a_row_that_is_only_begun_stays_open_and_is_named(collecting, sheet):
    path = collecting.filled(sheet, {1: {"meaning": 4}, 2: {"comment": "later"}, 3: all_rated()})

    report = collecting.take(path)

    assert report.stored
    assert notes_of(report) == {
        "row 5": "no rating on layout, readability; the row stays as it was",
        "row 6": "no rating on meaning, layout, readability; the row stays as it was",
    }


def test_emptied_cells_take_no_rating_back(collecting, sheet):
    collecting.take(collecting.filled(sheet, {1: all_rated()}))

    report = collecting.take(collecting.filled(sheet, {2: all_rated()}))

    assert (report.new, report.same) == (1, 0)
    assert collecting.stored()["d1", "R01", "meaning", 0] == 4.0


def swap(sheet, name, first, second):
    """Exchange two cells of a column, as sorting a part of a table does."""
    place = columns_of(sheet)[name]
    one, two = sheet.cell(FIRST + first - 1, place), sheet.cell(FIRST + second - 1, place)
    one.value, two.value = two.value, one.value


def key_cell(sheet, row):
    return sheet.cell(FIRST + row - 1, columns_of(sheet)["key"])


def test_texts_that_moved_against_their_keys_are_noticed(collecting, sheet):
    report = changed(collecting, sheet, lambda page: swap(page, "key", 1, 2))

    assert list(problems_of(report)) == [
        f"row {row}, column {name}"
        for row in (5, 6)
        for name in ("reference (F)", "hypothesis (G)")
    ]
    assert "ratings may stand beside other items" in report.problems[0].what


def test_an_edited_text_is_noticed(collecting, sheet):
    def edit(page):
        page.cell(FIRST, columns_of(page)["hypothesis"]).value = "금액 1"

    assert list(problems_of(changed(collecting, sheet, edit))) == ["row 5, column hypothesis (G)"]


def test_a_copied_row_is_noticed(collecting, sheet):
    def copy(page):
        page.append([cell.value for cell in page[FIRST]])

    assert problems_of(changed(collecting, sheet, copy)) == {
        "row 8, column key (O)": "it has the key of row 5; a row stands here once"
    }


def test_an_edited_key_is_noticed(collecting, sheet):
    def edit(page):
        key_cell(page, 1).value = "k-aaaaaaaaaaaaaaaa"
        key_cell(page, 2).value = None

    assert problems_of(changed(collecting, sheet, edit)) == {
        "row 5, column key (O)": (
            '"k-aaaaaaaaaaaaaaaa" is no key of this sheet; it was changed, or comes from elsewhere'
        ),
        "row 6, column key (O)": "the row has answers and no key",
    }


def test_a_row_of_another_raters_sheet_is_noticed(collecting):
    paths = collecting.export()
    other = []
    collecting.filled(
        paths["R02"], {}, change=lambda book: other.append(key_cell(book["Ratings"], 1).value)
    )

    def paste(page):
        key_cell(page, 1).value = other[0]

    assert problems_of(changed(collecting, paths["R01"], paste)) == {
        "row 5, column key (O)": "the row belongs to the sheet of R02 in round 1"
    }


def test_rows_may_be_moved_removed_and_stand_apart(collecting, sheet):
    def rearrange(page):
        page.delete_rows(FIRST + 1)
        page.insert_rows(FIRST, 2)
        page.insert_rows(1, 3)

    report = changed(collecting, sheet, rearrange)

    assert report.stored
    assert report.answered == 2
    assert notes_of(report) == {"": "1 of 3 rows are gone; their items stay as they were"}


def test_columns_may_be_moved_and_added(collecting, sheet):
    def rearrange(page):
        page.move_range(f"G{HEADER}:G{FIRST + 2}", cols=20)  # meaning, far to the right
        page.insert_cols(3)
        page.cell(HEADER, 3).value = "my notes"
        page.cell(FIRST, 3).value = "look at this again"

    report = changed(collecting, sheet, rearrange)

    assert report.stored
    assert report.answered == 3
    assert notes_of(report) == {"column C": '"my notes" is an added column; it was not read'}


def test_a_column_of_ratings_that_is_gone_is_a_problem(collecting, sheet):
    report = changed(collecting, sheet, lambda page: page.delete_cols(9))

    assert problems_of(report)["row 4, column layout"] == '"Layout" is gone from the header'


def test_a_renamed_column_of_ratings_is_told_of_once_and_not_in_every_row(collecting, sheet):
    def rename(page):
        page.cell(HEADER, columns_of(page)["layout"]).value = "Form"

    report = changed(collecting, sheet, rename)

    assert list(problems_of(report)) == ["row 4, column layout"]
    assert list(notes_of(report).values()) == ['"Form" is an added column; it was not read']


@pytest.mark.parametrize("name", ["image", "doc_type", "reference", "comment", "flag", "number"])
def test_another_column_that_is_gone_is_only_named(collecting, sheet, name):
    report = changed(collecting, sheet, lambda page: page.delete_cols(columns_of(page)[name]))

    assert report.stored
    assert list(notes_of(report)) == [f"row 4, column {name}"]


def test_a_header_that_stands_twice_is_a_problem(collecting, sheet):
    def rename(page):
        page.cell(HEADER, columns_of(page)["layout"]).value = "meaning "

    found = problems_of(changed(collecting, sheet, rename))

    assert found["row 4, column meaning"] == '"Meaning" stands above several columns'


def test_without_the_column_of_keys_nothing_is_read(collecting, sheet):
    with pytest.raises(InputError, match="has no sheet with row keys"):
        changed(collecting, sheet, lambda page: page.delete_cols(columns_of(page)["key"]))


def test_merged_cells_are_a_problem(collecting, sheet):
    report = changed(collecting, sheet, lambda page: page.merge_cells("G5:G6"))

    assert problems_of(report)["row 5"] == (
        "cells G5:G6 are merged; undo that, and fill in each cell by itself"
    )


def test_cells_merged_above_the_table_do_no_harm(collecting, sheet):
    assert changed(collecting, sheet, lambda page: page.merge_cells("A1:F1")).stored


def test_hidden_rows_are_read_and_named(collecting, sheet):
    def hide(page):
        page.row_dimensions[6].hidden = True

    report = changed(collecting, sheet, hide)

    assert report.answered == 3
    assert notes_of(report) == {"": "rows that a filter hides were read like all others"}


def test_what_people_do_beside_the_table_does_no_harm(collecting, sheet):
    def scribble(page):
        page["G5"].comment = Comment("hm", "R01")
        page["Z99"] = "a note"
        page["A2"] = None
        page.row_dimensions[6].height = 99
        page.protection.sheet = False
        page.parent.create_sheet("my own notes")["A1"] = "=1+1"

    assert changed(collecting, sheet, scribble).stored


def test_two_sheets_with_keys_are_refused(collecting, sheet):
    with pytest.raises(InputError, match=r"on several sheets \(Ratings, Ratings Copy\); keep one"):
        changed(collecting, sheet, lambda page: page.parent.copy_worksheet(page))


def test_a_lost_manifest_is_named(collecting, sheet):
    with pytest.raises(InputError, match="has lost its hidden sheet 'manifest'"):
        changed(collecting, sheet, lambda page: page.parent.remove(page.parent["manifest"]))


@pytest.mark.parametrize(
    ("row", "value"), [(2, "other-2026w47"), (3, 2), (4, "R02"), (7, 99), (11, "00")]
)
def test_a_manifest_that_was_edited_is_refused(collecting, sheet, row, value):
    def edit(page):
        page.parent["manifest"].cell(row, 2).value = value

    with pytest.raises(InputError, match="hidden sheet 'manifest' was changed, or another store"):
        changed(collecting, sheet, edit)


def test_a_sheet_of_another_program_is_refused(collecting, sheet):
    def edit(page):
        page.parent["manifest"].cell(1, 2).value = "their-sheet-7"

    with pytest.raises(InputError, match="says it is 'their-sheet-7' and not 'ocrjury-sheet-1'"):
        changed(collecting, sheet, edit)


def test_a_sheet_of_another_store_is_refused(collecting, sheet):
    signing_key(collecting.store)
    path = collecting.store.files.folder.parent / "sheets.key"
    path.write_bytes(bytes(32))

    with pytest.raises(InputError, match="another store wrote it"):
        collecting.take(sheet)


def test_a_closed_round_takes_nothing(collecting, sheet):
    with writing(collecting.store.engine) as connection:
        close_round(connection, NAME, by="complete", now=NOW)

    with pytest.raises(StateError, match=r"is for round 1 of .*, which is closed; nothing was"):
        collecting.take(collecting.filled(sheet, {1: all_rated()}))


def test_items_that_were_taken_back_are_passed_over(collecting, sheet):
    collecting.take(collecting.filled(sheet, {1: all_rated()}))
    with writing(collecting.store.engine) as connection:
        withdraw(connection, NAME, ["R01"])

    report = collecting.take(collecting.filled(sheet, {1: all_rated(5), 2: all_rated()}))

    assert (report.changed, report.new) == (1, 0)
    assert notes_of(report) == {"row 6": "the item was taken back meanwhile; the row was not read"}


def test_a_problem_names_the_reasons_in_the_words_of_the_rater_s_list(collecting):
    sheet = collecting.export(language="ko")["R01"]

    report = collecting.take(collecting.filled(sheet, {1: {"평가할 수 없는 이유": "몰라요"}}))

    [what] = problems_of(report).values()
    assert what.startswith('"몰라요" is no reason of the list (판단 불가, 이미지를 읽을 수 없음, ')


def test_ratings_above_a_field_rule_that_the_sheet_showed_are_noted(collecting, sheet):
    collecting.take(collecting.filled(sheet, {1: all_rated(5)}))

    [flag] = list_rule_flags(collecting.store.engine, f"{NAME}/1/R01/0/d1")
    assert (flag.dimension, flag.level, flag.shown) == ("meaning", 5.0, True)


def test_who_sent_what_is_in_the_audit_log(collecting, sheet):
    collecting.take(collecting.filled(sheet, {1: all_rated()}))

    newest, rating, *before = list_audit(collecting.store.engine)
    assert (newest.action, newest.actor) == ("import", "lead")
    assert newest.object == f"{NAME}, round 1, sheet of R01"
    assert (rating.action, rating.object) == ("rate", f"{NAME}/1/R01/0/d1")
    assert {(one.action, one.actor) for one in before} == {("export", "lead")}


def test_the_second_time_is_told_from_the_first(desk):
    desk.collect(an_item("d1"), an_item("d2"), again=["d1"])
    path = desk.export()["R01"]

    desk.take(desk.filled(path, {1: all_rated(2), 3: all_rated(5)}))

    meant = {key[3]: value for key, value in desk.stored().items() if key[2] == "meaning"}
    assert meant == {0: 2.0, 1: 5.0}


def test_categories_come_back_as_their_places(store, tmp_path):
    rubric = small_rubric({"kind": "nominal", "categories": ["yes, all", "no"]})
    desk = Desk(store, tmp_path, rubric=rubric).collect(an_item("d1"), an_item("d2"))
    path = desk.export()["R01"]

    desk.take(desk.filled(path, {1: {"meaning": "No"}, 2: {"meaning": "yes, all"}}))

    assert [value for _, value in sorted(desk.stored().items())] == [1.0, 0.0]


def test_a_round_may_ask_for_some_dimensions_only(desk):
    desk.collect(an_item("d1"), dimensions=("layout",))
    path = desk.export()["R01"]

    desk.take(desk.filled(path, {1: {"layout": 3}}))

    assert desk.stored() == {("d1", "R01", "layout", 0): 3.0}
    assert DIMENSIONS[0] not in columns_of_book(desk, path)


def columns_of_book(desk, path):
    """The names of a sheet's columns."""
    found = []
    desk.filled(path, {}, change=lambda book: found.extend(columns_of(book.worksheets[0])))
    return found


def test_a_file_may_bear_any_name(collecting, sheet, tmp_path):
    path = tmp_path / "R99 최종 (2).XLSX"
    shutil.copy(collecting.filled(sheet, {1: all_rated()}), path)

    report = collecting.take(path)

    assert (report.rater, report.file, report.stored) == ("R01", path.name, True)


def test_a_file_that_two_people_import_at_once_is_stored_once(collecting, sheet):
    path = collecting.filled(sheet, {1: all_rated(), 2: all_rated()})

    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(lambda _: collecting.take(path), range(4), timeout=60))

    assert sum(report.stored for report in reports) == 1
    assert sum(report.again for report in reports) == 3
    assert len(revisions(collecting, f"{NAME}/1/R01/0/d1")) == 3


def test_a_round_that_closes_meanwhile_takes_nothing(collecting, sheet, monkeypatch):
    path = collecting.filled(sheet, {1: all_rated()})

    def close_first(store, path):
        found = read_returned(store, path)
        with writing(store.engine) as connection:
            close_round(connection, NAME, by="complete", now=NOW)
        return found

    monkeypatch.setattr("ocrjury.frontends.sheets.returning.read_returned", close_first)

    assert "row 5" in problems_of(collecting.take(path))
    assert collecting.stored() == {}
