from pathlib import Path

import pandas as pd
import pytest

POOL = """doc_id,page_id,doc_type,reference,hypothesis
d1,p1,form,가나다라,가나다라
d2,p1,form,abcd,abxd
d3,p2,letter,,xyz
d4,p3,letter,"",z
"""


@pytest.fixture
def pool(tmp_path):
    path = tmp_path / "pool.csv"
    path.write_text(POOL, encoding="utf-8")
    return path


@pytest.fixture
def score(run, pool):
    return lambda *words: run("pool", "score", pool, *words)


def line_of(out, metric):
    return next(line.split() for line in out.splitlines() if metric in line.split()[:2])


def test_the_summary_has_micro_macro_and_signature(run, pool):
    # CER 0, .25 and undefined against the empty text; micro: (0 + 1 + 1) / 8.
    answer = run("pool", "score", pool)

    assert answer.code == 0
    assert line_of(answer.out, "cer")[:4] == ["cer", "2", "0.250", "0.125"]
    assert "signature: CER" in answer.out
    assert "1 output without a reference" in answer.out
    assert "1 output with an empty reference" in answer.out
    assert "interval over pages" in answer.out


def test_groups_come_first(run, pool):
    answer = run("pool", "score", pool, "--by", "doc_type")

    assert line_of(answer.out, "form")[:2] == ["form", "cer"]
    assert line_of(answer.out, "letter")[:2] == ["letter", "cer"]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_every_document_is_written(run, pool, suffix):
    out = pool.with_name(f"scores{suffix}")

    answer = run("pool", "score", pool, "--out", out)

    assert answer.code == 0
    read = pd.read_csv if suffix == ".csv" else pd.read_parquet
    assert read(out)["cer"].tolist()[:2] == [0.0, 0.25]


def test_batches_give_the_same_scores(run, pool, monkeypatch):
    run("pool", "score", pool, "--out", pool.with_name("whole.parquet"))
    monkeypatch.setattr("ocrjury.cli.score_numbers.BATCH", 1)
    run("pool", "score", pool, "--out", pool.with_name("parts.parquet"))

    whole, parts = (
        pd.read_parquet(pool.with_name(f"{name}.parquet")) for name in ("whole", "parts")
    )
    pd.testing.assert_frame_equal(whole, parts)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--options", "jiver"], "preset must be one of 'default', 'jiwer'"),
        (["--by", "colour"], "has no column 'colour'"),
        (["--out", "scores.xlsx"], "--out must end in .csv or .parquet; found 'scores.xlsx'"),
        (["--out", "nowhere/scores.csv"], "--out: the folder nowhere does not exist"),
        (["--format", "xml"], "format must be one of"),
    ],
)
def test_bad_input_is_one_sentence(score, words, sentence):
    answer = score(*words)

    assert answer.code == 2
    assert sentence in answer.err


def test_a_pool_that_is_not_there_is_named(run, tmp_path):
    answer = run("pool", "score", tmp_path / "absent.jsonl")

    assert answer.code == 2
    assert "absent.jsonl" in answer.err


def test_the_bundled_pool_is_scored(run):
    example = Path(__file__).resolve().parents[2] / "examples" / "korean-claims" / "pool.jsonl"

    assert "  72  " in run("pool", "score", example).out


@pytest.fixture
def folders(tmp_path):
    """Folders of OCR output and references, with one bad file and two without a pair."""
    for name, text in [("ocr/p1.txt", "abxd"), ("ocr/p2.txt", "x"), ("ocr/p3.xml", "<alto>")]:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "gt").mkdir()
    (tmp_path / "gt" / "p1.gt.txt").write_text("abcd", encoding="utf-8")
    (tmp_path / "gt" / "p3.gt.txt").write_text("lost", encoding="utf-8")
    (tmp_path / "gt" / "p9.gt.txt").write_text("nobody's", encoding="utf-8")
    return tmp_path / "ocr", tmp_path / "gt"


def test_a_check_tells_what_a_pool_holds_and_what_cannot_be_used(run, folders):
    ocr, right = folders

    answer = run("pool", "check", ocr, "--reference", right)

    assert answer.code == 1
    lines = [" ".join(line.split()) for line in answer.out.splitlines()]
    assert lines[:5] == [
        "outputs 2", "pages 2", "formats text (2)", "references 1", "confidences 0",
    ]  # fmt: skip
    assert "1 file or row cannot be read:" in lines
    assert f"{ocr}/p3.xml, line 1, column 7 Premature end of data in tag alto line 1" in lines
    assert "2 files without a pair:" in lines
    assert f"{ocr}/p2.txt no reference of this name" in lines
    assert any(line.startswith(f"{right}/p9.gt.txt") for line in lines)


def test_a_check_of_a_whole_pool_ends_well(run, pool):
    answer = run("pool", "check", pool)

    assert answer.code == 0
    assert "csv (1)" in answer.out
    assert "cannot be read" not in answer.out


def test_long_lists_are_cut(run, folders, monkeypatch):
    monkeypatch.setattr("ocrjury.cli.pool.SHOWN", 1)

    assert "and 1 more" in run("pool", "check", *folders[:1], "--reference", folders[1]).out


def test_folders_are_scored_as_pairs(run, folders):
    answer = run("pool", "score", folders[0], "--reference", folders[1])

    assert answer.code == 1  # as `ocrjury score` of the same folders
    assert line_of(answer.out, "cer")[:3] == ["cer", "1", "0.250"]
    assert "1 file or row cannot be read:" in answer.out


def test_units_are_scored(run, folders):
    (folders[0] / "p1.txt").write_text("ab\ncx\n", encoding="utf-8")
    (folders[1] / "p1.gt.txt").write_text("ab\ncd\n", encoding="utf-8")

    answer = run("pool", "score", folders[0], "--reference", folders[1], "--unit", "line")

    assert line_of(answer.out, "cer")[:3] == ["cer", "2", "0.250"]


def test_a_guess_is_a_sentence_and_no_warning_of_python(run, tmp_path):
    data = Path(__file__).resolve().parents[1] / "data" / "ocr" / "korean.tsv"
    (tmp_path / "a.tsv").write_bytes(data.read_bytes())

    answer = run("pool", "check", tmp_path)

    assert "guessed from the gaps between words" in answer.out
    assert answer.err == ""


def test_empty_outputs_are_counted(run, folders):
    (folders[0] / "p0.txt").write_text(" \n", encoding="utf-8")

    check = run("pool", "check", folders[0], "--reference", folders[1])

    assert line_of(check.out, "empty") == ["empty", "1,", "such", "as", "p0"]


def test_every_format_is_listed(run):
    answer = run("pool", "formats")

    assert answer.code == 0
    assert [line.split()[0] for line in answer.out.splitlines()[1:]] == [
        "page", "alto", "hocr", "tsv", "text", "jsonl", "csv", "parquet", "textract", "docai",
        "vision", "azure",
    ]  # fmt: skip


def test_a_unit_that_does_not_exist_is_told(run, folders):
    answer = run("pool", "check", folders[0], "--unit", "letter")

    assert answer.code == 2
    assert "unit must be one of 'page', 'line', 'word', 'field'" in answer.err


def test_a_pool_of_which_nothing_can_be_scored_is_refused(run, tmp_path):
    (pool := tmp_path / "pool.jsonl").write_text(
        '{"doc_id": "d1", "hypothesis": "가"}\n{"doc_id": "d2", "hypothesis": "나"}\n', "utf-8"
    )

    answer = run("pool", "score", pool, "--out", tmp_path / "scores.csv")

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("no document has a reference, so there is nothing to compare.")
    assert not (tmp_path / "scores.csv").exists()
