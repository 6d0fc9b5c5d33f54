"""``ocrjury ratings``: hand out what is to be rated, bring ratings in, and take them out."""

import argparse
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ocrjury.cli.declaring import add_command, add_group
from ocrjury.cli.rule_breaks import add_rules
from ocrjury.errors import InputError

if TYPE_CHECKING:
    from ocrjury.cli.declaring import Commands
    from ocrjury.scales import Scale
    from ocrjury.store.ratings import RatingRow

IMPORT = [
    "ocrjury ratings import claims-2026w47 ratings.csv",
    "ocrjury ratings import claims-2026w47 claims-2026w47-r1-R01.csv   # filled in",
    "# ratings.csv: item,rater,dimension,rating   or: item,rater,meaning,layout,readability",
]
EXPORT = [
    "ocrjury ratings export claims-2026w47 > ratings.csv",
    "ocrjury ratings export claims-2026w47 --out ratings.csv",
    "ocrjury ratings export claims-2026w47 --history --out history.csv",
    "ocrjury ratings export claims-2026w47 --open --each to-rate       # one file for each rater",
    "ocrjury ratings export claims-2026w47 --open --rater R01 --out R01.csv",
]
ABOUT_IMPORT = """Store the ratings of a CSV file in the open round, all or none.

The file has item, rater and one column for each dimension, as `ratings export --open` writes it,
or is long (item, rater, dimension, rating). Every wrong row is named; the same file again changes
nothing."""
ABOUT_EXPORT = """Write every rating that counts as a long CSV, or what is still to be rated.

With --history: every revision, also those that do not count, with flag, comment, when the item was
first seen and handed in, time at work, what was shown and used, and the rubric's hash.

With --open: the open assignments, in the order in which each rater rates them, with the columns
item, rater, session, position, doc_type, reference, hypothesis and an empty one for each dimension.
Filled in and saved as CSV, the file goes back with `ocrjury ratings import`; rows left empty stay
open. A cell that a spreadsheet would run as a formula (= + - @ or a tab first) has an apostrophe
before it; import takes it off again. Such a file is never written over."""
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
        examples=[EXPORT[3], IMPORT[0], EXPORT[0]],
    )
    take = add_command(
        group,
        "import",
        summary="store the ratings of a CSV file in the open round, all or none",
        about=ABOUT_IMPORT,
        examples=IMPORT,
        run=run_import,
    )
    take.add_argument("evaluation", help="its name")
    take.add_argument("file", type=Path, help="CSV, UTF-8 or CP949")
    give = add_command(
        group,
        "export",
        summary="write every rating that counts, or what is still to be rated, as CSV",
        about=ABOUT_EXPORT,
        examples=EXPORT,
        run=run_export,
    )
    give.add_argument("evaluation", help="its name")
    place = give.add_mutually_exclusive_group()
    place.add_argument("--out", type=Path, help="[standard output]")
    place.add_argument(
        "--each", type=Path, metavar="FOLDER", help="with --open: one file for each rater, in here"
    )
    what = give.add_mutually_exclusive_group()
    what.add_argument("--open", action="store_true", help="the open assignments, to be filled in")
    what.add_argument(
        "--history", action="store_true", help="every revision, with its times and conditions"
    )
    give.add_argument("--rater", metavar="R01", help="with --open: only this one's")
    add_rules(group)


def run_import(options: argparse.Namespace) -> int:
    """Store the ratings of a file."""
    from ocrjury.cli.printing import say
    from ocrjury.cli.runs import round_news
    from ocrjury.cli.stored import open_existing
    from ocrjury.frontends.sheets import import_ratings
    from ocrjury.pages.numbers import plural

    with open_existing() as work:
        case = work.case(options.evaluation)
        scale = case.campaign.rubric.scale
        done = import_ratings(work.store, case.row, options.file, scale=scale, now=work.now)
        if done.again:
            say(f"{options.file} was imported before; nothing changed.")
            return 0
        stored = f"{plural(done.ratings, 'rating')} on {plural(done.assignments, 'assignment')}"
        say(f"{stored} stored in {case.name}.")
        say(round_news(work, case.name, complete=done.complete))
    return 0


def run_export(options: argparse.Namespace) -> int:
    """Write the ratings that count, or the assignments that are open."""
    if options.open:
        from ocrjury.cli.open_sheets import export_open

        return export_open(options)
    if options.rater is not None or options.each is not None:
        raise InputError("--rater and --each belong to --open; add it, or leave them out.")
    if options.history:
        from ocrjury.cli.rating_history import export_history

        return export_history(options)
    from ocrjury.cli.actors import note
    from ocrjury.cli.printing import remark
    from ocrjury.cli.stored import open_existing
    from ocrjury.store.ratings import list_ratings

    with open_existing() as work:
        case = work.case(options.evaluation)
        scale = case.campaign.rubric.scale
        ratings = list_ratings(work.engine, case.name)
        note(work, "export", f"{case.name} ratings")
    if options.out is None:
        _write(sys.stdout, ratings, scale)
        return 0
    with options.out.open("w", encoding="utf-8", newline="") as file:
        _write(file, ratings, scale)
    remark(f"{len(ratings):,} ratings written to {options.out}.")
    return 0


def _write(file: IO[str], ratings: "list[RatingRow]", scale: "Scale") -> None:
    """Write one row for each rating."""
    from ocrjury.ratings.csv_tables import write_table

    rows = (
        (
            *(rating.item, rating.rater, rating.dimension, _shown(rating.value, scale)),
            *(rating.round, rating.round_kind, rating.source),
            *(rating.session, rating.position, rating.repeat, rating.at.isoformat()),
        )
        for rating in ratings
    )
    write_table(file, COLUMNS, rows)


def _shown(value: float, scale: "Scale") -> object:
    """Rating as raters gave it: a category's name, a whole number, or a number."""
    if not scale.ordered:
        return scale.categories[int(value)]
    return int(value) if value.is_integer() else value
