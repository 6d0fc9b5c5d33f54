from pathlib import Path
from subprocess import CompletedProcess

ROOT = Path(__file__).resolve().parents[2]


def test_outside_the_project_it_says_where_to_go(run, tmp_path):
    answer = run("deploy", "--root", tmp_path)

    assert answer.code == 2
    assert answer.err.startswith(f"there is no deployments/prefect.yaml in {tmp_path}.")


def test_a_campaign_that_is_none_is_refused_before_anything_is_deployed(run, tmp_path):
    file = tmp_path / "campaign.yaml"
    file.write_text("name: claims\n", encoding="utf-8")

    answer = run("deploy", file)

    assert answer.code == 2
    assert str(file) in answer.err
    assert "Prefect" not in answer.err


def test_campaigns_go_to_the_script_by_their_absolute_paths(run, tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr("ocrjury.cli.runs.server_answers", lambda _: True)
    monkeypatch.setattr(
        "subprocess.run",
        lambda command, **_: started.append(command) or CompletedProcess(command, 0),
    )
    run("campaign", "new", tmp_path / "claims")
    monkeypatch.chdir(tmp_path)

    answer = run("deploy", "claims/campaign.yaml", "--root", ROOT)

    assert answer.code == 0
    assert started[0][2:] == [
        "ocrjury.deployments.deploy",
        str(tmp_path / "claims" / "campaign.yaml"),
    ]


def test_without_a_server_nothing_is_started(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    answer = run("deploy")  # finds the root of this checkout

    assert answer.code == 2
    assert answer.err.startswith("No Prefect server answers at")
