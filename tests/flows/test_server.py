"""Against a real server and worker: what no test of a single function can show."""

import uuid
from datetime import UTC, datetime

import httpx
import pytest

from deployments.automations import zombie_automation
from deployments.deploy import deploy
from ocrjury.errors import InputError
from ocrjury.signals import Signal, post_signals, start_deployment

pytestmark = pytest.mark.prefect


@pytest.fixture(scope="module")
def waiting_run(server, waiting_campaign):
    """An evaluation that waits for its raters, opened by the worker."""
    parameters = {"campaign": str(waiting_campaign), "period": "2026w47"}
    started = start_deployment(server.address, "open-evaluation/open", parameters)
    return server.wait_for_end(started.flow_run)


@pytest.mark.parametrize("name", ["open", "advance"])
def test_an_active_schedule_yields_scheduled_runs(server, name):
    def scheduled():
        return [run for run in server.runs_of(name) if run["auto_scheduled"]]

    runs = server.wait_for(scheduled, seconds=60)

    assert {run["state_type"] for run in runs} == {"SCHEDULED"}


def test_a_week_starts_on_monday_morning_in_seoul(server):
    def mondays():
        runs = [run for run in server.runs_of("open") if run["auto_scheduled"]]
        return [run["expected_start_time"] for run in runs]

    starts = [datetime.fromisoformat(text) for text in server.wait_for(mondays, seconds=60)]

    assert {(at.astimezone(UTC).weekday(), at.astimezone(UTC).hour) for at in starts} == {(6, 21)}


def test_a_worker_takes_an_evaluation_up_to_its_raters(waiting_run):
    assert (waiting_run["state_type"], waiting_run["state_name"]) == (
        "COMPLETED",
        "WaitingForRatings",
    ), waiting_run["state"]["message"]


def test_the_artifacts_of_a_run_are_listed(server, waiting_run):
    artifacts = server.artifacts_of(waiting_run["id"])

    assert artifacts
    assert {artifact["type"] for artifact in artifacts} == {"markdown"}
    assert all(artifact["key"] and artifact["data"] for artifact in artifacts)


@pytest.mark.usefixtures("waiting_run")
def test_the_event_after_the_last_rating_starts_advance(server):
    name = "waiting-claims-2026w47"
    payload = {"evaluation": name, "round": "1"}
    signal = Signal(f"{name}.1.ocrjury.round.complete", name, "ocrjury.round.complete", payload)

    def started():
        return [run for run in server.runs_of("advance") if not run["auto_scheduled"]]

    posted = post_signals([signal], api=server.address)
    [run] = server.wait_for(started, seconds=60)
    end = server.wait_for_end(run["id"])

    assert posted == [signal.signal]
    assert run["parameters"] == {"evaluation": name, "reason": "event"}
    assert end["state_name"] == "WaitingForRatings", end["state"]["message"]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"decision": "procede"}, r"field 'decision'.*'procede' is not one of"),
        ({"reason": "no"}, r"field 'reason'.*'no' is too short"),
        ({"evaluation": 7}, r"field 'evaluation'.*7 is not of type 'string'"),
        ({"target": {"dayz": 3}}, r"'dayz' was unexpected"),
    ],
)
def test_a_wrong_value_is_refused_by_the_api(server, wrong, sentence):
    right = {"evaluation": "claims-2026w47", "decision": "abort", "reason": "a rehearsal"}

    with pytest.raises(InputError, match=rf"(?s)refuses to start decide-.*{sentence}"):
        start_deployment(server.address, "decide-evaluation/decide", right | wrong)


def test_a_refusal_of_the_api_is_a_conflict(server):
    deployment = server.deployment("decide")["id"]

    response = httpx.post(
        f"{server.address}/deployments/{deployment}/create_flow_run",
        json={"parameters": {"evaluation": "x", "decision": "procede", "reason": "because"}},
    )

    assert response.status_code == 409
    assert "'procede' is not one of" in response.json()["detail"]


def test_a_run_without_heartbeat_is_marked_as_crashed(server):
    run = running_without_process(server)
    automation = zombie_automation(heartbeat=10 / 3)  # Prefect waits ten seconds at least
    automation["name"] = f"test of {run}"
    automation["trigger"]["match"] = {"prefect.resource.id": f"prefect.flow-run.{run}"}
    server.create_automation(automation)

    def crashed():
        return server.run(run)["state_type"] == "CRASHED"

    send_heartbeat(server, run)
    server.wait_for(crashed, seconds=60)

    assert "no sign of life" in server.run(run)["state"]["message"]


def running_without_process(server):
    """Return a flow run that says `Running` though nothing runs."""
    flow = server.deployment("report")["flow_id"]
    body = {"flow_id": flow, "state": {"type": "RUNNING"}}
    return httpx.post(f"{server.address}/flow_runs/", json=body).json()["id"]


def send_heartbeat(server, run):
    event = {
        "id": str(uuid.uuid4()),
        "occurred": datetime.now(UTC).isoformat(),
        "event": "prefect.flow-run.heartbeat",
        "resource": {"prefect.resource.id": f"prefect.flow-run.{run}"},
        "payload": {},
    }
    httpx.post(f"{server.address}/events", json=[event]).raise_for_status()


def test_a_deployment_leaves_off_what_a_person_switched_off(server):
    opened = server.deployment("open")
    server.disable_schedule(opened["id"], opened["schedules"][0]["id"])
    [advance] = [a for a in server.automations() if "advance" in a["name"]]
    server.disable_automation(advance["id"])

    environment = server.installation.environment()
    again = deploy(server, environment=environment, log=server.installation.log("deploy"))

    assert again == ["open/weekly", advance["name"]]
    assert not server.deployment("open")["schedules"][0]["active"]
    assert [a["enabled"] for a in server.automations() if a["name"] == advance["name"]] == [False]
