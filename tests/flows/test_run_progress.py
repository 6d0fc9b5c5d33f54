"""What a command that waits can know of a run on a real server."""

import pytest

from ocrjury.scoring.pool_run import Progress
from ocrjury.signals.run_progress import read_progress

pytestmark = pytest.mark.prefect


def test_the_step_of_a_run_and_its_bar_are_read_while_it_goes_on(in_process, monkeypatch):
    from prefect import flow, task
    from prefect.runtime import flow_run

    from ocrjury import tasks
    from ocrjury.tasks.scoring import Ticker

    monkeypatch.setattr(tasks, "SECONDS_BETWEEN", 0.0)

    @task(task_run_name="claims-p-score")
    def score(run):
        def read():
            found = read_progress(in_process.address, run, key=in_process.key)
            return found if found.detail else None

        tick = Ticker()
        tick(Progress(rows=20_000, batches=1, total=100_000))
        tick(Progress(rows=40_000, batches=2, total=100_000))
        return in_process.wait_for(read, seconds=60), in_process.artifacts_of(run)

    @flow
    def advance():
        return score(str(flow_run.id))

    (step, detail), [bar] = advance()

    assert (step, detail) == (
        "claims-p: scoring the pool",
        "scored 40,000 of about 100,000 outputs",
    )
    assert (bar["type"], bar["data"]) == ("progress", 40.0)
