"""Ratings and estimates, and how the automatic metrics go with it."""

import re
from collections.abc import Sequence

from ocrjury.language import phrase, tr
from ocrjury.pages.document_text import cut
from ocrjury.pages.numbers import (
    clauses,
    estimate_text,
    paragraph,
    range_text,
    series,
)
from ocrjury.report.data import ReportData, ScaleLabels
from ocrjury.report.distributions import RatingCounts
from ocrjury.report.low_ratings import count_ratings
from ocrjury.report.sections import Section, withheld_results
from ocrjury.report.sections.joint_dimensions import stored_joint_dimensions
from ocrjury.report.sections.raters import Raters
from ocrjury.report.sections.sources import uncorrected_text
from ocrjury.report.stored_evaluation import Stored
from ocrjury.rounding import given


def counts_of(stored: Stored) -> tuple[RatingCounts, ...]:
    """Number of first-pass ratings at each level, by dimension."""
    scales, design = stored.campaign.rubric.scales, stored.item_design
    return tuple(
        count_ratings(
            str(name),
            rows["value"].to_numpy(dtype=float),
            rows["item"].tolist(),
            scale=scales[str(name)],
            design=design,
        )
        for name, rows in stored.first_pass.groupby("dimension", sort=False)
    )


def lead(report: ReportData) -> str:
    """Section in a sentence."""
    if not report.scale.ordered:
        return tr("The categories have no order, so that nothing but their shares is given.")
    if report.shown_headline is None:
        return tr("No estimate is given for the pool, because the raters’ agreement was not shown.")
    headline = report.shown_headline
    value = estimate_text(headline.others, share=headline.is_share)
    weighed = tr("The pool behind these items") if headline.weighted else tr("These items")
    what = weighed if headline.items_only else tr("The whole pool")
    words = {"what": what, "dimension": report.name(headline.dimension), "value": value}
    if (plain := uncorrected_text(headline)) is not None:
        words["plain"] = plain
        return (
            tr(
                "{what} on {dimension}: the share, corrected by gold, is {value}; without gold "
                "{plain}.",
                **words,
            )
            if headline.is_share
            else tr(
                "{what} on {dimension}: the mean, corrected by gold, is {value}; without gold "
                "{plain}.",
                **words,
            )
        )
    if headline.is_share:
        return tr("{what} on {dimension}: the share is {value}.", **words)
    return tr("{what} on {dimension}: the mean is {value}.", **words)


def mean_label(report: ReportData) -> str:
    """Head of the column of means; what gold corrected is called that."""
    corrected = any(row.gold for row in report.estimates)
    return tr("Mean, corrected by gold") if corrected else tr("Mean")


def dimension_names(report: ReportData, known: Sequence[RatingCounts]) -> list[str]:
    """Names beside the bars."""
    return [report.name(row.dimension) for row in known]


def counts(report: ReportData) -> list[RatingCounts]:
    """Ratings per level in the report's order; without agreement they speak of no others."""
    order = [row.key for row in report.dimensions]
    ordered = sorted(
        report.counts,
        key=lambda row: order.index(row.dimension) if row.dimension in order else len(order),
    )
    return [row if report.verdict.shows(row.dimension) else row.alone for row in ordered]


def chart_labels(report: ReportData, known: Sequence[RatingCounts]) -> ScaleLabels:
    """Levels of a chart: those of the headline's dimension if it is among the rows."""
    headline = report.headline.dimension if report.headline else report[Raters].dimension
    same = {report.labels(row.dimension).text for row in known} == {report.labels(headline).text}
    return report.scale if same else report.labels(known[0].dimension)


def levels_head(report: ReportData, dimension: str) -> str:
    """Head of a column of bars by level."""
    labels = report.labels(dimension)
    if labels.ordered:
        return tr("Levels, lowest first")
    return series(cut(labels.name(level), 14) for level in labels.levels)


def anchors(labels: ScaleLabels) -> list[str]:
    """A short name of every level, nothing where the scale has none."""
    return [_short(text) for text in labels.anchors]


def anchor(report: ReportData, place: int) -> str:
    """Short name of a level of the headline's scale."""
    return _short(report.scale.anchors[place]) if report.scale.anchors else ""


def _short(anchor: str) -> str:
    """Text before a colon, cut to fit a legend."""
    return cut(re.split(r"[:：.;(]", anchor)[0].strip(), 14)


def estimates_caption(report: ReportData) -> str:
    """Caption of the table of estimates, with the ends of the scale that its means are on."""
    headline = report.shown_headline
    only = headline is not None and headline.items_only and not headline.weighted
    what = tr("Estimates for these items") if only else tr("Pool estimates")
    if not report.one_scale:
        return tr(
            "{what}, by dimension: mean ratings, each on the dimension’s own scale", what=what
        )
    return tr(
        "{what}, by dimension: mean ratings from {low} to {high}",
        what=what,
        low=given(report.scale.low),
        high=given(report.scale.high),
    )


def share_heads(report: ReportData) -> tuple[str, str]:
    """Heads of the columns of shares: at a usable level, and at the lowest."""
    if not report.one_scale:
        return tr("Share usable"), tr("Share lowest")
    return (
        tr("Share ≥ {level}", level=given(report.estimates[0].usable_level)),
        tr("Share = {level}", level=given(report.scale.low)),
    )


def scales_text(report: ReportData) -> str | None:
    """Scale of every estimated dimension with its usable level, None where all are the same."""
    if report.one_scale:
        return None
    rows = [
        tr(
            "{dimension} {range}, usable from {level}",
            dimension=report.name(row.dimension),
            range=range_text(given(labels.low), given(labels.high)),
            level=given(row.usable_level),
        )
        for row in report.estimates
        for labels in [report.labels(row.dimension)]
    ]
    return tr("Scales: {rows}.", rows=clauses(rows))


def trusted_text(report: ReportData) -> str | None:
    """Note on dimensions on which agreement was not shown."""
    released = [
        tr(
            "The raters’ agreement on {dimension} is not shown; its estimates are printed because "
            "the evaluation was released.",
            dimension=report.name(row.dimension),
        )
        for row in report.estimates
        if report.verdict.shows(row.dimension) and not report.verdict.agreed_on(row.dimension)
    ]
    return paragraph([*released, withheld_results.text(report) or ""]) or None


SECTION = Section(
    "ratings",
    phrase("Ratings and estimates"),
    "report/ratings.html.j2",
    lambda _: True,
    {"joint_dimensions": stored_joint_dimensions},
)
