"""Register the work pool, the automations and every deployment of prefect.yaml on a server.

Every campaign that is named gets a deployment of its own, with its own schedule.
``PREFECT_API_URL`` names the server.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ocrjury.campaign.config import Campaign, read_campaign
from ocrjury.deployments.automations import ensure_automation, zombie_automation
from ocrjury.deployments.campaigns import (
    PREFECT_FILE,
    prefect_file,
    remove_old_schedules,
    schedule_sentence,
)
from ocrjury.deployments.installation import POOL, ROOT, Installation, prefect
from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.deployments.switches import read_switches, restore_switches
from ocrjury.errors import MissingDependencyError, OcrjuryError

CREATE_POOL = prefect("work-pool", "create", POOL, "--type", "process")
DEPLOY_ALL = prefect("--no-prompt", "deploy", "--all", "--prefect-file")


def deploy(
    api: PrefectApi,
    *,
    environment: Mapping[str, str],
    log: Path,
    campaigns: Sequence[Campaign] = (),
) -> list[str]:
    """Deploy everything; return the names of what stays switched off.

    Parameters
    ----------
    campaigns
        Those that get a deployment of their own; those of earlier calls stay as they are.

    Raises
    ------
    MissingDependencyError
        Prefect refused; the sentence names the log that says why.
    """
    before = read_switches(api)
    ensure_automation(api, zombie_automation())
    if not api.has_work_pool(POOL):  # one that a person has adapted stays as it is
        _run(CREATE_POOL, environment, log)
    _deploy_all(campaigns, environment, log)
    remove_old_schedules(api, campaigns)
    return restore_switches(api, before)


def _deploy_all(campaigns: Sequence[Campaign], environment: Mapping[str, str], log: Path) -> None:
    """Run Prefect's own command on the shipped file, or on it and the campaigns."""
    with tempfile.TemporaryDirectory() as folder:
        path = PREFECT_FILE
        if campaigns:
            path = Path(folder, PREFECT_FILE.name)
            path.write_text(prefect_file(campaigns), encoding="utf-8")
        _run([*DEPLOY_ALL, str(path)], environment, log)


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


def main(paths: Sequence[str] = ()) -> int:
    """Deploy to the server that PREFECT_API_URL names, or to the one of `make up`."""
    installation = Installation.from_environment()
    address = os.environ.get("PREFECT_API_URL") or installation.api
    environment = {**installation.environment(), "PREFECT_API_URL": address}
    log = installation.log("deploy")
    try:
        campaigns = [read_campaign(path) for path in paths]
        off = deploy(PrefectApi(address), environment=environment, log=log, campaigns=campaigns)
    except OcrjuryError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    print(f"Deployed to {address}." + f" Still switched off: {', '.join(off)}." * bool(off))  # noqa: T201
    for campaign in campaigns:
        print(schedule_sentence(campaign))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
