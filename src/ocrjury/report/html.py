"""Report data to one HTML page that needs nothing beside it."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from ocrjury.errors import InputError
from ocrjury.language import speaking
from ocrjury.pages.environment import render
from ocrjury.pages.own_problems import Given, problems
from ocrjury.pages.own_templates import render_own
from ocrjury.report.data import ReportData
from ocrjury.report.known_names import GIVEN, SENTENCES, absent
from ocrjury.report.order import SECTIONS
from ocrjury.report.screen import page_script
from ocrjury.report.sections import Section
from ocrjury.report.sections.changes import FOLDER
from ocrjury.report.sections.methods import SECTION as METHODS_SECTION

METHODS = METHODS_SECTION.anchor
_PAGE = f"{FOLDER}/report.html.j2"


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
        For a section that no report has; names those there are. For a campaign's template with a
        problem, with its line.
    jinja2.UndefinedError
        If a template names something that the data do not have.
    """
    check_sections(only)
    whole = sections(data)
    chosen = [section for section in whole if section.anchor in {*only, METHODS}] if only else whole
    excerpt = (len(chosen), len(whole)) if only else None
    with speaking(data.identity.language):
        return _page(data, sections=chosen, excerpt=excerpt)


def _page(data: ReportData, **context: object) -> str:
    """Page, with the campaign's own words in the blocks that it replaces."""
    own = data.identity.templates
    given = {"say": SENTENCES, "script": page_script(), **context}
    if not own:
        return render(_PAGE, report=data, **given)
    check_templates(own)
    page, failures = render_own(FOLDER, own, _PAGE, report=data, **given)
    if not failures:
        return page
    # The cover says what failed, and comes before it.
    data_with_failures = replace(data, identity=replace(data.identity, failures=tuple(failures)))
    return render_own(FOLDER, own, _PAGE, report=data_with_failures, **given)[0]


def check_templates(own: Mapping[str, str]) -> None:
    """Refuse templates of a campaign with a problem that occurs whatever the data."""
    problems_ = problems(own, Given(FOLDER, GIVEN, absent))
    if len(problems_) == 1:
        raise InputError(f"report.templates: {problems_[0]}")
    if problems_:
        listed = "".join(f"\n- {problem}" for problem in problems_)
        raise InputError(f"report.templates has {len(problems_)} problems:{listed}")


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
