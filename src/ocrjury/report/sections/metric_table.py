"""Sentences about the tables of a pool's metrics and fields."""

import math

from ocrjury.findings.pool_metrics import PoolMetrics
from ocrjury.findings.pool_scores import MetricSummary
from ocrjury.language import tr
from ocrjury.metrics import METRICS
from ocrjury.pages.numbers import NOTHING, count, decimal, listing, percent, range_text
from ocrjury.pages.pool_ranges import legend_text, range_name
from ocrjury.report.sections.counts import Counts, documents_text
from ocrjury.report.sections.field_kinds import kind_name
from ocrjury.report.sections.scores import Scores
from ocrjury.report.ties import foremost


def known_rows(scores: Scores) -> list[MetricSummary]:
    """Metrics of which something is known; those of texts are not where there is no reference."""
    return [row for row in scores.metrics if math.isfinite(row.macro)]


def columns_text(scores: Scores) -> str:
    """Legend of the columns of the table of metrics."""
    return legend_text(scores.n_reference, scores.unit, long=scores.long)


def range_head(scores: Scores) -> str:
    """Head of a column of ranges."""
    return range_name(scores.unit)


def metric_range(row: MetricSummary) -> str:
    """Range of the pooled value, or of the mean where there is none."""
    if not (math.isfinite(row.low) and math.isfinite(row.high)):
        return NOTHING
    return range_text(metric_value(row.metric, row.low), metric_value(row.metric, row.high))


def tail_text(metrics: PoolMetrics, row: MetricSummary) -> str:
    """Percentile of a metric on the side of its bad values."""
    return metric_value(row.metric, metrics.tail(row.metric))


def metrics_title(scores: Scores, counts: Counts | None = None) -> str:
    """Coverage of the table of metrics."""
    missing = scores.pool_size - scores.n_reference
    pool = documents_text(counts, scores.pool_size)
    if not missing:
        return tr("Automatic metrics over the whole pool: {documents}", documents=pool)
    return tr(
        "Automatic metrics over the whole pool: {documents}, {missing} without a reference",
        documents=pool,
        missing=count(missing),
    )


def metric_value(metric: str, value: float) -> str:
    """A metric as people read it."""
    return percent(value) if METRICS[metric].is_share else decimal(value, 3)


def fields_title(scores: Scores) -> str:
    """Finding of the field table."""
    known = [row for row in scores.fields if row.exact.defined]
    if not known:
        return tr("Exact fields by kind")
    worst = foremost(known, lambda row: row.exact.value, percent, of=min)
    kinds, share = [kind_name(row.kind) for row in worst], percent(worst[0].exact.value)
    if len(worst) == len(known):
        return tr("Fields read exactly: {share} of {kinds}", kinds=listing(kinds), share=share)
    if len(worst) > 1:
        return tr(
            "Fields read exactly: {kinds} are worst with {share}",
            kinds=listing(kinds),
            share=share,
        )
    return tr("Fields read exactly: {kind} is worst with {share}", kind=kinds[0], share=share)
