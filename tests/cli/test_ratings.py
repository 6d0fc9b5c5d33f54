import csv
import io
from unicodedata import normalize

import pytest

from ocrjury.cli.actors import login_name
from ocrjury.store.audit import list_audit
from tests.cli.conftest import NAME, an_item

RATINGS = f"""evaluation,item,rater,meaning,layout,readability
{NAME},d1,R01,5,4,5
{NAME},d1,R02,5,3,4
{NAME},d2,R01,2,2,2
{NAME},d2,R02,1,2,3
"""


def test_a_file_completes_the_round_and_says_how_to_go_on(run, collecting, tmp_path):
    file = tmp_path / "ratings.csv"
    file.write_text(RATINGS, encoding="utf-8")

    answer = run("ratings", "import", collecting, file, "--as-lead")

    assert answer.code == 0
    assert answer.out == (
        f"12 ratings on 4 assignments stored in {collecting}; 0 earlier values replaced.\n"
        f"The round is complete. Go on with: ocrjury evaluation advance {collecting}\n"
    )
    assert "nothing changed" in run("ratings", "import", collecting, file, "--as-lead").out


def test_one_wrong_row_stores_nothing(run, collecting, tmp_path):
    file = tmp_path / "ratings.csv"
    file.write_text(RATINGS.replace("d2,R02,1", "d9,R02,1"), encoding="utf-8")

    answer = run("ratings", "import", collecting, file, "--as-lead")

    assert answer.code == 2
    assert "row 5: there is no item 'd9' in the open round" in answer.err
    assert run("ratings", "export", collecting).out.count("\n") == 1


def test_a_file_of_another_evaluation_is_refused(run, collecting, tmp_path):
    file = tmp_path / "ratings.csv"
    file.write_text(RATINGS.replace(NAME, "korean-claims-2026w46"), encoding="utf-8")

    answer = run("ratings", "import", collecting, file, "--as-lead")

    other = "it is of the evaluation 'korean-claims-2026w46' and not of"
    sentence = f"ratings.csv, row 2: {other} {collecting}. Nothing was stored.\n"
    assert answer == (2, "", sentence)
    assert run("ratings", "export", collecting).out.count("\n") == 1


@pytest.mark.parametrize("row", [1, 3])
def test_a_file_that_names_no_evaluation_is_refused(run, collecting, tmp_path, row):
    file = tmp_path / "ratings.csv"
    lines = RATINGS.splitlines()
    lines[row] = lines[row].replace(NAME, "")
    file.write_text("\n".join(lines), encoding="utf-8")

    answer = run("ratings", "import", collecting, file, "--as-lead")

    assert answer.code == 2
    assert f"row {row + 1}: it does not say of which evaluation it is" in answer.err


def test_a_file_without_a_column_of_evaluations_is_refused(run, collecting, tmp_path):
    file = tmp_path / "none.csv"
    file.write_text(RATINGS.replace(f"{NAME},", "").replace("evaluation,", ""), "utf-8")

    answer = run("ratings", "import", collecting, file, "--as-lead")

    assert answer.code == 2
    assert answer.err.startswith("none.csv has no column 'evaluation', so it does not say of which")


@pytest.mark.parametrize(("stored", "written"), [("NFD", "NFC"), ("NFC", "NFD"), ("NFD", "NFD")])
def test_an_item_is_found_whatever_form_of_unicode_its_name_has(
    run, collect, tmp_path, stored, written
):
    evaluation = collect(an_item("d1", called=normalize(stored, "문서")))
    file = tmp_path / "ratings.csv"
    rows = f"evaluation,item,rater,meaning,layout,readability\n{evaluation},문서,R01,5,4,5\n"
    file.write_text(normalize(written, rows), encoding="utf-8")

    answer = run("ratings", "import", evaluation, file, "--as-lead")

    assert answer.out.startswith("3 ratings on 1 assignment stored")


def test_an_import_says_how_many_values_it_replaces(run, collecting, tmp_path):
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text(RATINGS, encoding="utf-8")
    last = RATINGS.splitlines()[-1]
    first.write_text(RATINGS.replace(f"{last}\n", ""), encoding="utf-8")
    second.write_text(RATINGS.replace(f"{last}\n", "").replace("5,4,5", "4,4,3"), encoding="utf-8")

    run("ratings", "import", collecting, first, "--as-lead")
    out = run("ratings", "import", collecting, second, "--as-lead").out

    assert f"9 ratings on 3 assignments stored in {collecting}; 2 earlier values replaced." in out


def test_only_a_lead_who_says_so_brings_ratings_that_nothing_shows_to_be_a_raters(
    run, store, collecting, tmp_path
):
    file, own = tmp_path / "ratings.csv", tmp_path / "own.csv"
    file.write_text(RATINGS, encoding="utf-8")
    own.write_text(
        "\n".join(line for line in RATINGS.splitlines() if "R02" not in line), encoding="utf-8"
    )

    assert "does not show whose ratings it holds" in run("ratings", "import", collecting, file).err
    refused = run("ratings", "import", collecting, file, "--rater", "R01")
    assert "row 3: R01 sent the file, and the row is 'R02''s" in refused.err
    assert run("ratings", "import", collecting, own, "--rater", "R01").code == 0
    assert run("ratings", "import", collecting, file, "--as-lead").code == 0

    log = [line for line in reversed(list_audit(store.engine)) if line.action == "import"]
    assert {line.actor for line in log} == {login_name()}
    assert [(line.object, line.reason) for line in log] == [
        (f"{collecting}, round 1, own.csv", "sent by R01"),
        (f"{collecting}, round 1, ratings.csv", "vouched for by the lead"),
    ]


def test_what_is_exported_can_be_read_again(run, collecting, tmp_path):
    file = tmp_path / "ratings.csv"
    file.write_text(RATINGS, encoding="utf-8")
    run("ratings", "import", collecting, file, "--as-lead")

    rows = list(csv.DictReader(io.StringIO(run("ratings", "export", collecting).out)))
    out = tmp_path / "out.csv"
    written = run("ratings", "export", collecting, "--out", out)

    assert len(rows) == 12
    first = {name: rows[0][name] for name in ("evaluation", "item", "rater", "dimension", "rating")}
    assert first == {
        "evaluation": collecting,
        "item": "d1",
        "rater": "R01",
        "dimension": "layout",
        "rating": "4",
    }
    assert {name: rows[0][name] for name in ("round", "kind", "source")} == {
        "round": "1",
        "kind": "main",
        "source": "file",
    }
    assert written.err == f"12 ratings written to {out}.\n"
    assert list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8")))) == rows
    assert run("agreement", out, "--scale", "likert:1:5", "--exit-zero").code == 0
    words = ("agreement", out, "--scale", "likert:1:5", "--exit-zero", "--where", "kind=main")
    assert "rows with kind=main, all alike, without weights" in run(*words).out
    run("ratings", "export", collecting, "--history", "--out", out)
    refused = run("agreement", out, "--scale", "likert:1:5", "--rating", "value")
    assert refused.code == 2
    assert "holds every revision of the ratings of an evaluation" in refused.err


def test_without_an_open_round_nothing_is_stored(run, opened, tmp_path):
    file = tmp_path / "ratings.csv"
    file.write_text(RATINGS, encoding="utf-8")

    answer = run("ratings", "import", opened, file, "--as-lead")

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


def test_several_files_are_imported_at_once(run, collecting, tmp_path):
    head, *rows = RATINGS.splitlines(keepends=True)
    for rater in ("R01", "R02"):
        own = "".join(row for row in rows if rater in row)
        (tmp_path / f"{rater}.csv").write_text(head + own, encoding="utf-8")
    files = tmp_path / "R01.csv", tmp_path / "R02.csv"

    answer = run("ratings", "import", collecting, *files, "--as-lead")

    assert answer.code == 0
    first, second, news = answer.out.splitlines()
    assert first.startswith(f"{files[0]}: 6 ratings on 2 assignments stored")
    assert second.startswith(f"{files[1]}: 6 ratings on 2 assignments stored")
    assert news.startswith("The round is complete.")


def test_files_before_one_that_is_refused_are_told_of(run, collecting, tmp_path):
    file = tmp_path / "ratings.csv"
    file.write_text(RATINGS, encoding="utf-8")

    answer = run("ratings", "import", collecting, file, tmp_path / "absent.csv", "--as-lead")

    assert answer.code == 2
    assert answer.out.splitlines()[-1].startswith("The round is complete.")
    assert "absent.csv cannot be read" in answer.err
