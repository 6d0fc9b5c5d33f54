import logging
import os
import shutil

import pytest

from ocrjury.frontends.ingest import OpenRound, check_capabilities, receive
from ocrjury.frontends.sheets import SheetsFrontend, sheets_folder
from ocrjury.language import speaking
from ocrjury.pages.left_aside_words import left_aside_texts
from ocrjury.store.quarantine import list_refused
from ocrjury.store.rounds import list_rounds
from tests.frontends.sheets.worked_sheets import DIMENSIONS, NAME, NOW, all_rated


@pytest.fixture
def published(collecting):
    """A folder with the sheets of a round, its frontend, and the round."""
    frontend = SheetsFrontend(collecting.campaign, collecting.folder / "out", now=NOW)
    round_ = OpenRound(collecting.store, NAME, 1, DIMENSIONS, collecting.rubric)
    frontend.publish(round_)
    return frontend, round_


def test_it_keeps_raters_independent():
    assert check_capabilities("sheets") == ("diff", "order", "timing")


def test_publishing_again_changes_nothing(published):
    frontend, round_ = published
    before = {path: path.read_bytes() for path in frontend.folder.rglob("*.xlsx")}

    count = frontend.publish(round_)

    assert count == 6
    assert {path: path.read_bytes() for path in frontend.folder.rglob("*.xlsx")} == before


def filled(collecting, path, rows):
    korean = {"의미 정확성": "meaning", "레이아웃 보존": "layout", "가독성": "readability"}
    names = {value: key for key, value in korean.items()} | {"comment": "의견"}
    cells = {n: {names[k]: v for k, v in row.items()} for n, row in rows.items()}
    return collecting.filled(path, cells)


def returned(collecting, frontend, rows):
    """Put a filled sheet of R01 where its empty one is."""
    [path] = frontend.folder.glob("R01/*.xlsx")
    shutil.copy(filled(collecting, path, rows), path)


def test_what_lies_filled_in_the_folder_is_received_once(collecting, published):
    frontend, round_ = published
    returned(collecting, frontend, {1: all_rated(), 2: all_rated(5)})

    received = receive(round_, frontend.poll(round_), now=NOW)

    assert len(received.accepted) == 2
    assert not received.refused
    assert len(collecting.stored()) == 6
    assert list(frontend.poll(round_)) == []


def test_a_sheet_whose_name_ends_in_capitals_is_received(collecting, published):
    frontend, round_ = published
    returned(collecting, frontend, {1: all_rated()})
    [path] = frontend.folder.glob("R01/*.xlsx")
    path.rename(path.with_name("FINISHED.XLSX"))

    received = receive(round_, frontend.poll(round_), now=NOW)

    assert len(received.accepted) == 1


@pytest.mark.parametrize("name", ["mine.csv", "mine.ods", "MINE.XLS", "mine.numbers"])
def test_what_another_program_saved_is_left_aside_by_name(collecting, published, name):
    frontend, round_ = published
    (frontend.folder / name).write_bytes(b"item;meaning\nd1;4\n")

    assert list(frontend.poll(round_)) == []

    [text] = told(collecting)
    assert text.startswith(f"{name} was left aside: it cannot be taken as a sheet")


def test_rows_only_begun_stay_open_and_comments_come_along(collecting, published):
    frontend, round_ = published
    returned(
        collecting, frontend, {1: {**all_rated(), "comment": "stamp"}, 2: {"comment": "later"}}
    )

    [sent] = frontend.poll(round_)

    assert (sent.assignment[-2:], sent.comment) == ("d1", "stamp")


def test_of_two_files_with_the_same_row_the_one_saved_last_counts_for_good(collecting, published):
    frontend, round_ = published
    [older] = frontend.folder.glob("R01/*.xlsx")
    newer = filled(collecting, older, {1: all_rated(5)})
    shutil.copy(newer, older.with_name("again.xlsx"))
    late = filled(collecting, older, {1: all_rated(2), 2: all_rated(2)})
    shutil.copy(late, older)
    os.utime(older, (1, 1))

    for _ in range(3):
        receive(round_, frontend.poll(round_), now=NOW)

    said = {key[0]: value for key, value in collecting.stored().items() if key[2] == "meaning"}
    assert said == {"d1": 5.0, "d2": 2.0}


def test_a_sheet_with_problems_is_left_to_a_person(collecting, published, caplog):
    frontend, round_ = published
    returned(collecting, frontend, {1: all_rated(9)})
    (frontend.folder / "notes.xlsx").write_bytes(b"?")
    (frontend.folder / "~$notes.xlsx").write_bytes(b"R01")

    with caplog.at_level(logging.WARNING):
        assert list(frontend.poll(round_)) == []

    assert "was left aside: it has 3 problems; see `ocrjury sheets import --dry-run " in caplog.text
    assert "notes.xlsx is no workbook" in caplog.text
    assert sum(record.name.startswith("ocrjury.") for record in caplog.records) == 2


def told(collecting):
    [last] = list_rounds(collecting.store.engine, NAME)
    return left_aside_texts(collecting.store.engine, NAME, last)


def test_what_was_left_aside_is_told_until_it_is_mended_or_gone(collecting, published):
    frontend, round_ = published
    [sheet] = frontend.folder.glob("R01/*.xlsx")
    returned(collecting, frontend, {1: all_rated(9)})
    (strange := frontend.folder / "my notes.xlsx").write_bytes(b"?")

    for _ in range(2):
        assert list(frontend.poll(round_)) == []
    two = told(collecting)[::-1]
    strange.unlink()
    returned(collecting, frontend, {1: all_rated(4)})

    assert len(two) == len(list_refused(collecting.store.engine, NAME)) == 2
    assert two[0].startswith("my notes.xlsx was left aside: it cannot be taken as a sheet of this")
    assert f"`ocrjury sheets import --dry-run '{strange}'` says why." in two[0]
    assert two[1].startswith(f"{sheet.name} was left aside: it has 3 problems. Nothing in it is")
    assert told(collecting) == []


def test_a_lead_reads_in_korean_what_was_left_aside(collecting, published):
    frontend, round_ = published
    returned(collecting, frontend, {1: all_rated(9)})
    list(frontend.poll(round_))

    with speaking("ko"):
        [text] = told(collecting)

    assert "문제 3건" in text


def test_a_campaign_says_where_images_are_and_which_language_is_spoken(collecting, monkeypatch):
    sources = []
    monkeypatch.setattr(
        "ocrjury.frontends.sheets.frontend.export_sheets",
        lambda _store, source, *_, **__: sources.append(source),
    )
    folder = sheets_folder(collecting.store, NAME)
    round_ = OpenRound(collecting.store, NAME, 1, DIMENSIONS, collecting.rubric)

    SheetsFrontend(collecting.campaign, folder, now=NOW).publish(round_)

    assert folder == collecting.folder / "home" / "sheets" / NAME
    [source] = sources
    assert [folder.name for folder in source.images] == ["korean-claims"]
    assert source.fallback == "en"
