"""One metric of a group of documents: its averages, spread and bootstrap interval."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ocrjury.arrays import Floats, Integers
from ocrjury.resampling import SummedStatistic, bootstrap_replicates, percentile_interval

_RESAMPLES = 2000
_MOST_CLUSTERS = 10_000

Parts = tuple[Floats, Floats]

# Rate times length restores a whole number of characters, up to rounding.
_PRODUCTS: Mapping[str, tuple[str, ...]] = {
    "char_precision": ("n_hyp_chars",),
    "char_recall": ("n_ref_chars",),
    "char_f1": ("n_ref_chars", "n_hyp_chars"),
}
_PRESERVED = (("word_matches", "n_ref_words"), ("word_matches", "n_hyp_words"))
_QUOTIENTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "cer": (("edit_distance", "n_ref_chars"),),
    "cer_nospace": (("edit_distance_nospace", "n_ref_chars_nospace"),),
    "wer": (("word_edits", "n_ref_words"),),
    "wer_bag": (("word_edits_bag", "n_ref_words"),),
    "wer_uax29": (("word_edits_uax29", "n_ref_words_uax29"),),
    "wip": _PRESERVED,
    "wil": _PRESERVED,
}
_OVER_REFERENCE = ("cer", "cer_nospace", "wer", "wer_bag", "wer_uax29")
"""Metrics that are undefined where the reference is empty and the output is not."""
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

    ``quotients`` are numerators and denominators of the headline average, the micro average if the
    metric has one (``adds_up``), else the macro average: the product of the quotients of their
    sums, for a ``complement`` 1 less that. All metrics but WIP and WIL have one quotient.
    """

    name: str
    scores: Floats
    quotients: tuple[Parts, ...]
    adds_up: bool
    complement: bool = False

    @classmethod
    def of(cls, frame: pd.DataFrame, name: str) -> "MetricColumn":
        """Metric ``name`` of a frame of scores."""
        scores = frame[name].to_numpy(dtype=float)
        parts = micro_parts(frame, name)
        if parts:
            return cls(name, scores, parts, adds_up=True, complement=name == "wil")
        defined = ~np.isnan(scores)
        plain = np.where(defined, scores, 0), defined.astype(float)
        return cls(name, scores, (plain,), adds_up=False)

    @property
    def micro(self) -> float:
        """Micro average: sum of numerators over sum of denominators; nan if it does not add up.

        Without characters to divide by it is that of a text in which one side is empty, as it is
        in every document then: 0, or 1 if the other side is empty everywhere too.
        """
        if not self.adds_up:
            return float("nan")
        if self.name not in _OVER_REFERENCE and any(not below.any() for _, below in self.quotients):
            scores = self.scores[~np.isnan(self.scores)]
            worst = np.max if self.complement else np.min
            return float(worst(scores)) if len(scores) else float("nan")
        product = float(
            np.prod([quotient(above.sum(), below.sum()) for above, below in self.quotients])
        )
        return 1 - product if self.complement else product

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
        self._headlines: list[tuple[slice, bool]] = []

    def add(self, column: MetricColumn) -> None:
        """Add the sums of a metric."""
        first = len(self._numerators)
        for parts in column.quotients:
            for part, sums in zip(parts, (self._numerators, self._denominators), strict=True):
                total = np.bincount(self._place, weights=part, minlength=max(self.n, 1))
                sums.append(total.astype(np.float64, copy=False))
        self._headlines.append((slice(first, len(self._numerators)), column.complement))

    def intervals(self, confidence: float) -> list[tuple[float, float]]:
        """Bootstrap interval of each metric's headline average."""
        if self.n < 2:
            return [(float("nan"), float("nan"))] * len(self._headlines)
        # One statistic for all metrics, since they share the drawn clusters.
        averages = SummedStatistic(
            np.column_stack([*self._numerators, *self._denominators]),
            np.ones(self.n),
            self._averages,
        )
        (replicates,) = bootstrap_replicates([averages], resamples=_RESAMPLES, rng=self._rng)
        return [percentile_interval(values, confidence=confidence)[1:] for values in replicates.T]

    def _averages(self, totals: Floats) -> Floats:
        """Headline averages from B rows of sums, (B, metrics)."""
        n = len(self._numerators)
        quotients = quotient(totals[:, :n], totals[:, n:])
        products = [
            (quotients[:, place].prod(axis=1), complement) for place, complement in self._headlines
        ]
        return np.column_stack([1 - each if complement else each for each, complement in products])


def quotient(numerator: Floats, denominator: Floats) -> Floats:
    """Quotient, nan where the denominator is 0."""
    return np.where(denominator > 0, numerator / np.where(denominator > 0, denominator, 1), np.nan)


def micro_parts(frame: pd.DataFrame, metric: str) -> tuple[Parts, ...]:
    """Numerators and denominators of each document, 0 where there is no reference.

    None at all if the metric does not add up, or a column that it needs is missing.
    """

    def has(names: tuple[str, ...]) -> bool:
        return set(names) <= set(frame.columns)

    def column(name: str) -> Floats:
        return np.nan_to_num(np.asarray(frame[name], dtype=np.float64))

    if metric in _WITH_ADDED and has(_WITH_ADDED[metric]):
        edits, length, added = map(column, _WITH_ADDED[metric])
        return ((edits, length + added),)
    lengths = ("edit_distance", "n_ref_chars", "n_hyp_chars")
    if metric in _PLAIN:
        return ((column(metric), np.asarray(frame[metric].notna(), dtype=np.float64)),)
    if metric in _QUOTIENTS and has(sum(_QUOTIENTS[metric], ())):
        return tuple((column(above), column(below)) for above, below in _QUOTIENTS[metric])
    if metric in _PRODUCTS and has(_PRODUCTS[metric]):
        length = sum(map(column, _PRODUCTS[metric]), np.zeros(len(frame)))
        return ((column(metric) * length, length),)
    if metric in _OF_LONGER and has(lengths):
        edits, *both = map(column, lengths)
        longer = np.maximum(*both)
        return ((_OF_LONGER[metric](edits, longer), longer),)
    return ()
