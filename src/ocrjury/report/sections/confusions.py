"""Which levels each rater gave where colleagues gave others."""

from ocrjury.findings.agreement import Confusion
from ocrjury.pages.document_text import cut
from ocrjury.pages.numbers import percent, plural, short
from ocrjury.report.data import ReportData
from ocrjury.report.sections.agreement import Agreement

MOST = 6
"""Raters who have a picture, those who differ most."""


def shown(report: ReportData) -> list[Confusion]:
    """Raters with a picture on the headline's dimension, in the order of their names."""
    own = _dimension(report)
    rows = (row.confusions for row in report[Agreement].dimensions if row.dimension == own)
    return sorted(next(rows, ())[:MOST], key=lambda one: one.rater)


def title(report: ReportData) -> str:
    """Finding of the pictures: who differs most from colleagues."""
    most = max(shown(report), key=lambda one: one.differing)
    return (
        f"{most.rater} differs most from colleagues: in {percent(most.differing, 0)} of "
        f"{plural(most.n, 'pair')} of ratings"
    )


def subtitle(report: ReportData) -> str:
    """What the cells hold."""
    everybody = len(report[Agreement].dimensions[0].profiles)
    chosen = "" if everybody <= MOST else f" The {MOST} raters who differ most."
    return (
        f"{report.name(_dimension(report))}: down, the level that a rater gave; across, those of "
        f"colleagues on the same items, in % of the row.{chosen}"
    )


def alternative(report: ReportData) -> str:
    """Pictures as a sentence."""
    parts = [f"{one.rater} {percent(one.differing, 0)}" for one in shown(report)]
    return f"Share of pairs with another level than a colleague: {', '.join(parts)}."


def tables(report: ReportData) -> list[list[list[float | None]]]:
    """Each rater's rows in shares of their sums, None where the rater never gave the level."""
    return [
        [[count / sum(row) if sum(row) else None for count in row] for row in one.counts]
        for one in shown(report)
    ]


def levels(report: ReportData) -> list[str]:
    """Levels as the pictures call them."""
    labels = report.labels(_dimension(report))
    if labels.ordered:
        return [short(level) for level in labels.levels]
    return [cut(labels.name(level), 4) for level in labels.levels]


def _dimension(report: ReportData) -> str:
    own = report[Agreement].pairs_dimension
    return report[Agreement].dimensions[0].dimension if own is None else own
