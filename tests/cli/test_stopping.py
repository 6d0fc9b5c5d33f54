"""Servers as the first process of a container, which hears only signals that it asks for."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from ocrjury.store.workspace import open_store
from tests.flows.conftest import free_port

# A namespace of processes, as a container has one; no rights are needed for it.
CONTAINER = ("unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child")
OCRJURY = (sys.executable, "-m", "ocrjury.cli")


@contextmanager
def first_process(*command, home, **environment):
    """Yield a command that runs as process 1, and the number by which others know it."""
    settings = os.environ | {"OCRJURY_HOME": str(home), "PYTHONUNBUFFERED": "1"} | environment
    outside = subprocess.Popen(
        [*CONTAINER, *command],
        env=settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        children = Path(f"/proc/{outside.pid}/task/{outside.pid}/children")
        yield outside, lambda: int((children.read_text() or "0").split()[0])
    finally:
        outside.kill()
        outside.communicate(timeout=60)


def until(condition, process, *, seconds=60):
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert process.poll() is None, process.communicate(timeout=seconds)[0]
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)
    return value


def hears(pid, number):
    """Whether a process has a handler for a signal."""
    status = Path(f"/proc/{pid}/status").read_text("ascii") if pid else "SigCgt:\t0"
    mask = next(line for line in status.splitlines() if line.startswith("SigCgt")).split()[1]
    return bool(int(mask, 16) >> (number - 1) & 1)


@pytest.fixture
def home(tmp_path):
    with open_store(home=tmp_path):
        pass
    return tmp_path


def answers(address):
    try:
        return httpx.get(address).is_success
    except httpx.TransportError:
        return False


def test_the_rating_page_stops_cleanly_as_the_first_process(home):
    port = free_port()
    serve = (*OCRJURY, "serve", "--port", str(port))
    with first_process(*serve, home=home, OCRJURY_LOG="json") as (outside, pid):
        until(lambda: answers(f"http://127.0.0.1:{port}/ready"), outside)
        os.kill(pid(), signal.SIGTERM)
        said = outside.communicate(timeout=60)[0]

    assert outside.returncode == 0, said
    messages = [json.loads(line)["message"] for line in said.splitlines()]
    assert messages[0].startswith(f"Rating page: http://127.0.0.1:{port}")
    assert f"Store: {home}, which OCRJURY_HOME names" in messages
    assert "Who may come in: people at this machine only, with a link." in messages


def test_it_stops_while_it_starts(home):
    serve = (*OCRJURY, "serve", "--port", str(free_port()))
    with first_process(*serve, home=home) as (outside, pid):
        until(lambda: hears(pid(), signal.SIGTERM), outside)  # long before it listens
        os.kill(pid(), signal.SIGTERM)
        said = outside.communicate(timeout=60)[0]

    assert outside.returncode == 0, said
    # In the callback of an import Python drops what the signal raised; `leave_if_told` stops it.
    assert said == "" or said.startswith("Exception ignored in")


def test_everything_stops_cleanly_as_the_first_process(home):
    ports = {"OCRJURY_PREFECT_PORT": str(free_port()), "OCRJURY_RATING_PORT": str(free_port())}
    with first_process(*OCRJURY, "up", home=home, OCRJURY_LOG="json", **ports) as (outside, pid):
        until((home / "logs" / "server.log").exists, outside)
        os.kill(pid(), signal.SIGTERM)
        said = outside.communicate(timeout=60)[0]

    assert outside.returncode == 0, said
    messages = [json.loads(line)["message"] for line in said.splitlines()]
    assert messages[:2] == [f"Home: {home}", "Starting the Prefect server ..."]
    assert messages[-1].startswith("server stopped after")


@pytest.mark.parametrize("log", ["yaml", "JSON"])
def test_a_log_is_text_or_json(run, monkeypatch, log):
    monkeypatch.setenv("OCRJURY_LOG", log)

    code, _, error = run("serve")

    assert code == 2
    assert error == f"OCRJURY_LOG is {log!r}; it must be text or json, or unset.\n"
