"""Inputs of the pool's mean on a dimension: raters, weights, severities, sources of error."""

import math
from collections.abc import Collection, Mapping
from dataclasses import replace

from ocrjury.estimate import Estimate
from ocrjury.estimation import (
    MeanSources,
    RatedSample,
    cross_check,
    greg_mean,
    hajek_mean,
    within_scale,
)
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.evidence import Evidence, answered, usable_level
from ocrjury.evaluation.rated_sample import Sample
from ocrjury.findings.pool_estimates import GoldCorrection, RaterInMean, Sources
from ocrjury.findings.raters import BiasTests
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.scales import Scale
from ocrjury.store.results import latest_findings

MOST_LEFT_OUT = 20
"""Raters of whom each is left out in turn; of more, those with less weight or a flag are."""


def plain_hajek(evidence: Evidence, sample: Sample) -> Estimate:
    """Ratio mean of plain item means: no auxiliaries, no weights of raters, no severities, no gold.

    Its interval counts the choice of documents.
    """
    means = evidence.item_means
    sampled = answered(sample, means.index)
    return hajek_mean(means[sampled.items].to_numpy(), sampled.probability, cluster=sampled.cluster)


def plain_greg(evidence: Evidence, sample: Sample) -> Estimate:
    """GREG mean of plain item means: the auxiliaries, without weights of raters or severities."""
    means = evidence.item_means
    sampled = answered(sample, means.index)
    return greg_mean(
        means[sampled.items].to_numpy(),
        sampled.probability,
        auxiliary=sampled.auxiliary,
        pool_mean=sample.pool_mean,
        cluster=sampled.cluster,
    )


def with_cross_check(mean: Estimate, *, greg: Estimate, hajek: Estimate) -> Estimate:
    """Mean with the warning that the auxiliaries contradict the Hajek mean, if they do.

    Both are of plain item means. Severities would move one of the two only, by much where raters
    rated unequal numbers of items, and the warning would blame the auxiliaries for it.
    """
    warnings = cross_check(replace(greg, warnings=()), hajek).warnings
    return replace(mean, warnings=(*mean.warnings, *warnings))


def flagged_raters(case: Case, dimension: str) -> set[str]:
    """Raters whom a test for bias flagged on a dimension, or on all of them together."""
    tests = latest_findings(case.work.engine, case.name, BiasTests, kind="bias")
    return {
        str(finding.rater)
        for finding in tests.get(ALL_DIMENSIONS, BiasTests()).findings
        if finding.flagged and finding.rater is not None and finding.dimension in {dimension, None}
    }


def sources_of(
    rated: RatedSample,
    headline: Estimate,
    *,
    at_least: float | None = None,
    flagged: Collection[str] = (),
) -> Sources | None:
    """Everything that enters the headline, None without ratings.

    ``headline`` is the mean for other raters within its scale, or the share.
    """
    if not rated.data.sampled.any():
        return None
    sources = rated.sources(at_least=at_least)
    all_left_out = len(sources.raters) <= MOST_LEFT_OUT
    without = {
        part.rater: _headline(rated.without_rater(part.rater), at_least)
        for part in sources.raters
        if all_left_out or part.weight < 1 or str(part.rater) in flagged
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
                flagged=str(part.rater) in flagged,
            )
            for part in sources.raters
        ),
        effective_raters=sources.effective_raters,
        df=sources.df,
        variance={str(name): share for name, share in sources.shares.items()},
        **_lengths(sources, headline),
        estimator="GREG" if sources.estimator == "GREG" else "Hajek",
    )


def gold_correction(
    evidence: Evidence,
    rated: RatedSample,
    plain: RatedSample,
    *,
    scale: Scale,
    shares: Mapping[str, Estimate],
) -> GoldCorrection | None:
    """Gold that corrected the level of the raters, and the estimates without it."""
    mean = without_gold(rated.mean(), plain.mean())
    if mean is None:
        return None
    of_gold = evidence.rated[evidence.rated["item"].isin(evidence.gold["item"])]
    return GoldCorrection(
        n_items=int(of_gold["item"].nunique()),
        n_ratings=len(of_gold),
        n_sampled=int(rated.items["item"].isin(of_gold["item"]).sum()),
        uncorrected=within_scale(mean, low=scale.low, high=scale.high),
        usable=without_gold(shares["usable"], plain.share(at_least=usable_level(scale))),
        unusable=without_gold(shares["unusable"], plain.share(at_most=scale.low)),
    )


def without_gold(estimate: Estimate, plain: Estimate) -> Estimate | None:
    """Estimate without gold, None where gold corrected nothing."""
    return plain if estimate.gold_corrected else None


def _headline(rated: RatedSample, at_least: float | None) -> Estimate:
    """Mean for other raters, or share at a level or above."""
    return rated.mean() if at_least is None else rated.share(at_least=at_least)


def _lengths(sources: MeanSources, headline: Estimate) -> dict[str, float]:
    """Length of the headline's range now, with twice the items, and with twice the raters.

    A pool that has not so many items is rated as a whole then. The range of a share is no t
    interval, and that of a mean ends with the scale; both are taken to become shorter as the t
    interval does.
    """
    length, half = headline.high - headline.low, sources.half_length()
    times = length / half if half > 0 else math.nan
    return {
        "more_items": min(2.0, sources.most_items),
        "length": length,
        "with_more_items": times * sources.half_length(items=2),
        "with_more_raters": times * sources.half_length(raters=2),
    }
