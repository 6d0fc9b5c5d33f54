"""Infer the truth of every item from all ratings that count."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ocrjury.adaptive import settled_values
from ocrjury.ratings import RatingTable, rating_tables
from ocrjury.store.results import TruthRow
from ocrjury.truth import Truth, aggregate
from tasks.frames import plain
from tasks.work import Case


class Inferred(NamedTuple):
    """Ratings and truths by dimension."""

    tables: dict[str, RatingTable]
    truths: dict[str, Truth]


def infer_truths(case: Case) -> Inferred:
    """Return the truths of all dimensions; what an adjudicator or a panel settled is clamped."""
    ratings = case.ratings[case.ratings["round_kind"] != "pilot"]
    tables = rating_tables(ratings, scale=case.campaign.rubric.scale, dimensions=case.dimensions)
    settled = settled_values(ratings)
    truths = {
        name: _aggregate(case, table, gold=settled.get(name, {})) for name, table in tables.items()
    }
    return Inferred(tables, truths)


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
        Confidence from which a label counts as certain.
    """
    uncertain = {
        item
        for truth in inferred.truths.values()
        for item, sure in zip(truth.items, truth.confidence, strict=True)
        if sure < target
    }
    return {
        "overall": {
            "uncertain_items": len(uncertain),
            "n_items": max((len(t.items) for t in inferred.truths.values()), default=0),
            "target": target,
        },
        "dimensions": {
            name: {
                "uncertain_share": float((truth.confidence < target).mean()),
                "mean_confidence": float(truth.confidence.mean()),
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
    if wanted.method != "dawid_skene":
        return aggregate(table, method=wanted.method)
    return aggregate(
        table,
        method=wanted.method,
        prior=wanted.prior,
        class_prior=wanted.class_prior,
        gold=gold or None,
    )


def _by_rater(truth: Truth, values: Any) -> dict[str, float | None]:
    """Return a number for every rater."""
    return {str(rater): plain(value) for rater, value in zip(truth.raters, values, strict=True)}
