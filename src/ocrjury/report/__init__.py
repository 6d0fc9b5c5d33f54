"""Reports on evaluations, as HTML and PDF."""

from typing import TYPE_CHECKING

from ocrjury._lazy import attach

if TYPE_CHECKING:
    from ocrjury.report.data import ReportData
    from ocrjury.report.evaluation_report import build_report
    from ocrjury.report.html import render_html
    from ocrjury.report.pdf import write_pdf

__all__ = ["ReportData", "build_report", "render_html", "write_pdf"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = attach(__name__)
