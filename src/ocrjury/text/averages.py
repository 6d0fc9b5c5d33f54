"""One metric of a group of documents: its averages, spread and bootstrap interval."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats, Integers
from ocrjury.resampling import Statistic, bootstrap_replicates, percentile_interval

_RESAMPLES = 2000
_MOST_CLUSTERS = 10_000

# Rate times length restores a whole number of characters, up to rounding.
_PRODUCTS: Mapping[str, tuple[str, ...]] = {
    "char_precision": ("n_hyp_chars",),
    "char_recall": ("n_ref_chars",),
    "char_f1": ("n_ref_chars", "n_hyp_chars"),
}
_QUOTIENTS: Mapping[str, tuple[str, str]] = {
    "cer": ("edit_distance", "n_ref_chars"),
    "cer_nospace": ("edit_distance_nospace", "n_ref_chars_nospace"),
    "wer": ("word_edits", "n_ref_words"),
    "wer_bag": ("word_edits_bag", "n_ref_words"),
    "wer_uax29": ("word_edits_uax29", "n_ref_words_uax29"),
}
_WITH_ADDED: Mapping[str, tuple[str, str, str]] = {
    "cer_normalized": ("edit_distance", "n_ref_chars", "insertions"),
    "mer": ("word_edits", "n_ref_words", "word_insertions"),
}
_OF_LONGER: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "ned": lambda edits, longer: edits,  # noqa: ARG005  # one signature for both
    "nacc": lambda edits, longer: longer - edits,
}
_PLAIN = (
    "n_ref_chars",
    "n_hyp_chars",
    "edit_distance",
    "substitutions",
    "deletions",
    "insertions",
    "exact_match",
)


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


def micro_parts(frame: pd.DataFrame, metric: str) -> tuple[Floats, Floats] | None:
    """Numerator and denominator of each document, 0 where there is no reference.

    None if the metric does not add up, or a column that it needs is missing.
    """

    def has(names: tuple[str, ...]) -> bool:
        return set(names) <= set(frame.columns)

    def column(name: str) -> Floats:
        return np.nan_to_num(np.asarray(frame[name], dtype=np.float64))

    if metric in _WITH_ADDED and has(_WITH_ADDED[metric]):
        edits, length, added = map(column, _WITH_ADDED[metric])
        return edits, length + added
    lengths = ("edit_distance", "n_ref_chars", "n_hyp_chars")
    if metric in _PLAIN:
        return column(metric), np.asarray(frame[metric].notna(), dtype=np.float64)
    if metric in _QUOTIENTS and has(_QUOTIENTS[metric]):
        numerator, denominator = _QUOTIENTS[metric]
        return column(numerator), column(denominator)
    if metric in _PRODUCTS and has(_PRODUCTS[metric]):
        length = sum(map(column, _PRODUCTS[metric]), np.zeros(len(frame)))
        return column(metric) * length, length
    if metric in _OF_LONGER and has(lengths):
        edits, *both = map(column, lengths)
        longer = np.maximum(*both)
        return _OF_LONGER[metric](edits, longer), longer
    return None
