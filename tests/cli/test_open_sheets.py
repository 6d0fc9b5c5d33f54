import csv

import pytest

from tests.cli.conftest import an_item

HEADER = (
    "evaluation,item,rater,row_code,session,position,doc_type,reference,hypothesis,"
    "meaning,layout,readability"
)


def filled(path, *, rows):
    """Fill in the first rows of a sheet as a spreadsheet does, and save it under the same name."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        header, *body = csv.reader(file)
    for row in body[:rows]:
        row[-3:] = ["5", "4", "3"]
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file, delimiter=";").writerows([header, *body])
    return path


def test_the_open_assignments_are_printed_in_each_raters_order(run, collecting):
    lines = run("ratings", "export", collecting, "--open").out.splitlines()

    rows = [line.split(",") for line in lines]
    codes = {row.pop(3) for row in rows}
    assert [",".join(row) for row in rows] == [
        HEADER.replace("row_code,", ""),
        f"{collecting},d1,R01,1,1,form,금액,금맥,,,",
        f"{collecting},d2,R01,1,2,form,금액,금맥,,,",
        f"{collecting},d1,R02,1,1,form,금액,금맥,,,",
        f"{collecting},d2,R02,1,2,form,금액,금맥,,,",
    ]
    assert len(codes) == 1 + 4


def test_one_rater_gets_only_what_is_theirs(run, collecting, tmp_path):
    out = tmp_path / "R02.csv"

    answer = run("ratings", "export", collecting, "--open", "--rater", "R02", "--out", out)

    assert answer == (0, "", f"2 open assignments written to {out}.\n")
    assert out.read_bytes().startswith(b"\xef\xbb\xbfevaluation,")  # spreadsheets need the mark
    assert out.read_text("utf-8-sig").count("R02") == 2
    assert "R01" not in out.read_text("utf-8-sig")


def test_every_rater_gets_a_file(run, collecting, tmp_path):
    folder = tmp_path / "to" / "rate"

    answer = run("ratings", "export", collecting, "--open", "--each", folder)

    names = [f"{collecting}-r1-{rater}.csv" for rater in ("R01", "R02")]
    assert answer.out == "".join(f"{folder / name}  2 open assignments\n" for name in names)
    assert sorted(path.name for path in folder.iterdir()) == names


def test_a_sheet_that_may_be_filled_in_is_never_written_over(run, collecting, tmp_path):
    run("ratings", "export", collecting, "--open", "--rater", "R02", "--each", tmp_path / "each")

    each = run("ratings", "export", collecting, "--open", "--each", tmp_path / "each")
    [there] = (tmp_path / "each").iterdir()
    one = run("ratings", "export", collecting, "--open", "--out", there)

    sentence = f"Nothing was written, because there is already {there}, which may be filled in."
    assert each.code == one.code == 2
    assert each.err.startswith(sentence)
    assert one.err.startswith(sentence)
    assert list((tmp_path / "each").iterdir()) == [there]


def test_what_is_filled_in_is_accepted_and_the_rest_stays_open(run, collecting, tmp_path):
    out = tmp_path / "R01.csv"
    run("ratings", "export", collecting, "--open", "--rater", "R01", "--out", out)

    answer = run("ratings", "import", collecting, filled(out, rows=1))

    assert answer.out == (
        f"3 ratings on 1 assignment stored in {collecting}; 0 earlier values replaced.\n"
        "1 of 4 assignments of round 1 are done.\n"
    )
    left = run("ratings", "export", collecting, "--open").out.splitlines()
    assert [line.split(",")[1:3] for line in left[1:]] == [
        ["d2", "R01"],
        ["d1", "R02"],
        ["d2", "R02"],
    ]


def test_a_rater_cannot_rate_for_another_by_renaming_rows(run, collecting, tmp_path):
    out = tmp_path / "R01.csv"
    run("ratings", "export", collecting, "--open", "--rater", "R01", "--out", out)
    text = filled(out, rows=2).read_text("utf-8-sig")
    out.write_text(text.replace(";d2;R01;", ";d2;R02;"), "utf-8")
    stripped = tmp_path / "stripped.csv"
    lines = [line.split(";") for line in out.read_text("utf-8").splitlines()]
    stripped.write_text("\n".join(";".join(line[:3] + line[4:]) for line in lines), "utf-8")

    for words in ([], ["--as-lead"]):
        answer = run("ratings", "import", collecting, out, *words)
        assert answer.code == 2
        assert "row 3: its row_code is not that of item 'd2' for 'R02'" in answer.err
    assert "does not show whose" in run("ratings", "import", collecting, stripped).err
    sent = run("ratings", "import", collecting, stripped, "--rater", "R01")
    assert "row 3: R01 sent the file, and the row is 'R02''s" in sent.err
    assert run("ratings", "export", collecting).out.count("\n") == 1


def test_the_filled_files_of_all_raters_complete_the_round(run, collecting, tmp_path):
    run("ratings", "export", collecting, "--open", "--each", tmp_path / "each")

    answers = [
        run("ratings", "import", collecting, filled(path, rows=2))
        for path in sorted((tmp_path / "each").iterdir())
    ]

    assert "2 of 4 assignments of round 1 are done." in answers[0].out
    assert "The round is complete." in answers[1].out
    assert run("ratings", "export", collecting, "--open") == (
        2,
        "",
        f"every assignment of round 1 of {collecting} is done.\n",
    )


def test_an_item_that_looks_like_a_formula_finds_its_way_back(run, hostile, tmp_path):
    out = tmp_path / "all.csv"
    run("ratings", "export", hostile, "--open", "--out", out)

    answer = run("ratings", "import", hostile, filled(out, rows=1))

    assert f"\n{hostile},'=1+1,R01," in out.read_text("utf-8-sig").replace(";", ",")
    assert answer.out.startswith("3 ratings on 1 assignment stored")
    for words in ([], ["--history"]):
        exported = run("ratings", "export", hostile, *words).out
        cells = {cell for row in csv.reader(exported.splitlines()) for cell in row}
        assert "'=1+1" in cells
        assert [cell for cell in cells if cell.startswith("=")] == []


@pytest.mark.parametrize("words", [["--rater", "R01"], ["--each", "folder"]])
def test_options_of_open_sheets_need_the_word(run, collecting, words):
    answer = run("ratings", "export", collecting, *words)

    assert answer == (2, "", "--rater and --each belong to --open; add it, or leave them out.\n")


def test_a_rater_without_anything_open_is_told_who_has(run, collecting):
    answer = run("ratings", "export", collecting, "--open", "--rater", "R09")

    assert answer == (
        2,
        "",
        f"R09 has no open assignment in round 1 of {collecting}; those who have are R01, R02.\n",
    )


def test_without_an_open_round_nobody_is_asked(run, opened):
    answer = run("ratings", "export", opened, "--open")

    assert answer == (2, "", f"{opened} has no open round; nobody is asked for ratings.\n")


@pytest.fixture
def hostile(collect):
    """An open round with an item whose name would be a formula."""
    return collect(an_item("d1", called="=1+1"))
