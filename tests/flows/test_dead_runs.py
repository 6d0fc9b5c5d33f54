from datetime import UTC, datetime, timedelta

import pytest

from ocrjury.deployments.dead_runs import WAITS, release_dead_runs
from ocrjury.deployments.installation import POOL
from ocrjury.signals.stuck_runs import BLOCKED_AFTER, explain, list_stuck


@pytest.fixture
def submitting(server):
    """A run that a worker has taken and not begun, with the only slot of its deployment."""
    server.wait_for(lambda: server.live_workers(POOL) == ["local"], seconds=120)
    later = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    state = {"type": "SCHEDULED", "state_details": {"scheduled_time": later}}
    path = server.path_of("advance-round")
    run = server._call("POST", f"{path}/create_flow_run", {"state": state})
    server.take(run["id"])
    yield run["id"]
    release_dead_runs(server, POOL, worker="local")
    for left in server.runs_of("advance-round"):  # other tests count them
        if not left["parameters"].get("evaluation"):
            server._call("DELETE", f"/flow_runs/{left['id']}")


def test_a_run_whose_worker_ended_before_it_began_gives_its_slot_back_and_runs(server, revived):
    assert revived.taken == ("PENDING", 1)
    assert revived.left == []
    assert len(revived.released) == 1
    assert revived.released[0] in revived.names
    assert revived.run["state_name"] == "WaitingForRatings", revived.run["state"]["message"]
    server.wait_for(lambda: server.slots("open") == 0, seconds=60)


def test_an_opening_that_was_killed_before_there_was_an_evaluation_begins_again(
    server, revived, waiting_campaign
):
    parameters = {"campaign": str(waiting_campaign), "period": "2026w47"}  # which is open
    with server.handing_out_nothing():
        run = server.start("open-evaluation/open", parameters).flow_run
        server.take(run)
        server.set_state(run, "RUNNING", "")
    due = server.run(run)["expected_start_time"]

    release_dead_runs(server, POOL, worker="local")

    ended = server.wait_for_end(run)
    assert (ended["state_name"], ended["run_count"]) == ("AlreadyOpen", 2)
    assert ended["expected_start_time"] == due  # from which the period of a schedule comes


def test_a_run_that_waits_for_a_place_is_named_with_what_to_do(server, submitting):
    run = server._call("POST", f"{server.path_of('advance-round')}/create_flow_run", {})

    def blocked():
        return server.run(run["id"])["state_name"] == "AwaitingConcurrencySlot"

    server.wait_for(blocked, seconds=120)
    now = datetime.now(UTC) + 2 * BLOCKED_AFTER
    [found] = list_stuck(server.address, key=server.key, now=now)
    server._call("DELETE", f"/flow_runs/{run['id']}")

    # The worker gives it a name of ours when it first looks at it, perhaps a moment after this.
    assert found.name in {run["name"], "sweep-event"}
    assert found.trouble == "blocked"
    assert "restart `ocrjury up`" in explain(found, moment="").remedy
    assert list_stuck("http://127.0.0.1:9/api", key=None, now=now) == []


def test_a_slot_that_nobody_has_is_freed(server, submitting):
    server._call("DELETE", f"/flow_runs/{submitting}")
    limit = server.deployment("advance-round")["global_concurrency_limit"]["id"]
    server._call("PATCH", f"/v2/concurrency_limits/{limit}", {"active_slots": 1})
    taken = server.slots("advance-round")

    release_dead_runs(server, POOL, worker="local")

    assert (taken, server.slots("advance-round")) == (1, 0)


def test_a_run_whose_process_is_gone_has_crashed(server, submitting, monkeypatch):
    runs = server.unfinished_runs
    gone = [run | {"state_type": "RUNNING"} for run in runs(POOL) if run["id"] == submitting]
    monkeypatch.setattr(server, "unfinished_runs", lambda _: gone)

    release_dead_runs(server, POOL, worker="local")

    run = server.run(submitting)
    assert run["state_type"] == "CRASHED"
    assert "goes on where it was" in run["state"]["message"]
    assert WAITS not in run["state"]["message"]
