"""``ocrjury ratings rules``: who rated above what a field rule of the rubric allows."""

import argparse
from typing import TYPE_CHECKING

from ocrjury.cli.declaring import Commands, add_command
from ocrjury.cli.printing import right, say, say_json, table
from ocrjury.cli.stored import open_existing
from ocrjury.pages.numbers import plural

if TYPE_CHECKING:
    from ocrjury.store.remarks import RuleBreakRow


RULES = """who rated above what a field rule allows, and how often

Who gave more than a field rule of the rubric allows, how often, and whether they knew.

Ratings that count, one line for each rule, dimension, rater and level given. Nothing is changed:
a rating that breaks a rule counts like any other. The report says the same in sentences.

ocrjury ratings rules claims-2026w47
ocrjury ratings rules claims-2026w47 --json | jq '.[].rater'"""


def add_rules(group: Commands) -> None:
    """Declare the command."""
    parser = add_command(group, "rules", RULES, run=run_rules)
    parser.add_argument("evaluation", help="its name")
    parser.add_argument("--json", action="store_true", help="for programs")


def run_rules(options: argparse.Namespace) -> None:
    """Print the ratings that break rules, by rater."""
    from ocrjury.store.remarks import list_rule_breaks

    with open_existing() as work:
        row = work.case(options.evaluation).row
        breaks = list_rule_breaks(work.engine, row.evaluation)
    if options.json:
        say_json([row._asdict() for row in breaks])
    elif breaks:
        _print_table(breaks)
    else:
        say(f"No rating of {row.evaluation} lies above what a field rule allows.")


def _print_table(breaks: "list[RuleBreakRow]") -> None:
    table(
        ["rule", "dimension", "rater", *right("gave", "items", "ratings", "told")],
        [
            [
                *(row.rule, row.dimension, row.rater),
                *(f"{row.level:g}", f"{row.items:,}", f"{row.ratings:,}", f"{row.told:,}"),
            ]
            for row in breaks
        ],
    )
    say()
    total = plural(sum(row.ratings for row in breaks), "rating")
    say(f"{total} above a rule, kept as given. told: the rater saw the rule while rating.")
