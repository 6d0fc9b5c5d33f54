"""Runs whose process is gone, and the slots that they kept.

A run that a worker had taken, or was about to start, when the worker ended keeps the only slot of
its deployment, and all others wait for it. One that was not yet started is put back, so that what
somebody asked for is not lost, and so is an opening that has opened nothing yet, because no other
run does that. One that was started is marked as crashed; the next run goes on with its evaluation.
"""

import os
import socket
from typing import Any

from ocrjury.campaign.settings import real_now
from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.signals.ended_runs import AGAIN, begin_again, begins_again, lost_openings

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
    dead = [run for run in api.unfinished_runs(pool) if not _may_live(run, others)]
    lost = lost_openings(api.address, dead, key=api.key)
    for run in dead:
        api.set_state(run["id"], *_state_of(run, opened=run["id"] not in lost))
    if not others:
        _free_slots(api, pool)
    again = begin_again(api.address, key=api.key, now=real_now())  # that ended at a signal
    return [*(run["name"] for run in dead), *again]


def _state_of(run: dict[str, Any], *, opened: bool) -> tuple[str, str]:
    """State of a run that nobody runs, and why."""
    if run["state_type"] == "PENDING":
        return "SCHEDULED", WAITS
    if not opened and begins_again(run):
        return "SCHEDULED", AGAIN
    return "CRASHED", LOST


def _may_live(run: dict[str, Any], others: list[str]) -> bool:
    """Return whether a process of this machine, or a worker elsewhere, may have a run."""
    host, _, pid = (run.get("infrastructure_pid") or "").rpartition(":")
    if others and not (host and pid.isdecimal()):  # Prefect's worker writes no machine
        return True
    if not pid.isdecimal():
        return False
    if host not in {"", socket.gethostname()}:
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # of another account: the number was given anew, as after a restart
        return bool(others)
    return True


def _free_slots(api: PrefectApi, pool: str) -> None:
    """Free slots that no run has; a server that was killed may have forgotten whose they are."""
    busy = {run["deployment_id"] for run in api.unfinished_runs(pool)}
    for deployment in api.deployments():
        limit = deployment.get("global_concurrency_limit")
        if limit and limit.get("active_slots") and deployment["id"] not in busy:
            api.free_slots(limit["id"])
