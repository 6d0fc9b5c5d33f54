"""``ocrjury ratings``: hand out what is to be rated, bring ratings in, and take them out."""

import argparse
import sys
from operator import itemgetter
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ocrjury.cli import rater_remarks, rubric
from ocrjury.cli.actors import login_name, note
from ocrjury.cli.declaring import Commands, add_command, add_group
from ocrjury.cli.printing import remark, right, say, say_json, table, tell_replaced
from ocrjury.cli.runs import round_news
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError
from ocrjury.pages.numbers import plural
from ocrjury.ratings.csv_tables import write_table
from ocrjury.scales import Scale
from ocrjury.whole_files import whole_text

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Case
    from ocrjury.frontends.sheets.assignment_sheet import AssignmentSheet
    from ocrjury.frontends.sheets.importing import Imported
    from ocrjury.store.rating_history import RatingEvent
    from ocrjury.store.remarks import RuleBreakRow

GROUP = """import ratings from a file, or export what is stored

ocrjury ratings export claims-2026w47 --open --each to-rate       # one file for each rater
ocrjury ratings import claims-2026w47 to-rate/claims-2026w47-r1-R01.csv
ocrjury ratings export claims-2026w47 > ratings.csv"""
IMPORT = """store the ratings of a CSV file in the open round, all or none

Store the ratings of CSV files in the open round; of each file all or none, the first that is
refused ends it.

The file has evaluation, item, rater and one column for each dimension, as `ratings export --open`
writes it, or is long (evaluation, item, rater, dimension, rating). Every wrong row is named; the
same file again changes nothing. Rows of another evaluation are refused.

In what `ratings export --open` writes, row_code shows whose a row is; a row that was given another
rater is refused. A file without that column needs --rater, and then holds ratings of that one only,
or --as-lead: you answer for every row, and the audit log says so.

ocrjury ratings import claims-2026w47 to-rate/*.csv   # filled in
ocrjury ratings import claims-2026w47 ratings.csv --rater R01
ocrjury ratings import claims-2026w47 ratings.csv --as-lead
# ratings.csv: evaluation,item,rater,dimension,rating"""
EXPORT = """write every rating that counts, or what is still to be rated, as CSV

Write every rating that counts as a long CSV, or what is still to be rated.

`counts` is 1 for the first-pass ratings of main rounds, which gate and headline use; `kind` says
what the others are. With inclusion_probability and the columns x: the file alone gives the
headline: RatedSample.from_export(frame, "meaning").mean(). `ocrjury agreement` takes the rows that
count, weighted, and gives the gate's agreement.

With --history: every revision, also those that do not count, with flag, comment, when the item was
first seen and submitted, time at work, what was shown and used, and the rubric's hash.

With --open: the open assignments, in the order in which each rater rates them, with the columns
evaluation, item, rater, row_code, session, position, doc_type, reference, hypothesis and an empty
one for each dimension. Filled in and saved as CSV, the file goes back with `ocrjury ratings
import`; rows left empty stay open. A cell that a spreadsheet would run as a formula (= + - @ or a
tab first) has an apostrophe before it; import takes it off again. Such a file is never written
over.

ocrjury ratings export claims-2026w47 > ratings.csv
ocrjury ratings export claims-2026w47 --out ratings.csv
ocrjury ratings export claims-2026w47 --history --out history.csv
ocrjury ratings export claims-2026w47 --open --each to-rate       # one file for each rater
ocrjury ratings export claims-2026w47 --open --rater R01 --out R01.csv"""
CONDITIONS = {
    "diff_state": "diff",
    "reference_state": "reference",
    "image_view": "view",
    **{name: name for name in ("diff_used", "zoom_used", "page_used", "guide_used")},
    **{name: name for name in ("changes", "breaks", "script", "hasty")},
}
"""Columns about how an item was shown and used, and what the store calls them."""
RULES = """who rated above what a field rule allows, and how often

Who gave more than a field rule of the rubric allows, how often, and whether they knew.

Ratings of all rounds (pilot, gold, repeats, adaptive, adjudication and panel too), one line for
each rule, dimension, rater and level given. Nothing is changed: a rating that breaks a rule counts
like any other. The report says the same in sentences.

ocrjury ratings rules claims-2026w47
ocrjury ratings rules claims-2026w47 --json | jq '.[].rater'"""


def add_to(commands: Commands) -> None:
    """Declare the commands."""
    group = add_group(commands, "ratings", GROUP)
    take = add_command(group, "import", IMPORT, run=run_import)
    take.add_argument("evaluation", help="its name")
    take.add_argument("files", nargs="+", type=Path, metavar="file", help="CSV, UTF-8 or CP949")
    sender = take.add_mutually_exclusive_group()
    sender.add_argument("--rater", metavar="R01", help="who sent it; it may hold no other's rows")
    sender.add_argument(
        "--as-lead", action="store_true", help="you vouch for rows without a row_code"
    )
    give = add_command(group, "export", EXPORT, run=run_export)
    give.add_argument("evaluation", help="its name")
    place = give.add_mutually_exclusive_group()
    place.add_argument("--out", type=Path, help="file to write [standard output]")
    place.add_argument(
        "--each", type=Path, metavar="FOLDER", help="with --open: one file for each rater, in here"
    )
    what = give.add_mutually_exclusive_group()
    what.add_argument("--open", action="store_true", help="the open assignments, to be filled in")
    what.add_argument(
        "--history", action="store_true", help="every revision, with its times and conditions"
    )
    give.add_argument("--rater", metavar="R01", help="with --open: only this one's")
    rules = add_command(group, "rules", RULES, run=run_rules)
    rules.add_argument("evaluation", help="its name")
    rules.add_argument("--json", action="store_true", help="for programs")
    rater_remarks.add_to(group)
    rubric.add_boundary_to(group)


def run_import(options: argparse.Namespace) -> None:
    """Store the ratings of a file."""
    from ocrjury.frontends.sheets import Sender, import_ratings

    with open_existing() as work:
        case = work.case(options.evaluation)
        scales = case.campaign.rubric.scales
        sender = Sender(login_name(), rater=options.rater, vouched=options.as_lead)
        several, new, complete = len(options.files) > 1, False, False
        try:
            for file in options.files:
                done = import_ratings(
                    work.store, case.row, file, scale=scales, now=work.now, sender=sender
                )
                if done.again:
                    say(f"{file} was imported before; nothing changed.")
                    continue
                say(f"{file}: {_stored(done, case.name)}" if several else _stored(done, case.name))
                new, complete = True, complete or done.complete
        finally:  # also where a file is refused: those before it are stored
            if new:
                say(round_news(work, case.name, complete=complete))


def _stored(done: "Imported", evaluation: str) -> str:
    """Sentence on the ratings that an import stored."""
    brought = f"{plural(done.ratings, 'rating')} on {plural(done.assignments, 'assignment')}"
    replaced = plural(done.replaced, "earlier value")
    return f"{brought} stored in {evaluation}; {replaced} replaced."


def run_export(options: argparse.Namespace) -> None:
    """Write the ratings that count, every revision, or the assignments that are open."""
    if not options.open and (options.rater is not None or options.each is not None):
        raise InputError("--rater and --each belong to --open; add it, or leave them out.")
    with open_existing() as work, work.snapshot():
        case = work.case(options.evaluation)
        if options.open:
            _export_open(options, case)
            return
        write = _write_history if options.history else _write_ratings
        if options.out is None:
            write(sys.stdout, case)
            return
        tell_replaced(options.out)
        with whole_text(options.out) as file:
            written = write(file, case)
    remark(f"{written} written to {options.out}.")


def _write_ratings(file: IO[str], case: "Case") -> str:
    """Write one row for each rating that counts; return how many there are, in words."""
    from ocrjury.evaluation.exported_ratings import exported_ratings

    exported = exported_ratings(case)
    note(case.work, "export", f"{case.name} ratings")
    columns = ("evaluation", *exported.columns)
    rows = ((case.name, *row) for row in exported.rows)
    return f"{write_table(file, columns, rows):,} ratings"


def _write_history(file: IO[str], case: "Case") -> str:
    """Write one row for each revision; return how many there are, in words."""
    from ocrjury.store.rating_history import RatingEvent, list_history

    note(case.work, "export", f"{case.name} history of ratings")
    scales, names = case.campaign.rubric.scales, RatingEvent._fields
    place = names.index("conditions")
    columns = (*names[:place], *CONDITIONS, *names[place + 1 :])
    chosen, history = itemgetter(*columns), list_history(case.work.engine, case.name)
    rows = (map(_cell, chosen(_by_column(event, scales[event.dimension]))) for event in history)
    named = ((case.name, *row) for row in rows)
    return plural(write_table(file, ("evaluation", *columns), named), "revision")


def _by_column(event: "RatingEvent", scale: Scale) -> dict[str, Any]:
    """Values of a revision; what nobody recorded is None."""
    cells = event._asdict()
    if event.value is not None and not scale.ordered:
        cells["value"] = scale.categories[int(event.value)]
    return cells | {column: event.conditions.get(name) for column, name in CONDITIONS.items()}


def _cell(value: Any) -> object:
    """Value as a cell: a number where it is whole, an ISO time."""
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    return value.isoformat() if hasattr(value, "isoformat") else value


def _export_open(options: argparse.Namespace, case: "Case") -> None:
    from ocrjury.frontends.sheets.assignment_sheet import read_open_assignments, write_sheet

    name = case.name
    sheet = read_open_assignments(case.work.store, name, rater=options.rater)
    sheets = {} if options.out is None else {options.out: sheet}
    if options.each is not None:
        stem = options.each / f"{name}-r{sheet.round}"
        sheets = {Path(f"{stem}-{rater}.csv"): sheet.of(rater) for rater in sheet.raters}
    _refuse_existing(sheets)
    for rater in sheet.raters:  # before anything is handed out, so that nothing is without a line
        note(case.work, "export", f"{name}, open assignments of {rater}")
    if options.each is not None:
        options.each.mkdir(parents=True, exist_ok=True)
        _write_new(sheets)
        for path, part in sheets.items():
            say(f"{path}  {plural(len(part.rows), 'open assignment')}")
    elif options.out is not None:
        _write_new(sheets)
        remark(f"{plural(len(sheet.rows), 'open assignment')} written to {options.out}.")
    else:
        write_sheet(sys.stdout, sheet)


def _refuse_existing(sheets: "dict[Path, AssignmentSheet]") -> None:
    """Refuse to write over a sheet that may be filled in."""
    existing = [str(path) for path in sheets if path.exists()]
    if existing:
        raise InputError(
            f"Nothing was written, because there is already {', '.join(existing)}, which may be "
            "filled in. Choose another place, or remove it."
        )


def _write_new(sheets: "dict[Path, AssignmentSheet]") -> None:
    """Write sheets for spreadsheets, never over one that came to be meanwhile."""
    from ocrjury.frontends.sheets.assignment_sheet import write_sheet

    for path, sheet in sheets.items():
        with whole_text(path, encoding="utf-8-sig", new=True) as file:
            write_sheet(file, sheet)


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
    say(f"{total} above a rule in all rounds together, kept as given.")
    say("told: the rater saw the rule while rating.")
