"""The report of a stored evaluation as files in its store."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ocrjury.campaign.content_hashes import content_hash
from ocrjury.errors import MissingDependencyError
from ocrjury.report.cover_record import cover_of
from ocrjury.report.data import ReportData
from ocrjury.report.evaluation_report import issued_at, report_of
from ocrjury.report.html import render_html
from ocrjury.report.html_size import mailed_html
from ocrjury.report.pdf import write_pdf
from ocrjury.report.stored_evaluation import Stored, read_stored
from ocrjury.report_choices import ReportKind
from ocrjury.step_parts import Parts, Tick, unwatched
from ocrjury.store.files import content_hash as file_hash
from ocrjury.store.reports import NewReport
from ocrjury.store.workspace import Store

Write = Callable[..., None]
"""Function that makes a PDF, as `write_pdf` does."""
Enclose = Callable[[Stored, ReportKind], Mapping[str, bytes]]
"""Function that makes the attachments of an archived report, by name."""


def store_report(
    store: Store,
    evaluation: str,
    *,
    kind: ReportKind,
    enclose: Enclose,
    write: Write = write_pdf,
    tick: Tick = unwatched,
) -> NewReport:
    """A rendered report in each of its languages; its files have the names of their content.

    Parameters
    ----------
    enclose
        What makes the attachments, the same in each language, where the campaign wants an archive.
    write
        What makes the PDF; where a machine lacks what it needs, there is none.
    """
    stored = read_stored(store, evaluation, final=kind == "final")
    archived = stored.campaign.report.archive
    parts = Parts(tick, 2 * len(stored.languages) + archived)
    if archived:
        parts.begin("files to attach")
        write = archiving(write, stored, attachments=enclose(stored, kind))
    rendered = [
        _render(store, marked(report, archived=archived), write, parts=parts)
        for report in _reports(stored, kind, parts)
    ]
    # Only once all of it is there: no purge would know a file of a report that never came to be.
    main, *others = (_keep(store, each) for each in rendered)
    return replace(main, translations=tuple(others))


def _reports(stored: Stored, kind: ReportKind, parts: Parts) -> Iterator[ReportData]:
    """Yield a report in each of its languages."""
    for language in parts.each(stored.languages, "pages in"):
        yield report_of(stored, kind=kind, language=language)


def marked(report: ReportData, *, archived: bool) -> ReportData:
    """A report that says what its PDF has attached, if anything."""
    return replace(report, identity=replace(report.identity, archived=archived))


def archiving(write: Write, stored: Stored, *, attachments: Mapping[str, bytes]) -> Write:
    """Function that makes an archival PDF with attachments, dated like the report."""
    dated = issued_at(stored)
    return partial(write, variant="pdf/a-3a", attachments=attachments, dated=dated)


class _Rendered(NamedTuple):
    """A report in one language before it is stored."""

    data: ReportData
    html: str
    body: bytes
    pdf: bytes | None


def _render(store: Store, data: ReportData, write: Write, *, parts: Parts) -> _Rendered:
    """Render a report in one language."""
    html = render_html(data)
    body = mailed_html(data, html).encode()
    parts.begin(f"PDF in {data.identity.language}")
    return _Rendered(data, html, body, _pdf(html, write, store.files.folder))


def _keep(store: Store, rendered: _Rendered) -> NewReport:
    """A report in one language with its files."""
    data, html, body, pdf = rendered
    return NewReport(
        kind=data.identity.kind,
        language=data.identity.language,
        html_uri=store.files.put(body, kind="report", suffix=".html"),
        pdf_uri=None if pdf is None else store.files.put(pdf, kind="report", suffix=".pdf"),
        sha256=file_hash(body if pdf is None else pdf),
        inputs_hash=content_hash(html),
        cover=cover_of(data),
    )


def removed_report(evaluation: str) -> str:
    """Sentence for a report whose file was removed with the texts in it."""
    return (
        f"the newest report of {evaluation} was removed with the texts of its documents. "
        f"`ocrjury report {evaluation} --again` writes one from the stored numbers."
    )


def _pdf(html: str, write: Write, home: Path) -> bytes | None:
    """PDF, None where this machine lacks what makes one.

    It comes into being beside the stored files, where a purge finds what a killed process left.
    """
    own = f".{os.getpid()}"
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home, prefix=".report-", suffix=own) as folder:
        path = Path(folder) / "report.pdf"
        try:
            write(html, path)
        except MissingDependencyError:
            return None
        return path.read_bytes()
