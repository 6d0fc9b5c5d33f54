"""The commands of the compose file, started from the wheel on free ports.

Prefect's own server is the one of `ocrjury up`, which starts with the same command
(`tests/deployments/test_compose.py`); the unit of the rating page: `tests/wheel`; with PostgreSQL,
and the mail relay: `tests/external`.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from ocrjury.store.database import open_database
from tests.deployments.services import COMPOSE, FOLDER, filled
from tests.flows.conftest import free_port

pytestmark = pytest.mark.prefect
SERVICES = COMPOSE["services"]
TOKEN = "t" * 32
ANSWERS = {"OCRJURY_RATING_URL": "https://rate.example.org", "OCRJURY_RELAY_TLS": "off"}
# A root in which nothing but the home and /tmp can be written, as in a container.
LOCK = 'mount --bind /tmp /tmp && mount --bind "$0" "$0" && mount -o remount,bind,ro / && exec "$@"'
IN_A_NAMESPACE = ("--user", "--map-root-user") if os.geteuid() else ()
READ_ONLY = ("unshare", *IN_A_NAMESPACE, "--mount", "--kill-child", "--fork", "sh", "-c", LOCK)


@pytest.fixture(scope="module")
def database(postgres_cluster, tmp_path_factory):
    """The store of the compose file: made by its script, in a real PostgreSQL."""
    folder = tmp_path_factory.mktemp("secrets")
    for name in COMPOSE["secrets"]:
        (folder / name).write_text(f"{TOKEN}\n", "utf-8")
    script = (FOLDER / "postgres" / "databases.sh").read_text("utf-8")
    environment = os.environ | {"POSTGRES_USER": "postgres", "PGHOST": str(postgres_cluster)}
    done = subprocess.run(
        ["sh", "-c", script.replace("/run/secrets", str(folder))],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return folder, f"postgresql://ocrjury@/ocrjury?host={postgres_cluster}"


class Service:
    """A service of the compose file, moved to free ports of this machine."""

    def __init__(self, name, *, secrets, more=()):
        self.service = SERVICES[name]
        self.ports = {old: free_port() for old in ("8080", "8081", "2525")}
        self.secrets = secrets
        self.command = [*map(self.moved, self.service["command"]), *more]
        check = self.service.get("healthcheck", {"test": []})
        self.probe = [self.moved(word) for word in check["test"][2:]]
        self.port = urlsplit(self.probe[-1]).port if self.probe else None
        given = self.service.get("environment", {}).items()
        self.environment = {key: self.moved(value) for key, value in given}

    def moved(self, text):
        text = filled(text, **ANSWERS)
        for old, new in self.ports.items():
            text = text.replace(old, str(new))
        return text.replace("/run/secrets", str(self.secrets))


def start(service, installed, home, **changes):
    """Start a service behind the entry, with a root that cannot be written to."""
    paths = [str(installed.python.parent), str(Path(sys.executable).parent), "/usr/bin", "/bin"]
    environment = installed.environment | service.environment
    environment |= {"OCRJURY_HOME": str(home), "OCRJURY_RATING_PORT": str(service.ports["8080"])}
    environment |= {"PATH": ":".join(paths), "HOME": str(home)} | changes
    entry = [installed.python, "-m", "ocrjury.deployments.entry"]
    with (home / "said.txt").open("wb") as said:
        return subprocess.Popen(
            [*READ_ONLY, str(home), *entry, *service.command],
            cwd=home,
            env=environment,
            stdout=said,
            stderr=subprocess.STDOUT,
        )


def wait_until_healthy(service, process, installed, home):
    """Ask as the container's health check does, once the port is open, until it ends with 0."""
    end = time.monotonic() + 120
    probe = [installed.python, *service.probe]
    while True:
        if listens(service.port):
            done = subprocess.run(probe, capture_output=True, text=True, check=False, timeout=60)
            if done.returncode == 0:
                return
        if process.poll() is not None or time.monotonic() > end:
            pytest.fail((home / "said.txt").read_text())
        time.sleep(0.2)


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def running(installed, tmp_path):
    """Start services, and end them after the test."""
    started = []

    def run(service, **changes):
        process = start(service, installed, tmp_path, **changes)
        started.append(process)
        wait_until_healthy(service, process, installed, tmp_path)
        return process

    yield run
    for process in started:
        process.kill()
        process.wait(60)


def stop(process):
    """End a service as Docker does, and return its exit code."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("ascii")
    os.kill(int(children.split()[0]), signal.SIGTERM)
    return process.wait(60)


def test_the_rating_page_serves_on_a_root_that_cannot_be_written(running, database):
    secrets, url = database
    page = Service("page", secrets=secrets)

    process = running(page, OCRJURY_DATABASE_URL=url, PREFECT_API_URL="http://127.0.0.1:9/api")
    address = f"http://127.0.0.1:{page.ports['8080']}"
    entrance = httpx.get(f"{address}/enter", headers={"Host": "rate.example.org"}, timeout=60)
    numbers = httpx.get(
        f"{address}/metrics", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60
    )

    assert entrance.status_code == 200
    assert "ocrjury_store_up 1.0" in numbers.text
    assert httpx.get(f"{address}/metrics", timeout=60).status_code == 401
    assert stop(process) == 0


def test_the_worker_works_on_a_root_that_cannot_be_written(running, database, server):
    secrets, url = database
    (secrets / "prefect_password").write_text(server.key, "utf-8")
    # A pool of its own, so that it takes no run of other tests.
    worker = Service("worker", secrets=secrets, more=("--pool", "elsewhere"))

    process = running(worker, OCRJURY_DATABASE_URL=url, PREFECT_API_URL=server.address)
    [seen] = server.wait_for(lambda: workers_of(server, "elsewhere"), seconds=60)

    assert (seen["name"], seen["status"]) == ("worker", "ONLINE")
    assert stop(process) == 0


def workers_of(server, pool):
    """Workers that a pool has seen, none before there is the pool."""
    if not server.has_work_pool(pool):
        return []
    return server._call("POST", f"/work_pools/{pool}/workers/filter", {})


def test_the_backup_job_leaves_a_backup(database, installed, tmp_path):
    secrets, url = database
    job = Service("backup", secrets=secrets)
    job.command = [word.replace("/srv", str(tmp_path)).replace("$$", "$") for word in job.command]

    open_database(url).dispose()  # the page or a worker has been there

    process = start(job, installed, tmp_path, OCRJURY_DATABASE_URL=url)

    assert process.wait(120) == 0, (tmp_path / "said.txt").read_text()
    [folder] = (tmp_path / "backup").iterdir()
    assert (folder / "manifest.json").is_file()
