"""Error rates of the pool, and how far they go with people's ratings."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.findings.measurement.metric_charts import ERROR_RATES
from ocrjury.findings.measurement.pool_scores import (
    field_accuracies,
    metric_summaries,
    page_cluster,
)
from ocrjury.findings.pool_metrics import PoolMetrics
from ocrjury.findings.pool_scores import (
    FieldAccuracy,
    MetricSummary,
    Unit,
    median_of_long,
    unit_of,
)
from ocrjury.pages.numbers import (
    NOTHING,
    count,
    decimal,
    has_interval,
    percent,
    plural,
)
from ocrjury.pages.pool_ranges import known_pool_text, long_texts_text
from ocrjury.report.data import ReportData
from ocrjury.report.rank_correlation import rank_correlation
from ocrjury.report.sections import Section
from ocrjury.report.sections.sampling import Part
from ocrjury.report.stored import Stored
from ocrjury.text.summary import summarize_scores

METRICS = ("cer", "cer_nospace", "wer", "ned", "bleu", "char_f1", "exact_match")
METRIC_NAMES = {
    "cer": "Character error rate (CER)",
    "cer_nospace": "CER without spaces",
    "wer": "Word error rate (WER)",
    "ned": "Normalised edit distance (NED)",
    "nacc": "Character accuracy",
    "bleu": "BLEU",
    "char_f1": "Character F1",
    "exact_match": "Exact match",
    "confidence": "OCR confidence",
}
_SHARES = frozenset(METRIC_NAMES) - {"bleu"}
_COLUMNS = 30


@dataclass(frozen=True, slots=True)
class Point:
    """One rated item: its error rate, its human score and the part that drew it."""

    x: float
    y: float
    reason: Part


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
    """What another pool would have others of; ranges count them as drawn."""


def scores_of(stored: Stored) -> Scores:
    """Automatic metrics of the pool of an evaluation."""
    items = [item for item in stored.items if item.item in stored.item_means]
    summary = {row.metric: row for row in stored.scores.summary}
    return _scores(
        summary,
        pd.DataFrame([item.scores for item in items], columns=list(METRICS)).astype(float),
        human=[stored.item_means[item.item] for item in items],
        reasons=[item.reason or "random" for item in items],
        pages=[item.page_id for item in items],
        pool_size=stored.row.pool_size or 0,
        n_reference=summary["edit_distance"].n,
        fields=stored.scores.fields,
        signature=stored.scores.signature,
        unit=unit_of(stored.scores.clustered_by),
    )


def pool_scores(pool: pd.DataFrame, human: Mapping[str, float], *, seed: int = 0) -> Scores:
    """Automatic metrics of a scored pool without an evaluation.

    Parameters
    ----------
    pool
        Scored pool, one row per document; ``.attrs["signature"]`` tells how texts were compared.
    human
        Rated document to its mean rating.
    """
    rated, cluster = pool[pool["doc_id"].isin(list(human))], page_cluster(pool)
    summary = metric_summaries(summarize_scores(pool, cluster=cluster, seed=seed))
    return _scores(
        {row.metric: row for row in summary},
        rated,
        human=[human[name] for name in rated["doc_id"]],
        reasons=["random"] * len(rated),
        pages=rated["page_id" if "page_id" in rated else "doc_id"].tolist(),
        pool_size=len(pool),
        n_reference=int(pool["reference"].notna().sum()),
        fields=field_accuracies(pool),
        signature=str(pool.attrs.get("signature", "")),
        unit=unit_of(cluster),
    )


def _scores(
    summary: Mapping[str, MetricSummary],
    rated: pd.DataFrame,
    *,
    human: list[float],
    reasons: Sequence[str],
    pages: Sequence[str],
    **of_pool: Any,
) -> Scores:
    """Metrics of a pool beside the human scores of its rated items."""
    long = median_of_long(summary.values())
    shown = [name for name in METRICS if long is None or name != "exact_match"]
    values = {name: rated[name].astype(float).tolist() for name in shown if name in summary}
    cer = rated["cer"].astype(float).tolist()
    correlations = {
        name: rank_correlation(column, human, pages=pages) for name, column in values.items()
    }
    return Scores(
        metrics=tuple(
            replace(summary[name], rho=found.value) for name, found in correlations.items()
        ),
        correlations=correlations,
        points=tuple(
            Point(x, y, reason)  # type: ignore[arg-type]  # one of the parts
            for x, y, reason in zip(cer, human, reasons, strict=True)
            if math.isfinite(x)
        ),
        rho=rank_correlation(cer, human, pages=pages),
        long=long,
        **of_pool,
    )


def scatter_title(scores: Scores) -> str:
    """Finding of the scatter with its number."""
    words = scatter_words(scores)
    return f"{words} (ρ = {rho_text(scores.rho)})" if scores.rho.defined else words


def scatter_words(scores: Scores) -> str:
    """Finding of the scatter."""
    if not scores.rho.defined:
        return "Error rate and people cannot be compared"
    size = abs(scores.rho.value)
    strength = "largely" if size >= 0.7 else "partly" if size >= 0.4 else "hardly"
    return f"Error rate and people {strength} agree"


def scatter_text(report: ReportData, scores: Scores) -> str:
    """What the scatter shows, and its number."""
    headline = report.shown_headline
    rating = f"Mean rating on {report.name(headline.dimension)}" if headline else "Mean rating"
    rho = f"ρ = {rho_text(scores.rho)}. " if scores.rho.defined else ""
    return f"{rho}{rating}, n = {count(len(scores.points))}; area: items."


def rho_text(rho: Estimate | None) -> str:
    """Rank correlation with its range, if it has one."""
    if rho is None or not rho.defined:
        return NOTHING
    if not has_interval(rho):
        return decimal(rho.value)
    return f"{decimal(rho.value)}, {decimal(rho.low)} to {decimal(rho.high)}"


def scatter_alternative(scores: Scores) -> str:
    """Scatter in words."""
    return (
        f"{scatter_title(scores)}. Spearman’s ρ between CER and human score over "
        f"{plural(len(scores.points), 'item')} is {rho_text(scores.rho)}; the area of a circle "
        "shows how many items it stands for."
    )


def scatter_right(scores: Scores) -> float:
    """Right end of the error axis: all but the farthest one in fifty, in tenths."""
    values = sorted(point.x for point in scores.points)
    return max(math.ceil(10 * values[int(0.98 * (len(values) - 1))]) / 10, 0.1)


@dataclass(frozen=True, slots=True)
class Dot:
    """Rated items with about the same error rate and the same mean rating."""

    x: float
    y: float
    n: int


def dots(scores: Scores) -> list[Dot]:
    """Points that lie on top of one another, counted; the fullest first.

    Points beyond the end of the error axis are counted there.
    """
    right = scatter_right(scores)
    step = right / _COLUMNS
    places = Counter(
        (round(min(point.x, right) / step), round(point.y, 2)) for point in scores.points
    )
    return [Dot(at * step, y, n) for (at, y), n in places.most_common()]


def known_text(scores: Scores) -> str:
    """Whether the pool's values have an error, and what their ranges are about."""
    known = known_pool_text(scores.n_reference, scores.unit)
    return known if scores.long is None else f"{known} {long_texts_text(scores.long)}"


def metric_range(row: MetricSummary) -> str:
    """Range of the pooled value, or of the mean where there is none."""
    if not (math.isfinite(row.low) and math.isfinite(row.high)):
        return "—"
    return f"{metric_value(row.metric, row.low)} to {metric_value(row.metric, row.high)}"


def tail_text(metrics: PoolMetrics | None, row: MetricSummary) -> str:
    """Percentile of a metric on the side of its bad values."""
    tail = row.p95 if metrics is None and row.metric in ERROR_RATES else math.nan
    return metric_value(row.metric, tail if metrics is None else metrics.tail(row.metric))


def metrics_title(scores: Scores) -> str:
    """Coverage of the table of metrics."""
    missing = scores.pool_size - scores.n_reference
    tail = f"; {count(missing)} have no reference" if missing else ""
    return f"Automatic metrics over {plural(scores.pool_size, 'document')} of the pool{tail}"


def metric_value(metric: str, value: float) -> str:
    """A metric as people read it."""
    return percent(value) if metric in _SHARES else decimal(value, 3)


def fields_title(scores: Scores) -> str:
    """Finding of the field table."""
    known = [row for row in scores.fields if row.exact.defined]
    if not known:
        return "Exact fields by kind"
    worst = min(known, key=lambda row: row.exact.value)
    return f"Fields read exactly: {worst.kind} is worst with {percent(worst.exact.value)}"


SECTION = Section(
    "scores",
    "Automatic metrics",
    "report/scores.html.j2",
    lambda report: report.get(Scores),
    {
        "scores": scores_of,
        "metrics": lambda stored: stored.metrics,
        "groups": lambda stored: stored.group_means.get(stored.target_dimension),
    },
)
