"""The report of a stored evaluation as files in its store."""

import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ocrjury.campaign.canonical import content_hash
from ocrjury.errors import MissingDependencyError
from ocrjury.report.cover_record import cover_of
from ocrjury.report.data import ReportData
from ocrjury.report.evaluation_report import report_of
from ocrjury.report.html import render_html
from ocrjury.report.pdf import write_pdf
from ocrjury.report.stored import read_stored
from ocrjury.store.files import content_hash as file_hash
from ocrjury.store.reports import NewReport
from ocrjury.store.workspace import Store

Kind = Literal["interim", "final"]


def store_report(
    store: Store,
    evaluation: str,
    *,
    kind: Kind,
    write: Callable[[str, Path], None] = write_pdf,
) -> NewReport:
    """A rendered report in each of its languages; its files have the names of their content.

    Parameters
    ----------
    write
        What makes the PDF; where a machine lacks what it needs, there is none.
    """
    stored = read_stored(store, evaluation, final=kind == "final")
    main, *others = (
        _stored(store, report_of(stored, kind=kind, language=language), write)
        for language in stored.languages
    )
    return replace(main, translations=tuple(others))


def _stored(store: Store, data: ReportData, write: Callable[[str, Path], None]) -> NewReport:
    """A report in one language with its files."""
    html = render_html(data)
    body = html.encode()
    address = store.files.put(body, kind="report", suffix=".html")
    pdf = _pdf(html, write, store.files.folder)
    return NewReport(
        kind=data.identity.kind,
        language=data.identity.language,
        html_uri=address,
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


def _pdf(html: str, write: Callable[[str, Path], None], home: Path) -> bytes | None:
    """PDF, None where this machine lacks what makes one.

    It comes into being beside the stored files, where a purge finds what a killed process left.
    """
    own = f".{os.getpid()}"
    with tempfile.TemporaryDirectory(dir=home, prefix=".report-", suffix=own) as folder:
        path = Path(folder) / "report.pdf"
        try:
            write(html, path)
        except MissingDependencyError:
            return None
        return path.read_bytes()
