"""Levels that each rater gave where colleagues gave others."""

from collections.abc import Sequence
from functools import partial

from ocrjury.findings.confusions import Confusion
from ocrjury.language import tr
from ocrjury.pages.document_text import cut
from ocrjury.pages.geometry import line_width
from ocrjury.pages.numbers import (
    clauses,
    count,
    has_interval,
    listing,
    paragraph,
    percent,
    plural,
    short,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.rating_chart import whole_share
from ocrjury.report.ties import foremost

_MOST_NAMED, _NAME = 4, 56
"""Categories whose names have room in the pictures, and the width of one."""
MOST = 6
"""Raters who have a picture, those who differ most."""


def shown(report: ReportData) -> list[Confusion]:
    """Raters with a picture on the headline's dimension, in the order of their names."""
    return sorted(_known(report)[:MOST], key=lambda confusion: confusion.rater)


def _known(report: ReportData) -> Sequence[Confusion]:
    """Raters on the headline's dimension, those who differ most first."""
    own = dimension(report)
    rows = (row.confusions for row in report[Agreement].dimensions if row.dimension == own)
    return next(rows, ())


def title(report: ReportData) -> str:
    """Finding of the pictures: who differs most from colleagues."""
    everybody = [row for row in _known(report) if row.n]
    most = foremost(everybody, lambda row: row.differing, partial(percent, places=0))
    share = percent(most[0].differing, 0)
    if len(most) == 1 and len(everybody) > 1:
        return tr(
            "{rater} differs most from colleagues: in {share} of {pairs}",
            rater=most[0].rater,
            share=apart_text(most[0]),
            pairs=plural(most[0].n, "pair of ratings", "pairs of ratings"),
        )
    if not any(row.differing for row in everybody):
        return tr("No rater differs from colleagues in any pair of ratings")
    if len(most) == len(everybody):
        return tr("Every rater differs from colleagues in {share} of pairs", share=share)
    if len(most) > MOST:
        return tr(
            "{raters} differ most from colleagues: in {share} of pairs",
            raters=plural(len(most), "rater"),
            share=share,
        )
    return tr(
        "{raters} differ most from colleagues: in {share} of pairs",
        raters=listing(sorted(row.rater for row in most)),
        share=share,
    )


def apart_text(confusion: Confusion) -> str:
    """Share of a rater's pairs with two different levels, with its interval."""
    return whole_share(confusion.apart)


def subtitle(report: ReportData) -> str:
    """Legend of the cells."""
    everybody = len(report[Agreement].dimensions[0].profiles)
    return paragraph(
        [
            tr(
                "{dimension}: down, the level that a rater gave; across, those of colleagues on "
                "the same items, in % of the row.",
                dimension=report.name(dimension(report)),
            ),
            "" if everybody <= MOST else tr("The {n} raters who differ most.", n=MOST),
        ]
    )


def alternative(report: ReportData) -> str:
    """Pictures as a sentence."""
    parts = clauses(
        tr("{rater} {share}, n = {n}", rater=row.rater, share=apart_text(row), n=count(row.n))
        for row in shown(report)
    )
    return tr("Share of pairs with another level than a colleague: {parts}.", parts=parts)


def apart_texts(report: ReportData) -> list[str]:
    """The same above each picture, where there is little room."""
    return [_short(confusion) for confusion in shown(report)]


def _short(confusion: Confusion) -> str:
    value = percent(confusion.differing, 0)
    if not has_interval(confusion.apart):
        return value
    low, high = (
        percent(end, 0) for end in (max(confusion.apart.low, 0), min(confusion.apart.high, 1))
    )
    return f"{value} ({low.rstrip('%')}–{high})"


def tables(report: ReportData) -> list[list[list[float | None]]]:
    """Each rater's rows in shares of their sums, None where the rater never gave the level."""
    return [
        [[pairs / sum(row) if sum(row) else None for pairs in row] for row in confusion.counts]
        for confusion in shown(report)
    ]


def names(report: ReportData) -> list[str]:
    """Levels by number, categories by name."""
    labels = report.labels(dimension(report))
    return [short(level) if labels.ordered else labels.name(level) for level in labels.levels]


def short_names(report: ReportData) -> list[str]:
    """Levels as a small picture calls them."""
    return [cut(name, 4) for name in names(report)]


def levels(report: ReportData) -> list[str]:
    """Levels as the pictures call them."""
    whole = names(report)
    return whole if _have_room(whole) else short_names(report)


def named(report: ReportData) -> bool:
    """Return whether the pictures have room for whole names of categories."""
    return not report.labels(dimension(report)).ordered and _have_room(names(report))


def _have_room(whole: list[str]) -> bool:
    return len(whole) <= _MOST_NAMED and max(line_width(name, 8) for name in whole) <= _NAME


def dimension(report: ReportData) -> str:
    """Dimension of the pictures."""
    own = report[Agreement].pairs_dimension
    return report[Agreement].dimensions[0].dimension if own is None else own
