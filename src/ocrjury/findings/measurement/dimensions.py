"""Measure the dimensions together."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Protocol

import pandas as pd

from ocrjury.dimensions import Method, composite_score, dimension_correlation
from ocrjury.estimate import Estimate
from ocrjury.findings.agreement import AgreementFinding
from ocrjury.findings.dimensions import (
    Composite,
    Composites,
    Correlation,
    DimensionsFinding,
    mean_over_dimensions,
)
from ocrjury.ratings.dimension_tables import COMMON, on_one_scale
from ocrjury.ratings.export_columns import CLUSTER, ITEM_WEIGHT
from ocrjury.scales import Scale, Scales, one_scale

METHODS: tuple[Method, ...] = ("weighted", "mean", "pca")
"""Methods that make one score of the dimensions, the rubric's own first; it needs weights."""

Estimates = Mapping[str, Estimate]


class Estimator(Protocol):
    """Estimates of the mean of ratings on a scale."""

    def __call__(self, ratings: pd.DataFrame, /, *, scale: Scale) -> Estimates:
        """Estimate."""


def measure_dimensions(
    ratings: pd.DataFrame, findings: Iterable[AgreementFinding], *, scale: Scales
) -> DimensionsFinding:
    """Means of statistics over the dimensions, and correlations unless ratings are names."""
    ordered, _ = on_one_scale(ratings, scale=scale)
    several = len(set(ordered["dimension"])) > 1
    return DimensionsFinding(
        mean_over_dimensions(findings), _correlations(ordered) if several else ()
    )


def measure_composites(
    ratings: pd.DataFrame,
    *,
    scale: Scales,
    weights: Mapping[str, float] | None,
    estimate: Estimator,
    methods: tuple[Method, ...] = METHODS,
    overall: str | None = None,
) -> Composites:
    """All dimensions as one score; none of a single dimension.

    Names, which have no order, are left out. Dimensions with unlike scales are first stretched to
    a common one from 0 to 100.

    Parameters
    ----------
    weights
        By dimension, None where there is no rubric: then no score is ``"weighted"``.
    estimate
        From a frame item, rater, rating and its scale to ``these`` and ``others``, estimates of
        the mean.
    overall
        Dimension with the overall rating, for the method ``"regression"``; no score includes it.
    """
    ordered, shared = on_one_scale(ratings, scale=scale)
    if shared is None or len(set(ordered["dimension"])) < 2:
        return Composites()
    average = partial(estimate, scale=shared)
    return Composites(
        tuple(
            replace(
                _composite(ordered, method, weights=weights, overall=overall, estimate=average),
                low=shared.low,
                high=shared.high,
                stretched=shared == COMMON and one_scale(scale) != COMMON,
            )
            for method in methods
            if weights or method != "weighted"
        )
    )


def _composite(
    ratings: pd.DataFrame,
    method: Method,
    *,
    weights: Mapping[str, float] | None,
    overall: str | None,
    estimate: Callable[[pd.DataFrame], Estimates],
) -> Composite:
    scored = composite_score(
        ratings if method == "regression" else ratings[ratings["dimension"] != overall],
        method=method,
        weights=weights if method == "weighted" else None,
        overall=overall if method == "regression" else None,
    )
    rated = scored.rename(columns={"score": "rating"}).dropna(subset=["rating"])
    if CLUSTER in ratings.columns:
        clusters = dict(zip(ratings["item"], ratings[CLUSTER], strict=True))
        rated = rated.assign(**{CLUSTER: rated["item"].map(clusters)})
    means = rated.groupby("item", sort=False)["rating"].mean()
    estimates, attributes = estimate(rated), scored.attrs
    return Composite(
        method=method,
        used=attributes["method"],
        weights=attributes["weights"],
        these=estimates["these"],
        others=estimates["others"],
        loadings=attributes.get("loadings"),
        explained=attributes.get("explained", float("nan")),
        note=attributes.get("note"),
        errors=attributes.get("errors"),
        scores={str(item): float(mean) for item, mean in means.items()},
    )


def _correlations(ratings: pd.DataFrame) -> tuple[Correlation, ...]:
    weighted = ", weighted" if ITEM_WEIGHT in ratings.columns else ""
    return tuple(
        Correlation(
            row["dimension_a"],
            row["dimension_b"],
            int(row["n"]),
            Estimate(
                row["value"],
                row["low"],
                row["high"],
                n_items=int(row["n_items"]),
                n_ratings=int(row["n"]),
                method=f"Pearson{weighted}, jackknife over items",
                reason="no_variation" if pd.isna(row["value"]) else None,
            ),
        )
        for row in dimension_correlation(ratings).to_dict("records")
    )
