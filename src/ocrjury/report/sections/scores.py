"""Error rates of the pool, and how far they go with people's ratings."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.findings.pool_metrics import shade
from ocrjury.findings.pool_scores import (
    FieldAccuracy,
    MetricSummary,
    Unit,
    median_of_long,
    unit_of,
)
from ocrjury.findings.record import UNKNOWN
from ocrjury.language import phrase, tr, trn
from ocrjury.metrics import RANKED, shown_metrics
from ocrjury.pages.numbers import (
    NOTHING,
    clauses,
    count,
    decimal,
    has_interval,
    interval_text,
    paragraph,
)
from ocrjury.report.data import ReportData
from ocrjury.report.sections import Section
from ocrjury.report.stored_evaluation import Stored
from ocrjury.sampling.designs import Component

_COLUMNS, _LEAST_ROWS, _MOST_ROWS = 10, 8, 16
"""Places of the scatter: as many as circles have room beside one another."""


@dataclass(frozen=True, slots=True)
class Point:
    """One rated item: its error rate, its human score and the part that drew it."""

    x: float
    y: float
    reason: Component


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Automatic metrics of the pool, and how people's scores go with them."""

    pool_size: int
    n_reference: int
    metrics: tuple[MetricSummary, ...]
    points: tuple[Point, ...] = ()
    rho: Estimate = field(default_factory=lambda: Estimate(math.nan))
    """Rank correlation of CER and human score."""
    correlations: Mapping[str, Estimate] = field(default_factory=dict)
    """Rank correlation of each metric with the human score."""
    fields: tuple[FieldAccuracy, ...] = ()
    long: float | None = None
    """Median number of characters of long texts, whose perfect match is left out."""
    signature: str = ""
    unit: Unit = "documents"
    """Sampling unit; ranges count documents or pages as drawn."""


def scores_of(stored: Stored) -> Scores:
    """Automatic metrics of the pool of an evaluation."""
    items = [item for item in stored.items if item.item in stored.item_means]
    summary = {row.metric: row for row in stored.scores.summary}
    ranks = stored.rank_correlations.get(stored.target_dimension)
    return scores_beside_ratings(
        summary,
        {} if ranks is None else ranks.by_metric,
        cer=pd.DataFrame([item.scores for item in items], columns=["cer"])["cer"],
        human=[stored.item_means[item.item] for item in items],
        reasons=[item.reason or "random" for item in items],
        pool_size=stored.row.pool_size or 0,
        n_reference=summary["edit_distance"].n,
        fields=stored.scores.fields,
        signature=stored.scores.signature,
        unit=unit_of(stored.scores.clustered_by),
    )


def scores_beside_ratings(
    summary: Mapping[str, MetricSummary],
    correlations: Mapping[str, Estimate],
    *,
    cer: "pd.Series[float]",
    human: Sequence[float],
    reasons: Sequence[str],
    **of_pool: Any,
) -> Scores:
    """Metrics of a pool beside the human scores of its rated items."""
    long = median_of_long(summary.values())
    names = shown_metrics(RANKED, long=long is not None)
    return Scores(
        metrics=tuple(summary[name] for name in names if name in summary),
        correlations={name: correlations[name] for name in names if name in correlations},
        points=tuple(
            Point(x, y, reason)  # type: ignore[arg-type]  # one of the parts
            for x, y, reason in zip(cer.astype(float), human, reasons, strict=True)
            if math.isfinite(x)
        ),
        rho=correlations.get("cer", UNKNOWN),
        long=long,
        **of_pool,
    )


def scatter_title(scores: Scores) -> str:
    """Finding of the scatter with its number."""
    words = scatter_words(scores)
    if not scores.rho.defined:
        return words
    return tr("{finding} (ρ = {rho})", finding=words, rho=rho_text(scores.rho))


def scatter_words(scores: Scores) -> str:
    """Finding of the scatter."""
    if not scores.rho.defined:
        return tr("Error rate and people cannot be compared")
    size = -scores.rho.value  # the more errors, the lower the rating
    if size <= -0.4:
        return tr("Error rate and people contradict each other")
    if size >= 0.7:
        return tr("Error rate and people largely agree")
    if size >= 0.4:
        return tr("Error rate and people partly agree")
    return tr("Error rate and people hardly agree")


def lead(scores: Scores) -> str:
    """Section in a sentence."""
    if not scores.n_reference:
        return tr("What can be counted without references.")
    return tr(
        "The error rates of the pool, how far they can stand in for people, and where the errors "
        "are."
    )


def scatter_text(report: ReportData, scores: Scores) -> str:
    """Caption of the scatter, with its correlation."""
    headline, n = report.shown_headline, count(len(scores.points))
    rho = tr("ρ = {rho}.", rho=rho_text(scores.rho)) if scores.rho.defined else ""
    if headline is None:
        about = tr("Mean rating, n = {n}; darker: more items.", n=n)
    else:
        name = report.name(headline.dimension)
        about = tr("Mean rating on {dimension}, n = {n}; darker: more items.", dimension=name, n=n)
    return paragraph([rho, about, _beyond_text(scores)])


def _beyond_text(scores: Scores) -> str:
    """Note on points that are drawn at the end of the error axis; empty where none is."""
    right = scatter_right(scores)
    beyond = sum(point.x > right for point in scores.points)
    if not beyond:
        return ""
    return trn(
        "{n} lies beyond the axis, drawn at its end.",
        "{n} lie beyond the axis, drawn at its end.",
        beyond,
    )


def correlated(scores: Scores) -> bool:
    """Return whether the order of any metric could be compared with that of the ratings."""
    return any(rho.defined for rho in scores.correlations.values())


def rho_text(rho: Estimate | None) -> str:
    """Rank correlation with its range, or why it has none."""
    if rho is None or has_interval(rho) or not rho.reason or not rho.defined:
        return rho_cell(rho)
    return tr("{value}, {range}", value=decimal(rho.value), range=interval_text(rho))


def rho_cell(rho: Estimate | None) -> str:
    """Rank correlation with its range, if it has one; `rho_note` says why it has none."""
    if rho is None or not rho.defined:
        return NOTHING
    if not has_interval(rho):
        return decimal(rho.value)
    return tr(
        "{value}, {low} to {high}",
        value=decimal(rho.value),
        low=decimal(rho.low),
        high=decimal(rho.high),
    )


def rho_note(scores: Scores) -> str:
    """Items behind the correlations in the table, and why some have no range."""
    if not correlated(scores):
        return ""
    reasons = dict.fromkeys(
        interval_text(rho)
        for rho in scores.correlations.values()
        if rho.defined and rho.reason and not has_interval(rho)
    )
    items = tr("ρ: over the rated items, each counted alike.")
    return paragraph([items, tr("ρ: {reasons}.", reasons=clauses(reasons)) if reasons else ""])


def scatter_alternative(scores: Scores) -> str:
    """Scatter in words."""
    sentence = trn(
        "Spearman’s ρ between CER and human score over {n} item is {rho}; the darker a mark, the "
        "more items it stands for.",
        "Spearman’s ρ between CER and human score over {n} items is {rho}; the darker a mark, the "
        "more items it stands for.",
        len(scores.points),
        rho=rho_text(scores.rho),
    )
    return paragraph([tr("{finding}.", finding=scatter_title(scores)), sentence])


def scatter_right(scores: Scores) -> float:
    """Right end of the error axis: all but the farthest one in fifty, in tenths."""
    values = sorted(point.x for point in scores.points)
    return max(math.ceil(10 * values[int(0.98 * (len(values) - 1))]) / 10, 0.1)


@dataclass(frozen=True, slots=True)
class Dot:
    """Rated items with about the same error rate and the same mean rating, and their opacity."""

    x: float
    y: float
    n: int
    shade: float


def places(report: ReportData) -> tuple[int, int]:
    """Columns and rows of the scatter; between two levels stands one row more."""
    scale = report.scale
    halves = 2 * (len(scale.levels) - 1) if scale.kind != "interval" else _MOST_ROWS
    return _COLUMNS, min(max(halves, _LEAST_ROWS), _MOST_ROWS)


def dots(report: ReportData, scores: Scores) -> list[Dot]:
    """Points that would lie on top of one another, counted; the fullest first.

    Points beyond the end of the error axis are counted there.
    """
    right, low = scatter_right(scores), report.scale.low
    columns, rows = places(report)
    across, up = right / columns, (report.scale.high - low) / rows
    counted = Counter(
        (round(min(point.x, right) / across), round((point.y - low) / up))
        for point in scores.points
    )
    most = max(counted.values(), default=1)
    return [Dot(x * across, low + y * up, n, shade(n, most)) for (x, y), n in counted.most_common()]


SECTION = Section(
    "scores",
    phrase("Automatic metrics"),
    "report/scores.html.j2",
    lambda report: report.get(Scores),
    {
        "scores": scores_of,
        "metrics": lambda stored: stored.metrics,
        "groups": lambda stored: stored.group_means.get(stored.target_dimension),
    },
)
