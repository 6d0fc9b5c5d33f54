"""What a demo tells while it runs."""

import logging
import os
from dataclasses import replace

from prefect.settings import Settings

from ocrjury.deployments import demo
from ocrjury.deployments.brief_server import start_briefly
from ocrjury.deployments.demo import run_environment, telling, until_served
from ocrjury.deployments.installation import Installation
from ocrjury.deployments.local import server_of
from ocrjury.deployments.supervision import Supervisor

HERE_ONLY = {"send_to_api": False}
"""What keeps Prefect's own handler, if an earlier test has set it up, from asking for a run."""


def test_a_demo_tells_what_became_of_its_evaluation_and_nothing_else():
    told = []
    flow, task = (logging.getLogger(f"prefect.{part}_runs") for part in ("flow", "task"))

    with telling("claims-demo", told.append):
        flow.warning("%s: %s", "claims-demo", "the pool is scored", extra=HERE_ONLY)
        task.warning("Finished in state Completed()", extra=HERE_ONLY)
        task.warning("claims-demo: the gate says PASS", extra=HERE_ONLY)
    flow.warning("claims-demo: after the end", extra=HERE_ONLY)

    assert told == ["the pool is scored", "the gate says PASS"]


def test_lines_of_prefect_are_not_for_the_terminal(tmp_path):
    variables = run_environment(Installation(tmp_path / "home", 4299))

    assert variables["PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"] == "WARNING"


def test_a_demo_waits_for_a_server_of_its_own_unless_one_is_named(tmp_path, monkeypatch):
    waited, here = [], Installation(tmp_path / "home", 4299)
    monkeypatch.setenv("PREFECT_API_URL", "https://prefect.example.org/api")
    monkeypatch.setattr(
        demo, "start_briefly", lambda home: (replace(home, port=4300), lambda: waited.append(home))
    )

    until_served(here)()
    assert waited == []

    monkeypatch.delenv("PREFECT_API_URL")
    until_served(here)()
    assert waited == [here]
    assert os.environ["PREFECT_API_URL"] == "http://127.0.0.1:4300/api"


def test_the_server_of_a_demo_plans_no_runs(tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr(Supervisor, "start", lambda _, program: started.append(program))
    monkeypatch.setattr("atexit.register", lambda _: None)

    place, _ = start_briefly(Installation(tmp_path / "home", 4299))

    [alone], as_up_does = started, server_of(place)
    assert place.port != 4299
    assert scheduler_of(alone, monkeypatch) == (place.api, False)
    assert scheduler_of(as_up_does, monkeypatch) == (place.api, True)


def scheduler_of(program, monkeypatch):
    """The address of a program's API, and whether Prefect reads that it plans runs."""
    with monkeypatch.context() as patch:
        for name, value in program.environment.items():
            patch.setenv(name, value)
        for name in os.environ.keys() - program.environment.keys():
            patch.delenv(name)
        settings = Settings()
    return settings.api.url, settings.server.services.scheduler.enabled
