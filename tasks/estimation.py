"""Estimate what the whole pool is worth, dimension by dimension."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.canonical import content_hash
from ocrjury.campaign.config import Campaign
from ocrjury.campaign.history import Step
from ocrjury.estimate import Estimate
from ocrjury.estimation import auxiliaries, cross_check, plain_mean, rated_mean
from ocrjury.pages.artifacts import render_estimates
from ocrjury.scales import Scale
from ocrjury.store.moves import Position, moving
from ocrjury.store.results import Result, add_results
from tasks.artifacts import publish
from tasks.refusal import hold_if_refused
from tasks.work import Case, at_work

NAMES = {"reason": "names have no mean"}
"""What is estimated where the categories of the scale have no order."""


class Sample(NamedTuple):
    """The sampled items with what is known of them and of their pool."""

    items: pd.DataFrame
    auxiliary: np.ndarray
    pool_mean: np.ndarray
    names: list[str]
    pool_types: dict[str, int]


@task(task_run_name="{position.evaluation}-estimate", cache_policy=NO_CACHE)
@hold_if_refused
def estimate_pool(position: Position, step: Step) -> None:
    """Estimate means and shares with intervals for these raters and for other raters."""
    with at_work() as work:
        case = work.case(position.evaluation)
        first_pass = case.first_pass
        bodies = _estimate(case) if case.campaign.rubric.scale.ordered else {"*": NAMES}
        inputs = content_hash(first_pass.astype(str).to_dict(orient="list"))
        with moving(work.engine, position, step, mover=work.mover) as connection:
            add_results(
                connection,
                case.name,
                [Result(0, "estimate", name, body, inputs) for name, body in bodies.items()],
                now=work.now,
            )
        if "*" not in bodies:
            publish(
                case.name,
                "estimates",
                render_estimates(evaluation=case.name, estimates=bodies),
            )


def _estimate(case: Case) -> dict[str, dict[str, Any]]:
    """Return what is estimated about every dimension."""
    sample, ratings = _sample(case), case.first_pass
    return {
        name: _estimate_dimension(ratings[ratings["dimension"] == name], sample, case.campaign)
        for name in case.dimensions
    }


def usable_level(scale: Scale) -> float:
    """Return the lowest rating that still is good enough to use.

    The best level but one of a Likert scale; on a slider what 4 is from 1 to 5, three quarters.

    Examples
    --------
    >>> usable_level(Scale.likert(1, 5)), usable_level(Scale.binary())
    (4.0, 1.0)
    >>> usable_level(Scale.interval(0, 100))
    75.0
    """
    if scale.kind == "interval":
        return scale.low + 0.75 * (scale.high - scale.low)
    return scale.high - 1 if scale.kind == "likert" and scale.high - scale.low > 1 else scale.high


def _sample(case: Case) -> Sample:
    """Return the sample beside its pool."""
    pool = case.pool()
    items = pd.DataFrame(
        [
            {
                "item": item.item,
                "doc_id": item.doc_id,
                "doc_type": item.doc_type,
                "inclusion_probability": item.inclusion_probability,
                "stratum": item.stratum,
                "reason": item.reason,
            }
            for item in case.sample
        ]
    )
    matrix, names = auxiliaries(pool, n=len(items))
    places = pd.Index(pool["doc_id"]).get_indexer(pd.Index(items["doc_id"]))
    types = pool["doc_type"].value_counts().sort_index()
    return Sample(
        items.drop(columns="doc_id"),
        matrix[places],
        matrix.mean(axis=0),
        names,
        {str(name): int(n) for name, n in types.items()},
    )


def _estimate_dimension(
    ratings: pd.DataFrame, sample: Sample, campaign: Campaign
) -> dict[str, Any]:
    """Return everything that is estimated about one dimension."""
    scale = campaign.rubric.scale
    level = usable_level(scale)
    hajek = rated_mean(ratings, items=sample.items, raters="others")
    others = cross_check(_greg(ratings, sample, raters="others"), hajek)
    means = ratings.groupby("item")["rating"].mean()
    estimates: dict[str, Estimate] = {
        "others": others,
        "these": _greg(ratings, sample, raters="these"),
        "hajek": hajek,
        "usable": _greg(_at_least(ratings, level), sample, raters="others"),
        "unusable": _greg(_at_most(ratings, scale.low), sample, raters="others"),
        "naive": plain_mean(means.to_numpy()),
    }
    body: dict[str, Any] = {name: one.to_json() for name, one in estimates.items()}
    body |= {"usable_level": level, "auxiliaries": sample.names}
    body["types"] = _by_type(ratings, sample)
    body["parts"] = _by_part(means, sample)
    target = campaign.report.target
    if target is not None and target.share_at_least is not None:
        reached = _at_least(ratings, target.share_at_least)
        body["target_share"] = {
            "others": _greg(reached, sample, raters="others").to_json(),
            "these": _greg(reached, sample, raters="these").to_json(),
            "hajek": rated_mean(reached, items=sample.items, raters="others").to_json(),
            "naive": plain_mean(reached.groupby("item")["rating"].mean().to_numpy()).to_json(),
        }
    return body


def _greg(ratings: pd.DataFrame, sample: Sample, *, raters: Any) -> Estimate:
    """Return the mean over the pool, helped by what is known of every document."""
    return rated_mean(
        ratings,
        items=sample.items,
        auxiliary=sample.auxiliary,
        pool_mean=sample.pool_mean,
        raters=raters,
    )


def _at_least(ratings: pd.DataFrame, level: float) -> pd.DataFrame:
    """Return 1 for ratings at a level or above."""
    return ratings.assign(rating=(ratings["rating"] >= level).astype(float))


def _at_most(ratings: pd.DataFrame, level: float) -> pd.DataFrame:
    """Return 1 for ratings at a level or below."""
    return ratings.assign(rating=(ratings["rating"] <= level).astype(float))


def _by_type(ratings: pd.DataFrame, sample: Sample) -> list[dict[str, Any]]:
    """Return the mean of every document type that was drawn."""
    found = []
    for name, items in sample.items.groupby("doc_type", sort=True):
        of_type = ratings[ratings["item"].isin(items["item"])]
        estimate = rated_mean(of_type, items=items, raters="others")
        found.append(
            {
                "doc_type": str(name),
                "pool": sample.pool_types.get(str(name), 0),
                "n": len(items),
                "estimate": estimate.to_json(),
            }
        )
    return found


def _by_part(means: pd.Series, sample: Sample) -> dict[str, dict[str, float]]:
    """Return the plain mean rating and weight of the items that each part of the design drew."""
    items = sample.items.assign(
        mean=sample.items["item"].map(means), weight=1 / sample.items["inclusion_probability"]
    )
    return {
        str(reason): {
            "items": len(part),
            "mean": float(part["mean"].mean()),
            "weight": float(part["weight"].mean()),
        }
        for reason, part in items.groupby("reason")
    }
