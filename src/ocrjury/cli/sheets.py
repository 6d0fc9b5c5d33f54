"""``ocrjury sheets``: workbooks for raters out, filled ones in."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.cli.actors import login_name
from ocrjury.cli.declaring import Commands, add_command, add_group
from ocrjury.cli.printing import remark, say
from ocrjury.cli.runs import round_news
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import OcrjuryError
from ocrjury.pages.numbers import plural

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Work
    from ocrjury.frontends.sheets import SheetReport, WrittenSheet

GROUP = """Excel workbooks for raters without a link: export, import

ocrjury sheets export claims-2026w47                        # into ./claims-2026w47-sheets
ocrjury sheets import --dry-run back/*.xlsx                 # what is in them? store nothing
ocrjury sheets import back/*.xlsx"""
EXPORT = """write a workbook for every rater who has something open

Write an Excel workbook for every rater who has something open, in a folder each.

It has a row for each item with its texts and a link to the page image, lists of the scale's
values, the rubric as a guide in the rater's language, and locked cells everywhere else. Send a
rater's folder as a whole. No file is written over; what the folder asks for already is not asked
again.

ocrjury sheets export claims-2026w47                        # into ./claims-2026w47-sheets
ocrjury sheets export claims-2026w47 --out to-rate --rater R01 --rater R02
ocrjury sheets export claims-2026w47 --language ko"""
IMPORT = """store the ratings of filled workbooks, each whole or not at all

Store the ratings of filled workbooks; each file whole or not at all.

Every problem is named by file, sheet, row and column. Rows left empty stay open; a row that was
imported before and says something else now becomes a new revision; the same file again changes
nothing. Dates, formulas, copied, edited and foreign rows are refused, never guessed at.

ocrjury sheets import --dry-run back/*.xlsx                 # what is in them? store nothing
ocrjury sheets import back/*.xlsx"""
SHOWN = 50
"""Findings of a file that are named; the rest is counted."""


def add_to(commands: Commands) -> None:
    """Declare the commands."""
    group = add_group(commands, "sheets", GROUP)
    give = add_command(group, "export", EXPORT, run=run_export)
    give.add_argument("evaluation", help="its name")
    give.add_argument("--round", type=int, metavar="N", help="which round [the open one]")
    give.add_argument(
        "--out", type=Path, metavar="DIR", help="folder to write into [./EVALUATION-sheets]"
    )
    give.add_argument(
        "--rater", action="append", metavar="R01", help="only this one's; may be repeated"
    )
    give.add_argument("--language", metavar="ko", help="of all sheets [each rater's own]")
    take = add_command(group, "import", IMPORT, run=run_import)
    take.add_argument("file", type=Path, nargs="+", help="a filled workbook (.xlsx)")
    take.add_argument("--dry-run", action="store_true", help="report only; store nothing")


def run_export(options: argparse.Namespace) -> None:
    """Write the workbooks."""
    from ocrjury.frontends.sheets import SheetSource, export_sheets
    from ocrjury.pages.page_images import image_folders

    with open_existing() as work:
        case = work.case(options.evaluation)
        campaign = case.campaign
        source = SheetSource(
            evaluation=case.name,
            rubric=campaign.rubric,
            images=image_folders(campaign),
            language=options.language,
            fallback=campaign.language,
            page=campaign.rounds.page,
        )
        folder = options.out or Path(f"{case.name}-sheets")
        written = export_sheets(
            work.store,
            source,
            folder,
            now=work.now,
            number=options.round,
            raters=options.rater,
            actor=login_name(),
        )
    for sheet in written:
        say(_written(sheet))
    missing = sum(sheet.missing_images for sheet in written)
    if missing:
        remark(f"{plural(missing, 'row')} without a picture: the image is absent or unreadable.")


def _written(sheet: "WrittenSheet") -> str:
    if sheet.path is None:
        return f"{sheet.rater}: nothing new; the sheets in the folder ask for all that is open"
    return f"{sheet.path}  {plural(sheet.rows, 'item')}"


def run_import(options: argparse.Namespace) -> int:
    """Store what is right, and name what is not."""
    from ocrjury.frontends.sheets import import_sheet

    with open_existing() as work:
        reports: list[SheetReport] = []
        failed = False
        for path in options.file:
            try:
                report = import_sheet(
                    work.store, path, now=work.now, actor=login_name(), dry_run=options.dry_run
                )
            except OcrjuryError as error:
                remark(str(error))
                failed = True
                continue
            reports.append(report)
            failed = failed or bool(report.problems)
            for line in _report_lines(report, dry_run=options.dry_run):
                (remark if report.problems else say)(line)
        for line in _round_lines(work, reports):
            say(line)
    return 2 if failed else 0


def _report_lines(report: "SheetReport", *, dry_run: bool) -> Iterator[str]:
    # Problems come first, so that no number of notes hides one.
    for finding in sorted(report.findings, key=lambda finding: finding.level != "problem")[:SHOWN]:
        prefix = "" if finding.level == "problem" else "note: "
        yield f"{prefix}{report.line(finding)}"
    if len(report.findings) > SHOWN:
        yield f"{report.file}: and {len(report.findings) - SHOWN:,} more"
    yield f"{report.file}: {_summary(report, dry_run=dry_run)}"


def _round_lines(work: "Work", reports: "Sequence[SheetReport]") -> Iterator[str]:
    """Yield the progress of every round that took ratings, and the next step."""
    stored = [report for report in reports if report.stored]
    for evaluation in dict.fromkeys(report.evaluation for report in stored):
        complete = any(r.complete for r in stored if r.evaluation == evaluation)
        yield round_news(work, evaluation, complete=complete)


def _summary(report: "SheetReport", *, dry_run: bool) -> str:
    whose = f"{report.rater}, round {report.round} of {report.evaluation}"
    if report.again:
        return f"{whose}; imported before, nothing changed."
    if report.problems:
        count = plural(len(report.problems), "problem")
        these = "it" if len(report.problems) == 1 else "them"
        return f"{whose}; {count}, so nothing was stored. Fix {these}, and import the file again."
    parts = {"new": report.new, "changed": report.changed, "as before": report.same}
    counts = ", ".join(f"{number:,} {name}" for name, number in parts.items() if number) or "none"
    rated = f"{report.answered:,} of {report.handed_out:,} rows are rated ({counts})"
    done = "nothing was stored, as asked" if dry_run else "stored"
    replaced = f" {plural(report.replaced, 'earlier value')} replaced;" if report.replaced else ""
    return f"{whose}; {rated};{replaced} {done}."
