"""Run a whole evaluation in this process, and die at a given point as if by kill -9.

Arguments: path of the campaign, and the point such as ``commit:3`` (before the third commit that
writes), ``committed:3`` (after it), ``file:1`` (after the first stored file), ``batch:2`` (after
the second batch of the pool was scored), ``pool:1`` (after the scored pool was stored) or ``pdf:1``
(before the first PDF); without a point the run goes to its end.
"""

import logging
import os
import signal
import sys
from collections import Counter
from datetime import UTC, datetime

import sqlalchemy as sa
from prefect import Task

import ocrjury.flows.advance_evaluation as advance
from ocrjury.evaluation import pool_frames
from ocrjury.scoring import batch_files
from ocrjury.store.files import FileStore
from ocrjury.tasks import opening as opening_task
from ocrjury.tasks import report as report_task
from ocrjury.tasks import scoring as scoring_task
from tests.quick_database import make_quick

passed = Counter()


def pass_by(kind):
    passed[kind] += 1
    if f"{kind}:{passed[kind]}" == sys.argv[-1]:
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


def die_before_pdf(write):
    def writing(html, path):
        pass_by("pdf")
        return write(html, path)

    return writing


def main():
    make_quick()
    sa.event.listen(sa.engine.Engine, "commit", before_commit)
    sa.event.listen(sa.pool.Pool, "checkin", after_commit)
    FileStore.put = die_after("file", FileStore.put)
    batch_files.write_frame = die_after("batch", batch_files.write_frame)
    scoring_task.adopt_file = die_after("pool", scoring_task.adopt_file)
    pool_frames.BATCH_ROWS = 400  # four batches of the example
    report_task.write_pdf = die_before_pdf(report_task.write_pdf)

    # Plain functions: the drill is about the store, not about Prefect.
    for name, value in list(vars(advance).items()):
        if isinstance(value, Task):
            setattr(advance, name, value.fn)
    advance.STEPS.update({key: step.fn for key, step in advance.STEPS.items()})
    advance.get_run_logger = lambda: logging.getLogger("drill")

    opened = opening_task.open_campaign.fn(
        sys.argv[1], period="drill", seed=None, scheduled=datetime(2026, 11, 20, tzinfo=UTC)
    )
    end = advance.advance_until_waiting(opened.evaluation)
    print(end.name, dict(passed))


if __name__ == "__main__":
    main()
