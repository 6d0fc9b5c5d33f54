"""``ocrjury report``: of an evaluation, rendered from what is stored."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ocrjury.cli.actors import note
from ocrjury.cli.printing import say, tell_replaced
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError
from ocrjury.whole_files import write_whole

if TYPE_CHECKING:
    from ocrjury.evaluation.case import Work
    from ocrjury.report.stored_evaluation import Stored
    from ocrjury.report_choices import ReportKind
    from ocrjury.store.reports import ReportRow


class WrittenReport(NamedTuple):
    """A report, to be printed and as HTML file, the name of its files, and what it was made of."""

    printed: str
    html: str
    name: str
    language: str
    kind: "ReportKind"
    stored: "Stored"


def newest_report(work: "Work", evaluation: str) -> "ReportRow":
    """Newest report of an evaluation; refuses one without any."""
    from ocrjury.store.reports import list_reports

    work.case(evaluation)
    reports = list_reports(work.engine, evaluation)
    if not reports:
        raise InputError(
            f"{evaluation} has no report yet; `ocrjury evaluation show {evaluation}` says what is "
            "awaited."
        )
    return reports[-1]


def write_report(options: argparse.Namespace, only: list[str]) -> int:
    """Write an evaluation's newest report, or some sections of it, from stored numbers."""
    with open_existing() as work, work.snapshot():
        page = _render(work, options, only)
        what = f"excerpt: {', '.join(only)}" if only else "whole"
        note(work, "export", f"{options.evaluation} report in {page.language}, {what}")
    part = "-excerpt" if only else ""
    html = _place(options.out, f"{page.name}{part}.html")
    write_both(html, page.html, printed=page.printed)
    return 0


def write_both(html: Path, page: str, *, printed: str) -> None:
    """Write a report as HTML and, from its printed form, as PDF beside it; print both paths."""
    from ocrjury.report.pdf import write_pdf

    pdf = html.with_suffix(".pdf")
    tell_replaced(html, pdf)
    write_whole(html, page)
    say(str(html))
    write_pdf(printed, pdf)
    say(str(pdf))


def write_archive(options: argparse.Namespace) -> int:
    """Write an evaluation's newest report as an archival PDF with its tables attached."""
    from ocrjury.export.evaluation_export import attached_files
    from ocrjury.report import write_pdf
    from ocrjury.report.stored_files import archiving

    if options.sections is not None:
        raise InputError("An archive copy is whole: give --archive or --sections.")
    if options.out is None:
        raise InputError("--archive writes a copy: give --out FOLDER, where it goes.")
    with open_existing() as work, work.snapshot():
        page = _render(work, options, [], archived=True)
        files = attached_files(work, page.stored, page.kind)
        note(work, "export", f"{options.evaluation} report in {page.language}, archive copy")
    pdf = _place(options.out, f"{page.name}-archive.pdf")
    tell_replaced(pdf)
    archiving(write_pdf, page.stored, attachments=files)(page.printed, pdf)
    say(str(pdf))
    return 0


def _render(
    work: "Work", options: argparse.Namespace, only: list[str], *, archived: bool = False
) -> WrittenReport:
    """An evaluation's newest report in the language that is asked for, else in its own."""
    from ocrjury.report import render_html
    from ocrjury.report.evaluation_report import report_of
    from ocrjury.report.html_size import mailed_html
    from ocrjury.report.stored_evaluation import read_stored

    evaluation = options.evaluation
    newest = newest_report(work, evaluation)
    kind = newest.kind
    spoken = options.language or newest.language
    stored = read_stored(work.store, evaluation, final=kind == "final")
    data = report_of(stored, kind=kind, language=spoken)
    own = replace(data.identity, version=newest.version, archived=archived)
    data = replace(data, identity=own)
    printed = render_html(data, only=only)
    html = mailed_html(data, printed, only=only)
    name = f"{evaluation}-{kind}-v{newest.version}-{spoken}"
    return WrittenReport(printed, html, name, spoken, kind, stored)


def _place(folder: Path, name: str) -> Path:
    """Path in a folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name
