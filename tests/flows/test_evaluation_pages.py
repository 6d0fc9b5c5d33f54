"""The list of artifacts: a page for each evaluation, and nothing else."""

import pytest

from ocrjury.cli.serve_pages import Following
from ocrjury.evaluation.case import at_work
from ocrjury.evaluation.overview import show_overview
from ocrjury.store.rounds import list_assignments
from tests.flows.conftest import reporting_to

pytestmark = pytest.mark.prefect

NAME = "waiting-claims-pages"


@pytest.fixture(scope="module")
def opened(server, tmp_path_factory, waiting_campaign):
    """The run of this process that opened an evaluation, which waits in a store of its own."""
    from ocrjury.flows.open_evaluation import open_evaluation

    with pytest.MonkeyPatch.context() as patch, reporting_to(server):
        patch.setenv("OCRJURY_HOME", str(tmp_path_factory.mktemp("pages")))
        patch.setenv("PREFECT_API_URL", server.address)
        patch.setenv("PREFECT_API_AUTH_STRING", server.key)
        state = open_evaluation(str(waiting_campaign), period="pages", return_state=True)
        yield str(state.state_details.flow_run_id)


@pytest.fixture
def shown(server, opened):
    """A function that returns every version of the page."""

    def versions():
        only = {"artifacts": {"key": {"any_": [NAME]}}}
        return server._call("POST", "/artifacts/filter", only)

    return versions


def rate(tmp_path, *, count):
    """Hand in a file with some ratings, as a command does that nobody waits for."""
    from ocrjury.cli import main

    with at_work() as work:
        rows = list_assignments(work.engine, NAME, state="open")[:count]
    head = "evaluation,item,rater,meaning,layout,readability"
    lines = [f"{NAME},{row.item},{row.rater},4,4,4" for row in rows]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join([head, *lines]), "utf-8")
    assert main(["ratings", "import", NAME, str(path), "--as-lead"]) == 0


def test_a_page_is_new_when_something_changed_and_has_one_version(server, opened, shown, tmp_path):
    from ocrjury.flows.advance_evaluation import advance_evaluation

    [first] = shown()
    advance_evaluation(NAME, reason="nothing new")
    [same] = shown()
    rate(tmp_path, count=3)
    [rated] = shown()

    assert first["flow_run_id"] == opened
    assert same["id"] == first["id"]
    assert rated["description"] == "Waits for 77 assignments: 3 of 80 done"
    assert "3 of 80 done" in rated["data"]
    keys = {artifact["key"] for artifact in server.artifacts_of(opened)}
    assert keys == {None}  # its page is a newer one; what its steps found is in no list


def test_the_page_follows_those_who_rate_on_the_web(server, shown):
    [before] = shown()
    with at_work() as work:
        follow = Following(work.store, seconds=0.1)
        server._call("PATCH", f"/artifacts/{before['id']}", {"data": "an hour ago"})

        for _ in range(10):
            follow(NAME)
        [after] = server.wait_for(lambda: _other(shown(), before["id"]), seconds=60)

    assert before["description"].rpartition(": ")[2] in after["data"]


def _other(versions, former):
    """The only version if it is not the former one."""
    return versions if len(versions) == 1 and versions[0]["id"] != former else None


@pytest.mark.usefixtures("opened")
def test_without_a_server_the_former_page_stays_and_nobody_is_stopped(monkeypatch):
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")

    with at_work() as work:
        assert not show_overview(work.case(NAME))
