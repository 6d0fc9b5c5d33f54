"""Report data to one HTML page that needs nothing beside it."""

from base64 import b64encode
from collections.abc import Collection
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from types import SimpleNamespace

from markupsafe import Markup

from ocrjury.errors import InputError
from ocrjury.language import speaking
from ocrjury.pages.environment import render
from ocrjury.report import sections as package
from ocrjury.report.data import ReportData
from ocrjury.report.order import SECTIONS
from ocrjury.report.sections import Section
from ocrjury.report.sections.methods import SECTION as METHODS_SECTION

METHODS = METHODS_SECTION.anchor
SENTENCES = SimpleNamespace(
    **{
        module.name: import_module(f"{package.__name__}.{module.name}")
        for module in iter_modules(package.__path__)
    }
)
"""Modules that the templates call ``say``, by name."""


def render_html(data: ReportData, *, only: Collection[str] = ()) -> str:
    """Report as one HTML file, without a reference to anything outside it.

    Parameters
    ----------
    data
        Everything to print. The same data give the same text, byte for byte.
    only
        Anchors of the sections of an excerpt, beside cover, contents and methods, which stand in
        every report; none for the whole report.

    Raises
    ------
    InputError
        For a section that no report has; names those there are.
    jinja2.UndefinedError
        If a template names something that the data do not have.
    """
    check_sections(only)
    whole = sections(data)
    chosen = [one for one in whole if one.anchor in {*only, METHODS}] if only else whole
    excerpt = (len(chosen), len(whole)) if only else None
    with speaking(data.identity.language):
        return render(
            "report/report.html.j2",
            report=data,
            say=SENTENCES,
            sections=chosen,
            excerpt=excerpt,
            script=_script(),
        )


def _script() -> SimpleNamespace:
    """The page's script, and its hash, by which alone the page lets a script run."""
    text = files("ocrjury").joinpath("templates/report/report.js").read_text("utf-8")
    digest = b64encode(sha256(text.encode()).digest()).decode()
    source = f"'sha256-{digest}'"
    return SimpleNamespace(text=Markup(text), source=Markup(source))  # noqa: S704  # ours


def check_sections(names: Collection[str]) -> None:
    """Refuse a section that no report has."""
    known = [section.anchor for section in SECTIONS]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InputError(
            f"a report has no section {', '.join(map(repr, unknown))}; its sections are "
            f"{', '.join(known)}."
        )


def sections(data: ReportData) -> list[Section]:
    """Sections that this report has, in order."""
    return [section for section in SECTIONS if section.shown(data)]
