"""One installation of ocrjury: its folders, its ports, the environment of its child processes."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Self

from ocrjury.campaign.settings import DATABASE_URL, LOG, Settings
from ocrjury.deployments.json_logs import JSON, PREFECT_AS_JSON
from ocrjury.signals.own_server import is_own_address, key_for, own_password

PREFECT_FILE = Path(str(files("ocrjury"))) / "deployments" / "prefect.yaml"
POOL = "ocrjury"
CREDENTIALS = ("PREFECT_API_KEY", "PREFECT_API_AUTH_STRING")
PASSWORDS = ("PREFECT_SERVER_API_AUTH_STRING", "PREFECT_API_AUTH_STRING")


@dataclass(frozen=True, slots=True)
class Installation:
    """One Prefect server with its worker, on this machine.

    Parameters
    ----------
    home
        Folder of database, files, logs and Prefect's own data.
    port
        Port of the Prefect server on 127.0.0.1.
    rating_port
        Port of the rating page on 127.0.0.1.
    """

    home: Path
    port: int
    rating_port: int = 8080

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Installation that the settings of ``ocrjury.campaign.settings`` describe."""
        settings = Settings.from_environment(environment)
        return cls(settings.home.resolve(), settings.prefect_port, settings.rating_port)

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
        """Log file of a child process."""
        return self.logs / f"{name}.log"

    def environment(self, given: Mapping[str, str] | None = None) -> dict[str, str]:
        """Environment of server and worker.

        Anything that would send them to another server, or tell others about them, is overruled.
        """
        given = os.environ if given is None else given
        variables = {name: value for name, value in given.items() if name not in CREDENTIALS}
        variables.setdefault("PREFECT_HOME", str(self.home / "prefect"))
        if variables.get(DATABASE_URL, "").strip():  # children work in another folder
            variables[DATABASE_URL] = Settings.from_environment(variables).database_url
        # Runs that ended 90 days ago go, with their logs and artifacts.
        variables.setdefault("PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED", "events,flow_runs")
        return (
            variables
            | self.locked()
            | (PREFECT_AS_JSON if variables.get(LOG) == JSON else {})
            | {
                "OCRJURY_HOME": str(self.home),
                "OCRJURY_RATING_PORT": str(self.rating_port),
                "PREFECT_API_URL": self.api,
                "PREFECT_SERVER_API_HOST": "127.0.0.1",
                "PREFECT_SERVER_API_PORT": str(self.port),
                "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
                "DO_NOT_TRACK": "1",
                # A dead run is noticed after ten heartbeats: deployments/automations.py.
                "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": "30",
                "PREFECT_WORKER_QUERY_SECONDS": "2",
                # Without this a run that waits for a free slot looks again every 30 seconds only.
                "PREFECT_SERVER_DEPLOYMENTS_CONCURRENCY_SLOT_WAIT_SECONDS": "3",
                "PYTHONUNBUFFERED": "1",
            }
        )

    def locked(self) -> dict[str, str]:
        """Variables of a server that wants the password of this home, and of its clients.

        Pages of other origins cannot read it, and cannot change anything by a forged request.
        """
        password = own_password(self.home)
        origins = ",".join(f"http://{name}:{self.port}" for name in ("127.0.0.1", "localhost"))
        return {
            "PREFECT_SERVER_API_CORS_ALLOWED_ORIGINS": origins,
            "PREFECT_SERVER_CSRF_PROTECTION_ENABLED": "true",
        } | ({} if password is None else dict.fromkeys(PASSWORDS, password))

    def environment_of_client(self, api: str) -> dict[str, str]:
        """Environment of Prefect's own commands for the server at an address.

        The password of this home goes nowhere else; another server gets what was given for it.
        """
        variables = self.environment()
        kept = {name: value for name, value in variables.items() if name not in PASSWORDS}
        key = key_for(api, home=self.home, port=self.port)
        if is_own_address(api, self.port):
            name = "PREFECT_API_AUTH_STRING" if ":" in (key or "") else "PREFECT_API_KEY"
            given = {} if key is None else {name: key}
        else:
            given = {name: os.environ[name] for name in CREDENTIALS if name in os.environ}
        return kept | given | {"PREFECT_API_URL": api}


def prefect(*arguments: str) -> list[str]:
    """Command line of the Prefect of this interpreter."""
    return [sys.executable, "-m", "prefect", *arguments]
