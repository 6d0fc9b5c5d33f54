"""Document types: their means, which of them differ, and the chart of both."""

from collections.abc import Sequence

from ocrjury.estimation.interval import MIN_CASES, MIN_ITEMS
from ocrjury.findings.pool_estimates import TypeEstimate
from ocrjury.findings.pool_metrics import GroupMean
from ocrjury.language import tr
from ocrjury.pages.geometry import axis_ends
from ocrjury.pages.numbers import (
    capital,
    clauses,
    decimal,
    estimate_text,
    has_interval,
    paragraph,
    range_text,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections.sources import means_note


def title(types: tuple[TypeEstimate, ...]) -> str:
    """Finding of the chart of document types."""
    known = sorted((row for row in types if row.estimate.defined), key=lambda r: r.estimate.value)
    if not known:
        return tr("No document type has enough ratings for a mean")
    if len(known) == 1:
        return tr("{label}: {text}", label=known[0].name, text=decimal(known[0].estimate.value))
    if (pair := clear_pair(types)) is not None:
        low, high = pair
        words = {
            "low": low.name,
            "lowest": decimal(low.estimate.value),
            "high": high.name,
            "highest": decimal(high.estimate.value),
        }
        if low is known[0] and decimal(known[1].estimate.value) != words["lowest"]:
            return tr("{low} is rated lowest ({lowest}), clearly below {high} ({highest})", **words)
        return tr("{low} is rated clearly lower ({lowest}) than {high} ({highest})", **words)
    means = range_text(*(decimal(row.estimate.value) for row in (known[0], known[-1])))
    if sum(has_interval(row.estimate) for row in known) < 2:
        return tr("Whether document types differ cannot be told: {range}", range=means)
    return tr("Document types do not differ clearly: {range}", range=means)


def clear_pair(types: Sequence[TypeEstimate]) -> tuple[TypeEstimate, TypeEstimate] | None:
    """Lowest type clearly below another, and the highest of those above it.

    Either their ranges lie apart, or those of how far each lies from all, where severity cancels.
    """
    known = [row for row in types if has_interval(row.estimate)]
    known.sort(key=lambda row: row.estimate.value)
    pairs = (
        (low, high)
        for low in known
        for high in reversed(known)
        if low.estimate.high < high.estimate.low or low.apart.high < high.apart.low
    )
    return next(pairs, None)


def in_order(types: tuple[TypeEstimate, ...]) -> list[TypeEstimate]:
    """Types, lowest first, undefined ones last."""
    return sorted(types, key=lambda row: (not row.estimate.defined, row.estimate.value))


def subtitle(report: ReportData) -> str:
    """Meaning of the dots."""
    several = len(report.types) > 1
    headline = report.shown_headline
    ranged = any(has_interval(row.estimate) for row in report.types)
    if headline is not None and not ranged:
        what = tr(
            "Mean rating on {dimension} by document type",
            dimension=report.name(headline.dimension),
        )
    elif headline is None:
        what = tr("Mean rating with ranges that all hold at once with 95%, by document type")
    elif several:
        what = tr(
            "Mean rating on {dimension} with ranges that all hold at once with 95%, by document "
            "type",
            dimension=report.name(headline.dimension),
        )
    else:
        what = tr(
            "Mean rating on {dimension} with 95% range, by document type",
            dimension=report.name(headline.dimension),
        )
    drawn = report.target is not None and not report.target.is_share and ranged
    mark = tr("a square lies wholly below the target") if drawn else ""
    legend = tr("{text}.", text=clauses(filter(None, [what, mark, _few_text(report.types)])))
    return paragraph([legend, _overlap_text(report.types), means_note(report)])


def _overlap_text(types: Sequence[TypeEstimate]) -> str:
    """Reason why overlapping ranges do not tell whether types differ."""
    if not any(has_interval(row.apart) for row in types):
        return ""
    return tr(
        "Two types may differ clearly though their ranges overlap, because a strict rater is "
        "strict on both."
    )


def few_sentence(rows: Sequence[TypeEstimate | GroupMean]) -> str:
    """Meaning of the mark as a sentence; empty where no mean bears it."""
    words = _few_text(rows)
    return tr("{text}.", text=capital(words)) if words else ""


def _few_text(rows: Sequence[TypeEstimate | GroupMean]) -> str:
    """Meaning of the mark; of a share, a type of many items can have few cases."""
    few = [row.n for row in rows if row.few]
    if not few:
        return ""
    if max(few) < MIN_ITEMS:
        return tr("few: under {items} are rated, the range is a rough guide", items=MIN_ITEMS)
    return tr(
        "few: under {items} are rated, or under {cases} lie on the smaller side of the share; the "
        "range is a rough guide",
        items=MIN_ITEMS,
        cases=MIN_CASES,
    )


def texts(types: Sequence[TypeEstimate]) -> list[str]:
    """Mean of each type with its interval, or that it has none."""
    return [
        estimate_text(row.estimate)
        if has_interval(row.estimate) or not row.estimate.defined
        else tr("{value} (no range)", value=decimal(row.estimate.value))
        for row in types
    ]


def alternative(types: tuple[TypeEstimate, ...]) -> str:
    """Chart of document types in words."""
    rows = [
        tr("{name} {estimate}, n {n}", name=row.name, estimate=estimate_text(row.estimate), n=row.n)
        for row in types
    ]
    return tr("{title}. {text}.", title=title(types), text=clauses(rows))


def ends(report: ReportData) -> tuple[float, float]:
    """Ends of the axis for document types: the data and the target, on the scale."""
    wanted = report.target
    marks = [wanted.value] if wanted and not wanted.is_share else []
    scale, types = report.scale, (row.estimate for row in report.types)
    return axis_ends(types, *marks, step=0.5, low=scale.low, high=scale.high)
