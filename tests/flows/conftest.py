"""One real Prefect server for all tests of this folder: `ocrjury up` of the installed wheel."""

import signal
import socket
import subprocess
import time
import uuid
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
import yaml

from ocrjury.campaign.bundled_example import EXAMPLE as BUNDLED
from ocrjury.deployments.dead_runs import release_dead_runs
from ocrjury.deployments.installation import POOL, Installation
from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.signals import start_deployment
from ocrjury.signals.own_server import own_password
from ocrjury.signals.server import request as send
from ocrjury.store.workspace import open_store
from tests.conftest import server_of
from tests.mailbox import open_mailbox

EXAMPLE = BUNDLED.parent
HERE = Path(__file__).parent
RUNNING = ExitStack()
RATERS = """pseudonym,name,email,role,languages,capacity
P01,A,,rater,en;ko,5
P02,B,,rater,ko,5
P03,C,,rater,ko,
P04,D,,rater,ko,
"""


PROBE = {
    "name": "probe",
    "trigger": {
        "type": "event",
        "posture": "Reactive",
        "expect": ["ocrjury.probe"],
        "threshold": 1,
        "within": 0,
    },
    "actions": [{"type": "do-nothing"}],
}


class Server(PrefectApi):
    """The server's API, the installation it belongs to, and what tests ask it."""

    def __init__(self, installation, installed, variables):
        password = own_password(installation.home)
        super().__init__(installation.api, key=password, timeout=60)
        self.installation, self._installed, self.variables = installation, installed, variables

    def open_store(self):
        """Open the store of this server, on whichever database it is."""
        url = self.variables.get("OCRJURY_DATABASE_URL")
        return open_store(home=self.installation.home, database_url=url)

    def serve_commands(self, monkeypatch):
        """Let commands in this process work with this server and its store."""
        for name, value in self.variables.items():
            if name in {"OCRJURY_HOME", "OCRJURY_DATABASE_URL"}:
                monkeypatch.setenv(name, value)
        monkeypatch.setenv("PREFECT_API_URL", self.address)
        monkeypatch.setenv("PREFECT_API_AUTH_STRING", self.key)

    def start(self, deployment, parameters):
        """Start a deployment as a program with the password does."""
        return start_deployment(self.address, deployment, parameters, key=self.key)

    def post(self, path, body):
        return send("POST", f"{self.address}{path}", key=self.key, json=body, timeout=60)

    def run_command(self, *arguments):
        """Run a command of the wheel in the home of this server."""
        return self._installed.run(*arguments, **self.variables)

    def rating_page(self):
        """Wait for the rating page, which starts with the first evaluation; return where it is."""
        port = self.installation.rating_port
        page = SimpleNamespace(port=port, address=f"http://127.0.0.1:{port}")

        def served():
            with suppress(httpx.ConnectError):
                return "<form" in httpx.get(f"{page.address}/enter").text

        self.wait_for(served, seconds=60)
        return page

    @contextmanager
    def handing_out_nothing(self):
        """Give no run to a worker."""
        self._call("PATCH", f"/work_pools/{POOL}", {"is_paused": True})
        yield
        self._call("PATCH", f"/work_pools/{POOL}", {"is_paused": False})

    def enable_automation(self, automation):
        """Switch an automation on, and wait until events find it so.

        The server answers before it has taken notice, and takes notice of changes in their order:
        a later automation that acts shows that the earlier one would.
        """
        self._call("PATCH", f"/automations/{automation}", {"enabled": True})
        probe = self._call("POST", "/automations/", PROBE)["id"]
        acted = {
            "event": {"name": ["prefect.automation.triggered"]},
            "resource": {"id": [f"prefect.automation.{probe}"]},
        }

        def noticed():
            event = {
                "id": str(uuid.uuid4()),
                "occurred": datetime.now(UTC).isoformat(),
                "event": "ocrjury.probe",
                "resource": {"prefect.resource.id": "ocrjury.probe"},
            }
            self.post("/events", [event])
            return self._call("POST", "/events/filter", {"filter": acted})["events"]

        self.wait_for(noticed, seconds=60)
        self._call("DELETE", f"/automations/{probe}")

    def take(self, flow_run):
        """Take a run as a worker does before it starts a process."""
        self.post(f"/flow_runs/{flow_run}/set_state", {"state": {"type": "PENDING"}})

    def slots(self, name):
        """How many runs of a deployment have a slot."""
        return self.deployment(name)["global_concurrency_limit"]["active_slots"]

    def deployment(self, name):
        return next(d for d in self.deployments() if d["name"] == name)

    def path_of(self, name):
        return f"/deployments/{self.deployment(name)['id']}"

    def runs_of(self, name):
        only = {"deployments": {"id": {"any_": [self.deployment(name)["id"]]}}}
        return self._call("POST", "/flow_runs/filter", only)

    def run(self, flow_run):
        return self._call("GET", f"/flow_runs/{flow_run}")

    def artifacts_of(self, flow_run):
        only = {"artifacts": {"flow_run_id": {"any_": [flow_run]}}}
        return self._call("POST", "/artifacts/filter", only)

    def wait_for(self, answer, *, seconds):
        """The first answer that is not empty; fail with the worker's log if none comes."""
        end = time.monotonic() + seconds
        while not (value := answer()):
            if time.monotonic() > end:
                log = self.installation.log("worker").read_text(errors="replace")
                pytest.fail(f"nothing within {seconds} s; the worker's log ends:\n{log[-3000:]}")
            time.sleep(0.5)
        return value

    def wait_for_end(self, flow_run, *, seconds=180):
        final = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}

        def ended():
            run = self.run(flow_run)
            return run if run["state_type"] in final else None

        return self.wait_for(ended, seconds=seconds)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def installation(tmp_path_factory):
    return Installation(tmp_path_factory.mktemp("up"), free_port(), free_port())


@pytest.fixture(scope="session")
def variables(installation, request):
    """Environment of everything that belongs to the installation."""
    database = {}
    if request.config.getoption("--postgresql"):
        cluster = request.getfixturevalue("postgres_cluster")
        with server_of(cluster) as connection:
            connection.execute("CREATE DATABASE up")
        database["OCRJURY_DATABASE_URL"] = f"postgresql://postgres@/up?host={cluster}"
    return database | {
        "OCRJURY_HOME": str(installation.home),
        "OCRJURY_LOG": "json",
        "OCRJURY_PREFECT_PORT": str(installation.port),
        "OCRJURY_RATING_PORT": str(installation.rating_port),
        "PREFECT_HOME": str(installation.home / "prefect"),
        "PREFECT_SERVER_SERVICES_SCHEDULER_LOOP_SECONDS": "2",
    }


@pytest.fixture(scope="session")
def server(installation, installed, variables):
    """The server of this folder, which ends with the folder's last test."""
    with RUNNING:
        RUNNING.enter_context(everything_up(installation, installed, variables))
        yield Server(installation, installed, variables)


@pytest.hookimpl(trylast=True)  # after the fixtures of the last test, which may ask the server
def pytest_runtest_teardown(nextitem):
    """Leave no idle server beside the tests of other folders."""
    if nextitem is None or HERE not in nextitem.path.parents:
        RUNNING.close()


@contextmanager
def everything_up(installation, installed, variables):
    """Start everything as somebody with the wheel does; afterwards nothing is left of it."""
    environment = installed.environment | variables
    output = installation.home / "up.txt"
    with output.open("wb") as told:
        up = subprocess.Popen(
            installed.command("up"),
            cwd=installation.home,
            env=environment,
            stdout=told,
            stderr=told,
        )
    try:
        wait_until_up(up, output)
        yield
    finally:
        up.send_signal(signal.SIGTERM)
        assert up.wait(60) == 0, output.read_text()


def wait_until_up(up, output, *, seconds=180):
    end = time.monotonic() + seconds
    while "Prefect is up" not in output.read_text():
        if up.poll() is not None or time.monotonic() > end:
            pytest.fail(f"`ocrjury up` did not come up: {output.read_text()}")
        time.sleep(0.2)


@contextmanager
def reporting_to(server):
    """Let flows of this very process report to the server, without heartbeats."""
    from prefect.settings import (
        PREFECT_API_AUTH_STRING,
        PREFECT_API_URL,
        PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
        PREFECT_LOGGING_TO_API_ENABLED,
        temporary_settings,
    )

    with temporary_settings(
        {
            PREFECT_API_AUTH_STRING: server.key,
            PREFECT_API_URL: server.address,
            PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None,
            # Its thread would outlive the server, and complain after pytest's last line.
            PREFECT_LOGGING_TO_API_ENABLED: False,
        }
    ):
        yield server


@pytest.fixture
def in_process(server):
    """A server to which flows of this process report."""
    with reporting_to(server):
        yield server


def campaign_in(folder, name, **changes):
    """Write a campaign on the bundled pool, without simulated raters; return its path."""
    campaign = yaml.safe_load((EXAMPLE / "campaign.yaml").read_text(encoding="utf-8"))
    campaign.pop("simulation")
    campaign |= {"name": name, "rubric": str(EXAMPLE / campaign["rubric"])}
    campaign["pool"]["path"] = str(EXAMPLE / campaign["pool"]["path"])
    campaign["raters"]["file"] = str(EXAMPLE / campaign["raters"]["file"])
    for section, values in changes.items():
        campaign[section] = campaign.get(section, {}) | values
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump(campaign, allow_unicode=True), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def waiting_campaign(tmp_path_factory):
    """A small campaign on the bundled pool whose raters hand in files, so that it waits."""
    changes = {"sampling": {"n": 40}, "rounds": {"frontend": "file"}}
    return campaign_in(tmp_path_factory.mktemp("campaign"), "waiting-claims", **changes)


@pytest.fixture(scope="session")
def mailbox():
    """A mail server of this machine."""
    with open_mailbox() as box:
        yield box


@pytest.fixture(scope="session")
def page_campaign(mailbox, tmp_path_factory):
    """As few items as a verdict needs, for raters at the page; a report and news go by mail."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "raters.csv").write_text(RATERS, encoding="utf-8")
    mail = {"host": "127.0.0.1", "port": mailbox.port, "starttls": False, "sender": "o@example.org"}
    return campaign_in(
        folder,
        "page-claims",
        schedule={"cron": "* * * * *"},
        pool={"images": str(EXAMPLE)},
        raters={"file": "raters.csv", "gold_every": 50},
        sampling={"n": 50},
        rounds={"frontend": "web"},
        adaptive={"max_rounds": 0},
        report={
            "worst_items": 1,
            "recipients": ["lead@example.org"],
            "leads": ["chief@example.org"],
            "mail": mail,
        },
    )


@pytest.fixture(scope="session")
def deployed(server, waiting_campaign, page_campaign):
    """Three campaigns with schedules of their own, deployed at once by the command of the wheel."""
    other = campaign_in(waiting_campaign.parent, "other-claims", rounds={"frontend": "file"})
    paths = [waiting_campaign, other, page_campaign]
    done = server.run_command("deploy", *paths)
    assert done.returncode == 0, done.stderr
    return paths


def remove_schedules(server, name):
    """Let no more runs of a deployment start by themselves."""
    deployment = server.deployment(name)
    for schedule in deployment["schedules"]:
        server.remove_schedule(deployment["id"], schedule["id"])


@pytest.fixture(scope="session")
def revived(server, waiting_campaign):
    """The opening of an evaluation whose worker ended before it began, and what was found."""
    server.wait_for(lambda: server.live_workers(POOL) == ["local"], seconds=120)
    parameters = {"campaign": str(waiting_campaign), "period": "2026w47"}
    with server.handing_out_nothing():
        run = server.start("open-evaluation/open", parameters).flow_run
        server.take(run)
    taken = server.run(run)["state_type"], server.slots("open")
    left, names = release_dead_runs(server, POOL, worker="another one"), [server.run(run)["name"]]
    released = release_dead_runs(server, POOL, worker="local")
    names.append(server.run(run)["name"])  # the worker names what waits, perhaps just now
    ended = server.wait_for_end(run)
    return SimpleNamespace(taken=taken, left=left, released=released, names=names, run=ended)


@pytest.fixture(scope="session")
def waiting_run(revived):
    """An evaluation that waits for its raters, opened by the worker."""
    return revived.run
