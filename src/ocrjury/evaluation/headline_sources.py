"""What enters the pool's mean on a dimension: raters, weights, severities, sources of error."""

from dataclasses import replace
from typing import Any

from ocrjury.estimate import Estimate
from ocrjury.estimation import (
    MeanSources,
    cross_check,
    hajek_mean,
    mean_sources,
    rated_mean,
    rated_share,
)
from ocrjury.estimation.rater_error import Raters
from ocrjury.evaluation.evidence import Evidence, answered
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.findings.pool_estimates import RaterInMean, Sources

MOST_LEFT_OUT = 20
"""Raters of whom each is left out in turn; of more, only those with less weight are."""


def pool_mean(
    evidence: Evidence,
    sample: Sample,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    raters: Raters = "others",
) -> Estimate:
    """Mean of the pool by regression on the auxiliaries, or its share at a level."""
    known: dict[str, Any] = {
        "items": sample.items,
        "auxiliary": sample.auxiliary,
        "pool_mean": sample.pool_mean,
        "gold": evidence.known,
        "raters": raters,
    }
    if at_least is at_most is None:
        return rated_mean(evidence.rated, **known)
    return rated_share(evidence.rated, at_least=at_least, at_most=at_most, **known)


def plain_hajek(evidence: Evidence, sample: Sample) -> Estimate:
    """Ratio mean of plain item means: no auxiliaries, no weights of raters, no severities, no gold.

    Its interval counts the choice of documents.
    """
    means = evidence.item_means
    sampled = answered(sample, means.index)
    return hajek_mean(means[sampled.items].to_numpy(), sampled.probability, cluster=sampled.cluster)


def with_cross_check(mean: Estimate, *, these: Estimate, hajek: Estimate) -> Estimate:
    """Mean with the warning that the Hajek mean contradicts that of these raters, if it does.

    Both are by the same raters at equal weight without gold: what is left between them is the
    auxiliaries, and who rated what.
    """
    found = cross_check(replace(these, warnings=()), hajek).warnings
    return replace(mean, warnings=(*mean.warnings, *found))


def sources_of(
    evidence: Evidence, sample: Sample, *, at_least: float | None = None
) -> Sources | None:
    """Everything that enters `pool_mean` for other raters, None without ratings."""
    if not len(evidence.ratings):
        return None
    sources = mean_sources(
        evidence.rated,
        items=sample.items,
        auxiliary=sample.auxiliary,
        pool_mean=sample.pool_mean,
        gold=evidence.known,
        at_least=at_least,
    )
    all_left_out = len(sources.raters) <= MOST_LEFT_OUT
    without = {
        part.rater: pool_mean(evidence.without_rater(part.rater), sample, at_least=at_least)
        for part in sources.raters
        if all_left_out or part.weight < 1
    }
    return Sources(
        raters=tuple(
            RaterInMean(
                rater=str(part.rater),
                n_ratings=part.n_ratings,
                weight=part.weight,
                share=part.share,
                severity=part.severity,
                without=without.get(part.rater),
            )
            for part in sources.raters
        ),
        effective_raters=sources.effective_raters,
        df=sources.df,
        variance={str(name): share for name, share in sources.shares.items()},
        **_lengths(sources),
    )


def _lengths(sources: MeanSources) -> dict[str, float]:
    """Length of the range now, with twice the items, and with twice the raters."""
    return {
        "length": 2 * sources.half_length(),
        "with_more_items": 2 * sources.half_length(items=2),
        "with_more_raters": 2 * sources.half_length(raters=2),
    }
