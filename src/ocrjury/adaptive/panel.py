"""Truths and ratings of all dimensions, side by side for the same items."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ocrjury.assignment.identity import canonical_order
from ocrjury.errors import InputError
from ocrjury.ratings import RatingTable
from ocrjury.truth.labels import Truth

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One dimension of the panel's items.

    Attributes
    ----------
    weight
        What a bit of this dimension is worth.
    probabilities
        Shape (N, K); rows of items that the dimension lacks are certain.
    confidence
        Shape (N,).
    raters
        Places of the dimension's raters in the panel.
    confusion
        Theirs, indexed rater, true, observed.
    typical
        Mean of these weighted by ratings, shape (K, K).
    """

    weight: float
    probabilities: Floats
    confidence: Floats
    raters: Integers
    confusion: Floats
    typical: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """N items and M raters on all dimensions.

    Attributes
    ----------
    items, raters
        Ids in canonical order.
    views
        One per dimension with a weight above 0.
    n_ratings
        Ratings of each item on the dimension where it has most, shape (N,).
    rated
        Whether a rater rated an item on any dimension, shape (N, M).
    """

    items: list[Any]
    raters: list[Any]
    views: list[View]
    n_ratings: Integers
    rated: Booleans


def by_dimension(
    truth: Truth | Mapping[Any, Truth], table: RatingTable | Mapping[Any, RatingTable]
) -> dict[Any, tuple[Truth, RatingTable]]:
    """Return pairs of truth and table; the dimension is None where there is only one."""
    if isinstance(truth, Truth) and isinstance(table, RatingTable):
        return {None: (truth, table)}
    if not isinstance(truth, Mapping) or not isinstance(table, Mapping):
        raise InputError(
            "truth and table must be one of each, or two mappings with a truth and a table per "
            f"dimension; found {type(truth).__name__} and {type(table).__name__}."
        )
    if set(truth) != set(table):
        raise InputError(
            "truth and table must name the same dimensions; found "
            f"{canonical_order(truth)!r} and {canonical_order(table)!r}."
        )
    return {name: (truth[name], table[name]) for name in truth}


def build_panel(
    dimensions: Mapping[Any, tuple[Truth, RatingTable]], weights: Mapping[Any, float] | None
) -> Panel:
    """Return items and raters of all dimensions."""
    for name, (truth, table) in dimensions.items():
        _check_same_items(name, truth, table)
    weight_of = _weights(dimensions, weights)
    items = canonical_order({item for truth, _ in dimensions.values() for item in truth.items})
    raters = canonical_order({name for truth, _ in dimensions.values() for name in truth.raters})
    place_of_item = {item: place for place, item in enumerate(items)}
    place_of_rater = {rater: place for place, rater in enumerate(raters)}
    n_ratings = np.zeros(len(items), dtype=np.int64)
    rated = np.zeros((len(items), len(raters)), dtype=bool)
    views = []
    for name, (truth, table) in dimensions.items():
        item = _places(table.items, place_of_item)[table.item]
        rater = _places(table.raters, place_of_rater)[table.rater]
        n_ratings = np.maximum(n_ratings, np.bincount(item, minlength=len(items)))
        rated[item, rater] = True
        if weight_of[name] > 0:
            probabilities, confidence = _on_all_items(truth, place_of_item)
            load = np.bincount(rater, minlength=len(raters))
            of_raters = _places(truth.raters, place_of_rater)
            views.append(
                View(
                    weight_of[name],
                    probabilities,
                    confidence,
                    of_raters,
                    truth.confusion,
                    _typical(truth.confusion, load[of_raters]),
                )
            )
    return Panel(items, raters, views, n_ratings, rated)


def _places(names: tuple[Hashable, ...], places: Mapping[Hashable, int]) -> Integers:
    """Return the place of each name."""
    return np.array([places[name] for name in names], dtype=np.int64)


def _on_all_items(truth: Truth, places: Mapping[Hashable, int]) -> tuple[Floats, Floats]:
    """Return probabilities (N, K) and confidence (N,); items that the truth lacks are certain."""
    probabilities = np.zeros((len(places), len(truth.categories)))
    probabilities[:, 0] = 1.0
    confidence = np.ones(len(places))
    rows = _places(truth.items, places)
    probabilities[rows] = truth.probabilities
    confidence[rows] = truth.confidence
    return probabilities, confidence


def _typical(confusion: Floats, load: Integers) -> Floats:
    """Return the mean confusion matrix, each rater weighted by their ratings, shape (K, K)."""
    n_categories = confusion.shape[1]
    if not load.sum():
        return np.full((n_categories, n_categories), 1 / n_categories)
    return np.asarray(np.average(confusion, axis=0, weights=load))


def _weights(
    dimensions: Mapping[Any, object], weights: Mapping[Any, float] | None
) -> dict[Any, float]:
    """Return the weight of every dimension, 1 unless given."""
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
    """Raise if the table holds items or raters that the truth does not know."""
    where = "" if name is None else f" of dimension {name!r}"
    for what, known, found in (
        ("items", truth.items, table.items),
        ("raters", truth.raters, table.raters),
    ):
        absent = set(found) - set(known)
        if absent:
            raise InputError(
                f"the table{where} has {len(absent)} {what} that the truth does not know, for "
                f"example {min(absent, key=repr)!r}. Infer the truth from this table again."
            )
