"""What each auxiliary saved: how many more items its absence would have cost."""

from collections.abc import Mapping, Sequence

import numpy as np

from ocrjury.estimation import RatedSample
from ocrjury.estimation.greg import known_auxiliary
from ocrjury.estimation.rated import mean_of
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.findings.pool_estimates import Saving


def measure_savings(
    plain: RatedSample, sample: Sample, *, judges: Mapping[str, str]
) -> tuple[Saving, ...]:
    """Savings of every source of auxiliaries, and last of all together if there are several.

    The sampling variance of the mean is computed again from the same ratings without the source.
    ``plain`` is what the raters said of the sample, without gold.
    ``judges`` are columns by the name of the judge, by which the record calls them.
    """
    name_of = {column: judge for judge, column in judges.items()}
    sources = [source for source in dict.fromkeys(sample.sources) if source]
    whole = _variance(plain, sample, sample.sources)
    if not (sources and whole > 0):
        return ()
    savings = []
    for source in sources:
        rest = [other for other in sample.sources if other != source]
        needed = _variance(plain, sample, rest) / whole
        savings.append(Saving(source=name_of.get(source, source), needed=needed))
    if len(savings) > 1:
        savings.append(Saving(source=None, needed=_variance(plain, sample, [""]) / whole))
    return tuple(savings)


def _variance(plain: RatedSample, sample: Sample, sources: Sequence[str]) -> float:
    """Variance of the mean for these raters with some sources alone; nan where undefined."""
    kept = np.isin(sample.sources, list(sources))
    known = known_auxiliary(sample.auxiliary[:, kept], sample.pool_mean[kept], len(plain.data.pi))
    return mean_of(plain.data, known, raters="these").se ** 2
