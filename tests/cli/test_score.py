import json
import re
from pathlib import Path
from types import SimpleNamespace
from unicodedata import normalize

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "korean-claims"


class Terminal:
    """Standard output that is a terminal."""

    def isatty(self):
        return True


def line_of(out, metric):
    return next(line.split() for line in out.splitlines() if line.split()[:1] == [metric])


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def folders(tmp_path):
    """Folders of references and of OCR output, two pairs."""
    write(tmp_path / "gt" / "p1.gt.txt", "가나 다라\n")
    write(tmp_path / "gt" / "p2.gt.txt", "abcd\n")
    write(tmp_path / "ocr" / "p1.txt", "가나 다마\n")
    write(tmp_path / "ocr" / "p2.txt", "abcd\n")
    return tmp_path / "gt", tmp_path / "ocr"


def test_two_files_are_compared(run, tmp_path):
    right = write(tmp_path / "gt.txt", "보험금 청구서 접수일: 2024년 3월 15일")
    read = write(tmp_path / "ocr.txt", "보험금 청구서 접수일: 2024년 3웛 15일")

    answer = run("score", right, read)

    # The worked example of the reference text: 1 of 25 characters, 1 of 6 words.
    assert answer.code == 0
    assert line_of(answer.out, "cer")[1:4] == ["1", "0.040", "0.040"]
    assert line_of(answer.out, "wer")[2] == "0.167"
    assert "1 edit of 25 characters: 1 replaced, 0 added, 0 missing." in answer.out
    assert answer.err == ""


def test_folders_are_paired_by_name(run, folders):
    answer = run("score", *folders)

    assert line_of(answer.out, "cer")[1:4] == ["2", "0.111", "0.100"]
    row = next(line for line in answer.out.splitlines() if line.startswith("라"))
    assert row.split() == ["라", "마", "1", "100.0%", "p1"]


def test_where_no_reference_can_be_read_the_first_is_told(run, tmp_path):
    right = write(tmp_path / "gt" / "p1.xml", "<PcGts>\n<Page>").parent
    read = write(tmp_path / "ocr" / "p1.txt", "가나").parent

    answer = run("score", right, read)

    assert (answer.code, answer.out) == (2, "")
    assert f"1 left out is {right / 'p1.xml'}, line 2, column 7: Premature" in answer.err


def test_lines_are_compared_as_jiwer_does(run, tmp_path):
    right = write(tmp_path / "r.txt", "a b c\nd e\n")
    read = write(tmp_path / "h.txt", "a x c\nd e\n")

    answer = run("score", right, read, "--unit", "line", "--options", "jiwer")

    assert line_of(answer.out, "wer")[1:3] == ["2", "0.200"]
    assert "words:space" in answer.out


def test_lines_that_were_missed_and_pages_in_another_order_are_told(run, tmp_path):
    lines = ["Diagnosis: concussion", "Date of issue: 15 July", "Total to pay: 48.20", "Signed"]
    write(tmp_path / "gt" / "a.txt", "\n".join(lines))
    write(tmp_path / "ocr" / "a.txt", "\n".join([*lines[1:], "~~"]))
    write(tmp_path / "gt" / "b.txt", "\n".join(lines))
    write(tmp_path / "ocr" / "b.txt", "\n".join([*lines[2:], *lines[:2]]))
    arguments = ("score", tmp_path / "gt", tmp_path / "ocr", "--unit", "line")

    answer = run(*arguments, "--html", tmp_path / "out.html")

    reason = "63% of the text stands in another order"
    row = next(line.split() for line in answer.out.splitlines() if line.startswith("b "))
    assert " ".join(row) == f"b {reason}"
    assert "1 page scored as a whole, because the lines cannot be paired:" in answer.out
    assert "lines: 3 paired, 0 joined, 1 missed, 1 invented." in answer.out
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert f"b: {reason}" in page
    assert "lines: 3 paired, 0 joined, 1 missed, 1 invented." in page
    left_out = json.loads(run(*arguments, "--json").out)["left_out"]
    assert left_out["as_pages"] == [{"page_id": "b", "reason": reason}]
    assert left_out["pairing"] == {"paired": 3, "joined": 0, "missed": 1, "invented": 1}


@pytest.mark.parametrize("head", ["DOC_ID,Reference,Hypothesis", "Doc ID,Ground Truth,OCR Text"])
def test_columns_may_be_named_in_capitals_and_with_spaces(run, tmp_path, head):
    table = write(tmp_path / "t.csv", f"{head},note\na,xy,xz,n\n")

    answer = run("score", table, "--json")

    (document,) = json.loads(answer.out)["documents"]
    assert (document["doc_id"], document["cer"]) == ("a", 0.5)


def test_two_tables_without_a_common_id_are_refused(run, tmp_path):
    right = write(tmp_path / "r.csv", "doc_id,hypothesis\n01,xy\n02,zz\n")
    read = write(tmp_path / "h.csv", "doc_id,hypothesis\n1,xy\n2,zz\n")

    answer = run("score", right, read)

    assert f"{read} and {right} have no doc_id in common" in answer.err
    assert "the first are '1', '2' and '01', '02'." in answer.err
    assert answer.code == 2


def test_two_tables_are_joined_by_doc_id(run, tmp_path):
    right = write(tmp_path / "r.csv", "doc_id,hypothesis\na,xy\nb,zz\nc,q\n")
    rows = [{"doc_id": n, "hypothesis": text} for n, text in [("b", "zy"), ("a", "xy"), ("n", "?")]]
    read = write(tmp_path / "h.jsonl", "\n".join(map(json.dumps, rows)))

    answer = run("score", right, read)

    assert answer.code == 0
    assert line_of(answer.out, "cer")[1:3] == ["2", "0.250"]
    assert "1 output without a reference" in answer.out
    assert "2 files without a pair" in answer.out


def test_tables_are_joined_whatever_form_of_unicode_their_ids_have(run, tmp_path):
    composed = [f"문서{place}" for place in range(3)]
    apart = [normalize("NFD", name) for name in composed]
    right = write(tmp_path / "r.csv", "doc_id,text\n" + "".join(f"{n},xy\n" for n in composed))
    # The first of them is there in both forms, which are two documents then.
    names = [composed[0], *apart]
    read = write(tmp_path / "h.csv", "doc_id,text\n" + "".join(f"{n},xz\n" for n in names))

    answer = run("score", right, read)

    assert answer.code == 0
    assert line_of(answer.out, "cer")[1:3] == ["4", "0.500"]
    assert "without a pair" not in answer.out


def test_a_reference_of_the_very_id_goes_before_one_of_another_form(run, tmp_path):
    composed, apart = "문서", normalize("NFD", "문서")
    right = write(tmp_path / "r.csv", f"doc_id,text\n{composed},xy\n{apart},ab\n")
    read = write(tmp_path / "h.csv", f"doc_id,text\n{composed},xy\n{apart},ab\n")

    assert line_of(run("score", right, read).out, "cer")[1:3] == ["2", "0.000"]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_a_table_of_references_needs_no_ocr_output(run, tmp_path, suffix):
    right = pd.DataFrame({"doc_id": ["a", "b"], "reference": ["xy", "zz"]})
    path = tmp_path / f"r.{suffix}"
    if suffix == "csv":
        right.to_csv(path, index=False)
    elif suffix == "parquet":
        right.to_parquet(path)
    else:
        right.to_json(path, orient="records", lines=True)
    read = write(tmp_path / "h.csv", "doc_id,hypothesis\nb,zy\na,xy\n")

    answer = run("score", path, read)

    assert answer.code == 0
    assert line_of(answer.out, "cer")[1:3] == ["2", "0.250"]


def test_a_table_of_ocr_output_needs_it(run, tmp_path):
    right = write(tmp_path / "r.csv", "doc_id,reference\na,xy\n")

    answer = run("score", right, right)

    assert "no column 'hypothesis'" in answer.err


def test_a_table_with_both_texts_needs_no_second(run):
    answer = run("score", EXAMPLE / "pool.jsonl", "--by", "doc_type")

    assert answer.code == 0
    assert "진단서" in answer.out
    assert "rank correlation with CER −0.89" in answer.out


def test_options_replace_those_of_the_preset(run, folders):
    body = json.loads(
        run("score", *folders, "--json", "--set", "whitespace=remove", "--set", "bleu_order=2").out
    )

    assert body["options"]["whitespace"] == "remove"
    assert body["options"]["bleu_order"] == 2
    assert len(body["options_hash"]) == 64


def test_metrics_beside_the_usual_ones(run, folders):
    answer = run("score", *folders, "--also", "wer_bag", "--also", "cer_normalized")

    names = [line.split()[0] for line in answer.out.splitlines() if line]
    assert names[1:5] == ["cer", "cer_nospace", "cer_normalized", "wer"]
    assert "wer_bag" in names


def test_json_is_strict_and_whole(run, tmp_path):
    table = write(tmp_path / "t.csv", 'doc_id,reference,hypothesis\na,xy,xz\nb,"",q\nc,,r\n')

    answer = run("score", table, "--json")

    body = json.loads(answer.out, parse_constant=pytest.fail)
    assert [row["cer"] for row in body["documents"]] == [0.5, None, None]
    cer = next(row for row in body["summary"] if row["metric"] == "cer")
    assert (cer["n"], cer["n_undefined"], cer["n_missing"], cer["micro"]) == (1, 1, 1, 1.0)
    assert body["confusions"][0]["example"] in ("a", "b")
    assert {"Basic Latin"} == {row["block"] for row in body["blocks"]}


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_every_document_is_written(run, folders, tmp_path, suffix):
    out = tmp_path / f"scores{suffix}"

    answer = run("score", *folders, "--out", out)

    read = pd.read_csv if suffix == ".csv" else pd.read_parquet
    assert read(out)["edit_distance"].tolist() == [1, 0]
    assert answer.err == f"written: {out}\n"


def test_no_text_of_a_document_or_column_is_a_formula_in_the_file(run, tmp_path):
    pool, out = tmp_path / "pool.jsonl", tmp_path / "scores.csv"
    row = {"doc_id": "d1", "reference": "-500", "hypothesis": "x;=cmd|' /C calc'!A0", "=a": ["-"]}
    pool.write_text(json.dumps(row), "utf-8")

    assert run("score", pool, "--out", out).code == 0

    table = pd.read_csv(out)
    assert table["reference"].tolist() == ["'-500"]
    assert table["hypothesis"].tolist() == ["x;'=cmd|' /C calc'!A0"]
    assert "'=a" in table.columns
    assert table["cer"][0] > 0


def test_what_cannot_be_read_is_told_and_the_rest_scored(run, folders):
    write(folders[1] / "p3.xml", "<alto>")

    answer = run("score", *folders)

    assert answer.code == 1
    assert line_of(answer.out, "cer")[1] == "2"
    assert "1 file or row cannot be read:" in answer.out


def test_texts_that_differ_stand_one_above_the_other(run, folders):
    by_words, by_characters = (
        run("score", *folders, "--align", units).out for units in ("words", "characters")
    )

    assert "\np1\nREF: 가나 다라\nHYP: 가나 다마\n             S\n" in by_words
    assert "\np1\nREF: 가나 다라\nHYP: 가나 다마\n             S\n" in by_characters
    assert "REF: abcd" not in by_words
    assert "REF:" not in run("score", *folders).out


def test_a_picture_goes_on_below_where_the_terminal_ends(run, tmp_path, monkeypatch):
    right = write(tmp_path / "r.txt", "one two three four five")
    read = write(tmp_path / "h.txt", "one two three four fife")
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr("ocrjury.cli.score_numbers.sys", SimpleNamespace(stdout=Terminal()))

    answer = run("score", right, read, "--align", "words")

    assert "REF: one two three\nHYP: one two three\n\n\nREF: four five\n" in answer.out


def test_pictures_are_not_json(run, folders):
    answer = run("score", *folders, "--align", "words", "--json")

    assert answer.code == 2
    assert "--json" in answer.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--options", "jiver"], "preset must be one of 'default', 'jiwer'"),
        (["--set", "words"], "an option of the comparison is NAME=VALUE"),
        (["--set", "unit=letter"], "unit must be one of 'grapheme', 'codepoint'; found 'letter'"),
        (["--set", "bleu_order=x"], "bleu_order must be a whole number; found 'x'"),
        (
            ["--also", "chrf"],
            "--also must be one of cer_normalized, wer_bag, wer_uax29, mer, wil, wip",
        ),
        (["--by", "colour"], "has no column 'colour'"),
        (["--html", "nowhere/x.html"], "--html: the folder nowhere does not exist"),
        (["--out", "x.xlsx"], "--out must end in .csv or .parquet"),
        (["--format", "xml"], "format must be one of"),
    ],
)
def test_bad_input_is_one_sentence(run, folders, words, sentence):
    answer = run("score", *folders, *words)

    assert answer.code == 2
    assert sentence in answer.err
    assert answer.out == ""


def test_nothing_is_written_into_a_folder_that_is_read(run, folders):
    for folder in map(Path, folders):
        for option, name in {"--html": "page.html", "--out": "deep/scores.csv"}.items():
            (folder / "deep").mkdir(exist_ok=True)

            answer = run("score", *folders, option, folder / name)

            assert (answer.code, answer.out) == (2, "")
            assert answer.err == (
                f"{option}: {folder / name} lies in {folder}, which is read; name a file "
                "elsewhere.\n"
            )
            assert not (folder / name).exists()


def test_nothing_is_written_over_what_is_read(run, tmp_path):
    table = write(tmp_path / "t.csv", "doc_id,reference,hypothesis\na,x,y\n")
    before = table.read_bytes()

    page = run("score", table, "--html", tmp_path / "." / "t.csv")
    scores = run("score", table, "--out", table)
    pool = run("pool", "score", table, "--out", table)
    both = run("score", table, "--out", tmp_path / "x.csv", "--html", tmp_path / "x.csv")

    assert [page.code, scores.code, pool.code, both.code] == [2, 2, 2, 2]
    assert page.err == f"--html: {table} is what is read; name another file.\n"
    assert "is where --out writes" in both.err
    assert table.read_bytes() == before
    assert not (tmp_path / "x.csv").exists()


@pytest.mark.parametrize("command", [["score"], ["pool", "score"]])
def test_boxes_are_no_groups(run, tmp_path, command):
    row = {"doc_id": "a", "reference": "x", "hypothesis": "x", "box": [0, 0, 1, 1]}
    table = write(tmp_path / "t.jsonl", json.dumps(row))

    answer = run(*command, table, "--by", "box")

    assert answer.code == 2
    assert answer.err == "--by: the cells of 'box' are lists, and name no group.\n"


def test_files_without_any_pair_are_no_score(run, folders, tmp_path):
    write(tmp_path / "other" / "q.txt", "x")

    answer = run("score", folders[0], tmp_path / "other")

    assert answer.code == 2
    assert "no document has a reference" in answer.err


def test_a_table_against_a_page_is_refused(run, folders, tmp_path):
    table = write(tmp_path / "t.csv", "doc_id,hypothesis\na,x\n")

    assert "is a table and" in run("score", folders[0] / "p1.gt.txt", table).err


HOSTILE = "</td><script>alert(1)</script><img src=https://evil.example/x>\u202e\x07&amp;{{ 7*7 }}"


def test_the_page_is_whole_and_safe_with_hostile_text(run, tmp_path):
    rows = [
        {
            "doc_id": f"<b>{n}</b>{HOSTILE}",
            "reference": f"{HOSTILE} {n}",
            "hypothesis": f"{n} {HOSTILE[::-1]}",
            "confidence": 0.5,
            "kindly": HOSTILE,
        }
        for n in range(3)
    ]
    table = write(tmp_path / "t.jsonl", "\n".join(map(json.dumps, rows)))

    answer = run("score", table, "--html", tmp_path / "d.html", "--by", "kindly")

    page = (tmp_path / "d.html").read_text("utf-8")
    assert answer.code == 0
    # One script is the page's own.
    assert page.count("<script") == 1
    assert not re.search(r"<img|<link|<iframe|\son\w+=|url\(", page)
    assert "{{ 7*7 }}" in page
    assert not re.search(r"(?:src|href)=\"(?!#)", page)
    assert not set("\u202e\x07") & set(page)
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page


def test_the_page_shows_each_difference_the_worst_first(run, folders, tmp_path):
    write(folders[0] / "p3.gt.txt", "xyz")
    write(folders[1] / "p3.txt", "q")

    run("score", *folders, "--html", tmp_path / "d.html")

    page = (tmp_path / "d.html").read_text("utf-8")
    assert re.findall(r"<h3>(\w+)</h3>", page) == ["p3", "p1"]
    assert "<em>라</em>" in page
    assert "4 characters match, 1 replaced, 0 added, 0 missing" in page
    assert page.count("</html>") == 1
    assert "hash of these options" in page


def test_the_same_input_gives_the_same_page(run, folders, tmp_path):
    for name in ("a.html", "b.html"):
        run("score", *folders, "--html", tmp_path / name)

    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


@pytest.mark.parametrize(
    ("words", "start", "title"),
    [
        ([], '<html lang="en">', "No output differs."),
        (["--language", "ko"], '<html lang="ko">', "차이가 있는 OCR 결과가 없습니다."),
        (["--language", "zh"], '<html lang="zh">', "没有存在差异的 OCR 输出。"),
    ],
)
def test_the_page_is_in_the_language_that_is_named(run, tmp_path, words, start, title):
    table = write(tmp_path / "t.csv", "doc_id,reference,hypothesis\na,x,x\n")

    run("score", table, "--html", tmp_path / "d.html", *words)

    page = (tmp_path / "d.html").read_text("utf-8")
    assert start in page
    assert title in page


def test_a_language_that_is_not_there_is_refused(run, folders):
    answer = run("score", *folders, "--html", "d.html", "--language", "xx")

    assert answer.code == 2
    assert "'xx' is none of en, ko, zh" in answer.err


def test_references_that_are_not_there_are_named_as_such(run, folders, tmp_path):
    answer = run("score", tmp_path / "nothing", folders[1])

    assert answer.code == 2
    assert "nothing cannot be opened: No such file or directory." in answer.err


def test_documents_without_a_group_are_named(run, tmp_path):
    table = write(tmp_path / "t.csv", "doc_id,kind,reference,hypothesis\na,code,x,y\nb,,x,x\n")

    out = run("score", table, "--by", "kind").out

    assert {line.split()[0] for line in out.splitlines() if " cer " in line} == {"code", "(none)"}
    assert "nan" not in out


def test_whole_pages_have_no_share_of_perfect_texts(run, tmp_path):
    text = "The quick brown fox jumps over the lazy dog. " * 8
    rows = [
        {"doc_id": f"p{n}", "reference": text, "hypothesis": "x" * n + text[n:], "confidence": 0.9}
        for n in range(1, 5)
    ]
    table = write(tmp_path / "t.jsonl", "\n".join(map(json.dumps, rows)))

    answer = run("score", table, "--html", tmp_path / "d.html")
    body = json.loads(run("score", table, "--json").out)

    assert "exact_match" not in answer.out
    assert "wrong" not in answer.out
    assert "Exact match is left out: half of the references have 359 characters" in answer.out
    assert "of the characters 99.3% are right (mean over outputs)" in answer.out
    assert "calibration error 0.09 against right characters" in answer.out
    (system,) = body["confidence"]
    assert system["calibrated_against"] == "characters"
    assert system["calibration_error"]["value"] == pytest.approx(0.993 - 0.9, abs=0.001)
    page = (tmp_path / "d.html").read_text("utf-8")
    assert "Exact match is left out" in page
    assert "confidence is compared with the share of right characters" in page
    assert "the output equals its reference" not in page
    assert "all or none of the texts are exactly right" in page


def test_fields_keep_their_share_of_perfect_texts(run, tmp_path):
    rows = [
        {"doc_id": f"f{n}", "reference": "1,284", "hypothesis": "1,284"[: n + 3], "confidence": 0.9}
        for n in range(4)
    ]
    table = write(tmp_path / "t.jsonl", "\n".join(map(json.dumps, rows)))

    answer = run("score", table)

    assert "exact_match" in answer.out
    assert "area under the ROC curve" in answer.out
    assert "left out: half" not in answer.out


@pytest.mark.parametrize(
    ("system", "words"), [({}, "confidence: "), ({"system": "가"}, "confidence of 가: ")]
)
def test_a_confidence_is_of_a_system_only_where_one_is_named(run, tmp_path, system, words):
    rows = [
        {"doc_id": f"f{n}", "reference": "1", "hypothesis": str(n), "confidence": n / 9, **system}
        for n in range(4)
    ]
    table = write(tmp_path / "t.jsonl", "\n".join(map(json.dumps, rows)))

    answer = run("score", table)

    assert f"\n{words}area under the ROC curve" in answer.out
    assert "default" not in answer.out.partition("confidence")[2].partition("signature")[0]
