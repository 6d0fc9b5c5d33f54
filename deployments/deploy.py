"""Register the work pool, the automations and every deployment of prefect.yaml on a server.

Run as ``python -m deployments.deploy``; ``PREFECT_API_URL`` names the server.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from deployments.automations import ensure_automation, zombie_automation
from deployments.installation import POOL, ROOT, Installation, prefect
from deployments.prefect_api import PrefectApi
from deployments.switches import read_switches, restore_switches
from ocrjury.errors import MissingDependencyError

CREATE_POOL = prefect("work-pool", "create", POOL, "--type", "process")
DEPLOY_ALL = prefect("--no-prompt", "deploy", "--prefect-file", "deployments/prefect.yaml", "--all")


def deploy(api: PrefectApi, *, environment: Mapping[str, str], log: Path) -> list[str]:
    """Deploy everything; return the names of what stays switched off.

    Raises
    ------
    MissingDependencyError
        Prefect refused; the sentence names the log that says why.
    """
    off = read_switches(api)
    ensure_automation(api, zombie_automation())
    if not api.has_work_pool(POOL):  # one that a person has adapted stays as it is
        _run(CREATE_POOL, environment, log)
    _run(DEPLOY_ALL, environment, log)
    return restore_switches(api, off)


def _run(command: list[str], environment: Mapping[str, str], log: Path) -> None:
    """Run a command in the project's root, its output appended to a log."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        done = subprocess.run(  # noqa: S603  # the commands are ours
            command,
            cwd=ROOT,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        raise MissingDependencyError(
            f"`{' '.join(command[1:])}` ended with {done.returncode}; {log} says why."
        )


def main() -> int:
    """Deploy to the server that PREFECT_API_URL names, or to the one of `make up`."""
    installation = Installation.from_environment()
    address = os.environ.get("PREFECT_API_URL") or installation.api
    environment = {**installation.environment(), "PREFECT_API_URL": address}
    try:
        off = deploy(PrefectApi(address), environment=environment, log=installation.log("deploy"))
    except MissingDependencyError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    print(f"Deployed to {address}." + f" Still switched off: {', '.join(off)}." * bool(off))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
