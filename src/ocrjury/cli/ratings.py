"""``ocrjury ratings``: bring ratings in, and take them out."""

import argparse
import csv
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ocrjury.cli.declaring import add_command, add_group

if TYPE_CHECKING:
    from ocrjury.cli.declaring import Commands
    from ocrjury.cli.stored import OpenStore
    from ocrjury.scales import Scale
    from ocrjury.store.ratings import RatingRow

IMPORT = [
    "ocrjury ratings import claims-2026w47 ratings.csv",
    "# ratings.csv: item,rater,dimension,rating   or: item,rater,meaning,layout,readability",
]
EXPORT = [
    "ocrjury ratings export claims-2026w47 > ratings.csv",
    "ocrjury ratings export claims-2026w47 --out ratings.csv",
]
COLUMNS = (
    *("item", "rater", "dimension", "rating", "round", "kind", "source"),
    *("session", "position", "repeat", "submitted_at"),
)


def add_to(commands: "Commands") -> None:
    """Declare the commands."""
    group = add_group(
        commands,
        "ratings",
        summary="import ratings from a file, or export what is stored",
        examples=[IMPORT[0], EXPORT[0]],
    )
    take = add_command(
        group,
        "import",
        summary="store the ratings of a CSV file in the open round, all or none",
        about="Store the ratings of a CSV file in the open round, all or none. Every wrong row is "
        "named; the same file again changes nothing.",
        examples=IMPORT,
        run=run_import,
    )
    take.add_argument("evaluation", help="its name")
    take.add_argument("file", type=Path, help="CSV, UTF-8 or CP949")
    give = add_command(
        group,
        "export",
        summary="write every rating that counts as a long CSV",
        examples=EXPORT,
        run=run_export,
    )
    give.add_argument("evaluation", help="its name")
    give.add_argument("--out", type=Path, help="[standard output]")


def run_import(options: argparse.Namespace) -> int:
    """Store the ratings of a file."""
    from ocrjury.cli.printing import say
    from ocrjury.cli.stored import open_existing
    from ocrjury.frontends.sheets import import_ratings
    from ocrjury.pages.numbers import plural

    with open_existing() as opened:
        row = opened.evaluation(options.evaluation)
        scale = opened.campaign(row).rubric.scale
        done = import_ratings(opened.store, row, options.file, scale=scale, now=opened.now)
        if done.again:
            say(f"{options.file} was imported before; nothing changed.")
            return 0
        stored = f"{plural(done.ratings, 'rating')} on {plural(done.assignments, 'assignment')}"
        say(f"{stored} stored in {row.evaluation}.")
        if done.complete:
            say(_announce(opened, row.evaluation))
    return 0


def _announce(opened: "OpenStore", evaluation: str) -> str:
    """Tell Prefect that the round is complete; return what happens next."""
    from ocrjury.cli.runs import prefect_api, prefect_key, server_answers
    from ocrjury.signals.events import send_signals

    api = prefect_api()
    if server_answers(api) and send_signals(opened.store.engine, api=api, key=prefect_key()):
        return "The round is complete; Prefect was told and goes on."
    return f"The round is complete. Go on with: ocrjury evaluation advance {evaluation}"


def run_export(options: argparse.Namespace) -> int:
    """Write the ratings that count."""
    from ocrjury.cli.printing import remark
    from ocrjury.cli.stored import open_existing
    from ocrjury.store.ratings import list_ratings

    with open_existing() as opened:
        row = opened.evaluation(options.evaluation)
        scale = opened.campaign(row).rubric.scale
        found = list_ratings(opened.store.engine, row.evaluation)
    if options.out is None:
        _write(sys.stdout, found, scale)
        return 0
    with options.out.open("w", encoding="utf-8", newline="") as file:
        _write(file, found, scale)
    remark(f"{len(found):,} ratings written to {options.out}.")
    return 0


def _write(file: IO[str], found: "list[RatingRow]", scale: "Scale") -> None:
    """Write one row for each rating."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in found:
        row = (one.item, one.rater, one.dimension, _shown(one.value, scale), one.round)
        place = (one.session, one.position, one.repeat, one.at.isoformat())
        writer.writerow((*row, one.round_kind, one.source, *place))


def _shown(value: float, scale: "Scale") -> object:
    """Return a rating as raters gave it: a category's name, a whole number, or a number."""
    if not scale.ordered:
        return scale.categories[int(value)]
    return int(value) if value.is_integer() else value
