import os

import pytest

from deployments import deploy
from deployments.prefect_api import PrefectApi
from ocrjury.errors import MissingDependencyError

NOBODY = "http://127.0.0.1:9/api"  # the discard port: nothing listens there


def test_a_server_that_is_away_is_not_healthy():
    assert PrefectApi(NOBODY).is_healthy() is False


def test_a_deployment_without_a_server_names_the_remedy(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PREFECT_API_URL", NOBODY)
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path))

    assert deploy.main() == 2
    assert "No Prefect server answers" in capsys.readouterr().err


def test_a_command_that_fails_names_its_log(tmp_path):
    log = tmp_path / "logs" / "deploy.log"

    with pytest.raises(MissingDependencyError, match=rf"ended with 3; {log} says why"):
        deploy._run(["/bin/sh", "-c", "echo because; exit 3"], os.environ, log)

    assert log.read_text() == "because\n"
