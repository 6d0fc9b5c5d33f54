"""What each auxiliary saved: how many more items its absence would have cost."""

from collections.abc import Mapping, Sequence

import numpy as np

from ocrjury.estimation import rated_mean
from ocrjury.evaluation.evidence import Evidence
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.findings.pool_estimates import Saving


def measure_savings(
    evidence: Evidence, sample: Sample, *, judges: Mapping[str, str]
) -> tuple[Saving, ...]:
    """Savings of every source of auxiliaries, and last of all together if there are several.

    The sampling variance of the mean is computed again from the same ratings without the source.
    ``judges`` are columns by the name of the judge, by which the record calls them.
    """
    name_of = {column: judge for judge, column in judges.items()}
    sources = [source for source in dict.fromkeys(sample.sources) if source]
    whole = _variance(evidence, sample, sample.sources)
    if not (sources and whole > 0):
        return ()
    savings = []
    for source in sources:
        rest = [one for one in sample.sources if one != source]
        needed = _variance(evidence, sample, rest) / whole
        savings.append(Saving(source=name_of.get(source, source), needed=needed))
    if len(savings) > 1:
        savings.append(Saving(source=None, needed=_variance(evidence, sample, [""]) / whole))
    return tuple(savings)


def _variance(evidence: Evidence, sample: Sample, sources: Sequence[str]) -> float:
    """Variance of the mean for these raters with some sources alone; nan where undefined."""
    kept = np.isin(sample.sources, list(sources))
    mean = rated_mean(
        evidence.ratings,
        items=sample.items,
        auxiliary=sample.auxiliary[:, kept],
        pool_mean=sample.pool_mean[kept],
        raters="these",
    )
    return mean.se**2
