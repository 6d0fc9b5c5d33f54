"""Imprint of a report: its kind, its hashes, and the margins of its pages."""

import json

from markupsafe import Markup

from ocrjury.language import said, tr
from ocrjury.pages.document_text import cut
from ocrjury.pages.geometry import line_width
from ocrjury.pages.numbers import long_date, short_hash
from ocrjury.report.data import ReportData

_COUNTERS = ("page", "pages")
_LONGEST_HEAD, _ROOM = 40, 208
"""Characters of a running title, and its room in points."""


def kind(report: ReportData) -> str:
    """Kind of the report."""
    who = report.identity
    name = tr("Interim report") if who.kind == "interim" else tr("Report")
    if who.version == 1:
        return name
    return tr("{report}, version {version}", report=name, version=who.version)


def issued(report: ReportData) -> str:
    """Time and sources of the report."""
    who = report.identity
    date = tr("Issued {date}", date=long_date(who.issued_at))
    return " · ".join([date, kind(report), f"ocrjury {who.package_version}"])


def provenance(report: ReportData) -> str:
    """Seed and hashes on one line."""
    who = report.identity
    parts = [tr("seed {seed}", seed=who.seed)] if who.seed is not None else []
    parts += [f"{said(word)} {short_hash(digest)}" for word, digest in who.digests.items()]
    return " · ".join(parts)


def footer(report: ReportData) -> str:
    """Footer of every page."""
    who = report.identity
    parts = [
        f"{said(word)} {short_hash(digest)}"
        for word, digest in who.digests.items()
        if word in {"configuration", "pool"}
    ]
    return " · ".join([who.evaluation, *parts])


def running_title(report: ReportData) -> str:
    """Title as far as the head of a page has room for it, left of the mark in its middle."""
    title = report.identity.title
    lengths = range(_LONGEST_HEAD, 0, -1)
    heads = (cut(title, length) for length in lengths)
    return next(head for head in heads if line_width(head, 7.6) <= _ROOM)


def page_number() -> Markup:
    """Number of a page and of all pages, as the ``content`` of a style sheet.

    Examples
    --------
    >>> print(page_number())
    "Page " counter(page) " of " counter(pages)
    """
    marks = {name: f"\N{NULL}{name}\N{NULL}" for name in _COUNTERS}
    parts = tr("Page {page} of {pages}", **marks).split("\N{NULL}")
    shown = (f"counter({part})" if part in _COUNTERS else quoted(part) for part in parts if part)
    return Markup(" ".join(shown))  # noqa: S704  # our own words, quoted


def quoted(text: str) -> Markup:
    """A text as a string of a style sheet."""
    return Markup(json.dumps(text, ensure_ascii=False))  # noqa: S704  # our own words
