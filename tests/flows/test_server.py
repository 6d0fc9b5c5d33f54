"""Against a real server and worker: what no test of a single function can show."""

import re
import sqlite3
import subprocess
import sys
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from ocrjury.campaign.config import read_campaign
from ocrjury.campaign.sections import Schedule
from ocrjury.cli import main
from ocrjury.deployments.automations import HEARTBEATS_MISSED, zombie_automation
from ocrjury.deployments.deploy import deploy
from ocrjury.errors import InputError, MissingDependencyError
from ocrjury.signals.run_counts import STATES, count_runs
from ocrjury.signals.server import authorization, exchange
from ocrjury.store.rounds import list_assignments
from tests.flows.conftest import remove_schedules

pytestmark = pytest.mark.prefect
SILENT = 30
"""Seconds without a sign of life after which the runs of these tests have crashed."""


@pytest.fixture(scope="module", autouse=True)  # Prefect waits while other tests run
def silent(server):
    """Three runs that gave a sign of life: the first ended, the third one is to go on."""
    ended, run, beating = (running_without_process(server) for _ in range(3))
    server.post(f"/flow_runs/{ended}/set_state", {"state": {"type": "COMPLETED"}})
    automation = zombie_automation(heartbeat=SILENT / HEARTBEATS_MISSED)
    automation["name"] = f"test of {run}"
    every = [f"prefect.flow-run.{each}" for each in (ended, run, beating)]
    automation["trigger"]["match"] = {"prefect.resource.id": every}
    server.create_automation(automation)
    send_heartbeat(server, ended)  # a busy server hears of it after the end
    send_heartbeat(server, run)
    with beating_often(server, beating):
        yield ended, run, beating


@contextmanager
def beating_often(server, run):
    """Let a run give signs of life, and no other, as often as a long one does."""
    over = threading.Event()

    def beat():
        while not over.wait(SILENT / HEARTBEATS_MISSED):
            with suppress(MissingDependencyError, httpx.HTTPError):  # a busy server
                send_heartbeat(server, run)

    beats = threading.Thread(target=beat, daemon=True)
    beats.start()
    yield
    over.set()
    beats.join(60)


def test_without_the_password_nobody_reads_or_changes_anything(server):
    own = {"Authorization": authorization(server.key)["Authorization"]}
    wrong = authorization("ocrjury:wrong")

    def statuses(headers):
        read = httpx.get(f"{server.address}/admin/settings", headers=headers)
        changed = httpx.post(f"{server.address}/flow_runs/filter", json={}, headers=headers)
        return read.status_code, changed.status_code

    # 403: no token against forged requests, which only those with the password get.
    assert statuses({}) == statuses(wrong) == (401, 403)
    assert statuses(own) == (200, 403)
    token = httpx.get(f"{server.address}/csrf-token", params={"client": "x"})
    assert token.status_code == 401


def test_of_many_who_report_at_once_none_is_refused(server):
    flow = server.post("/flows/", {"name": "busy"}).json()["id"]

    def answers(_):
        """What the server answers, at once, to whoever makes a run and ends it."""

        def post(path, body):
            address = f"{server.address}{path}"
            return exchange("POST", address, key=server.key, timeout=120, json=body)

        made = post("/flow_runs/", {"flow_id": flow, "state": {"type": "SCHEDULED"}})
        path = f"/flow_runs/{made.json().get('id')}/set_state"
        states = ("PENDING", "RUNNING", "COMPLETED")
        ends = [post(path, {"state": {"type": state}}) for state in states]
        return {answer.status_code for answer in (made, *ends)}

    with ThreadPoolExecutor(12) as many:
        assert set().union(*many.map(answers, range(36), timeout=240)) == {201}


def test_a_copy_of_the_servers_database_is_made_as_the_guide_says(server, silent, tmp_path):
    guide = Path(__file__).parents[2] / "docs" / "operations.md"
    (code,) = re.findall(r'^python -c "(.*prefect\.db.*)"$', guide.read_text("utf-8"), re.MULTILINE)
    copy = tmp_path / "prefect.db"
    command = [sys.executable, "-c", code.replace("/backup/prefect.db", str(copy))]

    subprocess.run(command, cwd=server.installation.home, check=True, timeout=60)

    with closing(sqlite3.connect(copy)) as kept:
        runs = {uuid.UUID(name) for (name,) in kept.execute("SELECT id FROM flow_run")}
        assert kept.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert {uuid.UUID(run) for run in silent} <= runs


def test_pages_of_other_origins_read_nothing(server):
    answers = [
        httpx.get(f"{server.address}/health", headers={"Origin": origin})
        for origin in ("http://evil.example", server.installation.ui)
    ]

    allowed = [answer.headers.get("access-control-allow-origin") for answer in answers]
    assert allowed == [None, server.installation.ui]


@pytest.fixture(scope="module")
def weekly(server):
    """The example's weekly schedule, which a person has switched on."""
    opened = server.deployment("open")
    [schedule] = opened["schedules"]
    assert (schedule["slug"], schedule["active"]) == ("weekly", False)
    server.switch_schedule(opened["id"], schedule["id"], active=True)


@pytest.mark.usefixtures("weekly")
@pytest.mark.parametrize("name", ["open", "advance"])
def test_an_active_schedule_yields_scheduled_runs(server, name):
    def scheduled():
        return [run for run in server.runs_of(name) if run["auto_scheduled"]]

    runs = server.wait_for(scheduled, seconds=120)

    # One that was due at once may have run meanwhile.
    assert "SCHEDULED" in {run["state_type"] for run in runs}
    assert all(run["expected_start_time"] for run in runs)


@pytest.mark.usefixtures("weekly")
@pytest.mark.parametrize(
    ("name", "named"),
    [("open", r"korean-claims-20\d\dw\d\d-r00-open"), ("advance", "sweep-schedule")],
)
def test_runs_that_wait_for_their_time_have_the_name_that_they_will_have(server, name, named):
    def names():
        waiting = [run for run in server.runs_of(name) if run["state_type"] == "SCHEDULED"]
        good = [re.fullmatch(named, run["name"]) for run in waiting]
        return waiting if good and all(good) else None

    waiting = server.wait_for(names, seconds=120)

    if name == "open":
        assert all("campaign:korean-claims" in run["tags"] for run in waiting)
    assert all("ocrjury" in run["tags"] for run in waiting)


@pytest.mark.usefixtures("weekly")
def test_a_week_starts_on_monday_morning_in_seoul(server):
    def mondays():
        runs = [run for run in server.runs_of("open") if run["auto_scheduled"]]
        return [run["expected_start_time"] for run in runs]

    starts = [datetime.fromisoformat(text) for text in server.wait_for(mondays, seconds=120)]

    assert {(at.astimezone(UTC).weekday(), at.astimezone(UTC).hour) for at in starts} == {(6, 21)}


def test_a_worker_takes_an_evaluation_up_to_its_raters(waiting_run):
    assert (waiting_run["state_type"], waiting_run["state_name"]) == (
        "CANCELLED",
        "WaitingForRatings",
    ), waiting_run["state"]["message"]


def test_a_run_that_ends_waiting_says_nothing_of_an_error(server, waiting_run):
    def lines():
        only = {"logs": {"flow_run_id": {"any_": [waiting_run["id"]]}}}
        return [line["message"] for line in server._call("POST", "/logs/filter", only)]

    def ended():
        return [line for line in lines() if line.startswith("Finished in state WaitingForRatings")]

    server.wait_for(ended, seconds=60)

    assert "waiting-claims-2026w47: the main round is open" in lines()
    assert [line for line in lines() if "exited" in line or "row" in line] == []


@pytest.mark.usefixtures("waiting_run")
def test_the_rating_page_starts_with_the_first_evaluation(server):
    assert server.rating_page()


def test_the_artifacts_of_a_run_are_listed(server, waiting_run):
    artifacts = server.artifacts_of(waiting_run["id"])

    kinds = {artifact["type"] for artifact in artifacts}
    assert kinds - {"progress"} == {"markdown"}  # where a step took long, its bar is there too
    assert all(artifact["description"] and artifact["data"] for artifact in artifacts)


@pytest.mark.usefixtures("waiting_run")
def test_the_event_after_the_last_rating_starts_advance(server, tmp_path, monkeypatch):
    name = "waiting-claims-2026w47"
    server.serve_commands(monkeypatch)

    def started():
        return [run for run in server.runs_of("advance-round") if not run["auto_scheduled"]]

    ratings = all_ratings(server, name, tmp_path)
    with server.handing_out_nothing():  # what a worker does with it: `test_rating_page.py`
        assert main(["ratings", "import", name, str(ratings), "--as-lead"]) == 0
        [run] = server.wait_for(started, seconds=120)
        server._call("DELETE", f"/flow_runs/{run['id']}")

    assert run["parameters"] == {"evaluation": name, "reason": "event"}


def all_ratings(server, evaluation, folder):
    """A file in which every rater of the open round gives every item a 4."""
    with server.open_store() as store:
        open_ones = list_assignments(store.engine, evaluation, state="open")
    rows = [f"{evaluation},{one.item},{one.rater},4,4,4" for one in open_ones]
    path = folder / "ratings.csv"
    path.write_text("\n".join(["evaluation,item,rater,meaning,layout,readability", *rows]), "utf-8")
    return path


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"decision": "procede"}, r"field 'decision'.*'procede' is not one of"),
        ({"reason": "n"}, r"field 'reason'.*'n' is too short"),
        ({"evaluation": 7}, r"field 'evaluation'.*7 is not of type 'string'"),
        ({"target": {"dayz": 3}}, r"'dayz' was unexpected"),
    ],
)
def test_a_wrong_value_is_refused_by_the_api(server, wrong, sentence):
    right = {"evaluation": "claims-2026w47", "decision": "abort", "reason": "a rehearsal"}
    right |= {"actor": "Kim"}

    with pytest.raises(InputError, match=rf"(?s)refuses to start decide-.*{sentence}"):
        server.start("decide-evaluation/decide", right | wrong)


def test_a_refusal_of_the_api_is_a_conflict(server):
    deployment = server.deployment("decide")["id"]
    parameters = {
        "evaluation": "claims-w47",
        "decision": "procede",
        "reason": "because",
        "actor": "Kim",
    }

    response = server.post(
        f"/deployments/{deployment}/create_flow_run",
        {"parameters": parameters},
    )

    assert response.status_code == 409
    assert "'procede' is not one of" in response.json()["detail"]


def test_a_run_without_heartbeat_is_marked_as_crashed_and_none_that_ended_or_goes_on(
    server, silent
):
    ended, run, beating = silent
    began = datetime.fromisoformat(server.run(beating)["created"])

    def crashed():
        return server.run(run)["state_type"] == "CRASHED"

    def crashed_in_silence():
        if holds_within(crashed, seconds=SILENT):
            return True
        # The server begins to look a moment after it has stored the automation: it missed these.
        send_heartbeat(server, ended)
        send_heartbeat(server, run)
        return False

    def is_long():
        return datetime.now(UTC) - began > timedelta(seconds=2.5 * SILENT)

    server.wait_for(crashed_in_silence, seconds=5 * SILENT)
    server.wait_for(is_long, seconds=3 * SILENT)

    assert "no sign of life" in server.run(run)["state"]["message"]
    assert server.run(ended)["state_type"] == "COMPLETED"
    assert server.run(beating)["state_type"] == "RUNNING"


def holds_within(condition, *, seconds):
    """Whether something comes true in time."""
    end = time.monotonic() + seconds
    while not (holds := condition()) and time.monotonic() < end:
        time.sleep(2)
    return holds


def running_without_process(server):
    """A flow run that says `Running` though nothing runs."""
    flow = server.deployment("report")["flow_id"]
    body = {"flow_id": flow, "state": {"type": "RUNNING"}}
    answers = []

    def created():  # a busy server's SQLite says now and then that it is locked
        answers.append(server.post("/flow_runs/", body))
        return answers[-1].status_code == httpx.codes.CREATED

    server.wait_for(created, seconds=120)
    return answers[-1].json()["id"]


def send_heartbeat(server, run):
    event = {
        "id": str(uuid.uuid4()),
        "occurred": datetime.now(UTC).isoformat(),
        "event": "prefect.flow-run.heartbeat",
        "resource": {"prefect.resource.id": f"prefect.flow-run.{run}"},
        "payload": {},
    }
    server.post("/events", [event]).raise_for_status()


@pytest.fixture(scope="module")
def campaigns(server, deployed):
    """Two of the campaigns with schedules of their own; the third one opens every minute."""
    remove_schedules(server, "open-page-claims")
    return [read_campaign(path) for path in deployed[:2]]


@pytest.mark.parametrize("number", [0, 1])
def test_a_campaign_opens_by_its_own_schedule(server, campaigns, number):
    campaign = campaigns[number]
    name = f"open-{campaign.name}"

    def scheduled():
        return [run for run in server.runs_of(name) if run["auto_scheduled"]]

    runs = server.wait_for(scheduled, seconds=120)

    [schedule] = server.deployment(name)["schedules"]
    assert (schedule["slug"], schedule["active"]) == ("schedule", True)
    assert (schedule["schedule"]["cron"], schedule["schedule"]["timezone"]) == (
        "0 6 * * 1",
        "Asia/Seoul",
    )
    assert {run["parameters"]["campaign"] for run in runs} == {str(campaign.source)}


@pytest.fixture
def sweep(server):
    """The deployment that sweeps; later tests find it, and its automation, switched on."""
    yield server.deployment("advance")
    again = server.deployment("advance")
    server.switch_schedule(again["id"], again["schedules"][0]["id"], active=True)
    server.enable_automation(automation_of_advance(server)["id"])


def automation_of_advance(server):
    [found] = [
        automation
        for automation in server.automations()
        if "advance when a lead" in automation["name"]
    ]
    return found


@pytest.mark.usefixtures("weekly")
def test_a_deployment_leaves_on_and_off_what_a_person_switched(server, sweep, campaigns):
    first, unscheduled = campaigns[0], campaigns[1].model_copy(update={"schedule": Schedule()})
    unscheduled._source = campaigns[1].source
    for one in (sweep, server.deployment("open-waiting-claims")):
        server.switch_schedule(one["id"], one["schedules"][0]["id"], active=False)
    advance = automation_of_advance(server)
    server.disable_automation(advance["id"])

    again = deploy(
        server,
        environment=server.installation.environment(),
        log=server.installation.log("deploy"),
        campaigns=[first, unscheduled],
    )

    assert sorted(again) == ["advance/sweep", advance["name"], "open-waiting-claims/schedule"]
    found = {deployment["name"]: deployment["schedules"] for deployment in server.deployments()}
    assert not found["advance"][0]["active"]
    assert found["open"][0]["active"]
    assert not found["open-waiting-claims"][0]["active"]
    assert found["open-other-claims"] == []
    assert [a["enabled"] for a in server.automations() if a["name"] == advance["name"]] == [False]


@pytest.mark.usefixtures("waiting_run")
def test_runs_of_a_real_server_are_counted_by_state(server):
    counts = count_runs(server.address, key=server.key, now=datetime.now(UTC))

    assert set(counts) == set(STATES)
    assert counts["waiting"] >= 1
    assert counts["cancelled"] == 0
    assert counts["late"] == 0
