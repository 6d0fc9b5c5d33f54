"""The tests for bias."""

from ocrjury.pages.bias_rows import BiasRow
from ocrjury.pages.numbers import count, listing, plural
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section
from ocrjury.report.sections.raters import Raters

READING = (
    "p is adjusted for all tests of the kind (Benjamini and Hochberg 1995); a bias is found where "
    "it is at most 0.05. Size tells how large the effect is, found or not; one that is found and "
    "low rarely matters. Of the tests on each rater, the effect least likely to be chance is "
    "printed. Effects are relative to the other raters: a bias that all raters share cannot be "
    "detected, except for halo, anchoring and order."
)


def lead(report: ReportData) -> str:
    """Number of tests and their findings."""
    rows = report[Raters].bias
    tested, flagged = sum(row.tested for row in rows), sum(row.flagged for row in rows)
    unknown = sum(number for row in rows for _, number in row.reasons)
    found = listing(list(dict.fromkeys(row.name.lower() for row in rows if row.flagged)))
    if not tested:
        return f"None of {plural(unknown, 'test')} could be made; the table says why."
    sentence = f"{plural(tested, 'test')}, of which {flagged} found something"
    sentence = f"{sentence}: {found}." if found else f"{plural(tested, 'test')} found nothing."
    return (
        f"{sentence} {plural(unknown, 'further test')} could not be made." if unknown else sentence
    )


def scale_text(report: ReportData) -> str | None:
    """Note on the scale of the effects, None where all dimensions have the same."""
    if report.one_scale:
        return None
    return (
        "Dimensions have unlike scales, so the tests stretched each to run from 0 to 100: a point "
        "is a hundredth of a scale’s length."
    )


def overall_text(report: ReportData) -> str | None:
    """Number of findings that stand after adjusting for all kinds at once."""
    rows = report[Raters].bias
    tested, flagged = sum(row.tested for row in rows), sum(row.flagged for row in rows)
    if not flagged:
        return None
    standing = sum(row.standing for row in rows)
    return (
        f"Adjusted for all {plural(tested, 'test')} of all kinds together, {count(standing)} of "
        f"the {plural(flagged, 'finding')} still {'stands' if standing == 1 else 'stand'}."
    )


def where(report: ReportData, row: BiasRow) -> str:
    """Dimension and raters of a test."""
    dimension = "all" if row.dimension is None else report.name(row.dimension)
    return f"{dimension} · {'average rater' if row.panel else 'each rater'}"


def caption(report: ReportData) -> str:
    """Number of tests."""
    rows = report[Raters].bias
    n = sum(row.tested + sum(number for _, number in row.reasons) for row in rows)
    return f"All {plural(n, 'test')}"


def effects(report: ReportData) -> str:
    """Meaning of each effect in the table."""
    meanings = {row.name: row.words.meaning for row in report[Raters].bias}
    return "; ".join(f"{name}: {meaning}" for name, meaning in meanings.items()) + "."


SECTION = Section(
    "bias", "Tests for bias", "report/bias.html.j2", lambda report: report[Raters].bias
)
