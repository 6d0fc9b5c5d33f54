"""``ocrjury report``: of an evaluation, or of ratings that somebody already has."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ocrjury.campaign.settings import Settings
from ocrjury.campaign.state import report_again
from ocrjury.cli.actors import note
from ocrjury.cli.agreement import add_exit_zero, add_file_options
from ocrjury.cli.agreement_questions import add_questions, in_report, ratings_asked
from ocrjury.cli.declaring import Commands, add_command, composed
from ocrjury.cli.language_option import DEFAULT, add_language
from ocrjury.cli.printing import remark, say, tell_replaced
from ocrjury.cli.redelivery import deliver
from ocrjury.cli.report_options import check_options
from ocrjury.cli.report_writing import newest_report, write_archive, write_both, write_report
from ocrjury.cli.runs import start
from ocrjury.cli.store_access import open_existing
from ocrjury.errors import InputError
from ocrjury.language import speaking
from ocrjury.readers.file_sets import root_of
from ocrjury.report_choices import EXAMPLES
from ocrjury.whole_files import copy_whole

if TYPE_CHECKING:
    import pandas as pd

    from ocrjury.evaluation.case import Work
    from ocrjury.store.files import FileStore
    from ocrjury.store.reports import ReportRow


REPORT = """the report of an evaluation, or of ratings that you already have

Say where the newest report of an evaluation is, copy it, render it again, publish or deliver it; or
report on a CSV of ratings, without a campaign.

With --ratings the exit code is that of the verdict: 0 PASS, 1 FAIL, 3 INCONCLUSIVE; 2 is bad input.
--exit-zero makes it 0 whatever the verdict is. The report of an evaluation ends with 0.

ocrjury report claims-2026w47                       # where its newest report is
ocrjury report claims-2026w47 --out reports         # copy it there
ocrjury report claims-2026w47 --sections agreement,bias --out reports   # an excerpt
ocrjury report claims-2026w47 --language ko --out reports   # in another language
ocrjury report claims-2026w47 --archive --out archive       # PDF/A-3 with its tables inside
ocrjury report --compare claims-2026w46 claims-2026w47 --out reports   # what changed
ocrjury report claims-2026w47 --again               # render it anew from stored numbers
ocrjury report claims-2026w47 --publish             # to the folder or bucket of report.publish
ocrjury report claims-2026w47 --deliver             # to all who lack it, as campaign.yaml is now
ocrjury report --ratings ratings.csv --scale likert:1:5 --out reports
ocrjury report --ratings ratings.csv --scale likert:1:5 --out reports --language ko
ocrjury report --ratings ratings.csv --pool fields.jsonl --scale likert:1:5 --out reports"""


def add_to(commands: Commands) -> None:
    """Declare the command."""
    report = add_command(commands, "report", REPORT, run=run_report)
    report.add_argument("evaluation", nargs="?", help="its name")
    report.add_argument("--again", action="store_true", help="render a new version of it")
    report.add_argument("--no-wait", action="store_true", help="with --again: do not wait")
    report.add_argument("--publish", action="store_true", help="bring it to report.publish.to")
    report.add_argument(
        "--deliver",
        action="store_true",
        help="take addresses and servers from campaign.yaml; bring it to all who lack it",
    )
    report.add_argument("--out", type=Path, help="folder for HTML and PDF; made if not there")
    report.add_argument(
        "--sections", metavar="A,B", help="with --out: an excerpt; cover and methods are in it"
    )
    report.add_argument(
        "--archive",
        action="store_true",
        help="with --out: as PDF/A-3, with the tables of ocrjury export attached",
    )
    report.add_argument(
        "--compare",
        nargs=2,
        metavar=("EARLIER", "LATER"),
        help="with --out: what changed from one evaluation to another",
    )
    report.add_argument("--ratings", type=Path, help="a CSV of ratings, as of ocrjury agreement")
    report.add_argument("--pool", help="with --ratings: the OCR results that were rated")
    report.add_argument("--images", help="with --pool: folder of page images [the pool's]")
    report.add_argument("--title", help="with --ratings: printed on the cover [the file's name]")
    report.add_argument(
        "--examples",
        choices=EXAMPLES,
        default="masked",
        help="with --pool: texts of the worst items [masked]",
    )
    add_language(report, of="the report", unless="the campaign's first; en with --ratings")
    add_file_options(report)
    add_questions(report)
    add_exit_zero(report)
    report.set_defaults(usual=vars(report.parse_args([])))


def run_report(options: argparse.Namespace) -> int:
    """Find, copy, renew or make a report."""
    check_options(options)
    if options.compare:
        from ocrjury.cli.report_comparison import write_comparison

        return write_comparison(options)
    only = _sections(options)
    if options.ratings is not None:
        return _bare_report(options, only)
    return _of_evaluation(options, only)


def _of_evaluation(options: argparse.Namespace, only: list[str]) -> int:
    if options.archive:
        return write_archive(options)
    if only:
        return write_report(options, only)
    if options.language is not None:
        return _in_language(options)
    if options.again:
        return _render_again(options)
    if options.publish or options.deliver:
        return (_publish if options.publish else deliver)(options.evaluation)
    return _show_latest(options.evaluation, options.out)


def _sections(options: argparse.Namespace) -> list[str]:
    """Sections of an excerpt, none for the whole report."""
    if options.sections is None:
        return []
    if options.out is None:
        raise InputError("--sections makes an excerpt: give --out FOLDER, where it goes.")
    from ocrjury.report.html import check_sections

    names = [name.strip() for name in options.sections.split(",")]
    check_sections(names)
    return names


def _in_language(options: argparse.Namespace) -> int:
    """Show or copy the newest report in a language, or write it if it was not written in that."""
    from ocrjury.store.reports import in_language

    with open_existing() as work:
        newest = newest_report(work, options.evaluation)
        files = in_language(work.engine, options.evaluation, newest, language=options.language)
        if files.language == options.language:
            return _show(work, options.evaluation, files, out=options.out)
    if options.out is None:
        raise InputError(
            f"the newest report of {options.evaluation} was not written in {options.language}; "
            "give --out FOLDER, and it is written there."
        )
    return write_report(options, [])


def _publish(evaluation: str) -> int:
    """Publish the newest report, and say whether anything had to be written."""
    from ocrjury.delivery.report_files import publish_report, published_at
    from ocrjury.store.reports import newest_final

    with open_existing() as work:
        case, report = work.case(evaluation), newest_final(work.engine, evaluation)
        what = f"{evaluation} report version {report.version}, published"
        done = publish_report(case, report, first=lambda: note(work, "export", what))
        say(f"{done}: {published_at(case, report)}")
    return 0


def _render_again(options: argparse.Namespace) -> int:
    with open_existing() as work:
        report_again(work.case(options.evaluation).standing.history)
    code = start(
        "report-evaluation/report", {"evaluation": options.evaluation}, wait=not options.no_wait
    )
    if code or options.no_wait:
        return code
    return _show_latest(options.evaluation, options.out)


def _show_latest(evaluation: str, out: Path | None) -> int:
    """Print where the newest report is; copy it if asked."""
    with open_existing() as work:
        return _show(work, evaluation, newest_report(work, evaluation), out=out)


def _show(work: "Work", evaluation: str, report: "ReportRow", *, out: Path | None) -> int:
    """Print where a stored report is; copy it if asked."""
    if not work.store.files.path(report.html_uri).exists():
        from ocrjury.report.stored_files import removed_report

        raise InputError(removed_report(evaluation))
    paths = _files(work.store.files, report)
    if out is not None:
        what = f"{report.kind}-{report.language}-{report.version}"
        note(work, "export", f"{evaluation} report {what}")
        paths = _copies(paths, report, out / evaluation)
    for path in paths:
        say(str(path))
    return 0


def _files(files: "FileStore", row: "ReportRow") -> list[Path]:
    """Files of a report, none of them damaged."""
    from ocrjury.store.damaged_files import read_stored

    paths = [files.path(address) for address in (row.pdf_uri, row.html_uri) if address]
    for path in paths:
        read_stored(path)  # none that is damaged is shown or handed on
    return paths


def _copies(paths: list[Path], row: "ReportRow", out: Path) -> list[Path]:
    """Files of a report copied to the folder of `out` under its name."""
    out.parent.mkdir(parents=True, exist_ok=True)
    name = f"{out.name}-{row.kind}-v{row.version}-{row.language}"
    copies = {path: out.with_name(name + path.suffix) for path in paths}
    tell_replaced(*copies.values())
    return [copy_whole(path, copy) for path, copy in copies.items()]


def _bare_report(options: argparse.Namespace, only: list[str]) -> int:
    """Write HTML and PDF about a file of ratings; the exit code is that of the verdict."""
    from ocrjury.cli.agreement import EXIT_CODES
    from ocrjury.readers import read_pool
    from ocrjury.report.bare_report import BareOptions, build_bare_report
    from ocrjury.report.html import render_html
    from ocrjury.report.html_size import mailed_html

    if options.out is None:
        raise InputError("report --ratings needs --out FOLDER, where the report goes.")
    ratings = ratings_asked(options, options.ratings)
    pool = None if options.pool is None else read_pool(options.pool)
    if pool is not None:
        pool["doc_id"] = _composed(pool["doc_id"])
        _tell_absent(ratings.frame["item"], pool["doc_id"])
    name = options.ratings.stem
    with speaking(options.language or DEFAULT):
        data = build_bare_report(
            ratings.frame,
            scale=ratings.scale,
            issued_at=Settings.from_environment().now(),
            pool=pool,
            options=BareOptions(
                title=options.title or name,
                name=name,
                examples=options.examples,
                images=_images(options),
                question=in_report(ratings.question, options),
                basis=ratings.basis,
                headline=ratings.headline,
            ),
        )
    page = render_html(data, only=only)
    options.out.mkdir(parents=True, exist_ok=True)
    html = options.out / f"{name}{_kind(options, only)}.html"
    write_both(html, mailed_html(data, page, only=only), printed=page)
    return 0 if options.exit_zero else EXIT_CODES[data.verdict.decision]


def _kind(options: argparse.Namespace, only: list[str]) -> str:
    """Suffix of the files of a report of ratings, by its language and whether it is an excerpt."""
    spoken = options.language or DEFAULT
    return ("" if spoken == DEFAULT else f"-{spoken}") + ("-excerpt" if only else "")


def _composed(doc_ids: "pd.Series[str]") -> list[str]:
    """Ids in the form (NFC) in which items of ratings are read, unless another one has that."""
    taken, ids = set(doc_ids), list[str]()
    for doc_id in doc_ids:
        other = composed(doc_id)
        ids.append(doc_id if other in taken else other)
        taken.add(ids[-1])
    return ids


def _tell_absent(items: "pd.Series[str]", doc_ids: "pd.Series[str]") -> None:
    """Say how many rated items the pool lacks, if it has any of them; else the report refuses."""
    rated = items.drop_duplicates()
    absent = rated[~rated.isin(doc_ids)]
    if 0 < len(absent) < len(rated):
        remark(
            f"{len(absent):,} of {len(rated):,} rated items are no doc_id of the pool, such as "
            f"{absent.iloc[0]!r}; they have no texts and no error rates in the report."
        )


def _images(options: argparse.Namespace) -> Path | None:
    """Folder of page images: the one that is named, else the pool's own."""
    if options.images is not None:
        return Path(options.images)
    if options.pool is None or "://" in options.pool:
        return None
    return Path(root_of(options.pool)).absolute()
