import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from ocrjury.readers import iter_pool
from ocrjury.scoring import BatchOutcome, score_batch, score_pool_in_batches
from ocrjury.text import TextOptions, score_texts
from tests.children import ending, next_line

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "korean-claims" / "fields.jsonl"


def run(folder, *, name="pool", preset="default", **more):
    return score_pool_in_batches(
        iter_pool(EXAMPLE, batch=400),
        folder / f"{name}.parquet",
        folder=folder / "batches",
        options=TextOptions.preset(preset),
        **more,
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return run(tmp_path_factory.mktemp("whole"))


def test_a_pool_in_batches_scores_as_at_once(whole):
    frame = pd.read_parquet(whole.path)

    references = [None if pd.isna(text) else text for text in frame["reference"]]
    scores = score_texts(references, frame["hypothesis"].tolist())
    pd.testing.assert_frame_equal(frame[list(scores)], scores)
    assert (whole.rows, whole.batches, whole.kept, whole.n_unscored) == (1525, 4, 0, 0)


def test_batches_that_are_done_are_not_scored_again(tmp_path, whole):
    run(tmp_path)
    seen = []

    def noting(jobs):
        for job in jobs:
            seen.append(job.number)
            yield score_batch(job)

    again = run(tmp_path, name="again", engine=noting)

    assert seen == []
    assert again.kept == 4
    assert again.path.read_bytes() == whole.path.read_bytes()


@pytest.mark.parametrize("damage", [lambda body: body[:99], lambda body: body[:9] + body[60:]])
def test_a_batch_that_was_damaged_meanwhile_is_scored_again(tmp_path, whole, damage):
    run(tmp_path)
    kept = next((tmp_path / "batches").glob("scored-000001-*"))
    kept.write_bytes(damage(kept.read_bytes()))

    again = run(tmp_path, name="again")

    assert again.kept == 3
    assert again.path.read_bytes() == whole.path.read_bytes()


def test_how_many_documents_there_are_is_known_before_all_are_read(tmp_path):
    frames, seen = iter_pool(EXAMPLE, batch=200), []

    score_pool_in_batches(
        frames,
        tmp_path / "pool.parquet",
        folder=tmp_path / "batches",
        options=TextOptions(),
        tick=seen.append,
        share=lambda: frames.share,
    )

    assert [one.rows for one in seen[:3]] == [200, 400, 600]
    assert all(abs(one.total - 1525) < 150 for one in seen)
    assert (seen[-1].rows, seen[-1].total) == (1525, 1525)


def test_other_options_score_everything_again(tmp_path):
    run(tmp_path)

    assert run(tmp_path, preset="jiwer").kept == 0


def test_any_order_of_outcomes_gives_the_same_bytes(tmp_path, whole):
    def backwards(jobs):
        return map(score_batch, reversed(list(jobs)))

    assert run(tmp_path, engine=backwards).path.read_bytes() == whole.path.read_bytes()


def test_a_lost_batch_is_in_the_pool_without_scores_and_tried_again_next_time(tmp_path, whole):
    def losing(jobs):
        for job in jobs:
            if job.number == 1:
                yield BatchOutcome(job.number, job.rows, error="the process that scored it died")
            else:
                yield score_batch(job)

    scored = run(tmp_path, engine=losing)

    frame = pd.read_parquet(scored.path)
    assert frame["ned"].isna().sum() == scored.n_unscored == 400
    assert frame["ned"].isna()[400:800].all()
    assert scored.unscored == (("", "the process that scored it died"),)
    assert run(tmp_path).path.read_bytes() == whole.path.read_bytes()


def test_progress_counts_documents_and_batches(tmp_path):
    said = []

    run(tmp_path, tick=said.append)

    assert [one.batches for one in said] == [1, 2, 3, 4, 4]
    assert said[-1].rows == 1525


CODE = """
import sys, time
from pathlib import Path
from ocrjury.readers import iter_pool
from ocrjury.scoring import score_batch, score_pool_in_batches
from ocrjury.text import TextOptions

def slowly(jobs):
    for job in jobs:
        yield score_batch(job)
        if job.number == 1:
            print("two are done", flush=True)
            time.sleep(600)

folder = Path(sys.argv[2])
score_pool_in_batches(
    iter_pool(sys.argv[1], batch=400), folder / "pool.parquet", folder=folder / "batches",
    options=TextOptions(), engine=slowly,
)
"""


def test_a_killed_run_goes_on_where_it_was(tmp_path, whole):
    child = subprocess.Popen(
        [sys.executable, "-c", CODE, str(EXAMPLE), str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    with ending(child):
        assert next_line(child) == "two are done\n"
        child.send_signal(signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL
    done = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "batches").glob("scored-*")}
    assert len(done) == 2
    assert not (tmp_path / "pool.parquet").exists()

    scored = run(tmp_path)

    assert scored.kept == 2
    assert scored.path.read_bytes() == whole.path.read_bytes()
    after = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "batches").glob("scored-*")}
    assert {name: after[name] for name in done} == done
