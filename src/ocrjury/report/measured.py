"""What is measured about ratings beside the coefficients, as plain values.

A task keeps these bodies in the store; a report on bare ratings makes them on the spot. Either way
`ocrjury.report.assembly.bodies` reads them, so that a report prints what is stored.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from ocrjury.agreement.alignment import judge_alignment
from ocrjury.agreement.disagreement import (
    find_disagreements,
    find_problem_patterns,
    mean_distribution,
)
from ocrjury.agreement.gdpval import human_agreement
from ocrjury.agreement.pairwise import pairwise_kappa
from ocrjury.agreement.suggestions import suggest_improvements
from ocrjury.bias.profiles import rater_profiles
from ocrjury.dimensions import Method, composite_score, dimension_correlation
from ocrjury.estimate import Estimate
from ocrjury.rater_model.severity import rater_severities
from ocrjury.ratings import RatingTable
from ocrjury.scales import Scale

Body = dict[str, Any]
Estimates = Mapping[str, Estimate]

METHODS: tuple[Method, ...] = ("weighted", "mean", "pca")
"""How dimensions are made one score, the rubric's own way first; without weights that is none."""
DIVIDED_KEPT = 50
"""Items that are kept of all on which raters lie far apart, the widest first."""


def agreement_body(table: RatingTable, estimates: Estimates) -> Body:
    """Return everything about the agreement of one dimension.

    Parameters
    ----------
    estimates
        What `ocrjury.agreement.measure_agreement` returned for the table.

    Returns
    -------
    dict
        ``estimates``; ``pairs``, the kappa of every pair of raters, and ``pair_summary`` of them;
        ``severity`` by rater; ``profiles``, one for each rater; ``disagreements`` with their
        count, rate and widest items; ``patterns`` that usually mean trouble; ``suggestions`` of
        what would help; ``item_means``, the number of items whose mean rounds to each category,
        None where categories have no order.
    """
    return {
        "estimates": {name: one.to_json() for name, one in estimates.items()},
        **_pairs(table),
        "severity": {str(rater): one.to_json() for rater, one in rater_severities(table).items()},
        "profiles": profiles_of(table),
        "disagreements": _disagreements(table),
        "patterns": [
            {
                "kind": one.kind,
                "subjects": [str(name) for name in one.subjects],
                "sentence": one.sentence,
            }
            for one in find_problem_patterns(table)
        ],
        "suggestions": [
            {"kind": one.kind, "sentence": one.sentence}
            for one in suggest_improvements(estimates, scale=table.scale)
        ],
        "item_means": _item_means(table),
    }


def dimensions_body(
    ratings: pd.DataFrame, estimates: Mapping[str, Estimates], *, scale: Scale
) -> Body:
    """Return what is said of all dimensions together.

    Returns
    -------
    dict
        ``mean`` of every coefficient over the dimensions where it is defined, with their number;
        ``correlations`` of each two dimensions over all ratings, none where ratings are names.
    """
    several = scale.ordered and len(set(ratings["dimension"])) > 1
    return {
        "mean": mean_over_dimensions(estimates),
        "correlations": records(dimension_correlation(ratings)) if several else [],
    }


def mean_over_dimensions(estimates: Mapping[str, Estimates]) -> Body:
    """Return the plain mean of every coefficient, and over how many dimensions it is taken.

    Examples
    --------
    >>> mean_over_dimensions({"a": {"icc": Estimate(0.5)}, "b": {"icc": Estimate(0.7)}})
    {'icc': {'value': 0.6, 'n': 2}}
    """
    found: dict[str, list[float]] = {}
    for by_name in estimates.values():
        for name, one in by_name.items():
            found.setdefault(name, []).extend([one.value] if one.defined else [])
    return {
        name: {"value": float(np.mean(values)) if values else None, "n": len(values)}
        for name, values in found.items()
    }


def composite_body(
    ratings: pd.DataFrame,
    *,
    weights: Mapping[str, float] | None,
    estimate: Callable[[pd.DataFrame], Estimates],
) -> Body:
    """Return all dimensions as one score, in each of the three ways.

    Parameters
    ----------
    weights
        The rubric's weights by dimension, None where there is no rubric.
    estimate
        From a frame item, rater, rating to the estimates of their mean, by name.

    Returns
    -------
    dict
        ``methods``: of each its ``method``, the method ``used`` (few items have no principal
        component), ``weights``, ``loadings``, ``explained``, ``note``, and its ``estimates``;
        ``scores``: by method the score of every item, mean over raters.
    """
    body: Body = {"methods": [], "scores": {}}
    for method in METHODS if weights else METHODS[1:]:
        scored = composite_score(
            ratings, method=method, weights=weights if method == "weighted" else None
        )
        made = scored.rename(columns={"score": "rating"}).dropna(subset=["rating"])
        body["methods"].append(
            {
                "method": method,
                "used": scored.attrs["method"],
                **{key: scored.attrs.get(key) for key in _HOW},
                "estimates": {name: one.to_json() for name, one in estimate(made).items()},
            }
        )
        means = made.groupby("item")["rating"].mean()
        body["scores"][method] = {str(item): float(mean) for item, mean in means.items()}
    return body


_HOW = ("weights", "loadings", "explained", "note")


def judge_body(table: RatingTable, scores: Mapping[Any, Any]) -> Body:
    """Return how near an automatic judge comes to the raters, and how near they come themselves.

    Parameters
    ----------
    scores
        Item to score; an item without one is left out.

    Returns
    -------
    dict
        ``alignment``, the judge's A^HA, and ``ceiling``, the raters' A^HH on the same items.
    """
    known = {item: score for item, score in scores.items() if not pd.isna(score)}
    same = _of_items(table, known)
    return {
        "alignment": judge_alignment(table, known).to_json(),
        "ceiling": human_agreement(same, ci="jackknife").to_json(),
    }


def profiles_of(table: RatingTable) -> list[Body]:
    """Return one profile for each rater of a dimension, the strictest first."""
    if not table.n_ratings:
        return []
    frame = rater_profiles(long_frame(table).assign(dimension="*"), scale=table.scale)
    counts = [f"n_{category}" for category in table.scale.categories]
    plain = frame.drop(columns=["dimension", *counts])
    found = records(plain.assign(rater=plain["rater"].astype(str)))
    per_level = frame[counts].to_numpy(dtype=int).tolist()
    return [{**row, "counts": numbers} for row, numbers in zip(found, per_level, strict=True)]


def long_frame(table: RatingTable) -> pd.DataFrame:
    """Return the ratings as they were given: item, rater, rating."""
    scale = table.scale
    return pd.DataFrame(
        {
            "item": [table.items[place] for place in table.item],
            "rater": [table.raters[place] for place in table.rater],
            "rating": table.values  # noqa: PD011  # no frame
            if scale.kind == "interval"
            else [scale.categories[code] for code in table.codes],
        }
    )


def records(frame: pd.DataFrame) -> list[Body]:
    """Return one mapping per row; what is missing or not finite is None."""
    if frame.empty:
        return []
    text = frame.to_json(orient="records", double_precision=15, force_ascii=False)
    rows: list[Body] = json.loads(text)
    return rows


def _pairs(table: RatingTable) -> Body:
    """Return the kappa of every pair of raters; a slider has no categories to compare."""
    if table.scale.kind == "interval":
        return {"pairs": [], "pair_summary": None}
    pairs = pairwise_kappa(table, weights="quadratic" if table.scale.ordered else "none")
    numbers = {key: _finite(pairs.attrs[key]) for key in ("mean", "sd", "min", "median", "max")}
    n = int(pairs.attrs["n_pairs"])
    return {
        "pairs": records(pairs),
        "pair_summary": {"n": n, "undefined": len(pairs) - n, **numbers},
    }


def _finite(number: float) -> float | None:
    """Return a number, None where there is none."""
    return float(number) if math.isfinite(number) else None


def _disagreements(table: RatingTable) -> Body:
    """Return on how many items raters lie far apart, and the widest of them."""
    found = find_disagreements(table)
    return {
        "threshold": found.attrs["threshold"],
        "n_items": int(found.attrs["n_items"]),
        "n": len(found),
        "rate": _finite(found.attrs["rate"]),
        "rows": records(found.assign(item=found["item"].astype(str)).head(DIVIDED_KEPT)),
    }


def _item_means(table: RatingTable) -> list[int] | None:
    """Return how many items have which mean, halves rounded up."""
    if table.scale.kind not in {"likert", "binary"}:
        return None
    return [int(number) for number in mean_distribution(table)["n_items"]]


def _of_items(table: RatingTable, items: Iterable[Any]) -> RatingTable:
    """Return the table of some items, with their weights."""
    frame = long_frame(table)
    weights = table.item_weight
    return RatingTable.from_long(
        frame[frame["item"].isin(list(items))],
        scale=table.scale,
        item_weight=None
        if weights is None
        else dict(zip(table.items, weights.tolist(), strict=True)),
    )
