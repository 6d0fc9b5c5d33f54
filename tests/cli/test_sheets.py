import shutil

import pytest
from openpyxl import load_workbook

HEADER = 4
FIVE = "scale (likert 1 to 5)"


def filled(path, rows, to):
    """Fill in the first rows of an English sheet; each is (meaning, layout, readability)."""
    book = load_workbook(path)
    sheet = book.worksheets[0]
    first = next(cell.column for cell in sheet[HEADER] if cell.value == "Meaning")
    for number, row in enumerate(rows, start=1):
        for place, value in enumerate(row):
            sheet.cell(HEADER + number, first + place).value = value
    book.save(to)
    return to


@pytest.fixture
def exported(run, collecting, tmp_path):
    """The sheets of R01 and R02 for d1 and d2."""
    answer = run("sheets", "export", collecting, "--out", tmp_path / "out", "--language", "en")
    assert answer.code == 0
    return {path.parent.name: path for path in (tmp_path / "out").rglob("*.xlsx")}


def test_every_rater_gets_a_workbook(run, collecting, tmp_path):
    folder = tmp_path / "out"

    answer = run("sheets", "export", collecting, "--out", folder)

    names = [f"{rater}/{collecting}-r1-{rater}.xlsx" for rater in ("R01", "R02")]
    assert answer == (0, "".join(f"{folder / name}  2 items\n" for name in names), "")
    again = run("sheets", "export", collecting, "--out", folder)
    assert again.out.splitlines() == [
        f"{rater}: nothing new; the sheets in the folder ask for all that is open"
        for rater in ("R01", "R02")
    ]


def test_the_folder_is_named_after_the_evaluation(run, collecting, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    answer = run("sheets", "export", collecting, "--rater", "R02", "--round", 1)

    assert answer.out == f"{collecting}-sheets/R02/{collecting}-r1-R02.xlsx  2 items\n"


def test_filled_workbooks_end_the_round(run, exported, tmp_path):
    rows = [(5, 4, 3), (2, 2, 2)]
    back = [filled(path, rows, tmp_path / f"{who}.xlsx") for who, path in exported.items()]

    answer = run("sheets", "import", *sorted(back))

    assert answer.code == 0
    assert answer.out.splitlines() == [
        "R01.xlsx: R01, round 1 of korean-claims-2026w47; 2 of 2 rows are rated (2 new); stored.",
        "R02.xlsx: R02, round 1 of korean-claims-2026w47; 2 of 2 rows are rated (2 new); stored.",
        "The round is complete. Go on with: ocrjury evaluation advance korean-claims-2026w47",
    ]


def test_a_dry_run_stores_nothing(run, exported, tmp_path):
    path = filled(exported["R01"], [(5, 4, 3), (5,)], tmp_path / "R01.xlsx")

    dry = run("sheets", "import", "--dry-run", path)
    wet = run("sheets", "import", path)
    again = run("sheets", "import", path)

    note = (
        "note: R01.xlsx, sheet Ratings, row 6: no rating on layout, readability; the row stays as "
        "it was\n"
    )
    whose = "R01.xlsx: R01, round 1 of korean-claims-2026w47;"
    assert (
        dry.out == f"{note}{whose} 1 of 2 rows are rated (1 new); nothing was stored, as asked.\n"
    )
    assert wet.out == (
        f"{note}{whose} 1 of 2 rows are rated (1 new); stored.\n"
        "1 of 4 assignments of round 1 are done.\n"
    )
    assert again.out == f"{note}{whose} imported before, nothing changed.\n"


def test_files_with_problems_are_named_and_the_others_stored(run, exported, tmp_path):
    good = filled(exported["R01"], [(5, 4, 3)], tmp_path / "R01.xlsx")
    bad = filled(exported["R02"], [(6, 4, 3), ("1/5", 4, 3)], tmp_path / "R02.xlsx")
    csv = tmp_path / "R03.csv"
    csv.write_text("item,rater\n")

    answer = run("sheets", "import", csv, bad, good)

    assert answer.code == 2
    csv_line, *lines, last = answer.err.splitlines()
    assert csv_line.startswith("R03.csv is a table in CSV, which keeps neither row keys nor types")
    assert lines == [
        f'R02.xlsx, sheet Ratings, row {row}, column meaning (H): "{found}" is not on the {FIVE}'
        for row, found in ((5, "6"), (6, "1/5"))
    ]
    assert last.endswith("2 problems, so nothing was stored. Fix them, and import the file again.")
    assert answer.out.endswith("1 of 4 assignments of round 1 are done.\n")


def test_many_problems_are_counted(run, exported, tmp_path, monkeypatch):
    monkeypatch.setattr("ocrjury.cli.sheets.SHOWN", 1)
    path = filled(exported["R02"], [(6, 7, 8)], tmp_path / "R02.xlsx")

    assert "R02.xlsx: and 2 more\n" in run("sheets", "import", path).err


def test_a_problem_comes_before_any_number_of_notes(run, exported, tmp_path, monkeypatch):
    monkeypatch.setattr("ocrjury.cli.sheets.SHOWN", 1)
    path = filled(exported["R02"], [(5,), (6, 4, 3)], tmp_path / "R02.xlsx")

    first, *_, last = run("sheets", "import", path).err.splitlines()

    assert 'row 6, column meaning (H): "6" is not on the' in first
    assert last.endswith("1 problem, so nothing was stored. Fix it, and import the file again.")


def test_a_store_that_others_wrote_for_is_refused(run, exported, home, tmp_path):
    shutil.copy(exported["R01"], tmp_path / "R01.xlsx")
    (home / "sheets.key").write_bytes(bytes(32))

    answer = run("sheets", "import", tmp_path / "R01.xlsx")

    assert answer.code == 2
    assert "was changed, or another store wrote it" in answer.err


def test_missing_pictures_are_counted(run, collect, tmp_path):
    from dataclasses import replace

    from tests.cli.conftest import an_item

    name = collect(replace(an_item("d1"), image_uri="pages/absent.webp"))

    answer = run("sheets", "export", name, "--out", tmp_path / "out")

    assert answer.err == "2 rows without a picture: the image is absent or unreadable.\n"
