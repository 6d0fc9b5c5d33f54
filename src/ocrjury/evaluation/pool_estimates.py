"""Estimates of the pool's quality on each dimension, and the results that rest on them."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from ocrjury.estimate import Estimate
from ocrjury.estimation import (
    RatedSample,
    plain_mean,
    pool_quantile,
    within_scale,
)
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.compared_evaluation import comparable
from ocrjury.evaluation.evidence import (
    NO_RATINGS,
    Evidence,
    answered,
    evidence_on,
    measure_response,
    target_level,
    usable_level,
)
from ocrjury.evaluation.field_errors import field_errors, ruled_kinds
from ocrjury.evaluation.group_means import measure_group_means
from ocrjury.evaluation.headline_sources import (
    flagged_raters,
    gold_correction,
    plain_greg,
    plain_hajek,
    sources_of,
    with_cross_check,
    without_gold,
)
from ocrjury.evaluation.inferred_scores import inferred_scores
from ocrjury.evaluation.judge_bias import judged_samples, measure_judge_biases
from ocrjury.evaluation.rated_sample import Sample, rated_samples
from ocrjury.evaluation.routing import measure_routing
from ocrjury.evaluation.savings import measure_savings
from ocrjury.evaluation.system_comparison import compare_systems_on, measure_preferences
from ocrjury.evaluation.trends import look_back, measure_trends
from ocrjury.evaluation.type_estimates import type_estimates
from ocrjury.findings.comparable_pool import COMPARABLE
from ocrjury.findings.dimensions import Composites
from ocrjury.findings.measurement.dimensions import METHODS, measure_composites
from ocrjury.findings.pool_estimates import PoolEstimates, TargetShare
from ocrjury.findings.record import ALL_DIMENSIONS
from ocrjury.scales import Scale
from ocrjury.step_parts import Parts, Tick, unwatched
from ocrjury.store.results import Result

if TYPE_CHECKING:
    from ocrjury.findings.record import Record

_TEXTS = ("reference", "hypothesis", "image", "box", "masks")
QUARTILES = (0.25, 0.5, 0.75)


def estimate_results(
    case: Case, *, inputs: str, tick: Tick = unwatched
) -> tuple[list[PoolEstimates], list[Result]]:
    """Estimates of every dimension, and all results that are stored; categories have no mean."""
    rubric = case.campaign.rubric
    ordered = [name for name in case.dimensions if rubric.scales[name].ordered]
    if not ordered:
        return [], []
    parts = Parts(tick, len(ordered) + 8)
    parts.begin("reading the scored pool")
    pool = _pool(case)
    parts.begin("what the pool tells of the sample")
    *each, whole = rated_samples(case, pool, [*([name] for name in ordered), ordered])
    samples = dict(zip(ordered, each, strict=True))
    estimates = pool_estimates(case, samples, parts)
    parts.begin("routing by scores")
    routings = [
        measure_routing(case, pool, samples[record.dimension], of_pool=record)
        for record in estimates
        if record.dimension == case.campaign.target_dimension
    ]
    records: list[tuple[str, str, Record]] = [
        *(("estimate", record.dimension, record) for record in estimates),
        *(("routing", ALL_DIMENSIONS, record) for record in routings if record is not None),
        *_beside(case, pool, samples, parts=parts),
    ]
    results = [Result(0, kind, name, record, inputs) for kind, name, record in records]
    parts.begin("the dimensions together")
    composites = _composites(case, whole)
    if composites.rows:
        results.append(Result(0, "composite", ALL_DIMENSIONS, composites, inputs))
    return estimates, results


def _pool(case: Case) -> pd.DataFrame:
    """Scored pool, with the texts where field rules or pages that several systems read need them.

    The texts of a large pool take most of its memory.
    """
    pool = case.pool(without=_TEXTS)
    ruled = ruled_kinds(case.campaign.rubric, case.campaign.target_dimension)
    compared = "kind" in pool and pool["kind"].isin(ruled).any()
    return case.pool() if compared or pool["system"].nunique() >= 2 else pool


def _composites(case: Case, whole: Sample) -> Composites:
    """All dimensions as one score, from the sample that counts on all of them."""
    rubric = case.campaign.rubric
    return measure_composites(
        case.first_pass,
        scale=rubric.scales,
        weights={dimension.name: dimension.weight for dimension in rubric.dimensions},
        estimate=partial(_plain_means, sample=whole),
        methods=METHODS if rubric.overall is None else (*METHODS, "regression"),
        overall=rubric.overall,
    )


def _beside(
    case: Case, pool: pd.DataFrame, samples: Mapping[str, Sample], *, parts: Parts
) -> Iterator[tuple[str, str, "Record"]]:
    """Yield what is measured beside the estimates, with its kind and its dimension."""
    parts.begin("field errors and judges")
    fields = field_errors(case, pool, case.campaign.target_dimension)
    preferences = measure_preferences(case, pool)
    judged = judged_samples(case, pool)
    parts.begin("earlier evaluations")
    back = look_back(case)
    yield from (
        *(
            ("trend", record.dimension, record)
            for record in measure_trends(case, samples, back.earlier)
        ),
        *([] if back.repeats is None else [("repeats", ALL_DIMENSIONS, back.repeats)]),
        *(
            ("judge_bias", record.dimension, record)
            for record in measure_judge_biases(case, judged, back.of_judges)
        ),
        *(
            []
            if case.row.simulated
            else [(COMPARABLE, ALL_DIMENSIONS, comparable(case, samples, judged))]
        ),
    )
    parts.begin("systems and groups")
    yield from (
        *(
            ("systems", record.dimension, record)
            for record in compare_systems_on(case, pool, samples)
        ),
        *([] if preferences is None else [("preferences", ALL_DIMENSIONS, preferences)]),
        *([] if fields is None else [("field_errors", ALL_DIMENSIONS, fields)]),
        *(
            ("groups", record.dimension, record)
            for record in measure_group_means(case, pool, samples)
        ),
    )


def pool_estimates(case: Case, samples: Mapping[str, Sample], parts: Parts) -> list[PoolEstimates]:
    """Everything that is estimated, one record for each dimension."""
    parts.begin("truths without each of the raters")
    inferred = inferred_scores(case, samples)
    return [
        _estimate_dimension(case, name, samples[name], inferred=inferred.get(name))
        for name in parts.each(samples, "means and shares on")
    ]


def _estimate_dimension(
    case: Case, dimension: str, sample: Sample, *, inferred: Estimate | None
) -> PoolEstimates:
    evidence = evidence_on(case, dimension)
    rated, scale = evidence.of_sample(sample), case.campaign.rubric.scales[dimension]
    plain = evidence.without_gold().of_sample(sample) if len(evidence.gold) else rated
    level, least = usable_level(scale), target_level(case, dimension)
    flagged = flagged_raters(case, dimension)
    shares = {
        "usable": rated.share(at_least=level),
        "unusable": rated.share(at_most=scale.low),
    }
    means = _means(evidence, sample, rated, plain=plain, scale=scale)
    return PoolEstimates(
        dimension=dimension,
        **means,
        sources=sources_of(rated, means["others"], flagged=flagged),
        naive=_on(scale, _naive(evidence, sample)),
        inferred=None if inferred is None else _on(scale, inferred),
        **shares,
        usable_level=level,
        few=tuple(name for name, share in shares.items() if share.few),  # type: ignore[misc]  # the keys above
        target_share=None
        if least is None
        else _target_share(evidence, sample, least, rated=rated, plain=plain, flagged=flagged),
        gold=gold_correction(evidence, rated, plain, scale=scale, shares=shares),
        response=measure_response(case, dimension, evidence, sample=sample),
        quartiles=_quartiles(evidence, sample),
        types=type_estimates(
            rated,
            pool=sample.pool_types,
            means=sample.type_means,
            scale=scale,
        ),
        parts=_by_part(evidence, sample),
        auxiliaries=tuple(sample.names),
        savings=measure_savings(plain, sample, judges=case.campaign.pool.judges_of(dimension)),
    )


def _naive(evidence: Evidence, sample: Sample) -> Estimate:
    """Plain mean of the rated items, as if every draw stood for as many documents."""
    means = evidence.item_means
    cluster = sample.items.set_index("item")["cluster"].reindex(means.index)
    return plain_mean(means.to_numpy(), cluster=cluster.to_numpy())


def _on(scale: Scale, mean: Estimate) -> Estimate:
    return within_scale(mean, low=scale.low, high=scale.high)


def _target_share(
    evidence: Evidence,
    sample: Sample,
    least: float,
    *,
    rated: RatedSample,
    plain: RatedSample,
    flagged: set[str],
) -> TargetShare:
    reached = evidence.as_shares(lambda rating: rating >= least)
    hajek = within_scale(plain_hajek(reached, sample), low=0.0, high=1.0)
    share = rated.share(at_least=least)
    return TargetShare(
        others=with_cross_check(share, greg=plain_greg(reached, sample), hajek=hajek),
        these=plain.share(at_least=least, raters="these"),
        hajek=hajek,
        naive=within_scale(_naive(reached, sample), low=0.0, high=1.0),
        sources=sources_of(rated, share, at_least=least, flagged=flagged),
        uncorrected=without_gold(share, plain.share(at_least=least)),
    )


def _plain_means(ratings: pd.DataFrame, *, sample: Sample, scale: Scale) -> dict[str, Estimate]:
    """Means of ratings for which there is no gold."""
    own = ratings[ratings["item"].isin(sample.items["item"])]
    evidence = Evidence(own, NO_RATINGS, NO_RATINGS)
    rated = evidence.of_sample(sample)
    return _means(evidence, sample, rated, plain=rated, scale=scale)


def _means(
    evidence: Evidence, sample: Sample, rated: RatedSample, *, plain: RatedSample, scale: Scale
) -> dict[str, Estimate]:
    """Pool mean for comparable raters and for these raters, and the cross-check."""
    greg, hajek = plain_greg(evidence, sample), plain_hajek(evidence, sample)
    means = {
        "others": with_cross_check(rated.mean(), greg=greg, hajek=hajek),
        "these": plain.mean(raters="these"),
        "hajek": hajek,
    }
    return {name: _on(scale, mean) for name, mean in means.items()}


def _quartiles(evidence: Evidence, sample: Sample) -> tuple[Estimate, ...]:
    means = evidence.item_means
    sampled = answered(sample, means.index)
    return tuple(
        pool_quantile(
            means[sampled.items].to_numpy(),
            sampled.probability,
            share=share,
            auxiliary=sampled.auxiliary,
            pool_mean=sample.pool_mean,
            cluster=sampled.cluster,
        )
        for share in QUARTILES
    )


def _by_part(evidence: Evidence, sample: Sample) -> dict[str, float]:
    """Plain mean rating of the items that each part of the design drew."""
    means = sample.items["item"].map(evidence.item_means)
    by_part = means.groupby(sample.items["reason"]).mean()
    return {str(part): float(mean) for part, mean in by_part.items()}
