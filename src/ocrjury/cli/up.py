"""``ocrjury up``: Prefect's server, a worker, the schedules and the rating page."""

import argparse

from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import say
from ocrjury.cli.stopping import stop_quietly, write_log

UP = """Prefect server, worker, schedules and rating page on this machine

Run Prefect's server, a worker with all flows and schedules, and the rating page on this
machine until Ctrl-C. What dies is started again. All of them listen on 127.0.0.1 only; the rating
page starts with the first evaluation.

Ports: OCRJURY_PREFECT_PORT (4200) and OCRJURY_RATING_PORT (8080). Data: OCRJURY_HOME (.ocrjury).

The Prefect server takes requests with its password only, which lies in the home. Commands find it
there; a browser asks for it once.

ocrjury up
ocrjury up --password                            # show the password of the Prefect server
OCRJURY_PREFECT_PORT=4300 OCRJURY_RATING_PORT=8090 ocrjury up"""


def add_to(commands: Commands) -> None:
    """Declare the command."""
    up = add_command(commands, "up", UP, run=run_up)
    up.add_argument("--password", action="store_true", help="show the password, start nothing")


def run_up(options: argparse.Namespace) -> None:
    """Run until told to stop."""
    stop_quietly()
    write_log()
    from ocrjury.deployments.installation import Installation
    from ocrjury.deployments.local import stay_up
    from ocrjury.signals.own_server import make_password

    installation = Installation.from_environment()
    if options.password:
        say(make_password(installation.home))
        return
    stay_up(installation)
