"""Parts of a report that rating tables alone can fill."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.agreement.pairwise import pairwise_kappa
from ocrjury.agreement.weights import Weights
from ocrjury.campaign.practice import MIN_ITEMS
from ocrjury.estimate import Estimate
from ocrjury.pages.numbers import percent
from ocrjury.rater_model.severity import rater_severities
from ocrjury.ratings import RatingTable
from ocrjury.report.data import ScaleLabels
from ocrjury.report.sections import (
    Agreement,
    DimensionAgreement,
    PairKappa,
    Practice,
    RaterRow,
    Raters,
    RatingCounts,
)
from ocrjury.sampling import sample_size
from ocrjury.scales import Scale


def scale_labels(scale: Scale) -> ScaleLabels:
    """Return the levels of the scale."""
    if scale.kind == "interval":
        return ScaleLabels(levels=(scale.low, scale.high), text=str(scale))
    if scale.ordered:
        numbers = tuple(float(str(level)) for level in scale.categories)
        return ScaleLabels(levels=numbers, text=str(scale))
    names = tuple(map(str, scale.categories))
    places = tuple(float(place) for place in range(len(names)))
    return ScaleLabels(levels=places, anchors=names, text=str(scale), ordered=False)


def rating_practices(table: RatingTable) -> tuple[Practice, ...]:
    """Return the recommendations that ratings alone can answer."""
    per_item = table.counts().sum(axis=1)
    double = float((per_item > 1).mean()) if len(per_item) else math.nan
    few = int(per_item.min()) if len(per_item) else 0
    return (
        Practice("Raters per item", "at least 2, better 3", f"at least {few}", few >= 2),
        Practice(
            "Number of items",
            f"at least {MIN_ITEMS}; {sample_size()} for a share within ±5 points",
            f"{table.n_items:,}",
            table.n_items >= MIN_ITEMS,
        ),
        Practice(
            "Items with two or more raters", "at least 20%", percent(double, 0), double >= 0.2
        ),
        Practice("Agreement in the report", "always printed", "always printed", met=True),
    )


def agreement_part(
    measured: dict[str, dict[str, Estimate]], tables: dict[str, RatingTable], first: str
) -> Agreement:
    """Return agreement by dimension, and by pair on the first one."""
    weights: Weights = "quadratic" if tables[first].scale.kind == "likert" else "none"
    per_item = tables[first].counts().sum(axis=1)
    return Agreement(
        dimensions=tuple(
            DimensionAgreement(dimension=name, estimates=estimates)
            for name, estimates in measured.items()
        ),
        pairs=_pairs(tables[first], weights),
        pairs_dimension=first,
        pairs_weights=weights,
        double_rated=int((per_item > 1).sum()),
        basis="all ratings of the file",
    )


def _pairs(table: RatingTable, weights: Weights) -> tuple[PairKappa, ...]:
    """Return the kappa of every pair of raters; there is none on an interval scale."""
    if table.scale.kind == "interval":
        return ()
    rows = pairwise_kappa(table, weights=weights).to_dict("records")
    return tuple(PairKappa(str(row["rater_a"]), str(row["rater_b"]), _kappa(row)) for row in rows)


def _kappa(row: Mapping[Any, Any]) -> Estimate:
    """Return the kappa of one pair."""
    return Estimate(
        row["value"],
        row["low"],
        row["high"],
        row["se"],
        n_items=int(row["n_items"]),
        n_raters=2,
        reason=None if pd.isna(row["reason"]) else row["reason"],
    )


def rater_part(table: RatingTable, dimension: str) -> Raters:
    """Return one row per rater, in order of name."""
    severity = rater_severities(table)
    rows = []
    for place, rater in sorted(enumerate(table.raters), key=lambda one: str(one[1])):
        own = table.values[table.rater == place]  # noqa: PD011  # no frame
        ordered = table.scale.ordered and len(own)
        rows.append(
            RaterRow(
                rater=str(rater),
                n_ratings=len(own),
                mean=float(own.mean()) if ordered else math.nan,
                severity=severity[rater],
                counts=_per_level(table, table.rater == place),
            )
        )
    mean = float(np.mean(table.values)) if table.scale.ordered else math.nan
    return Raters(rows=tuple(rows), dimension=dimension, mean=mean)


def rating_counts(name: str, table: RatingTable) -> RatingCounts:
    """Return how often each level was given; nothing on an interval scale."""
    return RatingCounts(name, _per_level(table, np.ones(len(table.codes), dtype=bool)))


def _per_level(table: RatingTable, which: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    """Return how many of some ratings are at each level."""
    if table.scale.kind == "interval":
        return ()
    found = np.bincount(table.codes[which], minlength=len(table.scale.categories))
    return tuple(int(number) for number in found)
