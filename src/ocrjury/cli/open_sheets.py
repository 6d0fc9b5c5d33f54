"""``ocrjury ratings export --open``: what raters still have to do, as files that they fill in."""

import argparse
import io
import sys
from collections.abc import Iterable
from pathlib import Path

from ocrjury.cli.actors import note
from ocrjury.cli.printing import remark, say
from ocrjury.cli.stored import open_existing
from ocrjury.errors import InputError
from ocrjury.frontends.assignment_sheet import (
    AssignmentSheet,
    read_open_assignments,
    write_sheet,
)
from ocrjury.pages.numbers import plural


def export_open(options: argparse.Namespace) -> int:
    """Write the open assignments to standard output, to one file, or to one file per rater."""
    with open_existing() as work:
        name = work.case(options.evaluation).name
        sheet = read_open_assignments(work.store, name, rater=options.rater)
        _give(options, name, sheet)
        for rater in sheet.raters:
            note(work, "export", f"{name}, open assignments of {rater}")
    return 0


def _give(options: argparse.Namespace, name: str, sheet: AssignmentSheet) -> None:
    """Write them where they are wanted."""
    if options.each is not None:
        _write_each(options.each, name, sheet)
    elif options.out is not None:
        _refuse_existing([options.out])
        _write(options.out, sheet)
        remark(f"{_counted(sheet)} written to {options.out}.")
    else:
        sys.stdout.write(_text(sheet))


def _write_each(folder: Path, name: str, sheet: AssignmentSheet) -> None:
    """Write one file for each rater, named by evaluation, round and rater; all or none."""
    parts = {
        folder / f"{name}-r{sheet.round}-{rater}.csv": sheet.of(rater) for rater in sheet.raters
    }
    _refuse_existing(parts)
    folder.mkdir(parents=True, exist_ok=True)
    for path, part in parts.items():
        _write(path, part)
        say(f"{path}  {_counted(part)}")


def _refuse_existing(paths: Iterable[Path]) -> None:
    """Refuse to write over a file in which somebody's ratings may stand."""
    existing = [str(path) for path in paths if path.exists()]
    if existing:
        raise InputError(
            f"Nothing was written, because there is already {', '.join(existing)}, which may be "
            "filled in. Choose another place, or remove it."
        )


def _write(path: Path, sheet: AssignmentSheet) -> None:
    """Write a file that spreadsheets read as UTF-8."""
    with path.open("x", encoding="utf-8-sig", newline="") as file:
        file.write(_text(sheet))


def _text(sheet: AssignmentSheet) -> str:
    """Sheet as CSV."""
    text = io.StringIO(newline="")
    write_sheet(text, sheet)
    return text.getvalue()


def _counted(sheet: AssignmentSheet) -> str:
    """Number of open assignments of a sheet, in words."""
    return plural(len(sheet.rows), "open assignment")
