"""Estimate what the whole pool is worth, dimension by dimension."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
from prefect import task
from prefect.cache_policies import NO_CACHE

from ocrjury.campaign.canonical import content_hash
from ocrjury.campaign.history import Step
from ocrjury.estimate import Estimate
from ocrjury.estimation import cross_check, plain_mean, rated_mean
from ocrjury.pages.artifacts import render_estimates
from ocrjury.scales import Scale
from ocrjury.store.moves import Position, moving
from ocrjury.store.results import Result, add_results
from tasks.artifacts import publish
from tasks.composites import composite_results
from tasks.rated_sample import Sample, rated_sample
from tasks.refusal import hold_if_refused
from tasks.work import Case, at_work

NAMES = {"reason": "names have no mean"}
"""What is estimated where the categories of the scale have no order."""


class Evidence(NamedTuple):
    """Ratings of sampled items on one dimension, those of gold beside them, and what is known.

    Attributes
    ----------
    ratings, in_passing
        Item, rater, rating: of sampled items, and of gold outside the sample.
    gold
        Item and known rating, of sampled items too.
    """

    ratings: pd.DataFrame
    in_passing: pd.DataFrame
    gold: pd.DataFrame

    def as_shares(self, reached: Callable[[pd.Series], pd.Series]) -> "Evidence":
        """Return 1 for ratings that reach something, 0 for the others."""
        return Evidence(
            *(part.assign(rating=reached(part["rating"]).astype(float)) for part in self)
        )

    def of(self, items: pd.Series) -> "Evidence":
        """Return what is there about some of the sampled items, and all gold outside."""
        return self._replace(ratings=self.ratings[self.ratings["item"].isin(items)])


NO_GOLD = pd.DataFrame({"item": [], "rater": [], "rating": []})


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
    found = [
        Result(
            0,
            "estimate",
            name,
            _estimate_dimension(_evidence(case, name), rated_sample(case, pool, [name]), case),
            inputs,
        )
        for name in case.dimensions
    ]
    whole = rated_sample(case, pool, case.dimensions)
    return [*found, *composite_results(case, partial(_plain_means, sample=whole), inputs=inputs)]


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


def _evidence(case: Case, dimension: str) -> Evidence:
    """Return what is there about a dimension."""
    of = case.ratings[case.ratings["dimension"] == dimension]
    known = case.gold.get(dimension, {})
    columns = ["item", "rater", "rating"]
    return Evidence(
        of.loc[of["round_kind"] == "main", columns],
        of.loc[(of["round_kind"] == "gold") & of["item"].isin(list(known)), columns],
        pd.DataFrame({"item": list(known), "rating": list(known.values())}),
    )


def _estimate_dimension(evidence: Evidence, sample: Sample, case: Case) -> dict[str, Any]:
    """Return everything that is estimated about one dimension."""
    scale, target = case.campaign.rubric.scale, case.campaign.report.target
    level = usable_level(scale)
    usable = evidence.as_shares(lambda rating: rating >= level)
    unusable = evidence.as_shares(lambda rating: rating <= scale.low)
    means = evidence.ratings.groupby("item")["rating"].mean()
    estimates: dict[str, Estimate] = {
        **_means(evidence, sample),
        "usable": _greg(usable, sample, raters="others"),
        "unusable": _greg(unusable, sample, raters="others"),
        "naive": plain_mean(means.to_numpy()),
    }
    body: dict[str, Any] = {name: one.to_json() for name, one in estimates.items()}
    body |= {"usable_level": level, "auxiliaries": sample.names}
    body["types"] = _by_type(evidence, sample)
    body["parts"] = _by_part(means, sample)
    if len(evidence.gold):
        body["gold"] = _about_gold(evidence, sample)
    if target is not None and target.share_at_least is not None:
        least = target.share_at_least
        reached = evidence.as_shares(lambda rating: rating >= least)
        shares = reached.ratings.groupby("item")["rating"].mean()
        body["target_share"] = {
            "others": _greg(reached, sample, raters="others").to_json(),
            "these": _greg(reached, sample, raters="these").to_json(),
            "hajek": _rated_mean(reached, sample.items).to_json(),
            "naive": plain_mean(shares.to_numpy()).to_json(),
        }
    return body


def _about_gold(evidence: Evidence, sample: Sample) -> dict[str, Any]:
    """Return how much gold corrected the level of the raters, and what they would say without."""
    rated = pd.concat([evidence.ratings, evidence.in_passing])
    of_gold = rated[rated["item"].isin(evidence.gold["item"])]
    plain = Evidence(evidence.ratings, NO_GOLD, NO_GOLD)
    return {
        "n_items": int(of_gold["item"].nunique()),
        "n_ratings": len(of_gold),
        "uncorrected": _greg(plain, sample, raters="others").to_json(),
    }


def _plain_means(ratings: pd.DataFrame, sample: Sample) -> dict[str, Estimate]:
    """Return the means of ratings for which there is no gold."""
    own = ratings[ratings["item"].isin(sample.items["item"])]
    return _means(Evidence(own, NO_GOLD, NO_GOLD), sample)


def _means(evidence: Evidence, sample: Sample) -> dict[str, Estimate]:
    """Return the pool's mean for other raters and for these, and the cross-check."""
    hajek = _rated_mean(evidence, sample.items)
    others = _greg(evidence, sample, raters="others")
    return {
        "others": cross_check(others, hajek),
        "these": _greg(evidence, sample, raters="these"),
        "hajek": hajek,
    }


def _greg(evidence: Evidence, sample: Sample, *, raters: Any) -> Estimate:
    """Return the mean over the pool, helped by what is known of every document."""
    known = {"auxiliary": sample.auxiliary, "pool_mean": sample.pool_mean}
    return _rated_mean(evidence, sample.items, raters=raters, **known)


def _rated_mean(
    evidence: Evidence, items: pd.DataFrame, *, raters: Any = "others", **known: Any
) -> Estimate:
    """Return the mean over the pool, at the level of gold where there is some."""
    whole = pd.concat([evidence.ratings, evidence.in_passing], ignore_index=True)
    gold = evidence.gold if len(evidence.gold) else None
    return rated_mean(whole, items=items, gold=gold, raters=raters, **known)


def _by_type(evidence: Evidence, sample: Sample) -> list[dict[str, Any]]:
    """Return the mean of every document type that was drawn."""
    return [
        {
            "doc_type": str(name),
            "pool": sample.pool_types.get(str(name), 0),
            "n": len(items),
            "estimate": _rated_mean(evidence.of(items["item"]), items).to_json(),
        }
        for name, items in sample.items.groupby("doc_type", sort=True)
    ]


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
