"""Ratings of N items by M raters, kept as one long list of n ratings.

The long form costs memory for ratings only, so that 100 raters who each saw 5 % of the items are
as cheap as 5 raters who saw all. `RatingTable.counts` (N, K) and `RatingTable.matrix` (N, M) are
made from it on demand.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from ocrjury.errors import InputError
from ocrjury.scales import Scale

if TYPE_CHECKING:
    import pandas as pd

Repeats = Literal["error", "keep"]
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class Pairs(NamedTuple):
    """Who rated what: ids, and for every rating the place of its item and of its rater in them."""

    items: tuple[Hashable, ...]
    raters: tuple[Hashable, ...]
    item: Integers
    rater: Integers

    def name(self, rating: int) -> str:
        """Return in words which item and rater a rating is of."""
        item, rater = self.items[self.item[rating]], self.raters[self.rater[rating]]
        return f"item {item!r} by rater {rater!r}"


@dataclass(frozen=True, slots=True, eq=False)
class RatingTable:
    """n ratings of N items by M raters on one dimension.

    Attributes
    ----------
    scale
        The declared scale.
    items, raters
        Their ids as they were given, in order of first appearance, shapes (N,) and (M,).
    item, rater
        Place of each rating's item and rater in ``items`` and ``raters``, shape (n,).
    values
        Each rating as a number, shape (n,); on a nominal scale the category's place.
    categories
        Numbers that ``codes`` stand for, shape (K,): the scale's categories, or on an interval
        scale the distinct values seen, ascending.
    codes
        Place of each rating in ``categories``, shape (n,).
    item_weight
        Weight of each item, shape (N,), or None.
    repeated
        Whether a rater rated some item more than once; most statistics refuse such a table.
    """

    scale: Scale
    items: tuple[Hashable, ...]
    raters: tuple[Hashable, ...]
    item: Integers
    rater: Integers
    values: Floats
    categories: Floats
    codes: Integers
    item_weight: Floats | None = None
    repeated: bool = False

    @classmethod
    def from_long(
        cls,
        frame: "pd.DataFrame",
        *,
        scale: Scale,
        item: str = "item",
        rater: str = "rater",
        value: str = "rating",
        repeats: Repeats = "error",
        item_weight: str | Mapping[Hashable, float] | None = None,
    ) -> Self:
        """Return the table of a frame with one row per rating.

        Parameters
        ----------
        frame
            One row per rating; a missing rating is an absent row or a missing value.
        item, rater, value
            Names of the columns.
        repeats
            ``"keep"`` accepts several ratings of one item by one rater, which only truth
            inference and intra-rater functions can use.
        item_weight
            Name of a column that is constant within an item, or a mapping from item to weight.
        """
        _check_columns(frame, [item, rater, value, item_weight])
        _check_ids(frame, item)
        _check_ids(frame, rater)
        rated = frame[frame[value].notna()]
        # An item whose only rating is missing still is an item of the table.
        items, places = _factorize(frame[item].tolist())
        raters, who = _factorize(rated[rater].tolist())
        rows = np.flatnonzero(frame[value].notna().to_numpy())
        weights = _weights(frame, items, item=item, item_weight=item_weight)
        pairs = Pairs(items, raters, places[rows], who)
        return cls._build(
            pairs, rated[value].tolist(), scale=scale, repeats=repeats, weights=weights
        )

    @classmethod
    def from_matrix(
        cls,
        values: Sequence[Sequence[Any]] | npt.NDArray[Any],
        *,
        scale: Scale,
        items: Sequence[Hashable] | None = None,
        raters: Sequence[Hashable] | None = None,
        item_weight: Sequence[float] | npt.NDArray[Any] | None = None,
    ) -> Self:
        """Return the table of a matrix of shape (N, M), ``nan`` or None where nothing was rated."""
        matrix = np.asarray(values, dtype=object)
        if matrix.size == 0:
            matrix = matrix.reshape(len(matrix), 0)
        if matrix.ndim != 2:
            raise InputError(
                f"from_matrix needs one row per item and one column per rater; found "
                f"{matrix.ndim} dimension(s), or rows of unequal length."
            )
        item_ids = _names(items, matrix.shape[0], "items")
        rater_ids = _names(raters, matrix.shape[1], "raters")
        # nan is the only value that differs from itself.
        there = (matrix != None) & (matrix == matrix)  # noqa: E711, PLR0124
        item, rater = np.nonzero(there)
        weights = None if item_weight is None else np.asarray(item_weight, dtype=float)
        pairs = Pairs(item_ids, rater_ids, item, rater)
        return cls._build(
            pairs, matrix[there].tolist(), scale=scale, repeats="error", weights=weights
        )

    @classmethod
    def _build(
        cls,
        pairs: Pairs,
        values: list[Any],
        *,
        scale: Scale,
        repeats: Repeats,
        weights: Floats | None,
    ) -> Self:
        """Check and encode."""
        if repeats not in ("error", "keep"):
            raise InputError(f'repeats must be "error" or "keep"; found {repeats!r}.')
        numbers, categories, codes = _encode(pairs, values, scale)
        repeated = _repeated(pairs, repeats)
        _check_weights(weights, len(pairs.items))
        return cls(scale, *pairs, numbers, categories, codes, weights, repeated)

    @property
    def n_items(self) -> int:
        """Return N."""
        return len(self.items)

    @property
    def n_raters(self) -> int:
        """Return M."""
        return len(self.raters)

    @property
    def n_ratings(self) -> int:
        """Return n."""
        return len(self.values)

    def counts(self) -> Integers:
        """Return ratings per item and category, shape (N, K)."""
        n_categories = len(self.categories)
        cell = self.item * n_categories + self.codes
        counts = np.bincount(cell, minlength=self.n_items * n_categories)
        return counts.reshape(self.n_items, n_categories)

    def matrix(self) -> Floats:
        """Return the ratings, shape (N, M), ``nan`` where there is none."""
        self.refuse_repeats("matrix")
        matrix = np.full((self.n_items, self.n_raters), np.nan)
        matrix[self.item, self.rater] = self.values
        return matrix

    def refuse_repeats(self, who: str) -> None:
        """Raise if some rater rated an item twice, which ``who`` cannot use."""
        if self.repeated:
            raise InputError(
                f"{who} needs at most one rating per item and rater; this table was built with "
                'repeats="keep" and holds several. Keep one of each pair.'
            )


def rating_tables(
    ratings: "pd.DataFrame",
    *,
    scale: Scale,
    dimensions: Sequence[str] | None = None,
    item_weight: Mapping[Hashable, float] | None = None,
) -> dict[str, RatingTable]:
    """Return one table for each dimension of a long frame item, rater, dimension, rating.

    Parameters
    ----------
    dimensions
        Which, in this order; None takes those that occur, in order of appearance.
    """
    _check_columns(ratings, ["item", "rater", "dimension", "rating"])
    names = dimensions if dimensions is not None else list(dict.fromkeys(ratings["dimension"]))
    return {
        name: RatingTable.from_long(
            ratings[ratings["dimension"] == name], scale=scale, item_weight=item_weight
        )
        for name in names
    }


def _encode(pairs: Pairs, values: list[Any], scale: Scale) -> tuple[Floats, Floats, Integers]:
    """Return numbers, the numbers of the categories, and codes."""
    if scale.kind == "interval":
        numbers = np.array([_as_number(value) for value in values], dtype=float)
        strange = ~((numbers >= scale.low) & (numbers <= scale.high))
        categories, codes = np.unique(numbers, return_inverse=True)
    else:
        codes = np.array([_code(value, scale) for value in values], dtype=np.int64)
        strange = codes < 0
        categories = np.array(scale.numbers)
        numbers = categories[codes]
    if strange.any():
        first = int(np.flatnonzero(strange)[0])
        raise InputError(
            f"{int(strange.sum())} rating(s) outside the scale ({scale}); the first is "
            f"{values[first]!r} for {pairs.name(first)}."
        )
    return numbers, categories, codes.astype(np.int64).reshape(-1)


def _code(value: Any, scale: Scale) -> int:
    """Return the place of a value on the scale, -1 if it has none."""
    try:
        return scale.codes.get(value, -1)
    except TypeError:
        return -1


def _as_number(value: Any) -> float:
    """Return a number, nan (outside every scale) if the value is none."""
    return float(value) if isinstance(value, int | float | np.number) else np.nan


def _repeated(pairs: Pairs, repeats: Repeats) -> bool:
    """Return whether a pair of item and rater comes twice; raise if it must not."""
    pair = pairs.item * max(len(pairs.raters), 1) + pairs.rater
    _, first, count = np.unique(pair, return_index=True, return_counts=True)
    double = first[count > 1]
    if repeats == "error" and len(double):
        raise InputError(
            f"{len(double)} pair(s) of item and rater have more than one rating; the first is "
            f'{pairs.name(double.min())}. Keep one of them, or pass repeats="keep" where '
            "repeated ratings are meant."
        )
    return bool(len(double))


def _factorize(ids: list[Hashable]) -> tuple[tuple[Hashable, ...], Integers]:
    """Return distinct ids in order of appearance, and the place of each."""
    places: dict[Hashable, int] = {}
    codes = np.array([places.setdefault(name, len(places)) for name in ids], dtype=np.int64)
    return tuple(places), codes


def _names(ids: Sequence[Hashable] | None, n: int, what: str) -> tuple[Hashable, ...]:
    """Return ids of a matrix side, 0 to n - 1 unless given."""
    if ids is None:
        return tuple(range(n))
    if len(ids) != n or len(set(ids)) != n:
        raise InputError(
            f"{what} must name each of the {n} once; found {len(ids)} names, "
            f"{len(set(ids))} of them distinct."
        )
    return tuple(ids)


def _check_columns(frame: "pd.DataFrame", names: Sequence[object]) -> None:
    """Raise if a named column is absent."""
    absent = [name for name in names if isinstance(name, str) and name not in frame.columns]
    if absent:
        raise InputError(
            f"the frame has no column {', '.join(map(repr, absent))}; found "
            f"{', '.join(map(repr, frame.columns))}. Name the columns with item=, rater=, value=."
        )


def _check_ids(frame: "pd.DataFrame", column: str) -> None:
    """Raise if an id is missing."""
    missing = np.flatnonzero(frame[column].isna().to_numpy())
    if len(missing):
        raise InputError(
            f"{len(missing)} row(s) have no id in column {column!r}; the first is row "
            f"{missing[0] + 1} of the frame."
        )


def _weights(
    frame: "pd.DataFrame",
    items: tuple[Hashable, ...],
    *,
    item: str,
    item_weight: str | Mapping[Hashable, float] | None,
) -> Floats | None:
    """Return the weight of every item, in the order of ``items``."""
    if item_weight is None:
        return None
    if isinstance(item_weight, str):
        per_item = frame.groupby(item, sort=False, dropna=False)[item_weight]
        varying = per_item.nunique(dropna=False)
        if (varying > 1).any():
            raise InputError(
                f"column {item_weight!r} must be constant within an item; it varies on "
                f"{int((varying > 1).sum())} item(s), the first is "
                f"{varying[varying > 1].index[0]!r}."
            )
        item_weight = per_item.first().to_dict()
    absent = [name for name in items if name not in item_weight]
    if absent:
        raise InputError(f"{len(absent)} item(s) have no weight; the first is {absent[0]!r}.")
    return np.array([float(item_weight[name]) for name in items])


def _check_weights(weights: Floats | None, n_items: int) -> None:
    """Raise if the weights cannot weigh."""
    if weights is None:
        return
    if weights.shape != (n_items,) or not np.isfinite(weights).all() or (weights < 0).any():
        raise InputError(
            f"item_weight needs {n_items} finite numbers, none below 0; found shape "
            f"{weights.shape}, smallest {weights.min(initial=np.inf):g}."
        )
