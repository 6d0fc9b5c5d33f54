"""A second worker beside that of `ocrjury up`, as it would run on another machine."""

import signal
import subprocess

import httpx
import pytest

from tests.flows.conftest import free_port, variables_of

pytestmark = pytest.mark.prefect


def healthy(port):
    try:
        return httpx.get(f"http://127.0.0.1:{port}/health").is_success
    except httpx.TransportError:
        return False


def test_a_worker_of_its_own_says_that_it_works_and_stops_cleanly(server, installed):
    port = free_port()
    # A pool of its own, so that it takes no run of other tests.
    options = ("--pool", "elsewhere", "--name", "second", "--health-port", port)
    worker = subprocess.Popen(
        installed.command("worker", *options),
        cwd=installed.folder,
        env=installed.environment
        | variables_of(server.installation)
        | {"PREFECT_API_URL": server.address},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        server.wait_for(lambda: healthy(port), seconds=120)
        [seen] = server.wait_for(lambda: workers_of(server, "elsewhere"), seconds=60)
        worker.send_signal(signal.SIGTERM)
        stopped = worker.wait(60)
    finally:
        worker.kill()
        worker.wait(60)

    assert (seen["name"], seen["status"], stopped) == ("second", "ONLINE", 0)


def workers_of(server, pool):
    """Workers that a pool has seen, none before there is the pool."""
    if not server.has_work_pool(pool):
        return []
    return server._call("POST", f"/work_pools/{pool}/workers/filter", {})
