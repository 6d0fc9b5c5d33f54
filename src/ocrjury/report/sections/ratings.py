"""What the raters said, and how the automatic metrics go with it."""

import math
import re

from ocrjury.findings.pool_estimates import TypeEstimate
from ocrjury.pages.document_text import cut
from ocrjury.pages.numbers import (
    decimal,
    estimate_text,
    has_interval,
    percent,
    plural,
)
from ocrjury.report.data import ReportData
from ocrjury.report.distributions import RatingCounts, at_levels, axis_ends
from ocrjury.report.sections import Section, withheld
from ocrjury.report.sections.sources import uncorrected_text
from ocrjury.report.sections.together import stored_together
from ocrjury.report.stored import Stored


def counts_of(stored: Stored) -> tuple[RatingCounts, ...]:
    """Number of first-pass ratings at each level, by dimension."""
    scale = stored.campaign.rubric.scale
    return tuple(
        RatingCounts(str(name), at_levels(rows["value"].tolist(), scale))
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


def distribution_title(report: ReportData) -> str:
    """Finding of the chart of ratings."""
    known = [row for row in report.counts if row.n]
    if not known:
        return "No ratings yet"
    if not report.scale.ordered:
        return _modal_title(report, known)
    worst = max(known, key=low_share)
    levels = report.scale.levels
    words = f"{levels[0]:g} or {levels[1]:g}" if len(levels) > 3 else f"{levels[0]:g}"
    share = percent(low_share(worst), 0)
    if len(known) == 1:
        return f"{share} of the ratings are {words}"
    return f"{report.name(worst.dimension)} draws the most low ratings: {share} are {words}"


def _modal_title(report: ReportData, known: list[RatingCounts]) -> str:
    row = max(known, key=lambda row: max(row.counts) / row.n)
    place = row.counts.index(max(row.counts))
    share = percent(row.counts[place] / row.n, 0)
    return f"{report.name(row.dimension)}: {share} of the ratings are {report.scale.anchors[place]}"


def distribution_alternative(report: ReportData) -> str:
    """Chart of ratings in words."""
    rows = []
    for row in counts(report):
        if not row.n:
            continue
        parts = [
            f"{report.scale.name(level)}: {percent(n / row.n, 0)}"
            for level, n in zip(report.scale.levels, row.counts, strict=True)
        ]
        rows.append(f"{report.name(row.dimension)} ({plural(row.n, 'rating')}) {', '.join(parts)}")
    return f"{distribution_title(report)}. {'; '.join(rows)}."


def dimension_names(report: ReportData) -> list[str]:
    """Names beside the bars."""
    return [report.name(row.dimension) for row in counts(report)]


def counts(report: ReportData) -> list[RatingCounts]:
    """Ratings per level, dimensions in the report's order."""
    order = [row.key for row in report.dimensions]
    return sorted(
        report.counts,
        key=lambda row: order.index(row.dimension) if row.dimension in order else len(order),
    )


def anchors(report: ReportData) -> list[str]:
    """A short name of every level, nothing where the scale has none."""
    return [anchor(report, place) for place in range(len(report.scale.anchors))]


def anchor(report: ReportData, place: int) -> str:
    """Short name of a level: what stands before a colon, cut to fit a legend."""
    if not report.scale.anchors:
        return ""
    return cut(re.split(r"[:：.;(]", report.scale.anchors[place])[0].strip(), 14)


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
