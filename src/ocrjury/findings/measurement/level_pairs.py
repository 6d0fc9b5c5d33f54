"""Measure the levels that two raters gave to the same items, for the pairs that agree least."""

from typing import Final

import numpy as np

from ocrjury.agreement.patterns import clusters_of
from ocrjury.arrays import Integers
from ocrjury.estimation.plain_average import plain_mean
from ocrjury.findings.agreement import PairKappa, PairKappas
from ocrjury.findings.confusions import LevelPair
from ocrjury.findings.measurement.confusions import MOST_LEVELS
from ocrjury.ratings import RatingTable

ENOUGH: Final = 20
"""Shared items from which a table of two raters' levels is more than chance."""
KEPT: Final = 2
"""Pairs that are kept, those that agree least."""


def measure_level_pairs(table: RatingTable, pairs: PairKappas | None) -> tuple[LevelPair, ...]:
    """Levels of the pairs of raters with the lowest kappas, on the items that both rated.

    Counts and share are of these items, each alike: they say what stands in the table. Nothing
    where kappas are unknown, where few items are shared, and on a scale of many levels.
    """
    if pairs is None or len(table.categories) > MOST_LEVELS:
        return ()
    known = [row for row in pairs.rows if row.estimate.defined]
    known = [row for row in known if (row.estimate.n_items or 0) >= ENOUGH]
    worst = sorted(known, key=lambda row: row.estimate.value)[:KEPT]
    return tuple(_level_pair(table, row) for row in worst)


def _level_pair(table: RatingTable, row: PairKappa) -> LevelPair:
    first, second = _codes(table, row.rater_a), _codes(table, row.rater_b)
    both = (first >= 0) & (second >= 0)
    levels = len(table.categories)
    cells = np.bincount(first[both] * levels + second[both], minlength=levels**2)
    return LevelPair(
        rater_a=row.rater_a,
        rater_b=row.rater_b,
        counts=tuple(map(tuple, cells.reshape(levels, levels).tolist())),
        same=plain_mean((first == second)[both], cluster=clusters_of(table, both)),
    )


def _codes(table: RatingTable, rater: str) -> Integers:
    """Level of every item by one rater, -1 where the rater did not rate it."""
    codes = np.full(table.n_items, -1, dtype=np.int64)
    own = table.rater == [str(name) for name in table.raters].index(rater)
    codes[table.item[own]] = table.codes[own]
    return codes
