"""What the raters said, and how the automatic metrics go with it."""

import math
import re
from collections.abc import Sequence

from ocrjury.findings.pool_estimates import TypeEstimate
from ocrjury.pages.document_text import cut
from ocrjury.pages.geometry import axis_ends
from ocrjury.pages.numbers import (
    decimal,
    estimate_text,
    has_interval,
    listing,
    percent,
    plural,
)
from ocrjury.report.data import ReportData, ScaleLabels
from ocrjury.report.distributions import RatingCounts, at_levels
from ocrjury.report.sections import Section, withheld
from ocrjury.report.sections.raters import Raters
from ocrjury.report.sections.sources import uncorrected_text
from ocrjury.report.sections.together import stored_together
from ocrjury.report.stored import Stored


def counts_of(stored: Stored) -> tuple[RatingCounts, ...]:
    """Number of first-pass ratings at each level, by dimension."""
    scales = stored.campaign.rubric.scales
    return tuple(
        RatingCounts(str(name), at_levels(rows["value"].tolist(), scales[str(name)]))
        for name, rows in stored.first_pass.groupby("dimension", sort=False)
    )


def lead(report: ReportData) -> str:
    """Section in a sentence."""
    if report.shown_headline is None:
        return "No number is given for the pool while the raters’ agreement is in doubt."
    name = report.name(report.shown_headline.dimension)
    share = report.shown_headline.is_share
    value = estimate_text(report.shown_headline.others, share=share)
    what = "These items" if report.shown_headline.items_only else "The whole pool"
    kind = "the share" if share else "the mean"
    if (plain := uncorrected_text(report.shown_headline)) is not None:
        return f"{what} on {name}: {kind}, corrected by gold, is {value}; without gold {plain}."
    return f"{what} on {name}: {kind} is {value}."


def mean_label(report: ReportData) -> str:
    """Head of the column of means; what gold corrected is called that."""
    return "Mean, corrected by gold" if any(row.gold for row in report.estimates) else "Mean"


def low_share(counts: RatingCounts) -> float:
    """Share of ratings in the lower two levels (the lowest of a short scale)."""
    low = 2 if len(counts.counts) > 3 else 1
    return sum(counts.counts[:low]) / counts.n if counts.n else math.nan


def charts(report: ReportData, rows: Sequence[RatingCounts]) -> list[list[RatingCounts]]:
    """Rows that share a chart: dimensions on one scale, which has levels."""
    by_scale: dict[str, list[RatingCounts]] = {}
    for row in rows:
        if row.n:
            by_scale.setdefault(report.labels(row.dimension).text, []).append(row)
    return list(by_scale.values())


def distribution_title(report: ReportData, known: Sequence[RatingCounts]) -> str:
    """Finding of a chart of ratings."""
    labels = report.labels(known[0].dimension)
    if not labels.ordered:
        return _modal_title(report, known)
    worst = max(known, key=low_share)
    levels = labels.levels
    words = f"{levels[0]:g} or {levels[1]:g}" if len(levels) > 3 else f"{levels[0]:g}"
    share = percent(low_share(worst), 0)
    if len(known) == 1:
        return f"{share} of the ratings given are {words}"
    # What prints alike is a tie.
    tied = [report.name(row.dimension) for row in known if percent(low_share(row), 0) == share]
    verb = "draws" if len(tied) == 1 else "draw"
    return f"{listing(tied)} {verb} the most low ratings: {share} of those given are {words}"


def _modal_title(report: ReportData, known: Sequence[RatingCounts]) -> str:
    row = max(known, key=lambda row: max(row.counts) / row.n)
    place = row.counts.index(max(row.counts))
    share = percent(row.counts[place] / row.n, 0)
    named = report.labels(row.dimension).anchors[place]
    return f"{report.name(row.dimension)}: {share} of the ratings are {named}"


def distribution_alternative(report: ReportData, known: Sequence[RatingCounts]) -> str:
    """Chart of ratings in words."""
    rows = []
    for row in known:
        labels = report.labels(row.dimension)
        parts = [
            f"{labels.name(level)}: {percent(n / row.n, 0)}"
            for level, n in zip(labels.levels, row.counts, strict=True)
        ]
        rows.append(f"{report.name(row.dimension)} ({plural(row.n, 'rating')}) {', '.join(parts)}")
    return f"{distribution_title(report, known)}. {'; '.join(rows)}."


def dimension_names(report: ReportData, known: Sequence[RatingCounts]) -> list[str]:
    """Names beside the bars."""
    return [report.name(row.dimension) for row in known]


def counts(report: ReportData) -> list[RatingCounts]:
    """Ratings per level, dimensions in the report's order."""
    order = [row.key for row in report.dimensions]
    return sorted(
        report.counts,
        key=lambda row: order.index(row.dimension) if row.dimension in order else len(order),
    )


def chart_labels(report: ReportData, known: Sequence[RatingCounts]) -> ScaleLabels:
    """Levels of a chart: those of the headline's dimension if it is among the rows."""
    headline = report.headline.dimension if report.headline else report[Raters].dimension
    same = {report.labels(row.dimension).text for row in known} == {report.labels(headline).text}
    return report.scale if same else report.labels(known[0].dimension)


def anchors(labels: ScaleLabels) -> list[str]:
    """A short name of every level, nothing where the scale has none."""
    return [_short(text) for text in labels.anchors]


def anchor(report: ReportData, place: int) -> str:
    """Short name of a level of the headline's scale."""
    return _short(report.scale.anchors[place]) if report.scale.anchors else ""


def _short(anchor: str) -> str:
    """What stands before a colon, cut to fit a legend."""
    return cut(re.split(r"[:：.;(]", anchor)[0].strip(), 14)


def forest_title(types: tuple[TypeEstimate, ...]) -> str:
    """Finding of the chart of document types."""
    known = sorted((row for row in types if row.estimate.defined), key=lambda r: r.estimate.value)
    if not known:
        return "No document type has enough ratings for a mean"
    low, high = known[0], known[-1]
    if len(known) == 1:
        return f"{low.name}: {decimal(low.estimate.value)}"
    if has_interval(low.estimate) and low.estimate.high < high.estimate.low:
        return (
            f"{low.name} is rated lowest ({decimal(low.estimate.value)}), clearly below "
            f"{high.name} ({decimal(high.estimate.value)})"
        )
    return (
        f"Document types do not differ clearly: {decimal(low.estimate.value)} to "
        f"{decimal(high.estimate.value)}"
    )


def by_estimate(types: tuple[TypeEstimate, ...]) -> list[TypeEstimate]:
    """Types, lowest first, undefined ones last."""
    return sorted(types, key=lambda row: (not row.estimate.defined, row.estimate.value))


def forest_subtitle(report: ReportData) -> str:
    """Meaning of the dots."""
    name = f" on {report.name(report.shown_headline.dimension)}" if report.shown_headline else ""
    mark = "; a square lies wholly below the target" if report.target else ""
    few = "; few: under 20 are rated, the range is a rough guide"
    tail = few if any(row.few for row in report.types) else ""
    range_ = "95% range" if len(report.types) == 1 else "ranges that all hold at once with 95%"
    return f"Mean rating{name} with {range_}, by document type{mark}{tail}."


def forest_alternative(types: tuple[TypeEstimate, ...]) -> str:
    """Chart of document types in words."""
    rows = [f"{row.name} {estimate_text(row.estimate)}, n {row.n}" for row in types]
    return f"{forest_title(types)}. {'; '.join(rows)}."


def forest_range(report: ReportData) -> tuple[float, float]:
    """Ends of the axis for document types: the data and the target, on the scale."""
    wanted = report.target
    marks = [wanted.value] if wanted and not wanted.is_share else []
    scale, types = report.scale, (row.estimate for row in report.types)
    return axis_ends(types, *marks, step=0.5, low=scale.low, high=scale.high)


def estimates_caption(report: ReportData) -> str:
    """Caption of the table of estimates, with the ends of the scale that its means are on."""
    only = report.shown_headline is not None and report.shown_headline.items_only
    what = "Estimates for these items" if only else "Pool estimates"
    if not report.one_scale:
        return f"{what}, by dimension: mean ratings, each on the dimension’s own scale"
    return f"{what}, by dimension: mean ratings from {report.scale.low:g} to {report.scale.high:g}"


def share_heads(report: ReportData) -> tuple[str, str]:
    """Heads of the columns of shares: at a usable level, and at the lowest."""
    if not report.one_scale:
        return "Share usable", "Share lowest"
    return f"Share ≥ {report.estimates[0].usable_level:g}", f"Share = {report.scale.low:g}"


def scales_text(report: ReportData) -> str | None:
    """Scale of every estimated dimension with its usable level, None where all are the same."""
    if report.one_scale:
        return None
    rows = [
        f"{report.name(row.dimension)} {labels.low:g} to {labels.high:g}, usable from "
        f"{row.usable_level:g}"
        for row in report.estimates
        for labels in [report.labels(row.dimension)]
    ]
    return f"Scales: {'; '.join(rows)}."


def trusted_text(report: ReportData) -> str | None:
    """Note on dimensions on which agreement was not shown."""
    released = [
        f"The raters’ agreement on {report.name(row.dimension)} is not shown; its estimates are "
        "printed because the evaluation was released."
        for row in report.estimates
        if report.verdict.shows(row.dimension) and not report.verdict.agreed_on(row.dimension)
    ]
    hidden = withheld.text(report)
    return " ".join([*released, *([hidden] if hidden else [])]) or None


SECTION = Section(
    "ratings",
    "What the raters said",
    "report/ratings.html.j2",
    lambda _: True,
    {"together": stored_together},
)
