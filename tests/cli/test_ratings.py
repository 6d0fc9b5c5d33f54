import csv
import io

RATINGS = """item,rater,meaning,layout,readability
d1,R01,5,4,5
d1,R02,5,3,4
d2,R01,2,2,2
d2,R02,1,2,3
"""


def test_a_file_completes_the_round_and_says_how_to_go_on(run, collecting, tmp_path):
    file = tmp_path / "ratings.csv"
    file.write_text(RATINGS, encoding="utf-8")

    answer = run("ratings", "import", collecting, file)

    assert answer.code == 0
    assert answer.out == (
        f"12 ratings on 4 assignments stored in {collecting}.\n"
        f"The round is complete. Go on with: ocrjury evaluation advance {collecting}\n"
    )
    assert "nothing changed" in run("ratings", "import", collecting, file).out


def test_one_wrong_row_stores_nothing(run, collecting, tmp_path):
    file = tmp_path / "ratings.csv"
    file.write_text(RATINGS.replace("d2,R02,1", "d9,R02,1"), encoding="utf-8")

    answer = run("ratings", "import", collecting, file)

    assert answer.code == 2
    assert "row 5: there is no item 'd9' in the open round" in answer.err
    assert run("ratings", "export", collecting).out.count("\n") == 1


def test_what_is_exported_can_be_read_again(run, collecting, tmp_path):
    file = tmp_path / "ratings.csv"
    file.write_text(RATINGS, encoding="utf-8")
    run("ratings", "import", collecting, file)

    rows = list(csv.DictReader(io.StringIO(run("ratings", "export", collecting).out)))
    out = tmp_path / "out.csv"
    written = run("ratings", "export", collecting, "--out", out)

    assert len(rows) == 12
    first = {name: rows[0][name] for name in ("item", "rater", "dimension", "rating")}
    assert first == {"item": "d1", "rater": "R01", "dimension": "layout", "rating": "4"}
    assert {name: rows[0][name] for name in ("round", "kind", "source")} == {
        "round": "1",
        "kind": "main",
        "source": "file",
    }
    assert written.err == f"12 ratings written to {out}.\n"
    assert list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8")))) == rows
    assert run("agreement", out, "--scale", "likert:1:5", "--exit-zero").code == 0


def test_without_an_open_round_nothing_is_stored(run, opened, tmp_path):
    file = tmp_path / "ratings.csv"
    file.write_text(RATINGS, encoding="utf-8")

    answer = run("ratings", "import", opened, file)

    assert answer == (2, "", f"{opened} has no open round; nothing was stored.\n")


def test_an_unknown_evaluation_names_those_there_are(run, opened):
    answer = run("ratings", "export", "claims")

    assert answer == (
        2,
        "",
        f"no evaluation is called 'claims'; the newest are {opened}.\n",
    )


def test_a_file_that_cannot_be_written_is_named(run, collecting, tmp_path):
    out = tmp_path / "nowhere" / "x.csv"

    answer = run("ratings", "export", collecting, "--out", out)

    assert answer == (2, "", f"{out}: No such file or directory.\n")
