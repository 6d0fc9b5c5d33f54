"""``ocrjury deploy``: give the flows and their schedules to a Prefect server."""

import argparse
from pathlib import Path

from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.prefect_server import require_server
from ocrjury.cli.printing import say

DEPLOY = """give the flows and their schedules to the Prefect server

Make the work pool, the automations and every deployment of ocrjury's flows on the
Prefect server that PREFECT_API_URL names, else on that of `ocrjury up`.

A campaign that is named gets a deployment of its own, open-NAME, which opens an evaluation by the
campaign's schedule.cron and time_zone. Name it again after changing these. The worker must find
the file under the same path, and needs the same version of ocrjury. Schedules that somebody has
switched on or off stay so. A campaign in another file that has the name of one that is deployed is
refused.

ocrjury deploy
ocrjury deploy claims/campaign.yaml invoices/campaign.yaml
PREFECT_API_URL=http://prefect.example.org/api ocrjury deploy"""


def add_to(commands: Commands) -> None:
    """Declare the command."""
    deploy = add_command(commands, "deploy", DEPLOY, run=run_deploy)
    deploy.add_argument(
        "campaigns", nargs="*", type=Path, metavar="CAMPAIGN", help="campaign.yaml to be scheduled"
    )


def run_deploy(options: argparse.Namespace) -> None:
    """Deploy, and say what opens when, and what stays switched off."""
    from ocrjury.campaign.config import read_campaign
    from ocrjury.campaign.registry import read_raters
    from ocrjury.deployments.campaigns import schedule_sentence
    from ocrjury.deployments.deploy import deploy, still_off
    from ocrjury.deployments.installation import Installation
    from ocrjury.deployments.prefect_api import PrefectApi
    from ocrjury.signals.own_server import prefect_key

    campaigns = [read_campaign(path) for path in options.campaigns]
    for campaign in campaigns:
        read_raters(campaign.raters_path)
    api, installation = require_server(), Installation.from_environment()
    off = deploy(
        PrefectApi(api, key=prefect_key(api)),
        environment=installation.environment_of_client(api),
        log=installation.log("deploy"),
        campaigns=campaigns,
    )
    say(f"Deployed to {api}.")
    if off:
        say(still_off(off))
    for campaign in campaigns:
        say(schedule_sentence(campaign))
