"""Measure the levels that raters gave where colleagues gave others."""

from typing import Final

import numpy as np

from ocrjury.agreement.patterns import clusters_of
from ocrjury.estimate import Estimate
from ocrjury.estimation.plain_average import plain_mean
from ocrjury.findings.confusions import Confusion
from ocrjury.ratings import RatingTable

MOST_LEVELS: Final = 7
"""Levels of a scale from which a table of all pairs of levels is no picture any more."""
KEPT: Final = 24
"""Raters who are kept of all, those who differ most."""


def measure_confusions(table: RatingTable) -> tuple[Confusion, ...]:
    """Every rater's levels beside those of colleagues on the same items, who differs most first.

    Nothing where raters have no names or the scale no levels. Time and memory grow with the
    ratings times the levels.
    """
    levels = len(table.categories)
    if table.anonymous or table.scale.kind == "interval" or levels > MOST_LEVELS:
        return ()
    counts = _counts(table, levels)
    differing = [_share_differing(count) for count in counts]
    order = sorted(range(table.n_raters), key=lambda rater: (-differing[rater], rater))
    return tuple(
        Confusion(
            rater=str(table.raters[rater]),
            counts=tuple(map(tuple, counts[rater].tolist())),
            apart=_apart(table, rater),
        )
        for rater in order[:KEPT]
        if counts[rater].any()
    )


def _counts(table: RatingTable, levels: int) -> np.ndarray:
    """Pairs of ratings by rater, own level and colleague's level, shape (M, K, K)."""
    given = np.zeros((table.n_items, levels), dtype=np.int64)
    np.add.at(given, (table.item, table.codes), 1)
    place = table.rater * levels + table.codes
    size = table.n_raters * levels
    columns = [
        np.bincount(place, weights=given[table.item, level], minlength=size)
        for level in range(levels)
    ]
    pairs = np.stack(columns, axis=1).reshape(table.n_raters, levels, levels).astype(np.int64)
    own = np.bincount(place, minlength=size).reshape(table.n_raters, levels)
    pairs[:, np.arange(levels), np.arange(levels)] -= own  # nobody is a colleague of his own
    return pairs


def _apart(table: RatingTable, rater: int) -> Estimate:
    """Share of a rater's pairs with two different levels; an item's pairs stay together."""
    own = table.rater == rater
    items = np.unique(table.item[own])
    at = np.isin(table.item, items)
    place = np.searchsorted(items, table.item[at])
    levels = len(table.categories)
    size = len(items) * levels
    every = np.bincount(place * levels + table.codes[at], minlength=size)
    mine = np.bincount(place[own[at]] * levels + table.codes[own], minlength=size)
    given, mine = (side.reshape(len(items), levels) for side in (every - mine, mine))
    pairs = mine.sum(axis=1) * given.sum(axis=1)
    different = pairs - (mine * given).sum(axis=1)
    some = pairs > 0
    return plain_mean(
        different[some] / pairs[some], weight=pairs[some], cluster=clusters_of(table, items[some])
    )


def _share_differing(counts: np.ndarray) -> float:
    whole = counts.sum()
    return float(1 - np.trace(counts) / whole) if whole else -1.0
