"""The tests for bias."""

from ocrjury.pages.bias_rows import EFFECTS, BiasRow
from ocrjury.pages.numbers import listing, plural
from ocrjury.report.data import ReportData

READING = (
    "p is adjusted for all tests of the kind (Benjamini and Hochberg 1995); found: at most 0.05. "
    "Size says how large the effect is, whether found or not; one that is found and low rarely "
    "matters. Of the tests on each rater the effect is printed that is least likely to be chance. "
    "Effects are relative to the panel: what all raters share cannot be seen, but for halo, "
    "anchoring and order."
)


def lead(report: ReportData) -> str:
    """Return what was tested and found."""
    rows = report.raters.bias
    tested, flagged = sum(row.tested for row in rows), sum(row.flagged for row in rows)
    unknown = sum(number for row in rows for _, number in row.reasons)
    found = listing(list(dict.fromkeys(row.name.lower() for row in rows if row.flagged)))
    if not tested:
        return f"None of {plural(unknown, 'test')} could be made; the table says why."
    said = f"{plural(tested, 'test')}, of which {flagged} found something"
    said = f"{said}: {found}." if found else f"{plural(tested, 'test')} found nothing."
    return f"{said} {plural(unknown, 'further test')} could not be made." if unknown else said


def where(report: ReportData, row: BiasRow) -> str:
    """Return on which dimension and on whom a test was made."""
    dimension = "all" if row.dimension is None else report.name(row.dimension)
    return f"{dimension} · {'average rater' if row.panel else 'each rater'}"


def effects_text(report: ReportData) -> str:
    """Return what the number of each test is."""
    units = {row.unit: row.name for row in report.raters.bias}
    return "; ".join(
        f"of {name.lower()}, {EFFECTS.get(unit, unit)}" for unit, name in units.items()
    )
