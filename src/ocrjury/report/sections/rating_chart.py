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
from ocrjury.report.sections.ratings import told_share

RANGES = phrase("On the right, 95% ranges for other items drawn alike and these raters.")
WEIGHTED = phrase(
    "Bars count alike; shares in the title and on the right are weighted as the sample was drawn."
)


def charts(report: ReportData, rows: Sequence[RatingCounts]) -> list[list[RatingCounts]]:
    """Rows that share a chart: dimensions on one scale with levels, all with agreement or none."""
    alike: dict[tuple[str, bool], list[RatingCounts]] = {}
    for row in rows:
        if row.n:
            shown = report.verdict.shows(row.dimension)
            alike.setdefault((report.labels(row.dimension).text, shown), []).append(row)
    return list(alike.values())


def title(report: ReportData, known: Sequence[RatingCounts]) -> str:
    """Finding of a chart of ratings."""
    labels = report.labels(known[0].dimension)
    if not labels.ordered:
        return _modal_title(report, known)
    share, tied = highest(report, known)
    values = {"dimensions": listing(tied), "share": share, "levels": low_levels(labels)}
    if len(known) == 1:
        return tr("{share} of the ratings are {levels}", **values)
    if len(tied) == 1:
        return tr("{dimensions} draws the most low ratings: {share} are {levels}", **values)
    return tr("{dimensions} draw the most low ratings: {share} are {levels}", **values)


def highest(report: ReportData, known: Sequence[RatingCounts]) -> tuple[str, list[str]]:
    """Highest share that is told, as printed, and the dimensions on which it prints alike."""
    ordered = report.labels(known[0].dimension).ordered
    known_shares = [told_share(row, ordered=ordered) for row in known]
    shares, most = [percent(share, 0) for share in known_shares], percent(max(known_shares), 0)
    tied = [
        report.name(row.dimension)
        for row, share in zip(known, shares, strict=True)
        if share == most
    ]
    weighted = any(row.weighted for row in known)
    return tr("{share} (weighted)", share=most) if weighted else most, tied


def reading(report: ReportData, known: Sequence[RatingCounts]) -> str:
    """Caption of a chart of ratings."""
    centred = report.labels(known[0].dimension).ordered
    return paragraph(
        [
            tr("All ratings as they were given."),
            alone_text(report, known),
            WEIGHTED if any(row.weighted for row in known) else "",
            tr("Bars are centred on the middle of the scale.") if centred else "",
            RANGES if any(map(ranged, known)) else "",
        ]
    )


def alone_text(report: ReportData, known: Sequence[RatingCounts]) -> str:
    """Note on ratings that speak of no others, empty where agreement was shown."""
    if report.verdict.shows(known[0].dimension):
        return ""
    return tr("Agreement was not shown: the bars speak of these items only.")


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
    """Texts to the right of the bars."""
    return [low_text(report, row) for row in known]


def low_levels(labels: ScaleLabels) -> str:
    """Levels that `told_share` counts."""
    low, second = (f"{level:g}" for level in labels.levels[:2])
    return listing([low, second], "or") if len(labels.levels) > 3 else low


def _modal_title(report: ReportData, known: Sequence[RatingCounts]) -> str:
    """Most frequent category of the dimension where it is most frequent; what ties is named too."""
    share, tied = highest(report, known)
    return clauses(
        tr(
            "{dimension}: {share} of the ratings are {category}",
            dimension=report.name(row.dimension),
            share=share,
            category=listing(_most_frequent(report, row), "or"),
        )
        for row in known
        if report.name(row.dimension) in tied
    )


def _most_frequent(report: ReportData, row: RatingCounts) -> list[str]:
    anchors = report.labels(row.dimension).anchors
    most = max(row.counts)
    return [anchor for anchor, n in zip(anchors, row.counts, strict=True) if n == most]


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
