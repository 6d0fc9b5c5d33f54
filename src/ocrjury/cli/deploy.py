"""``ocrjury deploy``: give the flows and their schedules to a Prefect server."""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.cli.declaring import add_command
from ocrjury.errors import InputError

if TYPE_CHECKING:
    from ocrjury.cli.declaring import Commands

PREFECT_FILE = Path("deployments", "prefect.yaml")
SCRIPT = "ocrjury.deployments.deploy"
ABOUT = """Run `prefect deploy` for every deployment of this project, from its root, and make the
work pool and automations.

A campaign that is named gets a deployment of its own, open-NAME, which opens an evaluation by the
campaign's schedule.cron and time_zone. Name it again after changing these. The worker must find
the file under the same path. Schedules that somebody has switched on or off stay so."""


def add_to(commands: "Commands") -> None:
    """Declare the command."""
    deploy = add_command(
        commands,
        "deploy",
        summary="give the flows and their schedules to the Prefect server",
        about=ABOUT,
        examples=[
            "ocrjury deploy",
            "ocrjury deploy claims/campaign.yaml invoices/campaign.yaml",
            "PREFECT_API_URL=http://prefect.example.org/api ocrjury deploy",
            "ocrjury deploy --root ~/ocrjury",
        ],
        run=run_deploy,
    )
    deploy.add_argument(
        "campaigns", nargs="*", type=Path, metavar="CAMPAIGN", help="campaign.yaml to be scheduled"
    )
    deploy.add_argument(
        "--root", type=Path, help="folder of the project [here or above, else the installed one]"
    )


def run_deploy(options: argparse.Namespace) -> int:
    """Run the project's deployment script, and so Prefect's own command, in its root."""
    from ocrjury.campaign.config import read_campaign
    from ocrjury.campaign.registry import read_raters
    from ocrjury.campaign.settings import HOME, Settings
    from ocrjury.cli.printing import say
    from ocrjury.cli.runs import require_server

    settings = Settings.from_environment()
    root = _project_root(options.root)
    campaigns = [read_campaign(path) for path in options.campaigns]
    for campaign in campaigns:
        read_raters(campaign.raters_path)
    api = require_server()
    say(f"Deploying {root} to {api}")
    sys.stdout.flush()
    # The child's folder is the root, so a home relative to this one would be another.
    environment = {**os.environ, "PREFECT_API_URL": api, HOME: str(settings.home)}
    child = subprocess.run(  # noqa: S603  # its arguments are ours
        [sys.executable, "-m", SCRIPT, *(str(one.source) for one in campaigns)],
        cwd=root,
        env=environment,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return int(child.returncode != 0)


def _project_root(given: Path | None) -> Path:
    """Return the folder that holds the deployments."""
    if given is not None:
        places = [given.absolute()]
    else:
        here = Path.cwd()
        # In a checkout this file lies in src/ocrjury/cli.
        places = [here, *here.parents, *Path(__file__).resolve().parents[3:4]]
    for place in places:
        if (place / PREFECT_FILE).is_file():
            return place
    raise InputError(
        f"there is no {PREFECT_FILE} in {places[0]}"
        + ("." if given else " or above.")
        + " Run `ocrjury deploy` in the folder of the project (a clone of its repository)."
    )
