"""Client of the few calls of Prefect's HTTP API that deployments need."""

import time
from typing import Any

from ocrjury.errors import MissingDependencyError
from ocrjury.signals.run_counts import TAG
from ocrjury.signals.server import all_rows, request

PAUSES = (0.5, 1.0, 2.0, 4.0)
"""Seconds before a change is tried again; after a deployment, the server may answer too late."""


class PrefectApi:
    """A Prefect server; every call raises `MissingDependencyError` if it fails."""

    def __init__(self, address: str, *, key: str | None = None, timeout: float = 10.0) -> None:
        self.address = address.rstrip("/")
        self.key = key
        self.timeout = timeout

    def is_healthy(self) -> bool:
        """Return whether the server answers and works."""
        try:
            return bool(self._call("GET", "/health") is True)
        except (MissingDependencyError, ValueError):
            return False

    def has_work_pool(self, name: str) -> bool:
        """Return whether a work pool of this name exists."""
        only = {"work_pools": {"name": {"any_": [name]}}}
        return bool(self._call("POST", "/work_pools/filter", only))

    def create_work_pool(self, name: str) -> None:
        """Create a work pool of processes; its first worker says what their jobs look like."""
        self._call("POST", "/work_pools/", {"name": name, "type": "process"})

    def live_workers(self, pool: str) -> list[str]:
        """Names of the workers of a pool that gave a sign of life of late."""
        workers = self._list(f"/work_pools/{pool}/workers/filter")
        return [worker["name"] for worker in workers if worker["status"] == "ONLINE"]

    def unfinished_runs(self, pool: str) -> list[dict[str, Any]]:
        """Runs of a pool that a worker has taken and that have not ended."""
        taken = {"state": {"type": {"any_": ["PENDING", "RUNNING", "CANCELLING"]}}}
        only = {"flow_runs": taken, "work_pools": {"name": {"any_": [pool]}}}
        return self._list("/flow_runs/filter", only)

    def waiting_runs(self) -> list[dict[str, Any]]:
        """Runs of ocrjury that have not begun, those that are due first."""
        only = {"state": {"type": {"any_": ["SCHEDULED"]}}, "tags": {"all_": [TAG]}}
        first = {"flow_runs": only, "sort": "EXPECTED_START_TIME_ASC"}
        return self._list("/flow_runs/filter", first)

    def flow_names(self) -> dict[str, str]:
        """Names of all flows by their ids."""
        return {flow["id"]: flow["name"] for flow in self._list("/flows/filter")}

    def rename(self, flow_run: str, name: str, *, tags: list[str]) -> None:
        """Give a run a name and its tags."""
        self._call("PATCH", f"/flow_runs/{flow_run}", {"name": name, "tags": tags})

    def set_state(self, flow_run: str, kind: str, message: str) -> None:
        """Set the state of a run, whatever rules forbid a worker to do."""
        body = {"state": {"type": kind, "message": message}, "force": True}
        self._switch("POST", f"/flow_runs/{flow_run}/set_state", body)

    def free_slots(self, limit: str) -> None:
        """Set a limit's number of runs at once to none."""
        self._switch("PATCH", f"/v2/concurrency_limits/{limit}", {"active_slots": 0})

    def deployments(self) -> list[dict[str, Any]]:
        """All deployments, with their schedules."""
        return self._list("/deployments/filter")

    def automations(self) -> list[dict[str, Any]]:
        """All automations."""
        return self._list("/automations/filter")

    def create_automation(self, body: dict[str, Any]) -> None:
        """Create an automation."""
        self._call("POST", "/automations/", body)

    def replace_automation(self, automation: str, body: dict[str, Any]) -> None:
        """Replace an automation."""
        self._call("PUT", f"/automations/{automation}", body)

    def disable_automation(self, automation: str) -> None:
        """Switch an automation off."""
        self._switch("PATCH", f"/automations/{automation}", {"enabled": False})

    def switch_schedule(self, deployment: str, schedule: str, *, active: bool) -> None:
        """Switch a schedule on or off."""
        self._switch("PATCH", f"/deployments/{deployment}/schedules/{schedule}", {"active": active})

    def remove_schedule(self, deployment: str, schedule: str) -> None:
        """Remove a schedule and its planned runs."""
        self._switch("DELETE", f"/deployments/{deployment}/schedules/{schedule}")

    def pause_deployment(self, deployment: str) -> None:
        """Pause a deployment: none of its schedules starts a run."""
        self._switch("POST", f"/deployments/{deployment}/pause_deployment")

    def _list(self, path: str, only: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        """All rows of a list, of which the server answers with so many at most."""
        return all_rows(lambda page: list(self._call("POST", path, {**(only or {}), **page})))

    def _switch(self, method: str, path: str, body: dict[str, Any] | None = None) -> None:
        """Make an idempotent call, repeated while no answer comes."""
        for pause in PAUSES:
            try:
                self._call(method, path, body)
            except MissingDependencyError:
                time.sleep(pause)
            else:
                return
        self._call(method, path, body)

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        address = self.address + path
        response = request(method, address, key=self.key, json=body, timeout=self.timeout)
        if response.is_error:
            raise MissingDependencyError(
                f"Prefect answers {method} {path} with {response.status_code}: {response.text}. "
                "`ocrjury doctor` checks the versions."
            )
        return response.json() if response.content else None
