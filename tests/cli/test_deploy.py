from pathlib import Path

import pytest

from ocrjury.deployments import deploy
from ocrjury.deployments.switches import Switches


def test_a_campaign_that_is_none_is_refused_before_anything_is_deployed(run, tmp_path):
    file = tmp_path / "campaign.yaml"
    file.write_text("name: claims\n", encoding="utf-8")

    answer = run("deploy", file)

    assert answer.code == 2
    assert str(file) in answer.err
    assert "Prefect" not in answer.err


def test_campaigns_are_deployed_by_their_absolute_paths(run, tmp_path, monkeypatch):
    files = []

    def read_file(command, _environment, _log):
        files.append(Path(command[-1]).read_text("utf-8"))
        raise KeyboardInterrupt

    monkeypatch.setattr("ocrjury.cli.prefect_server.server_answers", lambda _: True)
    monkeypatch.setattr(deploy, "read_switches", lambda _: Switches())
    monkeypatch.setattr(deploy, "ensure_automation", lambda *_: None)
    monkeypatch.setattr(deploy.PrefectApi, "has_work_pool", lambda *_: True)
    monkeypatch.setattr(deploy.PrefectApi, "deployments", lambda _: [])
    monkeypatch.setattr(deploy, "_run", read_file)
    run("campaign", "new", tmp_path / "claims")
    monkeypatch.chdir(tmp_path)

    run("deploy", "claims/campaign.yaml")

    [file] = files
    assert f"campaign: {tmp_path / 'claims' / 'campaign.yaml'}" in file
    assert "name: open-claims" in file


def test_without_a_server_nothing_is_started(run, monkeypatch, tmp_path):
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    monkeypatch.setattr(deploy, "_run", lambda *_: pytest.fail("nothing may run"))
    monkeypatch.setenv("OCRJURY_HOME", str(tmp_path))

    answer = run("deploy")

    assert answer.code == 2
    assert answer.err.startswith("No Prefect server answers at")
