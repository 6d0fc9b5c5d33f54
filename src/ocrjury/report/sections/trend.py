"""The headline over evaluations of the campaign."""

from dataclasses import replace

from ocrjury.estimate import Estimate
from ocrjury.findings.trend import Trend, TrendRow
from ocrjury.pages.geometry import axis_ends
from ocrjury.pages.numbers import (
    NOTHING,
    decimal,
    has_interval,
    listing,
    percent,
    plural,
    signed,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section


def lead(report: ReportData, trend: Trend) -> str:
    """Change since the last time."""
    return f"{change_text(report, trend)} {_basis(trend)}"


def change_text(report: ReportData, trend: Trend) -> str:
    """Newest change as a sentence, with whether chance explains it."""
    row, before = trend.newest, trend.rows[-2]
    what = f"{_what(trend)} on {report.name(trend.dimension)}"
    if not row.change.defined:
        return f"How {what} changed since {before.period} cannot be told."
    moved, range_ = _moved(trend, row.change)
    if not has_interval(row.change):
        return f"Since {before.period}, {what} moved by {moved}, with an unknown range."
    direction = _direction(row.change)
    if direction is None:
        return (
            f"Since {before.period}, {what} did not change clearly: {moved} (95% range {range_})."
        )
    by, _ = _moved(trend, replace(row.change, value=abs(row.change.value)))
    return f"Since {before.period}, {what} {direction} by {by[1:]} (95% range {range_})."


def title(report: ReportData, trend: Trend) -> str:
    """Finding of the chart."""
    known = [row for row in trend.rows if row.mean.defined]
    if len(known) < 2:
        return "Too few evaluations have a number"
    low = min(known, key=lambda row: row.mean.value)
    high = max(known, key=lambda row: row.mean.value)
    name = report.name(trend.dimension)
    if _number(trend, low.mean.value) == _number(trend, high.mean.value):
        return f"{name} stands at {_number(trend, low.mean.value)} in every evaluation"
    return (
        f"{name} between {_number(trend, low.mean.value)} ({low.period}) and "
        f"{_number(trend, high.mean.value)} ({high.period})"
    )


def subtitle(trend: Trend) -> str:
    """Meaning of the dots."""
    what = (
        f"Share of the pool rated {trend.share_at_least:g} or better"
        if trend.is_share
        else "Mean rating of the pool"
    )
    return f"{what} with 95% range for other raters; the filled dot is this evaluation."


def alternative(report: ReportData, trend: Trend) -> str:
    """Chart in words."""
    rows = [f"{row.period} {mean(trend, row)} ({mean_range(trend, row)})" for row in trend.rows]
    return f"{title(report, trend)}. {'; '.join(rows)}."


def ends(report: ReportData, trend: Trend) -> tuple[float, float]:
    """Ends of the axis: the numbers and the target, inside what is possible."""
    wanted = report.target
    marks = [wanted.value] if wanted and wanted.is_share == trend.is_share else []
    low, high = (0.0, 1.0) if trend.is_share else (report.scale.low, report.scale.high)
    means = (row.mean for row in trend.rows)
    return axis_ends(means, *marks, step=(high - low) / 8, low=low, high=high)


def mean(trend: Trend, row: TrendRow) -> str:
    """An evaluation's number."""
    return _number(trend, row.mean.value)


def mean_range(trend: Trend, row: TrendRow) -> str:
    """Its range."""
    if not has_interval(row.mean):
        return NOTHING
    return f"{_number(trend, row.mean.low)} to {_number(trend, row.mean.high)}"


def change(trend: Trend, row: TrendRow) -> str:
    """Change from the evaluation before."""
    return _moved(trend, row.change)[0] if row.change.defined else NOTHING


def change_range(trend: Trend, row: TrendRow) -> str:
    """Range of the change."""
    return _moved(trend, row.change)[1] if has_interval(row.change) else NOTHING


def notes(trend: Trend) -> list[str]:
    """What to know before reading a trend."""
    sentences = []
    other = [row.period for row in trend.rows if not row.same_rubric]
    if other:
        sentences.append(
            f"The rubric differed in {listing(other)}; part of a change may come from that."
        )
    if trend.left_out:
        verb = "is" if len(trend.left_out) == 1 else "are"
        sentences.append(
            f"{listing(list(trend.left_out))} {verb} left out, because the raters did not agree."
        )
    return sentences


READING = (
    "Documents that were rated in both evaluations are compared with themselves, and raters who "
    "took part twice keep their severity, so the range is shorter than those of the two means "
    "suggest. A rater who grew stricter in between cannot be detected without gold items."
)


def _basis(trend: Trend) -> str:
    both = trend.newest.both
    if not both:
        return "No document was rated in both, so that two separate samples are compared."
    if both == 1:
        return "1 document was rated in both and compared with itself."
    return f"{plural(both, 'document')} were rated in both and compared with themselves."


def _what(trend: Trend) -> str:
    if trend.is_share:
        return f"the share rated {trend.share_at_least:g} or better"
    return "the mean"


def _direction(change: Estimate) -> str | None:
    if change.low > 0:
        return "rose"
    return "fell" if change.high < 0 else None


def _number(trend: Trend, number: float) -> str:
    return percent(number) if trend.is_share else decimal(number)


def _moved(trend: Trend, change: Estimate) -> tuple[str, str]:
    scale, unit = (100, " percentage points") if trend.is_share else (1, " points")
    places = 1 if trend.is_share else 2
    number, low, high = (
        signed(scale * limit, places) for limit in (change.value, change.low, change.high)
    )
    return f"{number}{unit}", f"{low} to {high}"


SECTION = Section(
    "trend",
    "Over time",
    "report/trend.html.j2",
    lambda report: report.trend and report.shown_headline,
)
