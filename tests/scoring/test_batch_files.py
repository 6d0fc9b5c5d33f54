import pandas as pd
import pytest

from ocrjury.scoring import batch_files
from ocrjury.scoring.batch_files import SCORES, BatchJob, kept_outcome, score_batch, write_frame
from ocrjury.text import TextOptions, score_texts

POOL = pd.DataFrame(
    {
        "doc_id": ["a", "b", "c", "d"],
        "reference": pd.Series(["가나", None, "", "라"], dtype="str"),
        "hypothesis": ["가다", "x", "y", "라"],
    }
)


def job(folder, frame=POOL):
    write_frame(frame, folder / "read.parquet")
    target = str(folder / "scored.parquet")
    return BatchJob(3, len(frame), str(folder / "read.parquet"), target, TextOptions())


def test_a_batch_keeps_its_columns_and_gets_its_scores(tmp_path):
    outcome = score_batch(job(tmp_path))

    frame = pd.read_parquet(tmp_path / "scored.parquet")
    scores = score_texts(["가나", None, "", "라"], POOL["hypothesis"].tolist(), metrics=SCORES)
    pd.testing.assert_frame_equal(frame[list(SCORES)], scores)
    assert list(frame.columns) == [*POOL.columns, *SCORES]
    assert (outcome.number, outcome.rows, outcome.unscored) == (3, 4, ())


def test_scores_that_came_with_the_pool_are_replaced(tmp_path):
    score_batch(job(tmp_path, POOL.assign(cer=9.0)))

    assert pd.read_parquet(tmp_path / "scored.parquet")["cer"].iloc[0] == 0.5


def test_only_the_document_that_fails_has_no_scores(tmp_path, monkeypatch):
    real = score_texts

    def failing(references, hypotheses, **options):
        if "라" in hypotheses:
            raise MemoryError
        return real(references, hypotheses, **options)

    monkeypatch.setattr(batch_files, "score_texts", failing)

    outcome = score_batch(job(tmp_path))

    frame = pd.read_parquet(tmp_path / "scored.parquet")
    assert outcome.unscored == (("d", "MemoryError"),)
    assert frame["ned"].isna().tolist() == [False, True, False, True]
    assert kept_outcome(3, tmp_path / "scored.parquet") == outcome


def test_a_file_is_whole_or_absent(tmp_path, monkeypatch):
    monkeypatch.setattr(batch_files.pq, "write_table", lambda *_: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        write_frame(POOL, tmp_path / "x.parquet")

    assert not (tmp_path / "x.parquet").exists()
