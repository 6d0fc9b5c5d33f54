"""OCR systems side by side."""

from ocrjury.pages.numbers import (
    NOTHING,
    decimal,
    has_interval,
    listing,
    plural,
    signed,
)
from ocrjury.report.certainty_section import SystemDifference, Systems
from ocrjury.report.data import ReportData

READING = (
    "Every document of a system was drawn with odds of its own, so that a page need not have been "
    "rated for all systems; the difference is between their means over the same pages of the pool. "
    "Its range counts which documents were drawn and which raters judged each system."
)


def shown(report: ReportData) -> list[Systems]:
    """Return the dimensions of which a number is printed."""
    if not report.verdict.trusted:
        return []
    return [row for row in report.systems if report.verdict.agreed_on(row.dimension)]


def lead(report: ReportData) -> str:
    """Return the clear differences, or that there is none."""
    clear = [
        f"{better} is better than {worse} on {report.name(row.dimension)} by {by} points"
        for row in shown(report)
        for one in row.differences
        for better, worse, by in _clear(one)
    ]
    names = listing([one.system for one in shown(report)[0].systems])
    if not clear:
        return f"No clear difference between {names} on the pages of this pool."
    said = listing(clear)
    return f"{said[0].upper()}{said[1:]}."


def _clear(one: SystemDifference) -> list[tuple[str, str, str]]:
    """Return who is better than whom and by how much, nothing where chance explains it."""
    if not has_interval(one.estimate):
        return []
    by = decimal(abs(one.estimate.value))
    if one.estimate.low > 0:
        return [(one.a, one.b, by)]
    return [(one.b, one.a, by)] if one.estimate.high < 0 else []


def difference(one: SystemDifference) -> str:
    """Return a difference with its sign."""
    return signed(one.estimate.value)


def difference_range(one: SystemDifference) -> str:
    """Return its range."""
    if not has_interval(one.estimate):
        return NOTHING
    return f"{signed(one.estimate.low)} to {signed(one.estimate.high)}"


def basis(one: SystemDifference) -> str:
    """Return on how many pages both were rated."""
    return plural(one.both, "page")
