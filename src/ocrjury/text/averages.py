"""One metric of a group of documents: its averages, spread and bootstrap interval."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats, Integers
from ocrjury.resampling import Statistic, bootstrap_replicates, percentile_interval
from ocrjury.text.micro import micro_parts

_RESAMPLES = 2000
_MOST_CLUSTERS = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class MetricColumn:
    """One metric of n documents, nan where it is undefined, each array of shape (n,).

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
        """Metric ``name`` of a frame of scores."""
        scores = frame[name].to_numpy(dtype=float)
        parts = micro_parts(frame, name)
        if parts is not None:
            return cls(name, scores, *parts, adds_up=True)
        defined = ~np.isnan(scores)
        return cls(name, scores, np.where(defined, scores, 0), defined.astype(float), adds_up=False)

    @property
    def micro(self) -> float:
        """Micro average: sum of numerators over sum of denominators; nan if it does not add up."""
        if not self.adds_up:
            return float("nan")
        return float(quotient(self.numerator.sum(), self.denominator.sum()))

    def distribution(self) -> tuple[float, ...]:
        """Mean, median, 95th percentile, standard deviation and maximum; nan without scores."""
        scores = self.scores[~np.isnan(self.scores)]
        if not len(scores):
            return (float("nan"),) * 5
        median, p95 = np.percentile(scores, [50, 95])
        return tuple(map(float, (scores.mean(), median, p95, scores.std(), scores.max())))


class ClusterSums:
    """Sums over each cluster of documents for the headline average of each metric.

    More than 10,000 clusters are first merged at random into 10,000 groups; the interval of a mean
    over groups is that over clusters, apart from random error.

    Parameters
    ----------
    codes
        Cluster of each document, shape (n,), -1 where it has no reference.
    """

    def __init__(self, codes: Integers, rng: np.random.Generator) -> None:
        counted = codes >= 0
        clusters, places = np.unique(codes[counted], return_inverse=True)
        self._rng = rng
        self.n_clusters = len(clusters)
        self.n = min(len(clusters), _MOST_CLUSTERS)
        if len(clusters) > _MOST_CLUSTERS:
            places = (rng.permutation(len(clusters)) % _MOST_CLUSTERS)[places]
        # Documents without a reference add 0 to every sum, so their cluster does not matter.
        self._place = np.zeros(len(codes), dtype=np.int64)
        self._place[counted] = places
        self._numerators: list[Floats] = []
        self._denominators: list[Floats] = []

    def add(self, column: MetricColumn) -> None:
        """Add the sums of a metric."""
        for part, sums in (
            (column.numerator, self._numerators),
            (column.denominator, self._denominators),
        ):
            total = np.bincount(self._place, weights=part, minlength=max(self.n, 1))
            sums.append(total.astype(np.float64, copy=False))

    def intervals(self, confidence: float) -> list[tuple[float, float]]:
        """Bootstrap interval of each metric's headline average."""
        n_metrics = len(self._numerators)
        if self.n < 2:
            return [(float("nan"), float("nan"))] * n_metrics
        # One statistic for all metrics, since they share the drawn clusters.
        averages = Statistic(
            np.column_stack([*self._numerators, *self._denominators]),
            np.ones(self.n),
            lambda totals: quotient(totals[:, :n_metrics], totals[:, n_metrics:]),
        )
        (replicates,) = bootstrap_replicates([averages], resamples=_RESAMPLES, rng=self._rng)
        return [percentile_interval(values, confidence=confidence)[1:] for values in replicates.T]


def quotient(numerator: Floats, denominator: Floats) -> Floats:
    """Quotient, nan where the denominator is 0."""
    return np.where(denominator > 0, numerator / np.where(denominator > 0, denominator, 1), np.nan)
