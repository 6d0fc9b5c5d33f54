import re
from pathlib import Path
from unicodedata import normalize

import pytest

from ocrjury.campaign.delivery_sections import Publish
from ocrjury.campaign.sections import Report
from ocrjury.campaign.settings import Settings
from ocrjury.cli import report as report_command
from ocrjury.delivery import report_files
from ocrjury.evaluation.case import Case
from ocrjury.store.audit import list_audit
from ocrjury.store.database import writing
from ocrjury.store.reports import NewReport, add_report
from tests.covers import cover

DATA = Path(__file__).parent / "data"


@pytest.fixture
def reported(store, opened):
    html = store.files.put(b"<p>", kind="report", suffix=".html")
    pdf = store.files.put(b"%PDF", kind="report", suffix=".pdf")
    with writing(store.engine) as connection:
        report = NewReport(
            kind="final",
            language="en",
            html_uri=html,
            pdf_uri=pdf,
            sha256="s",
            inputs_hash="i",
            cover=cover(),
        )
        add_report(connection, opened, report, now=Settings.from_environment().now())
    return opened


def test_the_newest_report_is_found(run, reported):
    paths = [Path(line) for line in run("report", reported).out.splitlines()]

    assert [path.read_bytes() for path in paths] == [b"%PDF", b"<p>"]


def test_it_is_copied_under_a_name_that_people_know(run, reported, tmp_path):
    out = tmp_path / "new" / "folder"

    answer = run("report", reported, "--out", out)

    assert answer.code == 0
    assert sorted(path.name for path in out.iterdir()) == [
        f"{reported}-final-v1-en.html",
        f"{reported}-final-v1-en.pdf",
    ]


def test_no_copy_is_without_a_line_of_the_audit_log(run, store, reported, tmp_path, monkeypatch):
    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(report_command, "copy_whole", killed)

    run("report", reported, "--out", tmp_path)

    assert [line.object for line in list_audit(store.engine)] == [f"{reported} report final-en-1"]


@pytest.mark.parametrize("options", [(), ("--out", "out")])
def test_a_report_whose_file_is_damaged_is_named_and_not_handed_on(run, store, reported, options):
    [pdf] = store.files.folder.glob("report-*.pdf")
    pdf.write_bytes(b"%PD")

    answer = run("report", reported, *options)

    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        f"{pdf}, a report, is damaged. Put back the file of this name from the folder `files` of a "
        "backup, then do this again, or write the report anew: `ocrjury report NAME --again`.\n"
    )
    store.files.put(b"%PDF", kind="report", suffix=".pdf")
    assert list_audit(store.engine) == []
    assert run("report", reported).code == 0


def test_it_is_published_where_the_campaign_says_and_a_second_time_is_unchanged(
    run, reported, monkeypatch, tmp_path
):
    to = Publish(to=str(tmp_path / "out"), link="https://reports.example.org/ocr")
    changed = {"report": Report(publish=to)}
    as_stored = Case.campaign.func
    copied = property(lambda case: as_stored(case).model_copy(update=changed))
    monkeypatch.setattr(Case, "campaign", copied)

    first, second = (run("report", reported, "--publish") for _ in "12")

    where = f"https://reports.example.org/ocr/korean-claims/{reported}/v1\n"
    assert (first.out, second.out) == (f"published: {where}", f"unchanged: {where}")
    folder = tmp_path / "out" / "korean-claims" / reported / "v1"
    assert (folder / "report.pdf").read_bytes() == b"%PDF"


def test_no_report_is_published_without_a_line_of_the_audit_log(
    run, store, reported, monkeypatch, tmp_path
):
    changed = {"report": Report(publish=Publish(to=str(tmp_path / "out")))}
    as_stored = Case.campaign.func
    copied = property(lambda case: as_stored(case).model_copy(update=changed))
    monkeypatch.setattr(Case, "campaign", copied)

    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(report_files, "publish", killed)

    run("report", reported, "--publish")

    [line] = list_audit(store.engine)
    assert line.object == f"{reported} report version 1, published"


def test_publishing_needs_a_place(run, store, reported):
    answer = run("report", reported, "--publish")

    assert answer.code == 2
    assert "report.publish is not set; give it `to`" in answer.err
    assert list_audit(store.engine) == []


def test_only_a_closed_evaluation_is_reported_again(run, reported):
    answer = run("report", reported, "--again")

    assert answer.code == 2
    assert answer.err.startswith("Only a closed evaluation is reported again")


def test_an_evaluation_without_a_report_says_where_to_look(run, opened):
    answer = run("report", opened)

    assert answer.code == 2
    assert f"{opened} has no report yet; `ocrjury evaluation show {opened}`" in answer.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "report takes the name of an evaluation, or --ratings FILE, or --compare"),
        (["x", "--ratings", "r.csv"], "report takes the name of an evaluation"),
        (["--ratings", "r.csv", "--scale", "binary"], "report --ratings needs --out FOLDER"),
        (["--ratings", str(DATA / "cohen.csv"), "--out", "o"], "use --scale binary"),
        (["x", "--sections", "bias"], "--sections makes an excerpt: give --out FOLDER"),
        (["x", "--sections", "bias", "--out", "o", "--again"], "give one or the other"),
        (["x", "--archive"], "--archive writes a copy: give --out FOLDER"),
        (["x", "--archive", "--out", "o", "--again"], "give one or the other"),
        (["x", "--archive", "--out", "o", "--publish"], "give one or the other"),
        (["x", "--archive", "--out", "o", "--sections", "bias"], "An archive copy is whole"),
        (["--archive", "--ratings", "r.csv", "--out", "o"], "--archive takes the name of"),
        (["x", "--dimension", "a", "--pool", "p"], "--ratings takes --dimension, --pool"),
        (["x", "--ci", "none"], "only a report of --ratings takes --ci."),
        (["x", "--out", __file__], "is a file; name a folder."),
        (["--ratings", "r.csv", "--out", __file__], "is a file; name a folder."),
        (["x", "--again", "--publish"], "render it first, then publish it"),
        (["x", "--publish", "--out", "o"], "leave out --out"),
        (["x", "--no-wait"], "--no-wait belongs to --again"),
        (["x", "--again", "--no-wait", "--out", "o"], "--out waits for the new version"),
        (["--compare", "x", "y", "--sections", "bias"], "than --compare takes --sections"),
        (["--ratings", "r.csv", "--publish"], "the report of an evaluation takes --publish"),
        (["--ratings", "r.csv", "--images", "i"], "only --pool takes --images"),
        (
            ["x", "--sections", "bias,sorrow, ", "--out", "o"],
            "has no section 'sorrow', ''; its sections are summary, sampling, agreement,",
        ),
    ],
)
def test_bad_input_is_one_sentence(run, words, sentence):
    answer = run("report", *words)

    assert answer.code == 2
    assert sentence in answer.err


def test_bare_ratings_become_html_and_pdf(run, tmp_path):
    answer = run(
        *("report", "--ratings", DATA / "dimensions.csv", "--scale", "likert:1:5"),
        *("--title", "청구 서류", "--out", tmp_path / "out"),
    )

    assert answer.code == 3  # three items settle nothing
    html, pdf = (Path(line) for line in answer.out.splitlines())
    page = html.read_text(encoding="utf-8")
    assert "청구 서류" in page
    assert "these items only" in page
    assert '<html lang="en">' in page
    assert pdf.read_bytes().startswith(b"%PDF")


@pytest.mark.usefixtures("sketched")
def test_a_report_says_which_files_it_replaces(run, tmp_path):
    asked = ("report", "--ratings", DATA / "dimensions.csv", "--scale", "likert:1:5", "--exit-zero")

    first = run(*asked, "--out", tmp_path)
    again = run(*asked, "--out", tmp_path)

    assert first.err == ""
    assert again == (
        0,
        first.out,
        "".join(
            f"{tmp_path / name} was there already, and is replaced.\n"
            for name in ("dimensions.html", "dimensions.pdf")
        ),
    )


@pytest.mark.usefixtures("sketched")
def test_bare_ratings_are_reported_in_a_language(run, tmp_path):
    answer = run(
        *("report", "--ratings", DATA / "dimensions.csv", "--scale", "likert:1:5", "--exit-zero"),
        *("--out", tmp_path / "out", "--language", "zh"),
    )

    page = Path(answer.out.splitlines()[0]).read_text(encoding="utf-8")
    assert '<html lang="zh">' in page


@pytest.mark.usefixtures("sketched")
def test_no_report_of_ratings_replaces_that_in_another_language_or_the_whole(run, tmp_path):
    asked = ("report", "--ratings", DATA / "dimensions.csv", "--scale", "likert:1:5")

    for more in ([], ["--language", "ko"], ["--sections", "agreement"]):
        run(*asked, "--out", tmp_path, *more)

    assert {path.name for path in tmp_path.glob("dim*.html")} == {
        *("dimensions.html", "dimensions-ko.html", "dimensions-excerpt.html"),
    }
    assert len(list(tmp_path.glob("dim*.pdf"))) == 3


@pytest.mark.usefixtures("sketched")
def test_a_pool_adds_error_rates(run, tmp_path):
    pool = tmp_path / "pool.csv"
    pool.write_text(
        "doc_id,reference,hypothesis\nd1,금액 총,금액 총\nd2,금액,금맥\nz,이름,이름\n",
        encoding="utf-8",
    )

    answer = run(
        *("report", "--ratings", DATA / "dimensions.csv", "--scale", "likert:1:5"),
        *("--pool", pool, "--out", tmp_path / "out", "--examples", "shown", "--exit-zero"),
    )

    assert answer.code == 0
    assert "1 of 3 rated items are no doc_id of the pool, such as 'd3'" in answer.err
    page = Path(answer.out.splitlines()[0]).read_text(encoding="utf-8")
    assert "CER" in page
    (row,) = re.findall(r"<tr>(?:(?!</tr>).)*Word error rate.*?</tr>", page, flags=re.DOTALL)
    assert "25.0%" in row  # one of four words, pooled
    assert "with its weights" not in page  # nothing is known of a draw


@pytest.mark.usefixtures("sketched")
def test_a_pool_is_found_whatever_form_of_unicode_its_ids_have(run, tmp_path):
    pool, ratings = tmp_path / "pool.csv", tmp_path / "ratings.csv"
    apart = normalize("NFD", "문서")
    pool.write_text(
        f"doc_id,reference,hypothesis\n{apart}1,금액,금맥\n{apart}2,금액,금액\n문서2,이름,이름\n",
        encoding="utf-8",
    )
    rows = [f"문서{n},{rater},{n}" for n in (1, 2, 3) for rater in ("R1", "R2")]
    ratings.write_text("\n".join(["item,rater,rating", *rows]), encoding="utf-8")

    answer = run(
        *("report", "--ratings", ratings, "--scale", "likert:1:5", "--examples", "shown"),
        *("--pool", pool, "--out", tmp_path / "out", "--exit-zero"),
    )

    assert answer.code == 0
    assert "1 of 3 rated items are no doc_id of the pool, such as '문서3'" in answer.err


def test_no_report_is_written_into_the_folder_of_its_pool(run, tmp_path):
    (tmp_path / "d1.txt").write_text("금액", encoding="utf-8")

    answer = run(
        *("report", "--ratings", DATA / "dimensions.csv", "--scale", "likert:1:5"),
        *("--pool", tmp_path, "--out", tmp_path / "out"),
    )

    assert answer.code == 2
    assert answer.err.endswith(f"lies in {tmp_path}, which is read; name a file elsewhere.\n")
    assert not (tmp_path / "out").exists()


def test_a_pool_of_other_documents_is_refused(run, tmp_path):
    pool = tmp_path / "pool.csv"
    pool.write_text("doc_id,reference,hypothesis\nz,금액,금액\n", encoding="utf-8")

    answer = run(
        *("report", "--ratings", DATA / "dimensions.csv", "--scale", "likert:1:5"),
        *("--pool", pool, "--out", tmp_path / "out"),
    )

    assert answer.code == 2
    assert "none of the 3 rated items is a doc_id of the pool" in answer.err
