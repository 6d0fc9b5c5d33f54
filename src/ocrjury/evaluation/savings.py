"""Savings by each auxiliary: the further items that would replace it."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ocrjury.estimation import RatedSample
from ocrjury.estimation.gold import GoldLevel
from ocrjury.estimation.greg import known_auxiliary
from ocrjury.estimation.headline import fit_rated
from ocrjury.estimation.rater_error import error_parts, noise_of_items
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.findings.pool_estimates import Saving


class _Error(NamedTuple):
    """Variance of a mean for these raters.

    With k times the items it is (variance - lasting) / k + lasting: the finite population
    correction takes as much off any sample, and the ratings of a whole pool keep their noise.
    """

    variance: float
    lasting: float

    def times(self, aim: float) -> float:
        """Number of times as many items with which the variance is ``aim``."""
        room = aim - self.lasting
        return (self.variance - self.lasting) / room if room > 0 else math.inf


def measure_savings(
    plain: RatedSample, sample: Sample, *, judges: Mapping[str, str]
) -> tuple[Saving, ...]:
    """Savings of every source of auxiliaries, and last of all together if there are several.

    The variance of the mean is computed again from the same ratings without the source. Never are
    more items needed than the pool has.
    ``plain`` is what the raters said of the sample, without gold.
    ``judges`` are columns by the name of the judge, by which the record calls them.
    """
    name_of = {column: judge for judge, column in judges.items()}
    sources = [source for source in dict.fromkeys(sample.sources) if source]
    if not (sources and plain.data.sampled.any()):
        return ()
    aim = _error(plain, sample, sample.sources).variance
    if not aim > 0:
        return ()
    most = len(sample.whole) / len(np.unique(plain.data.item[plain.data.sampled]))

    def needed(kept: Sequence[str]) -> float:
        times = _error(plain, sample, kept).times(aim)
        return times if math.isnan(times) else min(times, most)

    savings = []
    for source in sources:
        rest = [other for other in sample.sources if other != source]
        savings.append(Saving(source=name_of.get(source, source), needed=needed(rest)))
    if len(savings) > 1:
        savings.append(Saving(source=None, needed=needed([""])))
    return tuple(savings)


def _error(plain: RatedSample, sample: Sample, sources: Sequence[str]) -> _Error:
    """Error of the mean with some sources alone; nan where undefined."""
    kept = np.isin(sample.sources, list(sources))
    known = known_auxiliary(sample.auxiliary[:, kept], sample.pool_mean[kept], len(plain.data.pi))
    fit = fit_rated(plain.data, known, plain.data.equal)
    parts = error_parts(fit, level=GoldLevel(), raters="these") or {}
    _, terms, pi = fit.mean.units
    by_chance = pi < 1
    corrected = float(pi[by_chance] @ terms[by_chance] ** 2)
    return _Error(sum(part.variance for part in parts.values()), noise_of_items(fit) - corrected)
