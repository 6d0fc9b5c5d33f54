"""Report data to one HTML page that needs nothing beside it."""

from types import SimpleNamespace
from typing import NamedTuple

from ocrjury.pages.environment import render
from ocrjury.report.data import ReportData
from ocrjury.report.sentences import (
    agreement,
    bias,
    certainty,
    contents,
    cover,
    decisions,
    differences,
    fields,
    frontends,
    gate,
    items,
    judges,
    methods,
    profiles,
    raters,
    ratings,
    rounds,
    rules,
    sampling,
    summary,
    systems,
    together,
    trend,
)

SENTENCES = SimpleNamespace(
    agreement=agreement,
    bias=bias,
    certainty=certainty,
    contents=contents,
    cover=cover,
    decisions=decisions,
    differences=differences,
    fields=fields,
    frontends=frontends,
    gate=gate,
    items=items,
    judges=judges,
    methods=methods,
    profiles=profiles,
    raters=raters,
    ratings=ratings,
    rounds=rounds,
    rules=rules,
    sampling=sampling,
    summary=summary,
    systems=systems,
    together=together,
    trend=trend,
)
"""What the templates call ``say``."""


class Section(NamedTuple):
    """A chapter of the report: its place in the page, its title, its template."""

    anchor: str
    title: str
    template: str


_SUMMARY = Section("summary", "Summary", "report/summary.html.j2")
_SAMPLING = Section("sampling", "How the items were chosen", "report/sampling.html.j2")
_AGREEMENT = Section("agreement", "Do the raters agree?", "report/agreement.html.j2")
_DIFFERENCES = Section("differences", "Where the raters differ", "report/differences.html.j2")
_RATERS = Section("raters", "Each rater", "report/raters.html.j2")
_BIAS = Section("bias", "Tests for bias", "report/bias.html.j2")
_RULES = Section("rules", "Ratings against the field rules", "report/rules.html.j2")
_RATINGS = Section("ratings", "What the raters said", "report/ratings.html.j2")
_CERTAINTY = Section("certainty", "How sure the numbers are", "report/certainty.html.j2")
_TREND = Section("trend", "Over time", "report/trend.html.j2")
_SYSTEMS = Section("systems", "OCR systems side by side", "report/systems.html.j2")
_SCORES = Section("scores", "Error rates and people", "report/scores.html.j2")
_ITEMS = Section("items", "The worst items", "report/items.html.j2")
_ROUNDS = Section("rounds", "Rounds", "report/rounds.html.j2")
_METHODS = Section("methods", "Methods and provenance", "report/methods.html.j2")
_PROFILES = Section("profiles", "Appendix: rater profiles", "report/profiles.html.j2")


def render_html(data: ReportData) -> str:
    """Return the report as one HTML file, without a reference to anything outside it.

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
    """Return the chapters that this report has, in order."""
    parts: list[tuple[Section, object]] = [
        (_SUMMARY, True),
        (_SAMPLING, True),
        (_AGREEMENT, True),
        (_DIFFERENCES, bool(data.agreement.dimensions)),
        (_RATERS, True),
        (_BIAS, data.raters.bias),
        (_RULES, data.rules),
        (_RATINGS, True),
        (_CERTAINTY, any(row.hajek for row in data.estimates)),
        (_SYSTEMS, systems.shown(data)),
        (_TREND, data.trend and data.shown_headline),
        (_SCORES, data.scores),
        (_ITEMS, data.items.rows),
        (_ROUNDS, data.rounds or data.decisions),
        (_METHODS, True),
        (_PROFILES, data.raters.profiles),
    ]
    return [section for section, there in parts if there]
