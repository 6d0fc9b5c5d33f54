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
    assert "1 document without a reference" in answer.out
    assert "1 document with an empty reference" in answer.out
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
    monkeypatch.setattr("ocrjury.cli.pool.BATCH", 1)
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
