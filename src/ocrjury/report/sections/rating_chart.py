"""Charts of the ratings as they were given, or of the items' means."""

import math
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
from ocrjury.report.ties import clearly_first, span
from ocrjury.rounding import given

RANGES = phrase("On the right, 95% ranges for other items drawn alike and these raters.")
WEIGHTED = phrase("Shares are weighted as the sample was drawn; n counts ratings.")


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
    levels, most = low_levels(labels), clearly_most(known)
    if most is not None:
        return tr(
            "{dimensions} draws the most low ratings: {share} are {levels}",
            dimensions=report.name(most.dimension),
            share=percent(told_share(most), 0),
            levels=levels,
        )
    words = {"share": share_span(known), "levels": levels}
    if differ(known):
        return tr("{share} of the ratings are {levels}, by dimension", **words)
    if len(known) == 1 < len(report.dimensions):
        name = report.name(known[0].dimension)
        return tr("{share} of the ratings on {dimension} are {levels}", dimension=name, **words)
    return tr("{share} of the ratings are {levels}", **words)


def told_share(row: RatingCounts, *, ordered: bool = True) -> float:
    """Share that a chart's title tells (`told_places`), weighted if the weights are known."""
    if row.low is not None and row.low.defined:
        return row.low.value
    if not row.n:
        return math.nan
    return sum(row.parts[place] for place in told_places(row.parts, ordered=ordered))


def clearly_most(known: Sequence[RatingCounts]) -> RatingCounts | None:
    """Row whose share lies clearly above those of all others, None without one."""
    return clearly_first(known, lambda row: row.low or Estimate(math.nan))


def differ(known: Sequence[RatingCounts]) -> bool:
    """Return whether the shares in the rows print differently."""
    return len({percent(told_share(row), 0) for row in known}) > 1


def share_span(known: Sequence[RatingCounts]) -> str:
    """Least and greatest share that is told, one number where they print alike."""
    return span(map(told_share, known), lambda share: percent(share, 0))


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
    return most, tied


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
    """Note on ratings that speak of no others, empty where estimates are printed."""
    if report.verdict.shows(known[0].dimension):
        return ""
    if any(report.verdict.agreed_on(row.dimension) for row in known):
        return tr(
            "Agreement on {dimensions} was not shown, and nobody released the evaluation: the bars "
            "speak of these items only.",
            dimensions=unagreed(report),
        )
    return tr("Agreement was not shown: the bars speak of these items only.")


def unagreed(report: ReportData) -> str:
    """Names of the dimensions on which agreement was not shown."""
    rows = report.dimensions
    return listing([row.name for row in rows if not report.verdict.agreed_on(row.key)], "or")


def ranged(row: RatingCounts) -> bool:
    """Return whether the share in a row has an interval."""
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
        [place] = told_places(row.parts, ordered=False)
        words = cut(labels.anchors[place], 14)
    return tr("{label}: {text}", label=words, text=whole_share(row.low))


def low_texts(report: ReportData, known: Sequence[RatingCounts]) -> list[str]:
    """Texts to the right of the bars."""
    return [low_text(report, row) for row in known]


def low_levels(labels: ScaleLabels) -> str:
    """Levels that `told_share` counts."""
    low, second = (given(level) for level in labels.levels[:2])
    return listing([low, second], "or") if len(labels.levels) > 3 else low


def _modal_title(report: ReportData, known: Sequence[RatingCounts]) -> str:
    """Most frequent category of the dimension where it is most frequent; what ties is named too."""
    share, tied = highest(report, known)
    return clauses(
        tr(
            "{dimension}: {category} makes up {share} of the ratings",
            dimension=report.name(row.dimension),
            share=share,
            category=listing(_most_frequent(report, row), "or"),
        )
        for row in known
        if report.name(row.dimension) in tied
    )


def _most_frequent(report: ReportData, row: RatingCounts) -> list[str]:
    names = report.labels(row.dimension).anchors
    most = percent(max(row.parts), 0)
    parts = zip(names, row.parts, strict=True)
    return [tr("“{name}”", name=name) for name, part in parts if percent(part, 0) == most]


def shares_text(report: ReportData, row: RatingCounts) -> str:
    """Shares of the categories, the most frequent one with its interval."""
    [most] = told_places(row.parts, ordered=False)
    return series(
        tr(
            "{name} {value}",
            name=name,
            value=whole_share(row.low) if place == most and row.low else percent(part, 0),
        )
        for place, (name, part) in enumerate(
            zip(report.labels(row.dimension).anchors, row.parts, strict=True)
        )
    )


def alternative(report: ReportData, known: Sequence[RatingCounts]) -> str:
    """Chart of ratings in words."""
    rows = []
    for row in known:
        labels = report.labels(row.dimension)
        parts = [
            tr("{label}: {text}", label=labels.name(level), text=percent(share, 0))
            for level, share in zip(labels.levels, row.parts, strict=True)
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
