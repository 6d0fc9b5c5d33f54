"""``ocrjury doctor``: what this machine lacks, and how to fix it."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.cli.declaring import add_command

if TYPE_CHECKING:
    from ocrjury.cli.declaring import Commands


def add_to(commands: "Commands") -> None:
    """Declare the command."""
    doctor = add_command(
        commands,
        "doctor",
        summary="check Python, PDF, fonts, database, versions, Prefect, mail; say how to fix it",
        about="Check what ocrjury needs on this machine, and say how to fix what is missing. "
        "Exit code 1 if something needed is missing; a Prefect server is not needed for that.",
        examples=[
            "ocrjury doctor",
            "ocrjury doctor --campaign claims/campaign.yaml   # its mail server too",
        ],
        run=run_doctor,
    )
    doctor.add_argument("--campaign", type=Path, help="sign in to this campaign's mail server")


def run_doctor(options: argparse.Namespace) -> int:
    """Print one line for each thing that was checked."""
    from ocrjury.cli import checks
    from ocrjury.cli.printing import BAD, GOOD, QUIET, Cell, say, table

    styles = {"ok": GOOD, "problem": BAD, "note": QUIET}
    findings = checks.check_machine()
    if options.campaign is not None:
        findings += checks.check_mail(options.campaign)
    table(
        ("", "checked", "found"),
        [
            (Cell(finding.word, styles[finding.word]), finding.what, finding.found)
            for finding in findings
        ],
    )
    problems = [finding for finding in findings if finding.word == "problem"]
    say()
    if not problems:
        say("Everything that is needed is here.")
        return 0
    say("To fix:")
    for finding in problems:
        say(f"  {finding.what}: {finding.fix}")
    return 1
