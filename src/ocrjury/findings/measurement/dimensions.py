"""Measure the dimensions together."""

from collections.abc import Callable, Iterable, Mapping

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
from ocrjury.scales import Scale

METHODS: tuple[Method, ...] = ("weighted", "mean", "pca")
"""How dimensions are made one score, the rubric's own way first; without weights that is none."""

Estimates = Mapping[str, Estimate]


def measure_dimensions(
    ratings: pd.DataFrame, findings: Iterable[AgreementFinding], *, scale: Scale
) -> DimensionsFinding:
    """Means of statistics over the dimensions, and correlations unless ratings are names."""
    several = scale.ordered and len(set(ratings["dimension"])) > 1
    return DimensionsFinding(
        mean_over_dimensions(findings), _correlations(ratings) if several else ()
    )


def measure_composites(
    ratings: pd.DataFrame,
    *,
    scale: Scale,
    weights: Mapping[str, float] | None,
    estimate: Callable[[pd.DataFrame], Estimates],
    methods: tuple[Method, ...] = METHODS,
) -> Composites:
    """All dimensions as one score; none of a single dimension, nor of names.

    Parameters
    ----------
    weights
        By dimension, None where there is no rubric: then no score is ``"weighted"``.
    estimate
        From a frame item, rater, rating to ``these`` and ``others``, estimates of the mean.
    """
    if not scale.ordered or len(set(ratings["dimension"])) < 2:
        return Composites()
    return Composites(
        tuple(
            _composite(ratings, method, weights=weights, estimate=estimate)
            for method in methods
            if weights or method != "weighted"
        )
    )


def _composite(
    ratings: pd.DataFrame,
    method: Method,
    *,
    weights: Mapping[str, float] | None,
    estimate: Callable[[pd.DataFrame], Estimates],
) -> Composite:
    scored = composite_score(
        ratings, method=method, weights=weights if method == "weighted" else None
    )
    rated = scored.rename(columns={"score": "rating"}).dropna(subset=["rating"])
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
        scores={str(item): float(mean) for item, mean in means.items()},
    )


def _correlations(ratings: pd.DataFrame) -> tuple[Correlation, ...]:
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
                method="Pearson, jackknife over items",
                reason="no_variation" if pd.isna(row["value"]) else None,
            ),
        )
        for row in dimension_correlation(ratings).to_dict("records")
    )
