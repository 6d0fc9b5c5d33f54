"""``ocrjury up``: Prefect's server, a worker, the schedules and the rating page."""

import argparse

from ocrjury.cli.declaring import Commands, add_command

UP = """Prefect server, worker, schedules and rating page on this machine

Run Prefect's server, a worker with all flows and schedules, and the rating page on this
machine until Ctrl-C. What dies is started again. All of them listen on 127.0.0.1 only; the rating
page starts with the first evaluation.

Ports: OCRJURY_PREFECT_PORT (4200) and OCRJURY_RATING_PORT (8080). Data: OCRJURY_HOME (.ocrjury).

ocrjury up
OCRJURY_PREFECT_PORT=4300 OCRJURY_RATING_PORT=8090 ocrjury up"""


def add_to(commands: Commands) -> None:
    """Declare the command."""
    add_command(commands, "up", UP, run=run_up)


def run_up(_options: argparse.Namespace) -> None:
    """Run until told to stop."""
    from ocrjury.deployments.installation import Installation
    from ocrjury.deployments.local import stay_up

    stay_up(Installation.from_environment())
