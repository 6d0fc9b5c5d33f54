"""One metric of a group of documents: its averages, spread and bootstrap interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ocrjury.resampling import Statistic, bootstrap_replicates, percentile_interval
from ocrjury.text.edit_counts import Floats, Integers
from ocrjury.text.micro import micro_parts

_RESAMPLES = 2000


@dataclass(frozen=True, slots=True, eq=False)
class MetricColumn:
    """One metric of n documents, nan where it has no value, each array of shape (n,).

    ``numerator`` and ``denominator`` are those of the headline average: the micro average if the
    metric has one (``adds_up``), else the macro average.
    """

    name: str
    scores: Floats
    numerator: Floats
    denominator: Floats
    adds_up: bool

    @classmethod
    def of(cls, frame: pd.DataFrame, name: str) -> "MetricColumn":
        """Return a metric of a frame of scores."""
        scores = frame[name].to_numpy(dtype=float)
        parts = micro_parts(frame, name)
        if parts is not None:
            return cls(name, scores, *parts, adds_up=True)
        there = ~np.isnan(scores)
        return cls(name, scores, np.where(there, scores, 0), there.astype(float), adds_up=False)

    @property
    def micro(self) -> float:
        """Return the sum over documents by the sum over documents."""
        if not self.adds_up:
            return float("nan")
        return float(quotient(self.numerator.sum(), self.denominator.sum()))

    def distribution(self) -> tuple[float, ...]:
        """Return mean, median, 95th percentile, standard deviation and maximum; nan of nothing."""
        scores = self.scores[~np.isnan(self.scores)]
        if not len(scores):
            return (float("nan"),) * 5
        median, p95 = np.percentile(scores, [50, 95])
        return tuple(map(float, (scores.mean(), median, p95, scores.std(), scores.max())))


def bootstrap_intervals(
    columns: Sequence[MetricColumn],
    codes: Integers,
    *,
    confidence: float,
    rng: np.random.Generator,
) -> list[tuple[float, float]]:
    """Return the interval of each column's headline average over clusters of documents.

    ``codes``, shape (n,), holds the cluster of each document, -1 where it has no reference.
    """
    counted = codes >= 0
    clusters, places = np.unique(codes[counted], return_inverse=True)
    if len(clusters) < 2:
        return [(float("nan"), float("nan"))] * len(columns)
    # Documents without a reference add 0 to every sum, so their cluster does not matter.
    every = np.zeros(len(codes), dtype=np.int64)
    every[counted] = places
    # Numerators first, then denominators; one statistic of all, as all share the drawn clusters.
    parts = [column.numerator for column in columns] + [column.denominator for column in columns]
    sums = [np.bincount(every, weights=part, minlength=len(clusters)) for part in parts]
    averages = Statistic(
        np.column_stack(sums),
        np.ones(len(clusters)),
        lambda totals: quotient(totals[:, : len(columns)], totals[:, len(columns) :]),
    )
    (replicates,) = bootstrap_replicates([averages], resamples=_RESAMPLES, rng=rng)
    return [percentile_interval(values, confidence=confidence)[1:] for values in replicates.T]


def quotient(numerator: Floats, denominator: Floats) -> Floats:
    """Return the quotient, nan where the denominator is 0."""
    return np.where(denominator > 0, numerator / np.where(denominator > 0, denominator, 1), np.nan)
