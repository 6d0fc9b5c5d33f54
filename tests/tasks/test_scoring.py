"""Scoring in an evaluation: references beside, findings, batches, engines by settings."""

import shutil
from contextlib import nullcontext
from pathlib import Path

import pandas as pd
import pytest

from ocrjury.errors import LostRaceError
from ocrjury.evaluation import pool_frames, scored_pool
from ocrjury.evaluation.case import at_work
from ocrjury.store.results import latest_results
from ocrjury.tasks import scoring as scoring_task
from ocrjury.text import TextOptions
from tests.tasks.conftest import documents

DATA = Path(__file__).resolve().parents[1] / "data" / "ocr"
FILES = {"rounds": {"frontend": "file"}, "sampling": {"n": 20, "floor": 0}}


@pytest.fixture
def published(monkeypatch):
    """What the scoring publishes as artifacts, by step."""
    found = {}
    monkeypatch.setattr(
        scoring_task,
        "publish",
        lambda name, step, markdown: found.setdefault(step, markdown),
    )
    return found


def scores(small):
    return small.stored(latest_results, "scores")["*"]


def snapshot(small):
    with at_work() as work:
        return work.case(small.evaluation).pool()


@pytest.fixture
def folders(tmp_path):
    """A folder of 40 texts and one of references; one file is bad, one on each side alone."""
    for number, row in enumerate(documents(40)):
        for folder, text in (("ocr", row["hypothesis"]), ("truth", row["reference"])):
            path = tmp_path / folder / f"d{number:03d}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    (tmp_path / "ocr" / "broken.xml").write_text("<alto>", encoding="utf-8")
    (tmp_path / "ocr" / "lonely.txt").write_text("alone", encoding="utf-8")
    (tmp_path / "truth" / "missing.txt").write_text("alone, too", encoding="utf-8")
    return tmp_path


def test_references_may_lie_in_a_folder_beside(small, folders, published):
    waiting = small.write(pool={"path": "ocr", "reference": "truth"}, **FILES).open()

    assert waiting.name == "WaitingForRatings"
    pool = snapshot(small)
    assert len(pool) == 41
    assert pool["cer"].notna().sum() == 40
    found = scores(small)["findings"]
    assert (found["n_quarantined"], found["n_unmatched"], found["n_unscored"]) == (1, 3, 0)
    assert found["n_without_output"] == 1  # the others are unread, or in the pool
    assert "broken.xml" in published["pool-findings"]
    assert "lonely.txt" in published["pool-findings"]


def test_what_a_reader_guesses_is_a_finding_and_no_crash(small, tmp_path, published):
    # Warnings are errors in these tests: Python's own would stop the run.
    for number in range(30):
        name = tmp_path / "tsv" / f"p{number}"
        name.parent.mkdir(exist_ok=True)
        shutil.copy(DATA / "korean.tsv", name.with_suffix(".tsv"))

    waiting = small.write(pool={"path": "tsv"}, **FILES).open()

    assert waiting.name == "WaitingForRatings"
    (sentence,) = scores(small)["findings"]["warnings"]
    assert "White space in Korean, Chinese or Japanese was guessed" in sentence
    assert "was guessed" in published["pool-findings"]


def test_a_whole_pool_has_no_findings(small, published):
    small.write(**FILES).open()

    assert set(published) == {"pool"}


def test_the_record_says_how_texts_were_compared(small):
    small.write(pool={"path": "pool.jsonl", "options": "ocrd"}, **FILES).open()

    body = scores(small)
    assert body["options_hash"] == TextOptions.preset("ocrd").options_hash
    assert body["options"]["whitespace"] == "remove"
    assert "ws:remove" in body["signature"]


def test_fields_of_a_page_are_drawn_together(small):
    for number, row in enumerate(small.pool):
        row["page_id"] = f"p{number // 6}"

    small.write(**FILES).open()

    assert scores(small)["clustered_by"] == "page_id"


def test_many_batches_are_one_pool(small, tmp_path, monkeypatch):
    for number, row in enumerate(small.pool):
        if number % 7 == 3:
            row["llm"] = 1 + number % 5
    judged = {"path": "pool.jsonl", "judges": {"LLM": {"meaning": "llm"}}}
    small.write(pool=judged, **FILES).open("at-once")
    whole = snapshot(small)

    monkeypatch.setattr(pool_frames, "BATCH_ROWS", 4)
    small.open("in-batches")

    pd.testing.assert_frame_equal(snapshot(small), whole)
    assert not (tmp_path / "home" / "scoring" / small.evaluation).exists()


def test_what_a_killed_run_had_scored_is_used(small, tmp_path, monkeypatch):
    monkeypatch.setattr(pool_frames, "BATCH_ROWS", 20)
    small.write(**FILES)
    real, kept = scored_pool.score_pool_in_batches, []

    def stopped(*arguments, **options):
        """Score everything and die before it is stored."""
        real(*arguments, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(scored_pool, "score_pool_in_batches", stopped)
    with pytest.raises(KeyboardInterrupt):
        small.open()

    def noted(*arguments, **options):
        scored = real(*arguments, **options)
        kept.append(scored.kept)
        return scored

    monkeypatch.setattr(scored_pool, "score_pool_in_batches", noted)
    assert small.advance().name == "WaitingForRatings"

    assert kept == [3]


def test_batches_that_a_run_left_behind_are_removed_by_the_next(small, tmp_path):
    small.write(**FILES).open("first")
    left = tmp_path / "home" / "scoring" / small.evaluation / "scored-x.parquet"
    left.parent.mkdir()
    left.write_bytes(b"")

    small.open("second")

    assert list((tmp_path / "home" / "scoring").iterdir()) == []


def test_a_race_that_is_lost_is_no_failure(small, monkeypatch):
    def overtaken(*_, **__):
        raise FileNotFoundError

    monkeypatch.setattr(scored_pool, "score_pool_in_batches", overtaken)
    small.write(**FILES).open_only()
    with at_work() as work:
        case = work.case(small.evaluation)
        with pytest.raises(LostRaceError, match="another process scored the pool first"):
            scored_pool.snapshot_of(case, Path("nowhere"), engine=iter, tick=print)


def test_progress_is_shown_after_every_batch(small, monkeypatch):
    changes = []
    monkeypatch.setattr(pool_frames, "BATCH_ROWS", 30)
    monkeypatch.setattr(
        scoring_task, "Bar", lambda: nullcontext(lambda *change: changes.append(change))
    )

    small.write(**FILES).open()

    shares, words = zip(*changes, strict=True)
    assert list(shares) == sorted(shares)
    assert words[0].startswith("scored 30 ")
    assert words[-3].startswith("scored 60 ")
    assert words[-2:] == (
        "summarizing the scores",
        "measuring errors by character, field and group",
    )


def test_a_pool_without_any_judges_column_names_the_columns_there_are(small):
    held = small.write(
        pool={"path": "pool.jsonl", "judges": {"LLM": {"meaning": "absent"}}}, **FILES
    ).open()

    assert held.message.startswith("pool: ")
    assert "names the column 'absent', which the pool lacks; it has doc_id" in held.message
