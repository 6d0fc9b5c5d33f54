"""What a command that waits can know of a run on a real server."""

import pytest

from ocrjury.signals.run_progress import read_progress

pytestmark = pytest.mark.prefect


def test_the_step_of_a_run_and_its_bar_are_read_while_it_goes_on(in_process, monkeypatch):
    from prefect import flow, task
    from prefect.runtime import flow_run

    from ocrjury import tasks

    monkeypatch.setattr(tasks, "SECONDS_BETWEEN", 0.1)

    @task(task_run_name="claims-p-score")
    def score(run):
        def read():
            found = read_progress(in_process.address, run, key=in_process.key)
            return found if found.detail else None

        with tasks.Bar() as bar:
            bar(0.4, "scored 40,000 of about 100,000 outputs")
            seen = in_process.wait_for(read, seconds=60), in_process.artifacts_of(run)
        return *seen, in_process.artifacts_of(run)

    @flow
    def advance():
        return score(str(flow_run.id))

    (step, detail), [bar], [full] = advance()

    assert (step, detail) == (
        "claims-p: scoring the pool",
        "scored 40,000 of about 100,000 outputs",
    )
    assert (bar["type"], bar["data"]) == ("progress", 40.0)
    assert (full["id"], full["data"]) == (bar["id"], 100.0)
