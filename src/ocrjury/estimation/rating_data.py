"""Ratings of sampled and gold items as arrays, checked."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from ocrjury.arrays import Booleans, Floats, Integers, as_written
from ocrjury.columns import check_columns, numeric_column
from ocrjury.errors import InputError
from ocrjury.estimation.interval import is_share
from ocrjury.estimation.linear_estimate import checked_clusters
from ocrjury.rater_model import AdditiveFit, fit_additive, fit_reliable


@dataclass(frozen=True, eq=False)
class RatingData:
    """Ratings of n sampled items, followed by those of gold items outside the sample.

    Attributes
    ----------
    pi
        Inclusion probabilities of the sampled items, shape (n,).
    stratum
        Code of each sampled item's stratum, shape (n,).
    item, rater
        Index of each rating's item and rater; items from n on are gold items only.
    value
        The ratings.
    n_items
        Number of all items.
    raters
        Names of the M raters.
    gold
        Gold value of every item, shape (n_items,), ``nan`` where there is none; None without gold.
    cluster
        Number of the cluster in which each sampled item was drawn, shape (n,); None: each was
        drawn for itself.
    differences
        Whether the values are differences of ratings.
    """

    pi: Floats
    stratum: Integers
    item: Integers
    rater: Integers
    value: Floats
    n_items: int
    raters: tuple[object, ...]
    gold: Floats | None
    cluster: Integers | None = None
    differences: bool = False

    @property
    def shares(self) -> bool:
        """Whether means of the ratings are shares; those of differences are not."""
        return not self.differences and is_share(self.value[self.sampled])

    @property
    def n_raters(self) -> int:
        """M."""
        return len(self.raters)

    @property
    def sampled(self) -> Booleans:
        """Mask of the ratings of sampled items, shape (n_ratings,)."""
        return self.item < len(self.pi)

    @cached_property
    def reliable(self) -> AdditiveFit:
        """Additive fit with the raters weighted by the scatter of their ratings."""
        size = {"n_items": self.n_items, "n_raters": self.n_raters}
        return fit_reliable(self.item, self.rater, self.value, **size)

    @cached_property
    def equal(self) -> AdditiveFit:
        """Additive fit with the raters at equal weight."""
        return self.weighted(np.ones(self.n_raters))

    def weighted(self, weight: Floats) -> AdditiveFit:
        """Additive fit with a weight of each rater, shape (M,)."""
        size = {"n_items": self.n_items, "n_raters": self.n_raters}
        return fit_additive(self.item, self.rater, self.value, **size, rater_weight=weight)


def rating_data(
    ratings: pd.DataFrame,
    items: pd.DataFrame,
    gold: pd.DataFrame | None,
    *,
    differences: bool = False,
) -> RatingData:
    """Arrays of ratings, items and gold, checked."""
    check_columns(ratings, ["item", "rater", "rating"], "ratings")
    sampled = item_ids(items)
    pi = _probabilities(items)
    known = ratings[ratings["rating"].notna()]
    value = _values(known)
    values = _gold_values(gold)
    drawn = set(sampled)
    # In the order of the frame: the order of a set, and so rounding, differs between processes.
    outside = [name for name in values if name not in drawn]
    places = {name: place for place, name in enumerate([*sampled, *outside])}
    # Columns of texts are slow to read again and again.
    item_of, rater_of = known["item"].tolist(), known["rater"].tolist()
    _check_known(item_of, places)
    names = sorted(dict.fromkeys(rater_of), key=str)
    raters = {name: place for place, name in enumerate(names)}
    item = np.array([places[name] for name in item_of], dtype=np.int64)
    rater = np.array([raters[name] for name in rater_of], dtype=np.int64)
    _check_repeats(item, rater, known)
    gold_column = np.full(len(places), np.nan)
    for name, of_gold in values.items():
        gold_column[places[name]] = of_gold
    return RatingData(
        pi=pi,
        stratum=_strata(items),
        item=item,
        rater=rater,
        value=value,
        n_items=len(places),
        raters=tuple(raters),
        gold=None if gold is None else gold_column,
        cluster=checked_clusters(items.get("cluster"), len(items)),
        differences=differences,
    )


def item_ids(items: pd.DataFrame) -> list[object]:
    """Ids of the sampled items."""
    column = "item" if "item" in items.columns else "doc_id"
    check_columns(items, [column, "inclusion_probability"], "items")
    ids: list[object] = items[column].tolist()
    if len(set(ids)) != len(ids):
        raise InputError(f"items must name each item once; {len(ids) - len(set(ids))} come twice.")
    return ids


def _probabilities(items: pd.DataFrame) -> Floats:
    """Inclusion probabilities."""
    pi = numeric_column(items, "inclusion_probability")
    odd = np.flatnonzero(~((pi > 0) & (pi <= 1)))
    if len(odd):
        raise InputError(
            f"an inclusion probability lies above 0 and at most at 1; {len(odd)} items differ, "
            f"the first is {as_written(pi[odd[0]])!r} in row {odd[0] + 1}."
        )
    return pi


def _strata(items: pd.DataFrame) -> Integers:
    """Code of each sampled item's stratum."""
    if "stratum" not in items.columns:
        return np.zeros(len(items), dtype=np.int64)
    return pd.factorize(items["stratum"], use_na_sentinel=False)[0].astype(np.int64)


def _values(known: pd.DataFrame) -> Floats:
    """Ratings as numbers; raise if they are none, or of several dimensions."""
    dimensions = {*known["dimension"]} if "dimension" in known.columns else set()
    if len(dimensions) > 1:
        raise InputError(
            f"rated_mean takes one dimension at a time; found {sorted(map(str, dimensions))}."
        )
    numbers = numeric_column(known, "rating")
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        raise InputError(
            f"{len(bad)} rating(s) are no finite numbers; the first is "
            f"{as_written(known['rating'].iloc[bad[0]])!r} for item {known['item'].iloc[bad[0]]!r}."
        )
    return numbers


def _check_repeats(item: Integers, rater: Integers, known: pd.DataFrame) -> None:
    """Raise if a pair of item and rater comes twice."""
    pair = item * (rater.max(initial=0) + 1) + rater
    first = np.unique(pair, return_index=True)[1]
    if len(first) < len(pair):
        double = known[known.duplicated(["item", "rater"])]
        raise InputError(
            f"{len(pair) - len(first)} pair(s) of item and rater have more than one rating; the "
            f"first is item {double['item'].iloc[0]!r} by rater {double['rater'].iloc[0]!r}. "
            "Keep the first."
        )


def _gold_values(gold: pd.DataFrame | None) -> dict[object, float]:
    """Gold value of each gold item."""
    if gold is None:
        return {}
    check_columns(gold, ["item", "rating"], "gold")
    if gold["item"].duplicated().any():
        twice = gold["item"][gold["item"].duplicated()]
        raise InputError(
            f"gold must name each item once; {len(twice)} come again, the first is "
            f"{twice.iloc[0]!r}."
        )
    values = numeric_column(gold, "rating")
    if not np.isfinite(values).all():
        bad = int(np.flatnonzero(~np.isfinite(values))[0])
        raise InputError(
            f"gold ratings must be finite numbers; found {as_written(gold['rating'].iloc[bad])!r} "
            f"for item {gold['item'].iloc[bad]!r}."
        )
    return dict(zip(gold["item"].tolist(), values.tolist(), strict=True))


def _check_known(items: list[object], places: dict[object, int]) -> None:
    """Raise if a rating is of an item that is neither drawn nor gold."""
    strange = [item for item in items if item not in places]
    if strange:
        raise InputError(
            f"{len(strange)} rating(s) are of items that are neither in items nor in gold; the "
            f"first is item {strange[0]!r}. Without inclusion probabilities they cannot count."
            f"{_hint(strange[0], places)}"
        )


def _hint(item: object, places: dict[object, int]) -> str:
    """Sentence where an item is a number in one frame and text in the other."""
    alike = next((other for other in places if str(other) == str(item)), None)
    return "" if alike is None else f" It is there as {alike!r}: make the ids of both text."
