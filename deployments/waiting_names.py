"""Names and tags of runs that wait: Prefect makes names up for what a schedule or an event starts.

A run names itself when it starts; until then, `humble-bettong` tells nobody what waits.
"""

import logging
import threading
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.evaluation.run_labels import FLOWS, label_of

log = logging.getLogger(__name__)
SECONDS = 3.0
"""Between two looks."""


class WaitingNames:
    """Names waiting runs of a server, each once."""

    def __init__(self, api: PrefectApi) -> None:
        self._api = api
        self._named: set[str] = set()

    def keep_naming(self) -> None:
        """Name what waits, in a thread that ends with this process."""
        threading.Thread(target=self._stay, name="waiting names", daemon=True).start()

    def _stay(self) -> None:
        pause = threading.Event()
        while not pause.wait(SECONDS):
            try:
                self.name_all()
            except Exception:  # a name is worth no run, and the server may be away
                log.debug("runs that wait were not named", exc_info=True)

    def name_all(self) -> None:
        """Name the waiting runs that were not named yet."""
        runs = self._api.waiting_runs()
        self._named &= {run["id"] for run in runs}
        new = [run for run in runs if run["id"] not in self._named]
        if not new:
            return
        flows = self._api.flow_names()
        deployments = {each["id"]: each for each in self._api.deployments()}
        for run in new:
            flow, deployment = flows.get(run["flow_id"], ""), deployments.get(run["deployment_id"])
            try:
                self._name(run, flow, deployment)
            except Exception:  # the others are named all the same
                log.debug("the waiting run %s was not named", run["id"], exc_info=True)
            else:
                self._named.add(run["id"])

    def _name(
        self, run: Mapping[str, Any], flow: str, deployment: Mapping[str, Any] | None
    ) -> None:
        """Name a run as it will name itself."""
        if flow not in FLOWS or deployment is None:
            return
        due = datetime.fromisoformat(run["expected_start_time"])
        label = label_of(flow, _defaults(deployment) | run["parameters"], scheduled=due)
        tags = sorted({*run["tags"], *label.tags})
        if (label.name, tags) != (run["name"], sorted(run["tags"])):
            self._api.rename(run["id"], label.name, tags=tags)


def _defaults(deployment: Mapping[str, Any]) -> dict[str, Any]:
    """Values of parameters that a run of a deployment has unless it is given others."""
    schema = deployment.get("parameter_openapi_schema") or {}
    fields = (schema.get("properties") or {}).items()
    return {name: field["default"] for name, field in fields if "default" in field}
