"""Run whole evaluations, each in its own process, that die at given points as if by kill -9.

Reads lines of JSON: the folder of a store, and a point such as ``commit:3`` (before the third
commit that writes), ``committed:3`` (after it), ``file:1`` (after the first stored file),
``batch:2`` (after the second batch of the pool was scored), ``pool:1`` (after the scored pool was
stored) or ``pdf:1`` (before the first PDF); without a point a run goes to its end. Answers each
with a line of JSON: the exit code, and how the run ended. Every run is a fork of this process,
which has imported everything already and opened nothing. Argument: path of the campaign.
"""

import hashlib
import json
import logging
import os
import signal
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa
from prefect import Task

import ocrjury.flows.advance_evaluation as advance
from ocrjury.evaluation import pool_frames, scored_pool
from ocrjury.scoring import batch_files
from ocrjury.store.files import FileStore
from ocrjury.tasks import opening as opening_task
from ocrjury.tasks import report as report_task
from tests.children import exit_code_of
from tests.quick_database import make_quick

SECONDS = 120

passed = Counter()
deadly = []


def pass_by(kind):
    passed[kind] += 1
    if f"{kind}:{passed[kind]}" in deadly:
        os.kill(os.getpid(), signal.SIGKILL)


def before_commit(connection):
    if connection.get_execution_options().get("write"):
        pass_by("commit")
        connection.info["wrote"] = True


def after_commit(_connection, record):
    if record.info.pop("wrote", False):
        pass_by("committed")


def die_after(kind, write):
    def writing(*arguments, **options):
        written = write(*arguments, **options)
        pass_by(kind)
        return written

    return writing


def write_sketch(html, path):
    """Stand in for the PDF, whose bytes tests/tasks/test_same_bytes.py compares."""
    pass_by("pdf")
    path.write_bytes(b"%PDF" + hashlib.sha256(html.encode()).digest())


def prepare():
    """Make every point of a run known."""
    make_quick(copies=False)  # to make the tables is the first commit
    sa.event.listen(sa.engine.Engine, "commit", before_commit)
    sa.event.listen(sa.pool.Pool, "checkin", after_commit)
    FileStore.put = die_after("file", FileStore.put)
    batch_files.write_frame = die_after("batch", batch_files.write_frame)
    scored_pool.adopt_pool = die_after("pool", scored_pool.adopt_pool)
    pool_frames.BATCH_ROWS = 100  # four batches of the example
    report_task.write_pdf = write_sketch

    # Plain functions: the drill is about the store, not about Prefect.
    for name, value in list(vars(advance).items()):
        if isinstance(value, Task):
            setattr(advance, name, value.fn)
    advance.STEPS.update({key: step.fn for key, step in advance.STEPS.items()})
    advance.get_run_logger = lambda: logging.getLogger("drill")


def run(campaign):
    """Run an evaluation to its end; return its last state and how often each point was passed."""
    opened = opening_task.open_campaign.fn(
        campaign, period="drill", seed=None, scheduled=datetime(2026, 11, 20, tzinfo=UTC)
    )
    return advance.advance_until_waiting(opened.evaluation).name, dict(passed)


def main():
    campaign = sys.argv[1]
    prepare()
    for line in sys.stdin:
        home, *points = json.loads(line)
        said = Path(f"{home}.json")
        said.write_text("null")
        child = os.fork()
        if child == 0:
            os.environ["OCRJURY_HOME"] = home
            deadly.extend(points)
            said.write_text(json.dumps(run(campaign)))
            os._exit(0)
        code = exit_code_of(child, SECONDS)
        print(json.dumps({"code": code, "end": json.loads(said.read_text())}), flush=True)


if __name__ == "__main__":
    main()
