"""``ocrjury status``: what is open, and who or what is awaited."""

import argparse

from ocrjury.campaign.settings import Settings
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import say, table
from ocrjury.cli.standings import assignments_done, awaited, state_cell
from ocrjury.cli.stored import no_store, open_at

STATUS = """every unfinished evaluation: state, progress, what is awaited

ocrjury status
OCRJURY_HOME=/srv/ocrjury ocrjury status"""


def add_to(commands: Commands) -> None:
    """Declare the command."""
    add_command(commands, "status", STATUS, run=run_status)


def run_status(_options: argparse.Namespace) -> None:
    """Print one screen about what is open."""
    from ocrjury.store.evaluations import ENDED, list_evaluations

    settings = Settings.from_environment()
    if not settings.store_exists:
        say(no_store(settings))
        return
    with open_at(settings) as work:
        rows = list_evaluations(work.engine)
        cases = [work.case(row.evaluation) for row in rows if row.state not in ENDED]
        if not cases:
            say(f"nothing is open ({len(rows)} finished)" if rows else "nothing is open")
            return
        table(
            ("evaluation", "state", "assignments", "awaited"),
            [
                (
                    case.name,
                    state_cell(case.standing.history),
                    assignments_done(case.standing.history),
                    awaited(case),
                )
                for case in cases
            ],
        )
