"""The headline over evaluations of the campaign."""

from functools import partial

from ocrjury.estimate import Estimate
from ocrjury.findings.trend import Repeats, Trend, TrendRow
from ocrjury.language import phrase, tr, trn
from ocrjury.pages.geometry import axis_ends
from ocrjury.pages.numbers import (
    NOTHING,
    clauses,
    decimal,
    has_interval,
    listing,
    paragraph,
    percent,
    range_text,
    signed,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section
from ocrjury.report.sections.sources import corrected_note
from ocrjury.report.ties import foremost
from ocrjury.rounding import given


def lead(report: ReportData, trend: Trend) -> str:
    """Change since the last time."""
    return paragraph([change_text(report, trend), _basis(trend)])


def change_text(report: ReportData, trend: Trend) -> str:
    """Newest change as a sentence, with whether chance explains it."""
    row, before = trend.newest, trend.name(trend.rows[-2])
    what = _what(report, trend)
    if not row.change.defined:
        return tr("How {what} changed since {before} cannot be told.", what=what, before=before)
    values = {"what": what, "before": before, "by": _moved(trend, row.change.value)}
    if not has_interval(row.change):
        return tr("Since {before}, {what} moved by {by}, with an unknown range.", **values)
    values["range"] = _moved_range(trend, row.change)
    if row.change.low <= 0 <= row.change.high:
        return tr(
            "Since {before}, {what} did not change clearly: {by} (95% range {range}).", **values
        )
    values["by"] = _moved(trend, row.change.value, with_sign=False)
    if row.change.low > 0:
        return tr("Since {before}, {what} rose by {by} (95% range {range}).", **values)
    return tr("Since {before}, {what} fell by {by} (95% range {range}).", **values)


def difference_text(report: ReportData, trend: Trend) -> str:
    """Difference of two evaluations of the same outputs, which is no change."""
    earlier, later = trend.rows[-2:]
    values = {
        "what": _what(report, trend),
        "before": trend.name(earlier),
        "now": trend.name(later),
        "by": _moved(trend, later.change.value),
    }
    if not later.change.defined:
        return tr("How {what} differs between {before} and {now} cannot be told.", **values)
    if not has_interval(later.change):
        sentence = tr(
            "From {before} to {now}, {what} differs by {by}, with an unknown range.", **values
        )
    else:
        sentence = tr(
            "From {before} to {now}, {what} differs by {by} (95% range {range}).",
            **values,
            range=_moved_range(trend, later.change),
        )
    return paragraph([sentence, _basis(trend)])


def title(report: ReportData, trend: Trend) -> str:
    """Finding of the chart."""
    known = [row for row in trend.rows if row.mean.defined]
    if len(known) < 2:
        return tr("Too few evaluations have a number")
    printed = partial(_number, trend)
    first = foremost(known, lambda row: row.mean.value, printed, of=min)
    last = foremost(known, lambda row: row.mean.value, printed)
    name, low, high = report.name(trend.dimension), mean(trend, first[0]), mean(trend, last[0])
    if low == high:
        return tr("{dimension} stands at {value} in every evaluation", dimension=name, value=low)
    return tr(
        "{dimension} between {low} ({lowest}) and {high} ({highest})",
        dimension=name,
        low=low,
        lowest=listing([trend.name(row) for row in first]),
        high=high,
        highest=listing([trend.name(row) for row in last]),
    )


def subtitle(trend: Trend) -> str:
    """Meaning of the dots."""
    if trend.is_share:
        return tr(
            "Share of the pool rated {level} or better with 95% range for other raters; the filled "
            "dot is this evaluation.",
            level=given(trend.share_at_least),
        )
    return tr(
        "Mean rating of the pool with 95% range for other raters; the filled dot is this "
        "evaluation."
    )


def alternative(report: ReportData, trend: Trend) -> str:
    """Chart in words."""
    values = [
        tr(
            "{value} ({range})",
            value=f"{trend.name(row)} {mean(trend, row)}",
            range=mean_range(trend, row),
        )
        for row in trend.rows
    ]
    return tr("{title}. {values}.", title=title(report, trend), values=clauses(values))


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


def means(trend: Trend) -> list[str]:
    """Number of every evaluation."""
    return [mean(trend, row) for row in trend.rows]


def mean_range(trend: Trend, row: TrendRow) -> str:
    """Range of the mean."""
    if not has_interval(row.mean):
        return NOTHING
    return range_text(_number(trend, row.mean.low), _number(trend, row.mean.high))


def change(trend: Trend, row: TrendRow) -> str:
    """Change from the evaluation before."""
    return _moved(trend, row.change.value) if row.change.defined else NOTHING


def change_range(trend: Trend, row: TrendRow) -> str:
    """Range of the change."""
    return _moved_range(trend, row.change) if has_interval(row.change) else NOTHING


def notes(report: ReportData, trend: Trend) -> list[str]:
    """Notes on the reading of a trend."""
    sentences = [note] if (note := corrected_note(report)) else []
    other = [trend.name(row) for row in trend.rows if not row.same_rubric]
    if other:
        sentences.append(
            tr(
                "The rubric differed in {evaluations}; part of a change may come from that.",
                evaluations=listing(other),
            )
        )
    if trend.left_out:
        sentences.append(
            trn(
                "{evaluations} is left out, because the raters did not agree.",
                "{evaluations} are left out, because the raters did not agree.",
                len(trend.left_out),
                evaluations=listing(trend.left_out),
            )
        )
    if trend.repeated:
        sentences.append(
            trn(
                "{evaluations} is left out, because a later evaluation has the same outputs or the "
                "same ratings.",
                "{evaluations} are left out, because a later evaluation has the same outputs or "
                "the same ratings.",
                len(trend.repeated),
                evaluations=listing(trend.repeated),
            )
        )
    return sentences


def repeats_text(report: ReportData) -> str | None:
    """Earlier evaluations that show no change, None without any."""
    repeats = report.get(Repeats)
    if repeats is None:
        return None
    outputs, ratings = repeats.same_outputs, repeats.same_ratings
    of_outputs = trn(
        "{evaluations} rated the outputs that this evaluation rated again. Nothing has changed "
        "but the ratings, so it is part of no trend.",
        "{evaluations} rated the outputs that this evaluation rated again. Nothing has changed "
        "but the ratings, so they are part of no trend.",
        len(outputs),
        evaluations=listing(outputs),
    )
    of_ratings = trn(
        "{evaluations} has the ratings of this evaluation, so it is part of no trend.",
        "{evaluations} have the ratings of this evaluation, so they are part of no trend.",
        len(ratings),
        evaluations=listing(ratings),
    )
    return paragraph([of_outputs if outputs else "", of_ratings if ratings else ""])


READING = phrase(
    "Items that were rated in both evaluations are compared with themselves, and the severity of "
    "raters who took part twice cancels. Both make the range of a change shorter. It also allows "
    "for raters who changed in unlike ways in between, which makes it longer. Without gold items, "
    "nothing shows whether all of them grew stricter."
)


def _basis(trend: Trend) -> str:
    both = trend.newest.both
    if not both:
        return tr("No item was rated in both, so that two separate samples are compared.")
    return trn(
        "{n} item was rated in both and compared with itself.",
        "{n} items were rated in both and compared with themselves.",
        both,
    )


def _what(report: ReportData, trend: Trend) -> str:
    name = report.name(trend.dimension)
    if not trend.is_share:
        return tr("the mean on {dimension}", dimension=name)
    return tr(
        "the share rated {level} or better on {dimension}",
        level=given(trend.share_at_least),
        dimension=name,
    )


def _number(trend: Trend, number: float) -> str:
    return percent(number) if trend.is_share else decimal(number)


def _moved(trend: Trend, change: float, *, with_sign: bool = True) -> str:
    """A change with its unit."""
    size = _change(trend, change) if with_sign else _change(trend, abs(change)).lstrip("+")
    if trend.is_share:
        return tr("{size} percentage points", size=size)
    return tr("{size} points", size=size)


def _moved_range(trend: Trend, change: Estimate) -> str:
    return range_text(_change(trend, change.low), _change(trend, change.high))


def _change(trend: Trend, change: float) -> str:
    """A change in points or percentage points, with its sign."""
    return signed(100 * change, 1) if trend.is_share else signed(change)


SECTION = Section(
    "trend",
    phrase("Over time"),
    "report/trend.html.j2",
    lambda report: report.trend and report.shown_headline,
    {"repeats": lambda stored: stored.repeats},
)
