"""Where the raters differ: items, dimensions, and the usual signs of trouble."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.findings.agreement import AgreementFinding, Disagreements, divided_items
from ocrjury.gate.actions import OF_PATTERNS
from ocrjury.pages.numbers import count, interval_text, listing, percent, plural
from ocrjury.report.data import ReportData
from ocrjury.report.design import Design
from ocrjury.report.distributions import RatingCounts
from ocrjury.report.evidence import ItemRating
from ocrjury.report.sections import Section
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.items import ratings_text
from ocrjury.report.sections.ratings import low_share
from ocrjury.report.stored import Stored
from ocrjury.report.worst import given_ratings
from ocrjury.scales import Scales, lengths_of, scale_of

_ANY_ADVICE = "Discuss it with the raters."


DIVIDED_SHOWN = 8
"""Items on which raters lie farthest apart that a report names."""


@dataclass(frozen=True, slots=True)
class DividedItem:
    """An item on which raters lie far apart, on these dimensions, and what each gave."""

    item: str
    doc_type: str | None
    widest: float
    dimensions: tuple[str, ...]
    ratings: tuple[ItemRating, ...]


@dataclass(frozen=True, slots=True)
class Differences:
    """Items whose ratings lie far apart.

    ``disagreements`` counts items whose ratings lie two levels or more apart on some dimension, of
    ``double_rated`` that could; None where the scale has no levels. ``share`` is the same as a
    share, with the weights of the items and an interval. ``divided`` are the items that divide
    raters most, the widest first.
    """

    disagreements: int | None = None
    double_rated: int = 0
    share: Estimate = Estimate(math.nan)  # noqa: RUF009  # frozen
    divided: tuple[DividedItem, ...] = ()


class Sign(NamedTuple):
    """A sign of trouble: by dimension what was found, and what to do about it."""

    found: list[tuple[str, str]]
    advice: str


def differences_of(
    findings: Sequence[AgreementFinding],
    ratings: pd.DataFrame,
    *,
    scale: Scales,
    doc_types: Mapping[str, str | None],
    design: Design | None = None,
) -> Differences:
    """Items on which the raters differ.

    Parameters
    ----------
    ratings
        The ratings as numbers: item, rater, dimension, rating.
    scale
        Of all dimensions, or by dimension.
    design
        How the items were drawn; None: all alike, and each by itself.
    """
    findings = list(findings)
    scales = {row.dimension: scale_of(scale, row.dimension) for row in findings}
    levels = [name for name, own in scales.items() if own.kind == "likert"]
    spread = ratings.groupby(["item", "dimension"])["rating"].agg(["count", "min", "max"])
    double = spread[spread["count"] > 1]
    far = (double["max"] - double["min"] >= 2) & double.index.isin(levels, level="dimension")
    apart = double[far]
    divided, items = (
        rows.index.get_level_values("item").unique().tolist() for rows in (apart, double)
    )
    return Differences(
        len(divided) if levels else None,
        len(items),
        (design or Design()).share(divided, of=items),
        tuple(
            DividedItem(
                item.item,
                doc_types.get(item.item),
                item.widest,
                tuple(item.ranges),
                given_ratings(ratings, item.item),
            )
            for item in divided_items(findings, lengths=lengths_of(scales))[:DIVIDED_SHOWN]
        ),
    )


def _stored_differences(stored: Stored) -> Differences:
    return differences_of(
        stored.by_dimension(stored.agreement),
        stored.first_pass.rename(columns={"value": "rating"}),
        scale=stored.campaign.rubric.scales,
        doc_types={item.item: item.doc_type for item in stored.items},
        design=Design(
            {item.item: item.weight for item in stored.items},
            {item.item: item.draw_number for item in stored.items},
        ),
    )


def lead(report: ReportData) -> str:
    """Number of items on which raters lie far apart."""
    items = report[Differences]
    if items.disagreements is not None and items.double_rated:
        share = items.disagreements / items.double_rated
        found = (
            f"On {count(items.disagreements)} of {plural(items.double_rated, 'item')} with "
            f"two or more ratings ({percent(share)}), these lie two levels or more apart on "
            f"{_with_levels(report)}"
        )
        if not items.share.defined:
            return f"{found}."
        interval = f"95% interval {interval_text(items.share, share=True)}"
        if math.isclose(items.share.value, share, abs_tol=1e-9):
            return f"{found}; {interval}."
        return f"{found}. Weighted as drawn, that is {percent(items.share.value)}, {interval}."
    if not items.double_rated:
        return "No item has two ratings, so that nobody can differ from anybody."
    return f"{plural(items.double_rated, 'item')} have two or more ratings."


def _with_levels(report: ReportData) -> str:
    """Dimensions on which ratings can lie two levels apart."""
    kinds = [report.labels(row.key).kind for row in report.dimensions]
    if set(kinds) == {"likert"}:
        return "some dimension"
    return listing(
        [row.name for row, kind in zip(report.dimensions, kinds, strict=True) if kind == "likert"],
        "or",
    )


def rows(report: ReportData) -> list[tuple[str, Disagreements, str]]:
    """Name of each dimension, its disagreements, and from where on two ratings lie far apart."""
    return [
        (report.name(row.dimension), row.disagreements, _far(report, row))
        for row in report[Agreement].dimensions
    ]


def rows_title(report: ReportData) -> str:
    """Finding of the table: the dimension with the highest rate."""
    known = [(name, row) for name, row, _ in rows(report) if row.n_items]
    if not known:
        return "How often raters lie far apart"
    if not any(row.n for _, row in known):
        return "Nowhere do raters lie far apart"
    # What prints alike is a tie.
    shares = [(name, percent(share_of(row).value)) for name, row in known]
    most = percent(max(share_of(row).value for _, row in known))
    tied = listing([name for name, share in shares if share == most])
    return f"Raters lie far apart most often on {tied}: {most}"


def share_of(row: Disagreements) -> Estimate:
    """Share of the items that divide raters, weighted with an interval if that is known."""
    return row.share if row.share.defined else Estimate(row.rate)


def share_head(report: ReportData) -> str:
    """Head of the column of shares."""
    known = [row for _, row, _ in rows(report) if row.share.defined]
    alike = all(math.isclose(row.share.value, row.rate, abs_tol=1e-9) for row in known)
    return "Share, 95% interval" if alike else "Weighted share, 95% interval"


def _far(report: ReportData, row: AgreementFinding) -> str:
    """Distance from which two ratings lie far apart."""
    kind = report.labels(row.dimension).kind
    if kind in {"nominal", "binary"}:
        return "different"
    unit = "levels" if kind == "likert" else "points"
    return f"{row.disagreements.threshold:g} or more {unit} apart"


def divided_title(report: ReportData) -> str:
    """Title of the list of items."""
    return f"The {plural(len(report[Differences].divided), 'item')} that divide raters most"


def ratings_of(report: ReportData, item: DividedItem) -> str:
    """Ratings of each rater, dimensions in the report's order."""
    return ratings_text(item.ratings, report)


def range_head(report: ReportData) -> str:
    """Head of the column of ranges."""
    return "Range" if report.one_scale else "Range, as a share of the scale"


def where(report: ReportData, item: DividedItem) -> str:
    """Dimensions on which raters lie far apart."""
    return listing([report.name(name) for name in item.dimensions])


def signs(report: ReportData) -> list[Sign]:
    """Usual signs of trouble with what to do about each."""
    kinds: dict[str, list[tuple[str, str]]] = {}
    for row in report[Agreement].dimensions:
        for pattern in row.patterns:
            said = (report.name(row.dimension), _printed(pattern.sentence))
            kinds.setdefault(pattern.kind, []).append(said)
    return [Sign(found, OF_PATTERNS.get(kind, _ANY_ADVICE)) for kind, found in kinds.items()]


def suggestions(report: ReportData) -> list[tuple[str, str]]:
    """Suggestions, dimension by dimension."""
    return [
        (report.name(row.dimension), _printed(suggestion.sentence))
        for row in report[Agreement].dimensions
        for suggestion in row.suggestions
    ]


def no_signs_text(report: ReportData) -> str:
    """Signs of trouble that were looked for and not found."""
    kinds = {report.labels(row.key).kind for row in report.dimensions}
    absent = [*_ABSENT] if kinds & {"likert", "interval"} else []
    absent += ["no item on which raters are split"] if "binary" in kinds else []
    return f"There are none: {', '.join([*absent, _SINGLE])}."


_ABSENT = [
    "no item with ratings at both ends of the scale",
    "no two raters whose means lie half the scale apart",
]
_SINGLE = "no rater with one and the same value throughout"


def item_means(report: ReportData) -> list[RatingCounts]:
    """Number of items at each mean, by dimension."""
    return [
        RatingCounts(row.dimension, row.item_means)
        for row in report[Agreement].dimensions
        if sum(row.item_means)
    ]


def item_means_title(report: ReportData, found: Sequence[RatingCounts]) -> str:
    """Finding of a chart of item means."""
    worst = max(found, key=low_share)
    levels = report.labels(worst.dimension).levels
    words = f"{levels[0]:g} or {levels[1]:g}" if len(levels) > 3 else f"{levels[0]:g}"
    where_ = f" on {report.name(worst.dimension)}" if len(found) > 1 else ""
    return f"{percent(low_share(worst), 0)} of the items have a mean of {words}{where_}"


def item_means_alternative(report: ReportData, found: Sequence[RatingCounts]) -> str:
    """Chart of item means in words."""
    parts = []
    for row in found:
        levels = zip(report.labels(row.dimension).levels, row.counts, strict=True)
        shares = ", ".join(f"{level:g}: {percent(n / row.n, 0)}" for level, n in levels)
        parts.append(f"{report.name(row.dimension)} ({plural(row.n, 'item')}) {shares}")
    return f"{item_means_title(report, found)}. {'; '.join(parts)}."


def _printed(sentence: str) -> str:
    """A sentence with the signs of the rest of the report."""
    return sentence.replace(" %", "%").replace("'", "’")


SECTION = Section(
    "differences",
    "Where the raters differ",
    "report/differences.html.j2",
    lambda report: report[Agreement].dimensions,
    {"differences": _stored_differences},
)
