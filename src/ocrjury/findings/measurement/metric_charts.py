"""Histograms, grids and rank correlations of the metrics of a scored pool."""

import math

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats
from ocrjury.columns import numeric_column
from ocrjury.findings.pool_metrics import (
    Cell,
    MetricDistribution,
    MetricPair,
    MetricRanks,
)
from ocrjury.metrics import COMPARED, METRICS

CHARTS = ("cer", "wer", "ned", "bleu")
"""Metrics with a histogram."""
PAIRS = (("cer", "wer"), ("cer", "bleu"))
_BINS, _CELLS = 20, 20


def metric_distributions(scored: pd.DataFrame) -> tuple[MetricDistribution, ...]:
    """Histograms of the metrics that have one, of those with values."""
    distributions = (metric_distribution(name, numeric_column(scored, name)) for name in CHARTS)
    return tuple(distribution for distribution in distributions if distribution is not None)


def metric_distribution(metric: str, values: Floats) -> MetricDistribution | None:
    """Histogram of a metric from 0 up, None where there is no value.

    An error rate may exceed 1: its last edge is a round number that at most one value in twenty
    exceeds. ``nan`` is left out.

    Examples
    --------
    >>> shown = metric_distribution("cer", np.array([0.0, 0.01, 0.03, 0.08, math.nan]))
    >>> shown.n, shown.best, shown.median, shown.edges[-1]
    (4, 1, 0.02, 0.1)
    """
    known = values[np.isfinite(values)]
    if not len(known):
        return None
    end = round_end(known) if METRICS[metric].error_rate else 1.0
    edges = np.linspace(0, end, _BINS + 1)
    counts, _ = np.histogram(np.clip(known, 0, end), edges)
    return MetricDistribution(
        metric=metric,
        edges=tuple(float(edge) for edge in edges.round(6)),
        counts=tuple(int(number) for number in counts),
        mean=float(known.mean()),
        median=float(np.median(known)),
        tail=bad_tail(metric, known),
        tail_at=tail_at(metric),
        best=int((known == (0 if METRICS[metric].error_rate else 1)).sum()),
        beyond=int((known > end).sum()),
    )


def tail_at(metric: str) -> float:
    """Quantile at which the bad tail of a metric begins."""
    return 0.95 if METRICS[metric].error_rate else 0.05


def bad_tail(metric: str, values: Floats) -> float:
    """Percentile of a metric on the side of its bad values, nan without values.

    Examples
    --------
    >>> rates = np.arange(101) / 100
    >>> bad_tail("cer", rates), bad_tail("bleu", rates)
    (0.95, 0.05)
    """
    known = values[np.isfinite(values)]
    return float(np.quantile(known, tail_at(metric))) if len(known) else math.nan


def round_end(values: Floats) -> float:
    """End of an axis from 0 in tenths, beyond which at most 5 % of the values lie."""
    return max(math.ceil(10 * float(np.quantile(values, 0.95)) - 1e-9) / 10, 0.1)


def metric_pairs(scored: pd.DataFrame) -> tuple[MetricPair, ...]:
    """Grids of the pairs of metrics that are compared, of those with values."""
    pairs = (metric_pair(scored, x, y) for x, y in PAIRS)
    return tuple(pair for pair in pairs if pair is not None)


def metric_pair(scored: pd.DataFrame, x: str, y: str) -> MetricPair | None:
    """Numbers of documents on a grid of two metrics, None where no document has both.

    Two error rates share their axes, so that the line y = x is the diagonal.
    """
    a, b = numeric_column(scored, x), numeric_column(scored, y)
    both = np.isfinite(a) & np.isfinite(b)
    a, b = a[both], b[both]
    if not len(a):
        return None
    x_end = round_end(a)
    y_end = max(x_end, round_end(b)) if METRICS[y].error_rate else 1.0
    x_end = y_end if METRICS[y].error_rate else x_end
    place = _cells(a, x_end) * _CELLS + _cells(b, y_end)
    counts = np.bincount(place, minlength=_CELLS * _CELLS)
    return MetricPair(
        x=x,
        y=y,
        x_end=x_end,
        y_end=y_end,
        bins=_CELLS,
        cells=tuple(
            Cell(int(at) // _CELLS, int(at) % _CELLS, int(counts[at]))
            for at in np.flatnonzero(counts)
        ),
        beyond=int(((a > x_end) | (b > y_end)).sum()),
        above=int((b > a).sum()),
        equal=int((b == a).sum()),
    )


def _cells(values: Floats, end: float) -> np.ndarray:
    return np.minimum((values / end * _CELLS + 1e-9).astype(np.int64), _CELLS - 1)


def metric_ranks(scored: pd.DataFrame) -> MetricRanks | None:
    """Rank correlations of the metrics, None with under three documents that have all."""
    names = [name for name in COMPARED if np.isfinite(numeric_column(scored, name)).any()]
    known = ~np.logical_or.reduce([np.isnan(numeric_column(scored, name)) for name in names])
    n = int(known.sum())
    if n < 3 or len(names) < 2:
        return None
    # Column by column, because those of a large pool take memory.
    ranks = {name: pd.Series(numeric_column(scored, name)[known]).rank() for name in names}
    table = pd.DataFrame(ranks).corr().to_numpy()
    return MetricRanks(
        metrics=tuple(names), rows=tuple(tuple(map(float, row)) for row in table), n=n
    )
