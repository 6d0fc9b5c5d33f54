"""Estimate what the whole pool is worth, dimension by dimension."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd
from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.canonical import content_hash
from ocrjury.campaign.history import Step
from ocrjury.estimate import Estimate
from ocrjury.estimation import (
    cross_check,
    means_by_group,
    plain_mean,
    pool_quantile,
    rated_mean,
    rated_share,
    within_scale,
)
from ocrjury.evaluation.case import Case
from ocrjury.evaluation.composites import composite_results
from ocrjury.evaluation.evidence import NO_RATINGS, Evidence, answered, evidence_on, usable_level
from ocrjury.evaluation.field_errors import field_errors
from ocrjury.evaluation.inferred_scores import inferred_scores
from ocrjury.evaluation.rated_sample import Sample, rated_sample
from ocrjury.evaluation.responses import response_body
from ocrjury.evaluation.system_comparison import system_bodies
from ocrjury.evaluation.system_pairs import preference_body
from ocrjury.evaluation.trends import trend_bodies
from ocrjury.pages.artifacts import render_estimates
from ocrjury.scales import Scale
from ocrjury.store.moves import Position, moving
from ocrjury.store.results import Result, add_results
from ocrjury.tasks import at_work, hold_if_refused, publish

NAMES = {"reason": "names have no mean"}
"""What is estimated where the categories of the scale have no order."""
QUARTILES = (0.25, 0.5, 0.75)


@task(task_run_name="{position.evaluation}-estimate", cache_policy=NO_CACHE)
@hold_if_refused
def estimate_pool(position: Position, step: Step) -> None:
    """Estimate means and shares with intervals for these raters and for other raters."""
    with at_work() as work:
        case = work.case(position.evaluation)
        told = {"ratings": case.ratings.astype(str).to_dict(orient="list"), "gold": case.gold}
        found = _estimate(case, content_hash(told))
        with moving(work.engine, position, step, mover=work.mover) as connection:
            add_results(connection, case.name, found, now=work.now)
        bodies = {one.dimension: one.body for one in found if one.kind == "estimate"}
        if "*" not in bodies:
            publish(
                case.name,
                "estimates",
                render_estimates(evaluation=case.name, estimates=bodies),
            )


def _estimate(case: Case, inputs: str) -> list[Result]:
    """Return what is estimated about every dimension, and about all of them as one score."""
    if not case.campaign.rubric.scale.ordered:
        return [Result(0, "estimate", "*", NAMES, inputs)]
    pool = case.pool()
    samples = {name: rated_sample(case, pool, [name]) for name in case.dimensions}
    bodies = estimate_bodies(case, samples)
    found = [Result(0, "estimate", name, body, inputs) for name, body in bodies.items()]
    trends = trend_bodies(case, samples)
    found += [Result(0, "trend", name, body, inputs) for name, body in trends.items()]
    compared = system_bodies(case, pool, samples)
    found += [Result(0, "systems", name, body, inputs) for name, body in compared.items()]
    preferred = preference_body(case, pool)
    if preferred is not None:
        found.append(Result(0, "systems", "*", preferred, inputs))
    target = case.campaign.report.target
    fields = field_errors(case, pool, target.dimension if target else case.dimensions[0])
    if fields is not None:
        found.append(Result(0, "field_errors", "*", fields, inputs))
    whole = rated_sample(case, pool, case.dimensions)
    return [*found, *composite_results(case, partial(_plain_means, sample=whole), inputs=inputs)]


def estimate_bodies(case: Case, samples: Mapping[str, Sample]) -> dict[str, dict[str, Any]]:
    """Return everything that is estimated about each dimension."""
    inferred = inferred_scores(case, samples)
    bodies = {}
    for name, sample in samples.items():
        evidence = evidence_on(case, name)
        body = _estimate_dimension(evidence, sample, case)
        body["inferred"] = inferred[name].to_json() if name in inferred else None
        body["response"] = response_body(case, evidence, sample)
        bodies[name] = body
    return bodies


def _estimate_dimension(evidence: Evidence, sample: Sample, case: Case) -> dict[str, Any]:
    """Return everything that is estimated from the ratings on one dimension."""
    scale, target = case.campaign.rubric.scale, case.campaign.report.target
    level = usable_level(scale)
    means = _means(evidence, sample)
    estimates: dict[str, Estimate] = {
        **{name: within_scale(one, low=scale.low, high=scale.high) for name, one in means.items()},
        "usable": _share(evidence, sample, at_least=level),
        "unusable": _share(evidence, sample, at_most=scale.low),
        "naive": plain_mean(evidence.item_means.to_numpy()),
    }
    body: dict[str, Any] = {name: one.to_json() for name, one in estimates.items()}
    body |= {"usable_level": level, "auxiliaries": sample.names}
    body["quartiles"] = _quartiles(evidence, sample)
    body["types"] = _by_type(evidence, sample, scale)
    body["parts"] = _by_part(evidence, sample)
    if len(evidence.gold):
        body["gold"] = _about_gold(evidence, sample)
    if target is not None and target.share_at_least is not None:
        body["target_share"] = _target_share(evidence, sample, target.share_at_least)
    return body


def _target_share(evidence: Evidence, sample: Sample, least: float) -> dict[str, Any]:
    """Return the share that reaches the target's level, in every way."""
    reached = evidence.as_shares(lambda rating: rating >= least)
    hajek = rated_share(
        evidence.rated, items=sample.items, at_least=least, gold=evidence.known, raters="others"
    )
    return {
        "others": cross_check(_share(evidence, sample, at_least=least), hajek).to_json(),
        "these": _share(evidence, sample, at_least=least, raters="these").to_json(),
        "hajek": hajek.to_json(),
        "naive": plain_mean(reached.item_means.to_numpy()).to_json(),
    }


def _about_gold(evidence: Evidence, sample: Sample) -> dict[str, Any]:
    """Return how much gold corrected the level of the raters, and what they would say without."""
    of_gold = evidence.rated[evidence.rated["item"].isin(evidence.gold["item"])]
    plain = Evidence(evidence.ratings, NO_RATINGS, NO_RATINGS)
    return {
        "n_items": int(of_gold["item"].nunique()),
        "n_ratings": len(of_gold),
        "uncorrected": _greg(plain, sample, raters="others").to_json(),
    }


def _plain_means(ratings: pd.DataFrame, sample: Sample) -> dict[str, Estimate]:
    """Return the means of ratings for which there is no gold."""
    own = ratings[ratings["item"].isin(sample.items["item"])]
    return _means(Evidence(own, NO_RATINGS, NO_RATINGS), sample)


def _means(evidence: Evidence, sample: Sample) -> dict[str, Estimate]:
    """Return the pool's mean for other raters and for these, and the cross-check."""
    hajek = rated_mean(evidence.rated, items=sample.items, gold=evidence.known)
    others = _greg(evidence, sample, raters="others")
    return {
        "others": cross_check(others, hajek),
        "these": _greg(evidence, sample, raters="these"),
        "hajek": hajek,
    }


def _greg(evidence: Evidence, sample: Sample, *, raters: Any) -> Estimate:
    """Return the mean over the pool, helped by what is known of every document."""
    return rated_mean(
        evidence.rated,
        items=sample.items,
        auxiliary=sample.auxiliary,
        pool_mean=sample.pool_mean,
        gold=evidence.known,
        raters=raters,
    )


def _share(
    evidence: Evidence, sample: Sample, *, raters: Any = "others", **level: float
) -> Estimate:
    """Return the share of the pool at a level or above, or at one or below."""
    return rated_share(
        evidence.rated,
        items=sample.items,
        auxiliary=sample.auxiliary,
        pool_mean=sample.pool_mean,
        gold=evidence.known,
        raters=raters,
        **level,
    )


def _quartiles(evidence: Evidence, sample: Sample) -> list[dict[str, object]]:
    """Return the mean ratings that a quarter, half and three quarters of the pool do not exceed."""
    means = evidence.item_means
    there = answered(sample, means.index)
    return [
        pool_quantile(
            means[there.items].to_numpy(),
            there.probability,
            share=share,
            auxiliary=there.auxiliary,
            pool_mean=sample.pool_mean,
            cluster=there.cluster,
        ).to_json()
        for share in QUARTILES
    ]


def _by_type(evidence: Evidence, sample: Sample, scale: Scale) -> list[dict[str, Any]]:
    """Return the mean of every document type that was drawn."""
    found = means_by_group(
        evidence.rated,
        items=sample.items,
        group="doc_type",
        auxiliary=sample.auxiliary,
        pool_means=sample.type_means,
        gold=evidence.known,
    )
    return [
        {
            "doc_type": None if name is None else str(name),
            "pool": sample.pool_types[name],
            "n": one.n_items,
            "estimate": within_scale(one, low=scale.low, high=scale.high).to_json(),
        }
        for name, one in found.items()
    ]


def _by_part(evidence: Evidence, sample: Sample) -> dict[str, dict[str, float]]:
    """Return the plain mean rating and weight of the items that each part of the design drew."""
    items = sample.items.assign(
        mean=sample.items["item"].map(evidence.item_means),
        weight=1 / sample.items["inclusion_probability"],
    )
    return {
        str(reason): {
            "items": len(part),
            "mean": float(part["mean"].mean()),
            "weight": float(part["weight"].mean()),
        }
        for reason, part in items.groupby("reason")
    }
