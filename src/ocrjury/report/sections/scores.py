"""Error rates of the pool, and how far they go with people's ratings."""

import math

from ocrjury.findings.pool_scores import MetricSummary
from ocrjury.pages.numbers import (
    count,
    decimal,
    percent,
    plural,
)
from ocrjury.report.data import ReportData
from ocrjury.report.distributions import Histogram
from ocrjury.report.pool_scores import Scores
from ocrjury.report.sections import Section
from ocrjury.report.sections.sampling import PART_NAMES, PARTS, Part

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


def histogram_title(histogram: Histogram) -> str:
    """Return the finding of the histogram."""
    if histogram.median == 0:
        return "At least half of the rated items have no error"
    return f"Half of the rated items have a CER of {percent(histogram.median)} or less"


def histogram_text(report: ReportData, histogram: Histogram) -> str:
    """Return what the histogram counts, and that it is no picture of the pool."""
    sampling = report.sampling
    focused = sampling is not None and not sampling.everything and sampling.focused
    tail = (
        ", not the pool: documents that are likely to be bad were drawn with a higher probability"
        if focused
        else ""
    )
    beyond = f" {beyond_text(histogram)}" if histogram.beyond else ""
    return f"{plural(histogram.n, 'rated item')} with a reference{tail}.{beyond}"


def histogram_alternative(histogram: Histogram) -> str:
    """Return the histogram in words."""
    tail = f" {beyond_text(histogram)}" if histogram.beyond else ""
    return (
        f"Histogram of the character error rate of {plural(histogram.n, 'item')}: median "
        f"{percent(histogram.median)}, 95th percentile {percent(histogram.p95)}.{tail}"
    )


def scatter_title(scores: Scores) -> str:
    """Return the finding of the scatter."""
    rho = scores.rho
    if math.isnan(rho):
        return "Error rate and people cannot be compared"
    strength = "largely" if abs(rho) >= 0.7 else "partly" if abs(rho) >= 0.4 else "hardly"
    return f"Error rate and people {strength} agree (ρ = {decimal(rho)})"


def scatter_alternative(scores: Scores) -> str:
    """Return the scatter in words."""
    return (
        f"{scatter_title(scores)}. Spearman’s ρ between CER and human score over "
        f"{plural(len(scores.points), 'item')} is {decimal(scores.rho)}; shapes show the part that "
        "drew an item."
    )


def scatter_right(scores: Scores) -> float:
    """Return the right end of the error axis: all but the farthest one in fifty, in tenths."""
    values = sorted(point.x for point in scores.points)
    return max(math.ceil(10 * values[int(0.98 * (len(values) - 1))]) / 10, 0.1)


def point_names(scores: Scores) -> dict[Part, str]:
    """Return the names of the parts that occur among the points."""
    there = {point.reason for point in scores.points}
    return {part: PART_NAMES[part] for part in PARTS if part in there} if len(there) > 1 else {}


def metric_range(row: MetricSummary) -> str:
    """Return the range of the pooled value, or of the mean where there is none."""
    if not (math.isfinite(row.low) and math.isfinite(row.high)):
        return "—"
    return f"{metric_value(row.metric, row.low)} to {metric_value(row.metric, row.high)}"


def metrics_title(scores: Scores) -> str:
    """Return what the table of metrics covers."""
    missing = scores.pool_size - scores.n_reference
    tail = f"; {count(missing)} have no reference" if missing else ""
    return f"Automatic metrics over {plural(scores.pool_size, 'document')} of the pool{tail}"


def metric_value(metric: str, value: float) -> str:
    """Return a metric as people read it."""
    return percent(value) if metric in _SHARES else decimal(value, 3)


def fields_title(scores: Scores) -> str:
    """Return the finding of the field table."""
    known = [row for row in scores.fields if row.exact.defined]
    if not known:
        return "Exact fields by kind"
    worst = min(known, key=lambda row: row.exact.value)
    return f"Fields read exactly: {worst.kind} is worst with {percent(worst.exact.value)}"


def beyond_text(histogram: Histogram) -> str | None:
    """Return how many values the last bar hides."""
    if not histogram.beyond:
        return None
    end = percent(histogram.edges[-1], 0)
    return f"The last bar holds {plural(histogram.beyond, 'item')} above {end}."


SECTION = Section(
    "scores", "Error rates and people", "report/scores.html.j2", lambda report: report.scores
)
