"""``ocrjury export``: an evaluation as a folder of tables and one JSON file."""

import argparse
from pathlib import Path

from ocrjury.cli.actors import note
from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import say
from ocrjury.cli.store_access import open_existing
from ocrjury.pages.numbers import plural

EXPORT = """an evaluation as tables (CSV and Parquet) and one JSON file

Write an evaluation that was judged into a folder: ratings, labels, agreement, estimates, bias and
documents, each as CSV and Parquet, and evaluation.json with the schema that describes it.

What the gate withholds in the report is withheld here too and named in evaluation.json. Texts of
documents are there only where the campaign says `report: {examples: shown}`. The folder is new,
empty, or an earlier export, which is replaced. docs/export.md explains every column.

ocrjury export claims-2026w47 --out claims-2026w47"""


def add_to(commands: Commands) -> None:
    """Declare the command."""
    export = add_command(commands, "export", EXPORT, run=run_export)
    export.add_argument("evaluation", help="its name")
    export.add_argument(
        "--out", type=Path, required=True, help="folder; made if not there, else replaced"
    )


def run_export(options: argparse.Namespace) -> None:
    """Write the folder, and note who did."""
    from ocrjury.export.evaluation_export import write_export

    out = options.out.absolute()
    with open_existing() as work, work.snapshot():
        case = work.case(options.evaluation)
        # A line of the log ends the snapshot.
        bodies = write_export(case, out, first=lambda: note(work, "export", f"{case.name} tables"))
    for name in bodies:
        say(str(options.out / name))
    say(f"{plural(len(bodies), 'file')} written to {options.out}.")
