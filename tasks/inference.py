"""Infer the truth of every item from all ratings that count."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ocrjury.adaptive import settled_values
from ocrjury.ratings import RatingTable, rating_tables
from ocrjury.store.results import TruthRow
from ocrjury.truth import Truth, aggregate
from ocrjury.truth.gold_items import clamp, place_gold
from tasks.frames import plain
from tasks.work import Case


class Inferred(NamedTuple):
    """Ratings and truths by dimension."""

    tables: dict[str, RatingTable]
    truths: dict[str, Truth]

    def has_labels(self, dimension: str) -> bool:
        """Return whether the truth is a category; on a slider it is a number."""
        return self.tables[dimension].scale.kind != "interval"


def infer_truths(case: Case) -> Inferred:
    """Return the truths of all dimensions; what an adjudicator or a panel settled is clamped."""
    ratings = case.ratings[case.ratings["round_kind"] != "pilot"]
    tables = tables_of(case, ratings)
    settled = settled_values(ratings)
    names = _names(case)
    truths = {
        name: _aggregate(
            case,
            table,
            gold={item: names.get(one, one) for item, one in settled.get(name, {}).items()},
        )
        for name, table in tables.items()
    }
    return Inferred(tables, truths)


def tables_of(case: Case, ratings: pd.DataFrame, **options: Any) -> dict[str, RatingTable]:
    """Return ratings by dimension; where categories are names, the store keeps their places."""
    scale, names = case.campaign.rubric.scale, _names(case)
    named = ratings.assign(rating=ratings["rating"].map(names)) if names else ratings
    return rating_tables(named, scale=scale, dimensions=case.dimensions, **options)


def _names(case: Case) -> dict[float, Any]:
    """Return the category of every place on a nominal scale; other scales need no names."""
    scale = case.campaign.rubric.scale
    return {} if scale.ordered else dict(zip(scale.numbers, scale.categories, strict=True))


def truth_rows(inferred: Inferred) -> list[TruthRow]:
    """Return the truths of every item as the store keeps them."""
    return [
        TruthRow(
            item=str(item),
            dimension=name,
            label=plain(truth.label[place]),
            median=plain(truth.median[place]),
            mean=plain(truth.mean[place]),
            confidence=float(truth.confidence[place]),
            tied=bool(truth.tied[place]),
            probabilities=[float(p) for p in truth.probabilities[place]],
            n_ratings=int(n_ratings),
        )
        for name, truth in inferred.truths.items()
        for place, (item, n_ratings) in enumerate(
            zip(truth.items, inferred.tables[name].counts().sum(axis=1), strict=True)
        )
    ]


def summarize_truths(inferred: Inferred, *, target: float) -> dict[str, Any]:
    """Return what the report says about the truths: how sure they are, how good the raters.

    Parameters
    ----------
    target
        Confidence from which a label counts as certain. On a slider no two ratings are expected
        to be equal, so that nothing is said about it there.
    """
    labelled = {name: t for name, t in inferred.truths.items() if inferred.has_labels(name)}
    uncertain = {
        item
        for truth in labelled.values()
        for item, sure in zip(truth.items, truth.confidence, strict=True)
        if sure < target
    }
    return {
        "overall": {
            "uncertain_items": len(uncertain),
            "n_items": max((len(t.items) for t in labelled.values()), default=0),
            "target": target,
        },
        "dimensions": {
            name: {
                "uncertain_share": _mean(truth.confidence < target) if name in labelled else None,
                "mean_confidence": _mean(truth.confidence) if name in labelled else None,
                "n_items": len(truth.items),
                "n_ratings": inferred.tables[name].n_ratings,
                "converged": bool(truth.converged),
                "n_iter": int(truth.n_iter),
                "warnings": list(truth.warnings),
                "rater_accuracy": _by_rater(truth, truth.rater_accuracy),
                "rater_bias": _by_rater(truth, truth.rater_bias),
            }
            for name, truth in inferred.truths.items()
        },
    }


def _aggregate(case: Case, table: RatingTable, *, gold: Mapping[Any, Any]) -> Truth:
    """Return the truth of one dimension by the campaign's method."""
    wanted = case.campaign.truth
    if wanted.method == "one_coin":
        return aggregate(table, method=wanted.method, gold=gold or None)
    if wanted.method != "dawid_skene":
        return _settle(aggregate(table, method=wanted.method), gold)
    return aggregate(
        table,
        method=wanted.method,
        prior=wanted.prior,
        class_prior=wanted.class_prior,
        gold=gold or None,
    )


def _mean(values: Any) -> float:
    """Return the mean of numbers or of yes and no."""
    return float(values.mean())


def _settle(truth: Truth, gold: Mapping[Any, Any]) -> Truth:
    """Return a vote's truth with what was settled made certain, as a model does with gold."""
    known = place_gold(gold, truth.items, truth.categories)
    if not known:
        return truth
    probabilities = truth.probabilities.copy()
    clamp(probabilities, known)
    certain = truth.with_probabilities(probabilities, temperature=truth.temperature)
    settled = np.isin(np.arange(len(truth.items)), list(known))
    columns = ("label", "median", "mean", "confidence", "tied")
    return replace(
        truth,
        probabilities=probabilities,
        **{
            name: np.where(settled, getattr(certain, name), getattr(truth, name))
            for name in columns
        },
    )


def _by_rater(truth: Truth, values: Any) -> dict[str, float | None]:
    """Return a number for every rater."""
    return {str(rater): plain(value) for rater, value in zip(truth.raters, values, strict=True)}
