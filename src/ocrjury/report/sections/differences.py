"""Differences between the raters: items, dimensions, and the usual signs of trouble."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.findings.agreement import AgreementFinding, Disagreements, divided_items
from ocrjury.gate.actions import OF_PATTERNS
from ocrjury.language import phrase, said, tr, trn
from ocrjury.pages.numbers import (
    count,
    interval_text,
    listing,
    paragraph,
    percent,
    plural,
    series,
)
from ocrjury.report.data import ReportData
from ocrjury.report.design import Design
from ocrjury.report.evidence import PrintedRating
from ocrjury.report.sections import Section
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.stored_evaluation import Stored
from ocrjury.report.ties import clearly_first, span
from ocrjury.report.worst_items import given_ratings
from ocrjury.rounding import given
from ocrjury.scales import Scales, lengths_of, scale_of

_ANY_ADVICE = phrase("Discuss it with the raters.")


DIVIDED_SHOWN = 8
"""Items on which raters lie farthest apart that a report names."""


@dataclass(frozen=True, slots=True)
class DividedRow:
    """An item on which raters lie far apart, on these dimensions, and what each gave."""

    item: str
    doc_type: str | None
    widest: float
    dimensions: tuple[str, ...]
    ratings: tuple[PrintedRating, ...]


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
    divided: tuple[DividedRow, ...] = ()


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
    scales = {row.dimension: scale_of(scale, row.dimension) for row in findings}
    levels = [name for name, own in scales.items() if own.kind == "likert"]
    spread = ratings.groupby(["item", "dimension"])["rating"].agg(["count", "min", "max"])
    double = spread[spread["count"] > 1]
    far = (double["max"] - double["min"] >= 2) & double.index.isin(levels, level="dimension")
    divided, items = (
        rows.index.get_level_values("item").unique().tolist() for rows in (double[far], double)
    )
    shown = divided_items(findings, lengths=lengths_of(scales))[:DIVIDED_SHOWN]
    given = given_ratings(ratings, (item.item for item in shown))
    return Differences(
        len(divided) if levels else None,
        len(items),
        (design or Design()).share(divided, of=items),
        tuple(
            DividedRow(
                item.item,
                doc_types.get(item.item),
                item.widest,
                tuple(item.ranges),
                given[item.item],
            )
            for item in shown
        ),
    )


def _stored_differences(stored: Stored) -> Differences:
    return differences_of(
        stored.by_dimension(stored.agreement),
        stored.first_pass.rename(columns={"value": "rating"}),
        scale=stored.campaign.rubric.scales,
        doc_types={item.item: item.doc_type for item in stored.items},
        design=stored.item_design,
    )


def lead(report: ReportData) -> str:
    """Number of items on which raters lie far apart."""
    items = report[Differences]
    if not items.double_rated:
        return tr("No item has two ratings, so nothing shows how raters differ.")
    rated = plural(items.double_rated, "item")
    if items.disagreements is None:
        return tr("{items} have two or more ratings.", items=rated)
    share = items.disagreements / items.double_rated
    words = {
        "n": count(items.disagreements),
        "items": rated,
        "share": percent(share),
        "dimensions": _with_levels(report),
    }
    interval = interval_text(items.share, share=True)
    if items.share.defined and math.isclose(items.share.value, share, abs_tol=1e-9):
        return tr(
            "On {n} of {items} with two or more ratings ({share}), these lie two levels or more "
            "apart on {dimensions}; 95% interval {interval}.",
            interval=interval,
            **words,
        )
    far = tr(
        "On {n} of {items} with two or more ratings ({share}), these lie two levels or more "
        "apart on {dimensions}.",
        **words,
    )
    weighted = tr(
        "Weighted as drawn, that is {share}, 95% interval {interval}.",
        share=percent(items.share.value),
        interval=interval,
    )
    return paragraph([far, weighted if items.share.defined else ""])


def _with_levels(report: ReportData) -> str:
    """Dimensions on which ratings can lie two levels apart."""
    kinds = [report.labels(row.key).kind for row in report.dimensions]
    if set(kinds) == {"likert"}:
        return tr("some dimension")
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


def comparable(report: ReportData) -> bool:
    """Return whether some item has two ratings, so that they can differ."""
    return any(row.disagreements.n_items for row in report[Agreement].dimensions)


def rows_title(report: ReportData) -> str:
    """Finding of the table: the dimension with the highest rate."""
    known = [(name, row) for name, row, _ in rows(report) if row.n_items]
    if not known:
        return tr("How often raters lie far apart")
    if not any(row.n for _, row in known):
        return tr("Nowhere do raters lie far apart")
    most = clearly_first(known, lambda pair: share_of(pair[1]))
    name, first = known[0] if most is None else most
    share = percent(share_of(first).value)
    if len(known) == 1:
        return tr("Raters lie far apart on {dimension}: {share}", dimension=name, share=share)
    if most is not None:
        return tr("Raters lie far apart most often on {name}: {share}", name=name, share=share)
    shares = span((share_of(row).value for _, row in known), percent)
    return tr("Raters lie far apart on {share} of the items, by dimension", share=shares)


def share_of(row: Disagreements) -> Estimate:
    """Share of the items that divide raters, weighted with an interval if that is known."""
    return row.share if row.share.defined else Estimate(row.rate)


def share_head(report: ReportData) -> str:
    """Head of the column of shares."""
    known = [row for _, row, _ in rows(report) if row.share.defined]
    alike = all(math.isclose(row.share.value, row.rate, abs_tol=1e-9) for row in known)
    return tr("Share, 95% interval") if alike else tr("Weighted share, 95% interval")


def _far(report: ReportData, row: AgreementFinding) -> str:
    """Distance from which two ratings lie far apart."""
    kind = report.labels(row.dimension).kind
    if kind in {"nominal", "binary"}:
        return tr("different")
    threshold = given(row.disagreements.threshold)
    if kind == "likert":
        return tr("{threshold} or more levels apart", threshold=threshold)
    return tr("{threshold} or more points apart", threshold=threshold)


def divided_title(report: ReportData) -> str:
    """Title of the list of items."""
    n = len(report[Differences].divided)
    return trn("The item that divides raters most", "The {n} items that divide raters most", n)


def range_head(report: ReportData) -> str:
    """Head of the column of ranges."""
    return tr("Widest range") if report.one_scale else tr("Widest range, as a share of the scale")


def where(report: ReportData, item: DividedRow) -> str:
    """Dimensions on which raters lie far apart."""
    return listing([report.name(name) for name in item.dimensions])


def signs(report: ReportData) -> list[Sign]:
    """Usual signs of trouble with what to do about each."""
    kinds: dict[str, list[tuple[str, str]]] = {}
    for row in report[Agreement].dimensions:
        for pattern in row.patterns:
            signs_ = (report.name(row.dimension), said(pattern.sentence))
            kinds.setdefault(pattern.kind, []).append(signs_)
    return [Sign(signs_, OF_PATTERNS.get(kind, _ANY_ADVICE)) for kind, signs_ in kinds.items()]


def suggestions(report: ReportData) -> list[tuple[str, str]]:
    """Suggestions, dimension by dimension."""
    return [
        (report.name(row.dimension), said(suggestion.sentence))
        for row in report[Agreement].dimensions
        for suggestion in row.suggestions
    ]


def no_signs_text(report: ReportData) -> str:
    """Signs of trouble that were looked for and not found."""
    kinds = {report.labels(row.key).kind for row in report.dimensions}
    absent = []
    compared = comparable(report)
    if compared and kinds & {"likert", "interval"}:
        absent += [
            tr("no item with ratings at both ends of the scale"),
            tr("no two raters whose means lie half the scale apart"),
        ]
    if compared and "binary" in kinds:
        absent.append(tr("no item on which raters are split"))
    absent.append(tr("no rater with one and the same value throughout"))
    return tr("There are none: {signs}.", signs=series(absent))


SECTION = Section(
    "differences",
    phrase("Where the raters differ"),
    "report/differences.html.j2",
    lambda report: report[Agreement].dimensions,
    {"differences": _stored_differences},
)
