"""Ratings of one dimension counted by level, and the shares of low ones over items."""

from collections.abc import Mapping, Sequence

import numpy as np

from ocrjury.agreement.disagreement import halves_up
from ocrjury.arrays import Floats
from ocrjury.estimate import Estimate
from ocrjury.estimation.plain_average import plain_mean
from ocrjury.ratings import RatingTable
from ocrjury.report.design import Design
from ocrjury.report.distributions import RatingCounts, at_levels, told_places
from ocrjury.scales import Scale


def count_ratings(
    dimension: str, values: Floats, items: Sequence[str], *, scale: Scale, design: Design
) -> RatingCounts:
    """Ratings by level with the shares of low ones, their intervals over the draws of items.

    Parameters
    ----------
    values, items
        Every rating and the item that it is about, shape (n,).
    """
    counts = at_levels(values.tolist(), scale)
    if not sum(counts):
        return RatingCounts(dimension, counts)
    shares = _shares(values, design.weights(items), scale)
    places = told_places(shares or counts, ordered=scale.ordered)
    by_item = _rounded_means(values, items) if scale.ordered else {}
    counted = np.isin(values, [scale.numbers[place] for place in places])
    return RatingCounts(
        dimension,
        counts,
        low=plain_mean(
            counted.astype(float), weight=design.weights(items), cluster=design.draws(items)
        ),
        low_items=_low_items(by_item, design, highest=scale.numbers[places[-1]])
        if scale.ordered
        else None,
        weighted=design.weight is not None,
        shares=shares,
        item_shares=_shares(np.array([*by_item.values()]), design.weights([*by_item]), scale),
    )


def count_table(dimension: str, table: RatingTable, design: Design) -> RatingCounts:
    """Ratings of a table, as `count_ratings` counts them."""
    items = [str(table.items[place]) for place in table.item]
    return count_ratings(
        dimension,
        table.values,  # no frame
        items,
        scale=table.scale,
        design=design,
    )


def _rounded_means(values: Floats, items: Sequence[str]) -> dict[str, float]:
    """Mean rating of each item, halves up."""
    names, place = np.unique(np.array(items, dtype=object), return_inverse=True)
    mean = np.bincount(place, weights=values) / np.bincount(place)
    return dict(zip(names.tolist(), halves_up(mean).tolist(), strict=True))


def _low_items(by_item: Mapping[str, float], design: Design, *, highest: float) -> Estimate:
    """Share of the items whose mean, halves up, is at most a level."""
    low = np.array([*by_item.values()]) <= highest
    drawn = [*by_item]
    return plain_mean(low.astype(float), weight=design.weights(drawn), cluster=design.draws(drawn))


def _shares(values: Floats, weights: Sequence[float] | None, scale: Scale) -> tuple[float, ...]:
    """Weighted share of each level, none without weights."""
    if weights is None or not len(values):
        return ()
    given = np.array(weights)
    return tuple(float(given[values == level].sum() / given.sum()) for level in scale.numbers)
