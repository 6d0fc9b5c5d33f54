"""Register the work pool, the automations and every deployment of prefect.yaml on a server.

Every campaign that is named gets a deployment of its own, with its own schedule.
``PREFECT_API_URL`` names the server.
"""

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from ocrjury.campaign.config import Campaign
from ocrjury.deployments.automations import ensure_automation, zombie_automation
from ocrjury.deployments.campaigns import (
    prefect_file,
    refuse_other_files,
    remove_old_schedules,
)
from ocrjury.deployments.installation import POOL, PREFECT_FILE, prefect
from ocrjury.deployments.prefect_api import PrefectApi
from ocrjury.deployments.switches import read_switches, restore_switches, set_switches
from ocrjury.errors import MissingDependencyError

DEPLOY_SECONDS = 300.0
DEPLOY_ALL = prefect("--no-prompt", "deploy", "--all", "--prefect-file")


def deploy(
    api: PrefectApi,
    *,
    environment: Mapping[str, str],
    log: Path,
    campaigns: Sequence[Campaign] = (),
) -> list[str]:
    """Deploy everything; return the names of switches that stay off.

    Parameters
    ----------
    campaigns
        Those that get a deployment of their own; those of earlier calls stay as they are.

    Raises
    ------
    InputError
        A campaign has the name of another one that is deployed.
    MissingDependencyError
        Prefect refused; the sentence names the log that says why.
    """
    refuse_other_files(api.deployments() if campaigns else (), campaigns)
    before = read_switches(api)
    ensure_automation(api, zombie_automation())
    if not api.has_work_pool(POOL):  # one that a person has adapted stays as it is
        api.create_work_pool(POOL)
    body = prefect_file(campaigns)
    off = set_switches(body, before)
    _deploy_all(body, environment, log)
    remove_old_schedules(api, campaigns)
    return [*off, *restore_switches(api, before)]


def still_off(switches: Sequence[str]) -> str:
    """Sentence on the switches that stay off."""
    return f"Still switched off, as you left it: {', '.join(switches)}."


def _deploy_all(body: Mapping[str, Any], environment: Mapping[str, str], log: Path) -> None:
    """Run Prefect's own command on a file of this content."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, PREFECT_FILE.name)
        path.write_text(yaml.safe_dump(body, allow_unicode=True, sort_keys=False), "utf-8")
        _run([*DEPLOY_ALL, str(path)], environment, log)


def _run(command: list[str], environment: Mapping[str, str], log: Path) -> None:
    """Run a command of Prefect beside its log, and append its output to it."""
    log.parent.mkdir(parents=True, exist_ok=True)
    try:
        with log.open("ab") as output:
            done = subprocess.run(  # noqa: S603  # the commands are ours
                command,
                cwd=log.parent,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=DEPLOY_SECONDS,
            )
    except subprocess.TimeoutExpired:
        raise MissingDependencyError(
            f"`{' '.join(command[1:])}` did not end within {DEPLOY_SECONDS:.0f} s; see {log}."
        ) from None
    if done.returncode:
        raise MissingDependencyError(
            f"`{' '.join(command[1:])}` ended with {done.returncode}; {log} says why."
        )
