"""Runs whose process is gone, and the slots that they kept.

A run that a worker had taken, or was about to start, when the worker ended keeps the only slot of
its deployment, and all others wait for it. One that was not yet started is put back, so that what
somebody asked for is not lost; one that was is marked as crashed.
"""

import os
import socket
from contextlib import suppress
from typing import Any

from ocrjury.deployments.prefect_api import PrefectApi

LOST = "Its worker was stopped while it ran. The next run goes on where it was."
WAITS = "Its worker was stopped before it began; the next worker starts it."


def release_dead_runs(api: PrefectApi, pool: str, *, worker: str) -> list[str]:
    """Put back or mark the runs of a pool that nobody runs any more; return their names.

    Parameters
    ----------
    worker
        Name of the worker that does not run at present; runs that another one may have are left.
    """
    others = [name for name in api.live_workers(pool) if name != worker]
    released = []
    for run in api.unfinished_runs(pool):
        if _may_live(run, others):
            continue
        started = run["state_type"] != "PENDING"
        api.set_state(run["id"], *(("CRASHED", LOST) if started else ("SCHEDULED", WAITS)))
        released.append(run["name"])
    if not others:
        _free_slots(api, pool)
    return released


def _may_live(run: dict[str, Any], others: list[str]) -> bool:
    """Whether a process of this machine, or a worker elsewhere, may have a run."""
    host, _, pid = (run.get("infrastructure_pid") or "").rpartition(":")
    if others and not (host and pid.isdecimal()):  # Prefect's worker writes no machine
        return True
    if not pid.isdecimal():
        return False
    if host not in {"", socket.gethostname()}:
        return True
    with suppress(ProcessLookupError):
        os.kill(int(pid), 0)
        return True
    return False


def _free_slots(api: PrefectApi, pool: str) -> None:
    """Free slots that no run has; a server that was killed may have forgotten whose they are."""
    busy = {run["deployment_id"] for run in api.unfinished_runs(pool)}
    for deployment in api.deployments():
        limit = deployment.get("global_concurrency_limit")
        if limit and limit.get("active_slots") and deployment["id"] not in busy:
            api.free_slots(limit["id"])
