"""``ocrjury evaluation``: open one, let it go on, look at it, decide."""

import argparse
from pathlib import Path

from ocrjury.campaign.settings import Settings
from ocrjury.cli import decisions, evaluation_plan
from ocrjury.cli.declaring import Commands, Parser, add_command, add_group
from ocrjury.cli.printing import say, table
from ocrjury.cli.runs import start
from ocrjury.cli.standings import local, state_cell
from ocrjury.cli.stored import no_store, open_at, open_existing

GROUP = """open an evaluation, let it go on, look at it, decide

ocrjury evaluation open claims/campaign.yaml
ocrjury evaluation show claims-2026w47
ocrjury evaluation close claims-2026w47 --reason 'enough'"""
LIST = """every evaluation, the newest first

ocrjury evaluation list
ocrjury evaluation list | grep held"""
SHOW = """state, rounds, raters, verdict, possible decisions and reports of one

ocrjury evaluation show claims-2026w47"""
OPEN = """open an evaluation of a campaign: score, sample, assign

ocrjury evaluation open claims/campaign.yaml
ocrjury evaluation open claims/campaign.yaml --period pilot1 --seed 7
ocrjury evaluation open claims/campaign.yaml --no-wait"""
ADVANCE = """take the next steps until a person is needed

ocrjury evaluation advance claims-2026w47
ocrjury evaluation advance                # every evaluation that can go on"""


def add_to(commands: Commands) -> None:
    """Declare the commands."""
    group = add_group(commands, "evaluation", GROUP)
    _add_flows(group)
    add_command(group, "list", LIST, run=run_list)
    show = add_command(group, "show", SHOW, run=run_show)
    show.add_argument("evaluation", help="its name")
    evaluation_plan.add_to(group)
    decisions.add_to(group)


def add_wait(parser: Parser) -> None:
    """Add the option not to wait for a flow run."""
    parser.add_argument("--no-wait", action="store_true", help="print the run's address and leave")


def _add_flows(group: Commands) -> None:
    start = add_command(group, "open", OPEN, run=run_open)
    start.add_argument("campaign", type=Path, help="campaign.yaml")
    start.add_argument("--period", help="part of its name [ISO year and week, e.g. 2026w47]")
    start.add_argument("--seed", type=int, help="[the campaign's]")
    add_wait(start)
    advance = add_command(group, "advance", ADVANCE, run=run_advance)
    advance.add_argument("evaluation", nargs="?", help="[all that can go on]")
    advance.add_argument("--reason", default="person", help="shown in the run's name [person]")
    add_wait(advance)


def run_open(options: argparse.Namespace) -> int:
    """Start the flow that opens an evaluation; a bad campaign file is refused at once."""
    from ocrjury.campaign.config import read_campaign
    from ocrjury.campaign.gold_file import read_gold
    from ocrjury.campaign.registry import read_raters
    from ocrjury.readers.masks import read_masks

    campaign = read_campaign(options.campaign)
    read_raters(campaign.raters_path)
    if campaign.gold_path is not None:
        read_gold(campaign.gold_path, campaign.rubric)
    if campaign.masks_path is not None:
        read_masks(campaign.masks_path)
    return start(
        "open-evaluation/open",
        {
            "campaign": str(options.campaign.absolute()),
            "period": options.period,
            "seed": options.seed,
        },
        wait=not options.no_wait,
    )


def run_advance(options: argparse.Namespace) -> int:
    """Start the flow that takes the next steps."""
    if options.evaluation is not None:
        with open_existing() as work:
            work.case(options.evaluation)
    return start(
        "advance-evaluation/advance",
        {"evaluation": options.evaluation, "reason": options.reason},
        wait=not options.no_wait,
    )


def run_list(_options: argparse.Namespace) -> None:
    """Print every evaluation."""
    from ocrjury.store.evaluations import list_evaluations

    settings = Settings.from_environment()
    if not settings.store_exists:
        say(no_store(settings))
        return
    with open_at(settings) as work:
        rows = list_evaluations(work.engine)
        if not rows:
            say("no evaluation yet")
            return
        table(
            ("evaluation", "state", "opened", "pool", ""),
            [
                (
                    row.evaluation,
                    state_cell(work.case(row.evaluation).standing.history),
                    local(row.opened_at, row.config["time_zone"]),
                    "" if row.pool_size is None else f"{row.pool_size:,}",
                    "SIMULATED" if row.simulated else "",
                )
                for row in rows
            ],
        )


def run_show(options: argparse.Namespace) -> None:
    """Print all about one evaluation."""
    from ocrjury.cli.evaluation_page import print_evaluation

    with open_existing() as work:
        print_evaluation(work.case(options.evaluation))
