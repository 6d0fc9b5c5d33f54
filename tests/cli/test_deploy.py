def test_outside_the_project_it_says_where_to_go(run, tmp_path):
    answer = run("deploy", "--root", tmp_path)

    assert answer.code == 2
    assert answer.err.startswith(f"there is no deployments/prefect.yaml in {tmp_path}.")


def test_without_a_server_nothing_is_started(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    answer = run("deploy")  # finds the root of this checkout

    assert answer.code == 2
    assert answer.err.startswith("No Prefect server answers at")
