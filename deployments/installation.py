"""Where one installation of ocrjury lives: its folders, its port, its children's environment."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from ocrjury.campaign.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
POOL = "ocrjury"


@dataclass(frozen=True, slots=True)
class Installation:
    """One Prefect server with its worker, on this machine.

    Parameters
    ----------
    root
        The project's folder, from which flows are loaded.
    home
        Folder of database, files, logs and Prefect's own data.
    port
        Port of the server on 127.0.0.1.
    """

    root: Path
    home: Path
    port: int

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Return what ``OCRJURY_HOME`` and ``OCRJURY_PREFECT_PORT`` say."""
        settings = Settings.from_environment(environment)
        return cls(root=ROOT, home=settings.home.resolve(), port=settings.prefect_port)

    @property
    def ui(self) -> str:
        """Address of the Prefect UI."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def api(self) -> str:
        """Address of the Prefect API."""
        return f"{self.ui}/api"

    @property
    def logs(self) -> Path:
        """Folder of one log file per child."""
        return self.home / "logs"

    def log(self, name: str) -> Path:
        """Return the log file of a child."""
        return self.logs / f"{name}.log"

    def environment(self, given: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the environment of server and worker.

        Anything that would send them to another server, or tell others about them, is overruled.
        """
        variables = dict(os.environ if given is None else given)
        variables.pop("PREFECT_API_KEY", None)
        variables.setdefault("PREFECT_HOME", str(self.home / "prefect"))
        return variables | {
            "OCRJURY_ROOT": str(self.root),
            "OCRJURY_HOME": str(self.home),
            "PREFECT_API_URL": self.api,
            "PREFECT_SERVER_API_HOST": "127.0.0.1",
            "PREFECT_SERVER_API_PORT": str(self.port),
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "DO_NOT_TRACK": "1",
            # A dead run is noticed after three heartbeats: deployments/automations.py.
            "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": "30",
            "PREFECT_WORKER_QUERY_SECONDS": "2",
            # Without this a run that waits for a free slot looks again every 30 seconds only.
            "PREFECT_SERVER_DEPLOYMENTS_CONCURRENCY_SLOT_WAIT_SECONDS": "3",
            "PYTHONUNBUFFERED": "1",
        }


def prefect(*arguments: str) -> list[str]:
    """Return the command line of this interpreter's own Prefect."""
    return [sys.executable, "-m", "prefect", *arguments]
