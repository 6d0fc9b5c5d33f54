"""Write the report: HTML and PDF from stored numbers."""

from functools import partial
from pathlib import Path
from typing import NamedTuple

from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.history import Step
from ocrjury.campaign.state import report_again
from ocrjury.errors import StateError
from ocrjury.evaluation.case import Work
from ocrjury.evaluation.next_rounds import Prospects
from ocrjury.evaluation.overview import desk_link, report_links
from ocrjury.export.evaluation_export import attached_files
from ocrjury.pages import environment
from ocrjury.report import write_pdf
from ocrjury.report.stored_files import removed_report, store_report
from ocrjury.report_choices import ReportKind
from ocrjury.step_parts import Tick
from ocrjury.store.database import writing
from ocrjury.store.moves import moving
from ocrjury.store.reports import NewReport, ReportRow, add_report, list_reports
from ocrjury.store.unused_files import check_unpurged, count_purges, removed_unless_named
from ocrjury.tasks import Bar, at_work, from_one_snapshot, hold_if_refused, publish
from ocrjury.whole_files import copy_whole


class Written(NamedTuple):
    """Files of a report; no PDF where this machine cannot make one."""

    html: Path
    pdf: Path | None


@task(task_run_name="{prospects.evaluation}-report", cache_policy=NO_CACHE)
@hold_if_refused
@from_one_snapshot
def write_report(prospects: Prospects, step: Step) -> None:
    """Render the report and move on."""
    with at_work() as work, Bar() as bar:
        report = render(work, prospects.evaluation, kind="final", tick=bar)
        with (
            removed_unless_named(work.store, report.files),
            moving(work.engine, prospects.position, step, mover=work.mover) as connection,
        ):
            add_report(connection, prospects.evaluation, report, now=work.now)
        _publish(work, prospects.evaluation, report)


@task(task_run_name="{evaluation}-report", cache_policy=NO_CACHE)
def write_report_again(evaluation: str) -> Written:
    """Render the next version of a closed evaluation's report from its stored numbers."""
    with at_work() as work, work.snapshot(), Bar() as bar:
        report_again(work.case(evaluation).standing.history)
        purges = count_purges(work.engine, evaluation)
        report = render(work, evaluation, kind="final", tick=bar)
        with removed_unless_named(work.store, report.files), writing(work.engine) as connection:
            check_unpurged(connection, evaluation, since=purges)
            add_report(connection, evaluation, report, now=work.now)
        _publish(work, evaluation, report)
        return _where(work, report)


def render(work: Work, evaluation: str, *, kind: ReportKind, tick: Tick) -> NewReport:
    """Render a report; its files lie under the names of their content."""
    enclose = partial(attached_files, work)
    return store_report(
        work.store, evaluation, kind=kind, enclose=enclose, write=write_pdf, tick=tick
    )


@task(task_run_name="{evaluation}-copy-report", cache_policy=NO_CACHE)
def copy_report(evaluation: str, folder: Path) -> Written:
    """Copy the newest report of an evaluation to report.html and report.pdf in a folder."""
    with at_work() as work:
        newest = list_reports(work.engine, evaluation)
        if not newest:
            raise StateError(f"{evaluation} has no report yet.")
        where = _where(work, newest[-1])
        if not where.html.exists():
            raise StateError(removed_report(evaluation))
    folder.mkdir(parents=True, exist_ok=True)
    html = copy_whole(where.html, folder / "report.html")
    pdf = where.pdf and copy_whole(where.pdf, folder / "report.pdf")
    return Written(html, pdf)


def _where(work: Work, report: NewReport | ReportRow) -> Written:
    pdf = None if report.pdf_uri is None else work.store.files.path(report.pdf_uri)
    return Written(work.store.files.path(report.html_uri), pdf)


def _publish(work: Work, evaluation: str, report: NewReport) -> None:
    case = work.case(evaluation)
    page = environment.render(
        "artifacts/report_link.md.j2",
        evaluation=evaluation,
        links=report_links(case),
        desk=desk_link(case).address,
        pdf=report.pdf_uri is not None,
    )
    publish(evaluation, "report", page)
