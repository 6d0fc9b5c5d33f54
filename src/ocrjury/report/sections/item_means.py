"""Number of items at each mean of their ratings."""

from collections.abc import Sequence

from ocrjury.language import phrase, tr
from ocrjury.pages.numbers import clauses, listing, paragraph, percent, plural, series
from ocrjury.report.data import ReportData
from ocrjury.report.distributions import RatingCounts
from ocrjury.report.sections.agreement import Agreement
from ocrjury.report.sections.rating_chart import (
    RANGES,
    alone_text,
    clearly_most,
    differ,
    low_text,
    ranged,
    share_span,
)
from ocrjury.report.sections.ratings import counts
from ocrjury.rounding import given

_WEIGHTED = phrase("Shares are weighted as the sample was drawn; n counts items.")


def shown(report: ReportData) -> list[RatingCounts]:
    """Number of items at each mean, by dimension."""
    given = {row.dimension: row for row in counts(report)}
    means = [row for row in report[Agreement].dimensions if sum(row.item_means)]
    return [
        RatingCounts(
            row.dimension,
            row.item_means,
            low=given[row.dimension].low_items if row.dimension in given else None,
            weighted=row.dimension in given and given[row.dimension].weighted,
            shares=given[row.dimension].item_shares if row.dimension in given else (),
        )
        for row in means
    ]


def title(report: ReportData, rows: Sequence[RatingCounts]) -> str:
    """Finding of a chart of item means."""
    most = clearly_most(rows)
    levels = report.labels(rows[0].dimension).levels
    lowest = [given(level) for level in levels[: 2 if len(levels) > 3 else 1]]
    words = {"share": share_span(rows), "levels": listing(lowest, "or")}
    if most is None and differ(rows):
        return tr("{share} of the items have a mean of {levels}, by dimension", **words)
    if len(report.dimensions) == 1 or (most is None and len(rows) > 1):
        return tr("{share} of the items have a mean of {levels}", **words)
    about = rows[0] if most is None else most
    return tr(
        "{share} of the items have a mean of {levels} on {dimension}",
        dimension=report.name(about.dimension),
        **words | {"share": share_span([about])},
    )


def reading(report: ReportData, rows: Sequence[RatingCounts]) -> str:
    """Caption of a chart of item means."""
    what = tr("Mean rating of every item, rounded to a level of the scale (halves up).")
    weighted = _WEIGHTED if any(row.weighted for row in rows) else ""
    alone = alone_text(report, rows)
    return paragraph([what, alone, weighted, RANGES if any(map(ranged, rows)) else ""])


def alternative(report: ReportData, rows: Sequence[RatingCounts]) -> str:
    """Chart of item means in words."""
    parts = []
    for row in rows:
        levels = zip(report.labels(row.dimension).levels, row.parts, strict=True)
        shares = series(
            filter(
                None,
                [
                    *(
                        tr("{label}: {text}", label=given(level), text=percent(share, 0))
                        for level, share in levels
                    ),
                    low_text(report, row),
                ],
            )
        )
        parts.append(
            tr(
                "{dimension} ({items}) {shares}",
                dimension=report.name(row.dimension),
                items=plural(row.n, "item"),
                shares=shares,
            )
        )
    sentences = (title(report, rows), clauses(parts))
    return paragraph(tr("{sentence}.", sentence=sentence) for sentence in sentences)
