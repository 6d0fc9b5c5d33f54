"""A run is released when the process that its worker wrote down is gone from this machine."""

import os
import socket
import subprocess
import sys

import pytest

from ocrjury.deployments.dead_runs import release_dead_runs


class Server:
    """What a server says of one run that has begun, and what it was told to do with it."""

    address, key = "http://127.0.0.1:9/api", None

    def __init__(self, process, workers):
        self.process, self.workers, self.told = process, workers, []

    def live_workers(self, _):
        return self.workers

    def unfinished_runs(self, _):
        run = {"id": "7", "name": "claims-advance", "deployment_id": "1", "flow_id": "1"}
        return [run | {"state_type": "RUNNING", "infrastructure_pid": self.process}]

    def set_state(self, run, kind, _):
        self.told.append((run, kind))

    def deployments(self):
        return []


@pytest.fixture(scope="module")
def gone():
    """Number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait(60)
    return process.pid


def release(process, *others):
    server = Server(process, ["local", *others])
    return release_dead_runs(server, "pool", worker="local"), server.told


@pytest.mark.parametrize("host", ["", f"{socket.gethostname()}:"])
def test_a_run_whose_process_was_killed_has_crashed(host, gone):
    assert release(f"{host}{gone}") == (["claims-advance"], [("7", "CRASHED")])


@pytest.mark.parametrize("host", ["", f"{socket.gethostname()}:"])
def test_a_run_whose_process_lives_is_left(host):
    assert release(f"{host}{os.getpid()}") == ([], [])


def test_a_run_that_another_machine_may_have_is_left(gone):
    assert release(f"elsewhere:{gone}") == ([], [])
    assert release(str(gone), "a worker elsewhere") == ([], [])


def test_a_process_of_another_account_is_no_run_of_the_only_worker(monkeypatch):
    def kill(_pid, _signal):
        raise PermissionError  # as of number 1, unless this account may do everything

    monkeypatch.setattr(os, "kill", kill)

    assert release("1") == (["claims-advance"], [("7", "CRASHED")])
    assert release(f"{socket.gethostname()}:1", "of another account") == ([], [])
