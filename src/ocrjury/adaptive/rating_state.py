"""Truths and ratings of all dimensions, aligned on the same items and raters."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse

from ocrjury.adaptive.information import weakened
from ocrjury.adaptive.rater_groups import RaterGroups, group_raters
from ocrjury.arrays import Booleans, Floats, Integers
from ocrjury.assignment.identity import canonical_order
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth
from ocrjury.truth.rating_weight import rating_weights

Dimensions = Mapping[Any, tuple[Truth, RatingTable]]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One dimension, aligned with all items.

    Attributes
    ----------
    weight
        Value of a bit on this dimension.
    probabilities
        Shape (N, K); rows of items that the dimension lacks are certain.
    confidence
        Shape (N,).
    known
        Whether an item's category is given, shape (N,); true where the dimension lacks the item.
    n_ratings
        Number of ratings of each item on this dimension, shape (N,).
    raters
        Places of the dimension's raters among all raters.
    groups
        These raters, grouped by similarity.
    typical
        Their mean confusion matrix weighted by ratings, shape (K, K).
    class_prior, dependence, bounded, temperature
        As in the truth.
    """

    weight: float
    probabilities: Floats
    confidence: Floats
    known: Booleans
    n_ratings: Integers
    raters: Integers
    groups: RaterGroups
    typical: Floats
    class_prior: Floats
    dependence: float
    bounded: bool
    temperature: float

    def weakened(self, confusion: Floats, weight: float) -> Floats:
        """Answer probabilities of raters whose ratings weigh this much; see `information`."""
        return weakened(confusion, weight, class_prior=self.class_prior)

    def by_weight(self, items: Integers, *, more: int) -> Iterator[tuple[Integers, float]]:
        """Yield places in ``items`` and the weight of each rating there after ``more`` ratings.

        It is the weight that the inference will use; see `ocrjury.truth.rating_weight`.
        """
        number = self.n_ratings[items] + more
        if self.dependence == 0:
            number = np.ones_like(number)
        for count in np.unique(number):
            weight = float(rating_weights(count, dependence=self.dependence, bounded=self.bounded))
            yield np.flatnonzero(number == count), weight / self.temperature


@dataclass(frozen=True, slots=True, eq=False)
class RatingState:
    """N items and M raters on all dimensions.

    Attributes
    ----------
    items, raters
        Ids in canonical order.
    views
        One for each dimension with a weight above 0.
    n_ratings
        Largest number of ratings of each item over dimensions, shape (N,).
    rated
        1 where a rater rated an item on any dimension, sparse of shape (N, M).
    askable
        Whether a rater may be asked for more ratings, shape (M,).
    """

    items: list[Any]
    raters: list[Any]
    views: list[View]
    n_ratings: Integers
    rated: sparse.csr_array
    askable: Booleans

    @property
    def known(self) -> Booleans:
        """Mask of the items whose category is given on every dimension with a weight."""
        known = np.ones(len(self.items), dtype=bool)
        for view in self.views:
            known &= view.known
        return known if self.views else ~known

    def free_raters(self) -> Floats:
        """Number of raters who may be asked and have not rated each item, shape (N,)."""
        return np.asarray(self.askable.sum() - self.rated @ self.askable.astype(float))

    def unsure(self, target_confidence: float) -> Booleans:
        """Mask of the items below the confidence on some dimension with a weight."""
        unsure = np.zeros(len(self.items), dtype=bool)
        for view in self.views:
            unsure |= view.confidence < target_confidence
        return unsure


def by_dimension(
    truth: Truth | Mapping[Any, Truth], table: RatingTable | Mapping[Any, RatingTable]
) -> dict[Any, tuple[Truth, RatingTable]]:
    """Pairs of truth and table by dimension; the dimension is None for a single pair."""
    if isinstance(truth, Truth) and isinstance(table, RatingTable):
        return {None: (truth, table)}
    if not isinstance(truth, Mapping) or not isinstance(table, Mapping):
        raise InputError(
            "truth and table must be a single pair, or two mappings with a truth and a table per "
            f"dimension; found {type(truth).__name__} and {type(table).__name__}."
        )
    if set(truth) != set(table):
        raise InputError(
            "truth and table must name the same dimensions; found "
            f"{canonical_order(truth)!r} and {canonical_order(table)!r}."
        )
    return {name: (truth[name], table[name]) for name in truth}


def build_state(
    dimensions: Dimensions,
    weights: Mapping[Any, float] | None,
    *,
    raters_left: Collection[Hashable] | None = None,
) -> RatingState:
    """Items and raters of all dimensions, aligned; all may be asked unless some are named."""
    for name, (truth, table) in dimensions.items():
        _check_same_items(name, truth, table)
    weight_of = _weights(dimensions, weights)
    items = _together(truth.items for truth, _ in dimensions.values())
    left = frozenset(raters_left or ())
    raters = _together([tuple(left), *(truth.raters for truth, _ in dimensions.values())])
    askable = np.array([raters_left is None or rater in left for rater in raters], dtype=bool)
    place_of_item = {item: place for place, item in enumerate(items)}
    place_of_rater = {rater: place for place, rater in enumerate(raters)}
    n_ratings = np.zeros(len(items), dtype=np.int64)
    pairs = []
    views = []
    for name, (truth, table) in dimensions.items():
        item = _places(table.items, place_of_item)[table.item]
        rater = _places(table.raters, place_of_rater)[table.rater]
        number = np.bincount(item, minlength=len(items))
        n_ratings = np.maximum(n_ratings, number)
        pairs.append((item, rater))
        if weight_of[name] > 0:
            rows = _places(truth.items, place_of_item)
            rater_places = _places(truth.raters, place_of_rater)
            load = np.bincount(rater, minlength=len(raters))[rater_places]
            views.append(
                _view(
                    truth, weight_of[name], rows=rows, raters=rater_places, load=load, number=number
                )
            )
    rated = _rated(pairs, (len(items), len(raters)))
    return RatingState(items, raters, views, n_ratings, rated, askable)


def _together(id_lists: Iterable[tuple[Hashable, ...]]) -> list[Any]:
    """All ids in canonical order, each once."""
    return canonical_order(dict.fromkeys(chain.from_iterable(id_lists)))


def _places(ids: tuple[Hashable, ...], places: Mapping[Hashable, int]) -> Integers:
    """Place of each id."""
    return np.fromiter(map(places.__getitem__, ids), dtype=np.int64, count=len(ids))


def _view(
    truth: Truth,
    weight: float,
    *,
    rows: Integers,
    raters: Integers,
    load: Integers,
    number: Integers,
) -> View:
    """View of a dimension on all items; items that it lacks are certain."""
    n = len(number)
    probabilities = np.zeros((n, len(truth.categories)))
    probabilities[:, 0] = 1.0
    probabilities[rows] = truth.probabilities
    confidence = np.ones(n)
    confidence[rows] = truth.confidence
    known = np.ones(n, dtype=bool)
    known[rows] = False if truth.known is None else truth.known
    return View(
        weight=weight,
        probabilities=probabilities,
        confidence=confidence,
        known=known,
        n_ratings=number,
        raters=raters,
        groups=group_raters(truth.confusion),
        typical=typical_confusion(truth.confusion, load),
        class_prior=truth.class_prior,
        dependence=truth.dependence,
        bounded=truth.bounded,
        temperature=truth.temperature,
    )


def _rated(pairs: Sequence[tuple[Integers, Integers]], shape: tuple[int, int]) -> sparse.csr_array:
    """Sparse matrix with 1 where a rater rated an item on some dimension, shape (N, M)."""
    item = np.concatenate([np.zeros(0, dtype=np.int64), *(pair[0] for pair in pairs)])
    rater = np.concatenate([np.zeros(0, dtype=np.int64), *(pair[1] for pair in pairs)])
    rated = sparse.csr_array((np.ones(len(item)), (item, rater)), shape=shape)
    rated.sum_duplicates()
    rated.data[:] = 1.0
    return rated


def typical_confusion(confusion: Floats, load: Integers) -> Floats:
    """Mean confusion matrix, with raters weighted by their number of ratings, shape (K, K)."""
    n_categories = confusion.shape[1]
    if not load.sum():
        return np.full((n_categories, n_categories), 1 / n_categories)
    return np.asarray(np.average(confusion, axis=0, weights=load))


def _weights(
    dimensions: Mapping[Any, object], weights: Mapping[Any, float] | None
) -> dict[Any, float]:
    """Weight of every dimension, 1 unless given."""
    if weights is None:
        return dict.fromkeys(dimensions, 1.0)
    if set(weights) != set(dimensions):
        raise InputError(
            f"weights must name the dimensions of truth; found {canonical_order(weights)!r} and "
            f"{canonical_order(dimensions)!r}. A weight of 0 leaves a dimension out."
        )
    wrong = {name: weight for name, weight in weights.items() if not 0 <= weight < np.inf}
    if wrong:
        raise InputError(f"weights must be finite numbers, none below 0; found {wrong!r}.")
    return {name: float(weight) for name, weight in weights.items()}


def _check_same_items(name: Any, truth: Truth, table: RatingTable) -> None:
    """Raise if the table has items or raters that the truth does not have."""
    where = "" if name is None else f" of dimension {name!r}"
    for kind, known, present in (
        ("items", truth.items, table.items),
        ("raters", truth.raters, table.raters),
    ):
        absent = set(present) - set(known)
        if absent:
            raise InputError(
                f"the table{where} has {len(absent)} {kind} that the truth does not have, for "
                f"example {min(absent, key=repr)!r}. Infer the truth from this table again."
            )
