"""``ocrjury worker``: run the flows that a Prefect server hands out."""

import argparse

from ocrjury.cli.declaring import Commands, add_command

WORKER = """a worker that runs the flows of a Prefect server elsewhere

Run flows for the Prefect server that PREFECT_API_URL names, until Ctrl-C or SIGTERM. It waits
until the server answers. Needed only if not everything runs on one machine: `ocrjury up` starts a
worker of its own. `ocrjury deploy` gives the server what there is to run.

All workers and rating pages share one database (OCRJURY_DATABASE_URL) and one folder of files
(OCRJURY_HOME).

PREFECT_API_URL=http://prefect.example.org:4200/api ocrjury worker
ocrjury worker --limit 8 --health-port 8081"""
RUNS_AT_ONCE = 5
"""One opening, one complete round, two for sweeps and what leads decide at the desk, and one for
what they start themselves, so that no decision waits for another run."""


def add_to(commands: Commands) -> None:
    """Declare the command."""
    worker = add_command(commands, "worker", WORKER, run=run_worker)
    worker.add_argument("--pool", default="ocrjury", help="work pool to take runs from [ocrjury]")
    worker.add_argument("--name", help="name in Prefect's UI [that of this machine]")
    worker.add_argument(
        "--limit", type=int, default=RUNS_AT_ONCE, help=f"runs at a time [{RUNS_AT_ONCE}]"
    )
    worker.add_argument(
        "--health-port", type=int, help="port of this machine that answers /health [none]"
    )


def run_worker(options: argparse.Namespace) -> None:
    """Work until told to stop."""
    from ocrjury.cli.stopping import stop_quietly, write_log

    stop_quietly()
    write_log()
    from ocrjury.deployments.worker import work

    work(
        limit=options.limit,
        pool=options.pool,
        name=options.name,
        health_port=options.health_port,
    )
