"""Parts of a report that rating tables alone can fill."""

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd

from ocrjury.agreement.leave_one_out import gain_without_raters
from ocrjury.bias.findings import BiasFinding
from ocrjury.campaign.recommendations import MIN_ITEMS
from ocrjury.pages.bias_rows import bias_rows
from ocrjury.pages.numbers import percent
from ocrjury.planner.double_rating import DOUBLE_SHARE
from ocrjury.ratings import RatingTable
from ocrjury.report.agreement_section import Agreement
from ocrjury.report.assembly.bodies import (
    Body,
    dimension_agreement,
    divided_items,
    estimate_of,
    means_over,
    pair_kappas,
    profiles,
)
from ocrjury.report.data import ScaleLabels
from ocrjury.report.findings import rater_flags
from ocrjury.report.sections import RaterRow, Raters, RatingCounts, Recommendation
from ocrjury.report.worst import given_ratings
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


def rating_recommendations(table: RatingTable) -> tuple[Recommendation, ...]:
    """Return the recommendations that ratings alone can answer."""
    per_item = table.counts().sum(axis=1)
    double = float((per_item > 1).mean()) if len(per_item) else math.nan
    few = int(per_item.min()) if len(per_item) else 0
    return (
        Recommendation("Raters per item", "at least 2, better 3", f"at least {few}", few >= 2),
        Recommendation(
            "Number of items",
            f"at least {MIN_ITEMS}; {sample_size()} for a share within ±5 points",
            f"{table.n_items:,}",
            table.n_items >= MIN_ITEMS,
        ),
        Recommendation(
            "Items with two or more raters",
            f"at least {DOUBLE_SHARE:.0%}",
            percent(double, 0),
            double >= DOUBLE_SHARE,
        ),
        Recommendation("Agreement in the report", "always printed", "always printed", met=True),
    )


def agreement_part(
    bodies: Mapping[str, Body], tables: Mapping[str, RatingTable], numbers: pd.DataFrame
) -> Agreement:
    """Return agreement by dimension, and by pair on the first one.

    Parameters
    ----------
    bodies
        By dimension what `ocrjury.report.measured.agreement_body` returned, and under ``*`` what
        `dimensions_body` did.
    numbers
        The ratings as numbers: item, rater, dimension, rating.
    """
    first, table = next(iter(tables.items()))
    by_dimension = {name: bodies[name] for name in tables}
    apart, double_rated = count_apart(numbers, table.scale)
    return Agreement(
        dimensions=tuple(dimension_agreement(name, body) for name, body in by_dimension.items()),
        means=means_over(bodies["*"]),
        pairs=pair_kappas(bodies[first], method="kappa"),
        pairs_dimension=first,
        pairs_weights="quadratic" if table.scale.kind == "likert" else "none",
        disagreements=apart,
        double_rated=double_rated,
        divided=divided_items(
            by_dimension, given=lambda item: given_ratings(numbers, item), doc_types={}
        ),
        basis="all ratings of the file",
    )


def count_apart(numbers: pd.DataFrame, scale: Scale) -> tuple[int | None, int]:
    """Return how many items have ratings two levels apart on a dimension, and how many could.

    Levels lie apart on a Likert scale only; on others the first number is None.
    """
    spread = numbers.groupby(["item", "dimension"])["rating"].agg(["count", "min", "max"])
    double = spread[spread["count"] > 1]
    apart = double[double["max"] - double["min"] >= 2]
    n_apart, n_double = (
        int(rows.index.get_level_values("item").nunique()) for rows in (apart, double)
    )
    return (n_apart if scale.kind == "likert" else None), n_double


def rater_part(
    bodies: Mapping[str, Body],
    tables: Mapping[str, RatingTable],
    findings: list[BiasFinding],
    *,
    names: Mapping[str, str],
) -> Raters:
    """Return one row per rater on the first dimension, in order of name.

    Parameters
    ----------
    findings
        Of the tests for bias; none on a scale without an order.
    names
        Printed names of the dimensions.
    """
    dimension, table = next(iter(tables.items()))
    gains = {name: gain_without_raters(one) for name, one in tables.items()}
    flags = rater_flags(findings, gains, names=names)
    rows = []
    for place, rater in sorted(enumerate(table.raters), key=lambda one: str(one[1])):
        own = table.values[table.rater == place]  # noqa: PD011  # no frame
        ordered = table.scale.ordered and len(own)
        rows.append(
            RaterRow(
                rater=str(rater),
                n_ratings=len(own),
                mean=float(own.mean()) if ordered else math.nan,
                severity=estimate_of(bodies[dimension]["severity"].get(str(rater))),
                counts=_per_level(table, table.rater == place),
                flags=flags.get(str(rater), ()),
            )
        )
    mean = float(np.mean(table.values)) if table.scale.ordered else math.nan
    return Raters(
        rows=tuple(rows),
        dimension=dimension,
        mean=mean,
        tested=bool(findings),
        bias=bias_rows(findings),
        profiles=profiles({name: bodies[name] for name in tables}),
    )


def rating_counts(name: str, table: RatingTable) -> RatingCounts:
    """Return how often each level was given; nothing on an interval scale."""
    return RatingCounts(name, _per_level(table, np.ones(len(table.codes), dtype=bool)))


def _per_level(table: RatingTable, which: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    """Return how many of some ratings are at each level."""
    if table.scale.kind == "interval":
        return ()
    found = np.bincount(table.codes[which], minlength=len(table.scale.categories))
    return tuple(int(number) for number in found)
