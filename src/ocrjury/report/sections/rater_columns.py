"""Columns of the table of raters, and how to read them."""

from operator import attrgetter

from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import count, decimal, estimate_text, paragraph, percent, signed
from ocrjury.report.sections.raters import RaterRow, Raters, has_severity, severity_interval
from ocrjury.report.table_columns import Column, known_columns
from ocrjury.statistics import statistic

COLUMNS: tuple[Column[RaterRow], ...] = (
    Column(phrase("Ratings"), lambda row: count(row.n_ratings), attrgetter("n_ratings")),
    Column(
        statistic("rater_mean").short_label,
        lambda row: decimal(row.mean.value),
        attrgetter("mean.value"),
    ),
    Column(
        phrase("Severity"), lambda row: signed(row.severity.value), attrgetter("severity.value")
    ),
    Column(phrase("95% interval"), severity_interval, attrgetter("severity.value"), "nowrap"),
    Column(
        statistic("equal_to_label").short_label,
        lambda row: percent(row.equal_to_label.value, 0),
        attrgetter("equal_to_label.value"),
        whole=lambda row: estimate_text(row.equal_to_label, share=True, places=0),
    ),
)


def columns(raters: Raters) -> list[Column[RaterRow]]:
    """Columns in which somebody has a number."""
    return known_columns(COLUMNS, raters.rows)


def reading_text(raters: Raters) -> str:
    """Legend of the columns that the table of raters has."""
    severity = tr(
        "Severity is what is left of a rater’s mean after the items are taken into account "
        "(additive model of item and rater)."
    )
    equal = tr("“Equal to label” is the share of ratings equal to the inferred label.")
    labelled = any(row.equal_to_label.defined for row in raters.rows)
    return paragraph([severity if has_severity(raters) else "", equal if labelled else ""])
