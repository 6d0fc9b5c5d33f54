"""Report data to one HTML page that needs nothing beside it."""

from importlib import import_module
from pkgutil import iter_modules
from types import SimpleNamespace

from ocrjury.pages.environment import render
from ocrjury.report import sections as package
from ocrjury.report.data import ReportData
from ocrjury.report.order import SECTIONS
from ocrjury.report.sections import Section

SENTENCES = SimpleNamespace(
    **{
        module.name: import_module(f"{package.__name__}.{module.name}")
        for module in iter_modules(package.__path__)
    }
)
"""Modules that the templates call ``say``, by name."""


def render_html(data: ReportData) -> str:
    """Report as one HTML file, without a reference to anything outside it.

    Parameters
    ----------
    data
        Everything to print. The same data give the same text, byte for byte.

    Raises
    ------
    jinja2.UndefinedError
        If a template names something that the data do not have.
    """
    return render("report/report.html.j2", report=data, say=SENTENCES, sections=sections(data))


def sections(data: ReportData) -> list[Section]:
    """Sections that this report has, in order."""
    return [section for section in SECTIONS if section.shown(data)]
