"""Charts of the ratings as they were given, or of the items' means."""

from collections.abc import Sequence

from ocrjury.estimate import Estimate
from ocrjury.language import phrase, tr
from ocrjury.pages.document_text import cut
from ocrjury.pages.numbers import (
    clauses,
    estimate_text,
    has_interval,
    listing,
    paragraph,
    percent,
    plural,
    series,
    value_text,
)
from ocrjury.report.data import ReportData, ScaleLabels
from ocrjury.report.distributions import RatingCounts, told_places
from ocrjury.report.sections.ratings import low_share

RANGES = phrase("On the right, 95% ranges for other items drawn alike and these raters.")


def charts(report: ReportData, rows: Sequence[RatingCounts]) -> list[list[RatingCounts]]:
    """Rows that share a chart: dimensions on one scale, which has levels."""
    by_scale: dict[str, list[RatingCounts]] = {}
    for row in rows:
        if row.n:
            by_scale.setdefault(report.labels(row.dimension).text, []).append(row)
    return list(by_scale.values())


def title(report: ReportData, known: Sequence[RatingCounts]) -> str:
    """Finding of a chart of ratings."""
    labels = report.labels(known[0].dimension)
    if not labels.ordered:
        return _modal_title(report, known)
    worst = max(known, key=low_share)
    words = low_levels(labels)
    share = percent(low_share(worst), 0)
    if len(known) == 1:
        return tr("{share} of the ratings given are {levels}", share=share, levels=words)
    # What prints alike is a tie.
    tied = [report.name(row.dimension) for row in known if percent(low_share(row), 0) == share]
    values = {"dimensions": listing(tied), "share": share, "levels": words}
    if len(tied) == 1:
        return tr(
            "{dimensions} draws the most low ratings: {share} of those given are {levels}", **values
        )
    return tr(
        "{dimensions} draw the most low ratings: {share} of those given are {levels}", **values
    )


def reading(report: ReportData, known: Sequence[RatingCounts]) -> str:
    """How to read a chart of ratings."""
    centred = report.labels(known[0].dimension).ordered
    return paragraph(
        [
            tr("All ratings as they were given, not weighted as the sample was drawn."),
            tr("Bars are centred on the middle of the scale.") if centred else "",
            RANGES if any(map(ranged, known)) else "",
        ]
    )


def ranged(row: RatingCounts) -> bool:
    """Whether the share that a row tells has an interval."""
    return row.low is not None and has_interval(row.low)


def whole_share(share: Estimate) -> str:
    """A share in whole percent, with its interval if it has one."""
    text = estimate_text if has_interval(share) else value_text
    return text(share, share=True, places=0)


def low_text(report: ReportData, row: RatingCounts) -> str:
    """Share that a row tells, with its interval; empty where nothing is known of single items."""
    if row.low is None or not row.low.defined:
        return ""
    labels = report.labels(row.dimension)
    if labels.ordered:
        words = low_levels(labels)
    else:
        [place] = told_places(row.counts, ordered=False)
        words = cut(labels.anchors[place], 10)
    return tr("{label}: {text}", label=words, text=whole_share(row.low))


def low_texts(report: ReportData, known: Sequence[RatingCounts]) -> list[str]:
    """What stands right of the bars."""
    return [low_text(report, row) for row in known]


def low_levels(labels: ScaleLabels) -> str:
    """Levels that `low_share` counts."""
    low, second = (f"{level:g}" for level in labels.levels[:2])
    return listing([low, second], "or") if len(labels.levels) > 3 else low


def _modal_title(report: ReportData, known: Sequence[RatingCounts]) -> str:
    row = max(known, key=lambda row: max(row.counts) / row.n)
    place = row.counts.index(max(row.counts))
    share = percent(row.counts[place] / row.n, 0)
    named = report.labels(row.dimension).anchors[place]
    return tr(
        "{dimension}: {share} of the ratings are {category}",
        dimension=report.name(row.dimension),
        share=share,
        category=named,
    )


def alternative(report: ReportData, known: Sequence[RatingCounts]) -> str:
    """Chart of ratings in words."""
    rows = []
    for row in known:
        labels = report.labels(row.dimension)
        parts = [
            tr("{label}: {text}", label=labels.name(level), text=percent(n / row.n, 0))
            for level, n in zip(labels.levels, row.counts, strict=True)
        ]
        rows.append(
            tr(
                "{dimension} ({ratings}) {shares}",
                dimension=report.name(row.dimension),
                ratings=plural(row.n, "rating"),
                shares=series(filter(None, [*parts, low_text(report, row)])),
            )
        )
    return tr("{title}. {text}.", title=title(report, known), text=clauses(rows))
