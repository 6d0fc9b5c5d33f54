import os

import pytest

from ocrjury.deployments import deploy
from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.errors import MissingDependencyError

NOBODY = "http://127.0.0.1:9/api"  # the discard port: nothing listens there


def test_a_server_that_is_away_is_not_healthy():
    assert PrefectApi(NOBODY).is_healthy() is False


def test_a_command_that_fails_names_its_log(tmp_path):
    log = tmp_path / "logs" / "deploy.log"

    with pytest.raises(MissingDependencyError, match=rf"ended with 3; {log} says why"):
        deploy._run(["/bin/sh", "-c", "echo because; exit 3"], os.environ, log)

    assert log.read_text() == "because\n"


def test_a_command_that_does_not_end_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(deploy, "DEPLOY_SECONDS", 0.2)

    with pytest.raises(MissingDependencyError, match="did not end within 0 s; see"):
        deploy._run(["/bin/sleep", "60"], os.environ, tmp_path / "deploy.log")


def test_a_switch_is_tried_again_while_the_server_is_busy(monkeypatch):
    api, answers = PrefectApi(NOBODY), iter(["busy", "busy", "done"])

    def call(*_):
        if next(answers) == "busy":
            raise MissingDependencyError("failed (503)")

    monkeypatch.setattr(api, "_call", call)
    monkeypatch.setattr("ocrjury.deployments.prefect_api.PAUSES", (0, 0, 0))

    api.switch_schedule("d", "s", active=True)

    assert list(answers) == []


def test_a_server_that_stays_busy_is_named(monkeypatch):
    api = PrefectApi(NOBODY)
    monkeypatch.setattr("ocrjury.deployments.prefect_api.PAUSES", (0, 0))

    with pytest.raises(MissingDependencyError, match="No Prefect server answers"):
        api.pause_deployment("d")
