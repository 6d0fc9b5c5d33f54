"""Mean of each rater's plain ratings."""

from ocrjury.language import tr
from ocrjury.pages.geometry import axis_ends
from ocrjury.pages.numbers import (
    count,
    decimal,
    estimate_text,
    has_interval,
    paragraph,
    range_text,
    series,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.raters import RaterRow, Raters

_LEVELS, _STEP, _PARTS = 10, 0.5, 20
"""Steps up to which an axis ends at halves, that half, and the parts of a longer axis."""


def known(raters: Raters) -> list[RaterRow]:
    """Raters with a mean."""
    return [row for row in raters.rows if row.mean.defined]


def texts(raters: Raters) -> list[str]:
    """Mean of each of them, with its interval if it has one."""
    return [
        estimate_text(row.mean) if has_interval(row.mean) else decimal(row.mean.value)
        for row in known(raters)
    ]


def title(raters: Raters) -> str:
    """Finding of the chart of means."""
    means = [row.mean.value for row in known(raters)]
    if not means:
        return tr("No rater gave a rating")
    low, high = decimal(min(means)), decimal(max(means))
    if low == high:
        return tr("Every rater’s mean is {mean}", mean=low)
    return tr("Means lie between {low} and {high}", low=low, high=high)


def reading_text(report: ReportData) -> str:
    """Caption of the chart, with its number of ratings."""
    raters = report[Raters]
    words = {"dimension": report.name(raters.dimension), "n": ratings_each(raters)}
    known_ = (row for row in report[Agreement].dimensions if row.dimension == raters.dimension)
    finding = next(known_, None)
    complete = finding is not None and finding.complete
    if not any(has_interval(row.mean) for row in known(raters)):
        if complete:
            return tr(
                "Plain ratings on {dimension}, {n} each; all raters saw the same items.", **words
            )
        return tr(
            "Plain ratings on {dimension}, {n} each; raters saw different items, so compare "
            "severity first.",
            **words,
        )
    if complete:
        return tr(
            "Plain ratings on {dimension}, {n} each, with 95% intervals over items; all raters saw "
            "the same items.",
            **words,
        )
    return tr(
        "Plain ratings on {dimension}, {n} each, with 95% intervals over items; raters saw "
        "different items, so compare severity first.",
        **words,
    )


def ratings_each(raters: Raters) -> str:
    """Ratings of one rater, the fewest to the most."""
    least, most = (end(row.n_ratings for row in raters.rows) for end in (min, max))
    return count(least) if least == most else range_text(count(least), count(most))


def ends(report: ReportData) -> tuple[float, float]:
    """Ends of the axis: every interval, on the scale."""
    low, high = report.scale.low, report.scale.high
    step = _STEP if high - low <= _LEVELS else (high - low) / _PARTS
    return axis_ends((row.mean for row in report[Raters].rows), step=step, low=low, high=high)


def alternative(raters: Raters) -> str:
    """Chart of means in words."""
    means = tr(
        "Mean of each rater: {means}; all {mean}.",
        means=series(f"{row.rater} {estimate_text(row.mean)}" for row in raters.rows),
        mean=decimal(raters.mean),
    )
    return paragraph([tr("{sentence}.", sentence=title(raters)), means])
