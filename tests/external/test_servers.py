"""The files for servers, read by the programs that they are for; Prefect on PostgreSQL; the relay.

Needs what `make out/servers/.ready out/msmtpd/.ready` brings, and ``systemd-analyze``.
"""

import email
import json
import os
import re
import shutil
import smtplib
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.conftest import _as_postgres
from tests.deployments.services import COMPOSE, FOLDER, STARTED
from tests.flows.conftest import free_port
from tests.flows.test_services import READ_ONLY, Service, start, wait_until_healthy
from tests.mailbox import open_mailbox

TOOLS = FOLDER.parent / "out" / "servers"
JOB = """
import asyncio, json, sys, uuid
sys.path.append(sys.argv[1])
from prefect.client.schemas.objects import FlowRun
from prefect_kubernetes.worker import KubernetesWorkerJobConfiguration as Job

async def made():
    template = json.load(open(sys.argv[2]))
    job = await Job.from_template_and_values(base_job_template=template, values={"env": {"A": "1"}})
    run = FlowRun(id=uuid.uuid4(), flow_id=uuid.uuid4(), name="a-run", parameters={})
    job.prepare_for_flow_run(run)
    print(json.dumps(job.job_manifest))

asyncio.run(made())
"""


def run(*command, seconds=120, **environment):
    return subprocess.run(
        command,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )


def here(name, folder):
    """Copy of a unit whose program and account exist on this machine."""
    text = (FOLDER / "systemd" / name).read_text("utf-8")
    path = folder / name
    path.write_text(text.replace("/opt/ocrjury/bin/python", sys.executable), "utf-8")
    return str(path)


@pytest.mark.parametrize("name", sorted([*STARTED, "ocrjury-backup.timer"]))
def test_systemd_understands_a_unit(name, tmp_path):
    for each in {*STARTED, name}:
        here(each, tmp_path)

    done = run("systemd-analyze", "verify", "--man=no", str(tmp_path / name))

    own = [line for line in done.stderr.splitlines() if "ocrjury" in line]
    assert [line for line in own if "Failed to" not in line] == []


@pytest.mark.parametrize("name", STARTED)
def test_systemd_finds_a_unit_little_exposed(name, tmp_path):
    done = run("systemd-analyze", "security", "--offline=true", here(name, tmp_path))

    [level] = re.findall(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert float(level) <= 2.0


def test_prefects_worker_makes_a_job_of_the_template(tmp_path):
    template = str(FOLDER / "kubernetes" / "job-template.json")

    places = {
        "PREFECT_HOME": str(tmp_path),
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",  # 20 are few on a busy machine
    }
    done = run(sys.executable, "-c", JOB, str(TOOLS), template, **places)

    assert done.returncode == 0, done.stderr
    pod = json.loads(done.stdout)["spec"]["template"]["spec"]
    [container] = pod["containers"]
    assert container["args"] == ["prefect", "flow-run", "execute"]
    assert {"name": "A", "value": "1"} in container["env"]
    assert container["envFrom"] == [{"secretRef": {"name": "ocrjury-environment"}}]
    assert pod["volumes"][0]["persistentVolumeClaim"] == {"claimName": "ocrjury-home"}


def test_the_whole_chain_runs_on_a_root_that_cannot_be_written(tmp_path):
    words = [sys.executable, "-m", "ocrjury.cli", "demo", "--out", str(tmp_path / "out")]
    places = dict.fromkeys(("HOME", "OCRJURY_HOME"), str(tmp_path))
    places |= {"PREFECT_HOME": str(tmp_path / "prefect"), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    done = run(*READ_ONLY, str(tmp_path), *words, seconds=400, **places)

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "report.pdf").read_bytes().startswith(b"%PDF")


def test_the_mail_relay_hands_mails_on(installed, tmp_path):
    for name in COMPOSE["secrets"]:
        (tmp_path / name).write_text("secret\n", "utf-8")
    relay = Service("mail", secrets=tmp_path)
    folders = [installed.python.parent, TOOLS.parent / "msmtpd" / "usr" / "bin", "/usr/bin", "/bin"]
    message = email.message_from_string("Subject: A report\n\nIt is there.\n")
    with open_mailbox() as mailbox:
        relay.command = [
            word.replace("--host=localhost", "--host=127.0.0.1")
            .replace("--port=587", f"--port={mailbox.port}")
            .replace("--auth=on", "--auth=off")
            for word in relay.command
        ]
        process = start(relay, installed, tmp_path, PATH=":".join(map(str, folders)))
        try:
            wait_until_healthy(relay, process, installed, tmp_path)
            with smtplib.SMTP("127.0.0.1", relay.ports["2525"], timeout=60) as smtp:
                smtp.send_message(message, "lead@example.org", ["chief@example.org"])
        finally:
            process.kill()
            process.wait(60)

    [arrived] = mailbox.envelopes
    assert (arrived.mail_from, arrived.rcpt_tos) == ("lead@example.org", ["chief@example.org"])
    assert b"Subject: A report" in arrived.content


@contextmanager
def postgresql(port):
    """A PostgreSQL server that listens on a port of this machine and asks for passwords."""
    folder = Path(tempfile.mkdtemp(prefix="ocrjury-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    data, log = str(folder / "data"), str(folder / "log")
    local = ("--auth-local=trust", "--auth-host=scram-sha-256")
    _as_postgres("initdb", "-D", data, "-U", "postgres", *local, "--no-sync")
    options = f"-c port={port} -c unix_socket_directories={folder} -c fsync=off"
    _as_postgres("pg_ctl", "-D", data, "-o", options, "-l", log, "-w", "start")
    try:
        yield folder
    finally:
        _as_postgres("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder)


def test_prefects_server_of_the_compose_file_starts_on_postgresql(tmp_path):
    service, port, database = COMPOSE["services"]["prefect"], free_port(), free_port()
    for name in COMPOSE["secrets"]:
        (tmp_path / name).write_text(f"ocrjury:{name}\n", "utf-8")
    given = {
        name: value.replace("/run/secrets", str(tmp_path))
        for name, value in service["environment"].items()
    }
    given |= {"PREFECT_SERVER_DATABASE_HOST": "127.0.0.1", "PREFECT_HOME": str(tmp_path / "home")}
    given |= {"PREFECT_SERVER_DATABASE_PORT": str(database), "OCRJURY_LOG": "json"}
    given["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    command = [str(port) if word == "4200" else word for word in service["command"]]
    with postgresql(database) as folder, (tmp_path / "said.txt").open("wb") as said:
        script = (FOLDER / "postgres" / "databases.sh").read_text("utf-8")
        made = run(
            *("sh", "-c", script.replace("/run/secrets", str(tmp_path))),
            POSTGRES_USER="postgres",
            PGHOST=str(folder),
            PGPORT=str(database),
        )
        assert made.returncode == 0, made.stderr
        entry = [sys.executable, "-m", "ocrjury.deployments.entry", *command]
        server = subprocess.Popen(entry, env=os.environ | given, stdout=said, stderr=said)
        try:
            wait_until_ready(f"http://127.0.0.1:{port}/api/ready", server, tmp_path / "said.txt")
            anonymous = httpx.get(f"http://127.0.0.1:{port}/api/admin/version")
            allowed = httpx.get(
                f"http://127.0.0.1:{port}/api/admin/version", auth=("ocrjury", "prefect_password")
            )
        finally:
            server.terminate()
            server.wait(60)

    assert (anonymous.status_code, allowed.status_code) == (401, 200)
    assert not list((tmp_path / "home").glob("*.db"))


def wait_until_ready(address, server, said, *, seconds=180):
    end = time.monotonic() + seconds
    while True:
        try:
            if httpx.get(address).is_success:
                return
        except httpx.TransportError:
            pass
        if server.poll() is not None or time.monotonic() > end:
            pytest.fail(said.read_text("utf-8"))
        time.sleep(0.5)
