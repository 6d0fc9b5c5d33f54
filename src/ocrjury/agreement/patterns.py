"""Items collapsed to the distinct ways in which they were rated.

Coefficients for any number of raters depend on an item only through its counts per category, so N
items become P distinct count patterns. Symbols: N items, P patterns, K categories; r ratings per
item.
"""

import math
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from ocrjury.agreement.rows import Rows, cached_by_table, distinct_rows
from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.errors import InputError
from ocrjury.estimate import Reason
from ocrjury.ratings import RatingTable
from ocrjury.ratings.table_checks import check_table

_EXACT = 53  # bits of the whole numbers that floats represent exactly
_FAR = 1e50  # beyond, products of squares overflow
_LOST = 1e-14  # a smaller share of the largest weight is lost in rounding and counts as 0
_SMALL = 1 << 22  # keys below this are counted, larger ones sorted
_FEW = 1 << 12  # the same where there are only a handful
_KEPT = 1 << 17  # counts that are kept for the next coefficient, at most 1 MB


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Distinct counts per category of the rated items, and the number of items of each.

    Attributes
    ----------
    counts
        Ratings per category, shape (P, K).
    frequency
        Number of items, shape (P,).
    weight
        Inclusion weight of these items, shape (P,), mean 1 over the items with two or more
        ratings; patterns with different weights stay apart.
    size
        Ratings per item, r, shape (P,).
    cluster
        Cluster of the item of each pattern, shape (P,); None without clusters, else every item has
        a pattern of its own.
    """

    counts: Floats
    frequency: Floats
    weight: Floats
    size: Floats
    cluster: Integers | None = None

    @property
    def pairable(self) -> Booleans:
        """Mask of the patterns with a pair of ratings, shape (P,)."""
        return np.asarray(self.size >= 2)

    @property
    def pairs(self) -> Floats:
        """Number of ordered pairs r (r - 1), 1 where there is no pair, shape (P,)."""
        return np.asarray(np.where(self.pairable, self.size * (self.size - 1), 1.0))

    def only_pairable(self) -> "Patterns":
        """Patterns with two or more ratings."""
        keep = self.pairable
        if keep.all():
            return self
        cluster = None if self.cluster is None else self.cluster[keep]
        parts = self.counts[keep], self.frequency[keep], self.weight[keep], self.size[keep]
        return Patterns(*parts, cluster)


_KNOWN: WeakKeyDictionary[RatingTable, Patterns] = WeakKeyDictionary()


def collapse(table: RatingTable) -> Patterns:
    """Distinct patterns of the items that have a rating."""
    known = _KNOWN.get(table)
    if known is None:
        known = _collapsed(table)
        if known.counts.size <= _KEPT:
            _KNOWN[table] = known
    return known


def _collapsed(table: RatingTable) -> Patterns:
    """Distinct patterns, computed anew."""
    rows = distinct_rows(table)
    if rows is not None:
        return _of_rows(rows, len(table.categories))
    n_categories = max(len(table.categories), 1)
    size = np.bincount(table.item, minlength=table.n_items)
    weight = item_weights(table)
    base = float(size.max(initial=0) + 1)
    if n_categories * math.log2(base) < _EXACT and table.cluster is None:
        power = base ** np.arange(n_categories)
        key = np.bincount(table.item, weights=power[table.codes], minlength=table.n_items)
        items, frequency = _distinct(key.astype(np.int64), weight)
    else:
        items = np.flatnonzero(size)
        frequency = np.ones(len(items))
    counts = _counts(table, items)
    clusters = clusters_of(table, items)
    return Patterns(counts, frequency, weight[items], counts.sum(axis=1), clusters)


def _of_rows(rows: Rows, n_categories: int) -> Patterns:
    """Distinct patterns of distinct rows, which differ in who gave which rating."""
    base, frequency = rows.codes.shape[1] + 1, rows.frequency.astype(float)
    if n_categories * math.log2(base) < _EXACT:
        power = base ** np.arange(n_categories + 1)
        power[-1] = 0  # that of code -1: not rated
        key = power[rows.codes].sum(axis=1)
        if base**n_categories > _FEW:
            key, which = np.unique(key, return_inverse=True)
            frequency = np.bincount(which, weights=frequency)
        else:
            frequency = np.bincount(key, weights=frequency)
            key = np.flatnonzero(frequency)
            frequency = frequency[key]
        counts = (key[:, None] // power[:-1] % base).astype(float)
    else:
        counts = (
            np.stack([(rows.codes == k).sum(axis=1) for k in range(n_categories)], axis=1) * 1.0
        )
    return Patterns(counts, frequency, np.ones(len(counts)), counts.sum(axis=1))


def one_by_one(table: RatingTable, *, least: int = 1) -> tuple[Integers, Patterns]:
    """Places and patterns of the items with at least ``least`` ratings, none merged."""
    counts = table.counts().astype(float)
    size = counts.sum(axis=1)
    keep = np.flatnonzero(size >= least)
    ones = np.ones(len(keep))
    parts = counts[keep], ones, item_weights(table)[keep], size[keep]
    return keep, Patterns(*parts, clusters_of(table, keep))


def grouped(table: RatingTable) -> tuple[Integers, Patterns]:
    """Pattern of each item, -1 with fewer than two ratings (N,), and the distinct patterns."""
    items, patterns = one_by_one(table, least=2)
    n_categories, base = patterns.counts.shape[1], patterns.size.max(initial=0) + 1
    which, example = np.arange(len(items)), np.arange(len(items))
    if n_categories * math.log2(base) < _EXACT and table.cluster is None:
        key = patterns.counts @ base ** np.arange(n_categories)
        _, key = np.unique(key, return_inverse=True)
        levels, weight_code = np.unique(patterns.weight, return_inverse=True)
        _, example, which = np.unique(
            key * len(levels) + weight_code, return_index=True, return_inverse=True
        )
    pattern = np.full(table.n_items, -1)
    pattern[items] = which
    frequency = np.bincount(which, minlength=len(example)).astype(float)
    counts, weight, size = (
        part[example] for part in (patterns.counts, patterns.weight, patterns.size)
    )
    clusters = None if patterns.cluster is None else patterns.cluster[example]
    return pattern, Patterns(counts, frequency, weight, size, clusters)


def usable(table: RatingTable, caller: str, *, compares_raters: bool = False) -> RatingTable:
    """Table without the ratings of items of weight 0, which are not in the population.

    Raises
    ------
    InputError
        If some rater rated an item twice, which ``caller`` cannot use, if the table has counts only
        and ``caller`` compares raters, or if squares of the scale's values overflow or vanish.
    """
    check_table(table, caller)
    table.refuse_repeats(caller)
    if compares_raters:
        table.refuse_anonymous(caller)
    if table.scale.kind == "interval":
        _check_reach(table)
    if table.item_weight is None:
        return table
    weight = table.item_weight
    largest = weight.max(initial=0.0)
    if largest > 0 and not 1 / _FAR < largest < _FAR:
        weight = weight / largest
        largest = 1.0
    lost = (weight > 0) & (weight < _LOST * largest)
    if lost.any() or weight is not table.item_weight:
        weight = np.where(lost, 0.0, weight)
        table = replace(table, item_weight=weight)
    return table if weight.all() else kept(table, weight[table.item] > 0)


def _check_reach(table: RatingTable) -> None:
    """Raise if squares of the scale's values overflow or vanish."""
    low, high = table.scale.low, table.scale.high
    if max(abs(low), abs(high)) > _FAR or high - low < 1 / _FAR:
        raise InputError(
            f"agreement needs values between -{_FAR:g} and {_FAR:g}, on a scale longer than "
            f"{1 / _FAR:g}; the scale is {table.scale}. Measure in another unit."
        )


def kept(table: RatingTable, keep: Booleans) -> RatingTable:
    """Table with some of its ratings, shape (n,)."""
    return replace(
        table,
        item=table.item[keep],
        rater=table.rater[keep],
        values=table.values[keep],
        codes=table.codes[keep],
    )


def why_undefined(table: RatingTable, *, two_categories: bool = False) -> Reason | None:
    """Reason why no agreement between raters can be computed, None if it can."""
    if not table.n_ratings:
        return "no_items"
    if n_raters(table) < 2 and not table.anonymous:  # seats are not raters
        return "fewer_than_two_raters"
    if len(items_by_size(table)) <= 2:
        return "no_pairable_items"
    if two_categories and table.scale.kind == "nominal" and len(table.categories) < 2:
        return "fewer_than_two_categories"
    return None


def n_raters(table: RatingTable) -> int:
    """Number of raters who rated anything."""
    return len(active_raters(table))


_RATERS: WeakKeyDictionary[RatingTable, Integers] = WeakKeyDictionary()
_SIZES: WeakKeyDictionary[RatingTable, Integers] = WeakKeyDictionary()


@cached_by_table(_RATERS)
def active_raters(table: RatingTable) -> Integers:
    """Places of the raters who rated anything."""
    rows = distinct_rows(table)
    if rows is not None:
        return rows.raters
    return np.flatnonzero(np.bincount(table.rater, minlength=table.n_raters))


@cached_by_table(_SIZES)
def items_by_size(table: RatingTable) -> Integers:
    """Number of items with 0, 1, 2, ... ratings, up to the largest number of ratings."""
    rows = distinct_rows(table)
    if rows is not None:
        return rows.by_size
    return np.bincount(np.bincount(table.item, minlength=1))


def item_weights(table: RatingTable) -> Floats:
    """Weight of every item, mean 1 over items with two or more ratings, shape (N,)."""
    if table.item_weight is None:
        return np.ones(table.n_items)
    size = np.bincount(table.item, minlength=table.n_items)
    in_pairs = table.item_weight[(size >= 2)]
    mean = in_pairs.mean() if len(in_pairs) else 1.0
    return np.asarray(table.item_weight / mean)


def clusters_of(table: RatingTable, items: Integers | Booleans) -> Integers | None:
    """Clusters of some items, None without clusters."""
    return None if table.cluster is None else table.cluster[items]


def _distinct(key: Integers, weight: Floats) -> tuple[Integers, Floats]:
    """One item of each distinct positive key and weight, and the number of items that share it."""
    if weight.size and weight.min() == weight.max():
        weight_code, n_weights = np.zeros(len(key), dtype=np.int64), 1
    else:
        levels, weight_code = np.unique(weight, return_inverse=True)
        n_weights = len(levels)
    items = np.flatnonzero(key > 0)
    both = key[items]
    if n_weights > 1:
        ranks = np.unique(both, return_inverse=True)[1].astype(np.int64)
        both = ranks * n_weights + weight_code[items]
    if both.size and both.max() < _SMALL:
        frequency = np.bincount(both)
        seen = np.flatnonzero(frequency)
        example = np.zeros(len(frequency), dtype=np.int64)
        example[both] = items
        return example[seen], frequency[seen].astype(float)
    _, first, frequency = np.unique(both, return_index=True, return_counts=True)
    return items[first], frequency.astype(float)


def _counts(table: RatingTable, items: Integers) -> Floats:
    """Ratings per category of the given items, shape (len(items), K)."""
    n_categories = max(len(table.categories), 1)
    place = np.full(table.n_items, -1, dtype=np.int64)
    place[items] = np.arange(len(items))
    row = place[table.item]
    given = row >= 0
    cell = row[given] * n_categories + table.codes[given]
    counts = np.bincount(cell, minlength=len(items) * n_categories)
    return counts.reshape(len(items), n_categories).astype(float)
